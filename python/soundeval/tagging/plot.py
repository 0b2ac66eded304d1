"""Pictures of OmAP, with matplotlib (``pip install "soundeval[plot]"``).

matplotlib is imported on the first call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from soundeval.errors import InputError
from soundeval.plot_style import COLOURS, DASHES, INK, QUIET, dress, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from soundeval.tagging.omap import OmapResult

__all__ = ["plot_omap", "plot_omap_comparison"]


def plot_omap(
    results: OmapResult | Mapping[str, OmapResult],
    *,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Plot the mean over classes at every level, one line for each system.

    Parameters
    ----------
    results : OmapResult or mapping of name to OmapResult
        One system, or several with the same levels.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it a new figure is made through ``pyplot``.
    title : str, optional
        Title of the panel.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on. Nothing is shown or saved: use ``ax.figure.savefig(...)``.

    Raises
    ------
    InputError
        If systems have different levels.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import soundeval as se
    >>> path = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> y_true = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> y_score = [[0.9, 0.8, 0.2], [0.8, 0.1, 0.6], [0.7, 0.3, 0.1]]
    >>> ax = se.tagging.plot_omap(se.tagging.omap(y_true, y_score, path))
    >>> ax.get_xlabel()
    'Level: false positives up to this distance are forgiven'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    systems = dict(results) if isinstance(results, Mapping) else {"OmAP": results}
    levels = _levels(systems)
    if ax is None:
        ax = new_axes()
    for i, (name, result) in enumerate(systems.items()):
        ax.plot(
            levels,
            _per_level(result),
            color=COLOURS[i % len(COLOURS)],
            linestyle=DASHES[i // len(COLOURS) % len(DASHES)],
            linewidth=1.8,
            marker="o",
            markersize=3.5,
            clip_on=False,
            label=f"{name}  {result.value:.3f}",
            zorder=3,
        )
    ax.set_ylim(0.0, 1.0)
    ax.set_ylabel("Mean OAP over classes")
    _dress(ax, levels, title)
    _label_levels(ax)
    _legend(ax, "mean over levels" if len(systems) > 1 else None)
    return ax


def plot_omap_comparison(
    first: OmapResult,
    second: OmapResult,
    *,
    names: tuple[str, str] = ("first", "second"),
    title: str | None = None,
) -> tuple[Axes, Axes]:
    """Plot two systems against each other, level by level.

    Above, both over levels; below, how much better the second is, and what part of the classes it
    is better in. A system can be better where near classes are told apart (low levels) and worse
    where only gross mistakes count (high ones).

    Parameters
    ----------
    first, second : OmapResult
        Systems with the same levels and classes.
    names : (str, str), default ("first", "second")
        What to call them.
    title : str, optional
        Title of the figure.

    Returns
    -------
    (matplotlib.axes.Axes, matplotlib.axes.Axes)
        The upper and the lower panel of a new figure.

    Raises
    ------
    InputError
        If the levels or the classes differ.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import soundeval as se
    >>> path = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> y_true = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> good = se.tagging.omap(y_true, y_true, path)
    >>> bad = se.tagging.omap(y_true, [[0.9, 0.8, 0.2], [0.8, 0.1, 0.6], [0.7, 0.3, 0.1]], path)
    >>> above, below = se.tagging.plot_omap_comparison(bad, good)
    >>> [round(float(bar.get_height()), 3) for bar in below.patches]
    [0.231, 0.25, 0.0]
    >>> matplotlib.pyplot.close(above.figure)
    """
    systems = dict(zip(names, (first, second), strict=True))
    if len(systems) != 2:
        raise InputError(f"names must be two different names, got {names!r}")
    levels = _levels(systems)
    if first.class_names != second.class_names:
        raise InputError("the two results must have the same classes in the same order")
    import matplotlib.pyplot as plt

    _, (above, below) = plt.subplots(
        2,
        1,
        figsize=(5.6, 4.8),
        sharex=True,
        layout="constrained",
        height_ratios=(3, 2),
    )
    plot_omap(systems, ax=above, title=title)
    above.set_xlabel("")
    difference = _per_level(second) - _per_level(first)
    colours = [COLOURS[1] if value > 0 else COLOURS[0] for value in difference]
    width = 0.6 * (min(np.diff(levels)) if len(levels) > 1 else 1.0)
    below.bar(levels, difference, width=width, color=colours, zorder=3)
    below.axhline(0.0, color=INK, linewidth=0.8, zorder=4)
    below.set_ylabel(f"{names[1]} − {names[0]}")
    _dress(below, levels)
    _label_levels(below)
    # Room for a share above or below each bar.
    reach = max(float(np.nanmax(np.abs(difference), initial=0.0)), 1e-6)
    low, high = min(0.0, np.nanmin(difference)), max(0.0, np.nanmax(difference))
    below.set_ylim(
        low - (0.3 if low < 0 else 0.08) * reach, high + (0.3 if high > 0 else 0.08) * reach
    )
    for level, value, text in zip(levels, difference, _better(first, second), strict=True):
        below.annotate(
            text,
            (level, value),
            (0, 2 if value >= 0 else -2),
            textcoords="offset points",
            ha="center",
            va="bottom" if value >= 0 else "top",
            fontsize=6,
            color=QUIET,
        )
    below.text(
        0.995,
        0.97,
        f"small figures: % of classes in which {names[1]} is better",
        transform=below.transAxes,
        ha="right",
        va="top",
        fontsize=7,
        color=QUIET,
    )
    return above, below


def _levels(systems: Mapping[str, OmapResult]) -> NDArray[np.float64]:
    if not systems:
        raise InputError("results must hold at least one system")
    levels = {result.levels for result in systems.values()}
    if len(levels) > 1:
        raise InputError(
            "all results must have the same levels; compute them with the same distances"
        )
    return np.array(next(iter(levels)))


def _per_level(result: OmapResult) -> NDArray[np.float64]:
    return np.array(list(result.per_level.values()))


def _better(first: OmapResult, second: OmapResult) -> list[str]:
    """Return at each level the percentage of classes in which the second is better."""
    known = ~np.isnan(first.oap) & ~np.isnan(second.oap)
    better = np.count_nonzero((second.oap > first.oap) & known, axis=1)
    total = np.maximum(np.count_nonzero(known, axis=1), 1)
    return [f"{100 * share:.0f}" for share in better / total]


def _dress(ax: Axes, levels: NDArray[np.float64], title: str | None = None) -> None:
    """Set limits, and what all plots have."""
    margin = 0.03 * max(float(np.ptp(levels)), 1.0)
    ax.set_xlim(float(levels.min()) - margin, float(levels.max()) + margin)
    dress(ax, title)


def _label_levels(ax: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("Level: false positives up to this distance are forgiven")


def _legend(ax: Axes, title: str | None) -> None:
    """Write names where lines never are: they rise from the left to 1 at the right."""
    legend = ax.legend(
        loc="lower right", fontsize="small", frameon=False, title=title, title_fontsize="small"
    )
    for text in legend.get_texts():
        # A system's name is text, even when it has dollar signs.
        text.set_parse_math(False)
