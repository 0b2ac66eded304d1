"""Plots of results, with matplotlib (``pip install "soundeval[plot]"``).

:func:`plot_psd_roc` draws the PSD-ROC whose area is the PSDS: the average over the classes as a
bold staircase with the area under it shaded, and each class as a thin one. matplotlib is imported
on the first call, so importing this module costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from soundeval.plot_style import COLOURS, DASHES, INK, QUIET, dress, new_axes
from soundeval.psd_roc import PSDROC
from soundeval.psds_result import PSDSResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_psd_roc"]

# With more classes than this, names beside the curves would be a wall of text: the classes become a
# grey background to their average.
_MAX_NAMED = 16


def plot_psd_roc(
    result: PSDSResult | PSDROC,
    *,
    ax: Axes | None = None,
    per_class: bool = True,
    title: str | None = None,
) -> Axes:
    r"""Plot a PSD-ROC: true positive ratio against effective false positive rate.

    The bold line is the curve over the classes, :math:`\max(\mu - \alpha_{ST}\,\sigma, 0)` with
    mean and standard deviation taken over the classes at each effective false positive rate; the
    shaded area under it, divided by the maximal rate, is the PSDS. Thin lines are the classes. Both
    are staircases because a data set has finitely many operating points.

    Parameters
    ----------
    result : PSDSResult or PSDROC
        What to plot. A ``PSDSResult`` also has the values, which are written beside the names.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it a new figure is made through ``pyplot``.
    per_class : bool, default True
        Whether to draw the curve of each class. Up to sixteen are named; more are drawn in grey.
    title : str, optional
        Title of the panel.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on. Nothing is shown or saved: use ``ax.figure.savefig(...)``.

    Notes
    -----
    The horizontal axis ends at ``max_efpr``. A curve made with ``max_efpr=None`` ends at the
    largest rate of any class.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import soundeval as se
    >>> from soundeval import example
    >>> data = example.path()
    >>> result = se.psds(
    ...     data / "scores",
    ...     data / "ground_truth.tsv",
    ...     data / "durations.tsv",
    ...     **se.scenarios.PSDS1,
    ... )
    >>> ax = plot_psd_roc(result, title="PSDS scenario 1")
    >>> ax.get_xlabel()
    'Effective false positive rate (per hour)'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    curve = result.curve if isinstance(result, PSDSResult) else result
    overall, values = "Overall", dict[str, float]()
    if isinstance(result, PSDSResult):
        overall, values = f"PSDS {result.value:.3f}", result.per_class
    if ax is None:
        ax = new_axes()
    end = _right_end(curve)

    named = per_class and len(curve.per_class) <= _MAX_NAMED
    labels: list[_Label] = []
    if per_class:
        for i, (name, roc) in enumerate(curve.per_class.items()):
            x, y = _staircase(roc.efpr, roc.tpr, end)
            style = _Style(
                COLOURS[i % len(COLOURS)] if named else QUIET,
                DASHES[i // len(COLOURS) % len(DASHES)] if named else "-",
                1.1 if named else 0.6,
            )
            style.draw(ax, x, y, alpha=1.0 if named else 0.35)
            if named:
                text = f"{name}  {values[name]:.3f}" if name in values else name
                labels.append(_Label((float(y[-1]), values.get(name, 0.0)), text, style))

    x, y = _staircase(curve.efpr, curve.etpr, end)
    ax.fill_between(x, y, step="post", color=INK, alpha=0.10, linewidth=0, zorder=1)
    style = _Style(INK, "-", 2.4)
    style.draw(ax, x, y, zorder=4)
    labels.append(_Label((float(y[-1]), 0.0), overall, style, bold=True))

    _dress(ax, curve, end, title)
    _write_labels(ax, labels)
    return ax


class _Style:
    """Colour, dash pattern and width of one line."""

    def __init__(
        self, colour: str, dash: str | tuple[int, tuple[float, ...]], width: float
    ) -> None:
        self.colour, self.dash, self.width = colour, dash, width

    def draw(
        self,
        ax: Axes,
        x: npt.NDArray[np.float64],
        y: npt.NDArray[np.float64],
        alpha: float = 1.0,
        zorder: float = 3,
    ) -> None:
        """Draw a right-continuous staircase: a value holds from its own x on."""
        ax.plot(
            x,
            y,
            drawstyle="steps-post",
            color=self.colour,
            linestyle=self.dash,
            linewidth=self.width,
            alpha=alpha,
            zorder=zorder,
            solid_capstyle="butt",
            solid_joinstyle="miter",
        )


class _Label:
    """A name to write at the right end of a curve.

    Curves that end at the same height are ordered by the second number, their area: the one with
    the larger area comes from above, and so its name stands above.
    """

    def __init__(
        self, order: tuple[float, float], text: str, style: _Style, *, bold: bool = False
    ) -> None:
        self.order, self.text, self.style, self.bold = order, text, style, bold


def _right_end(curve: PSDROC) -> float:
    """Return where the horizontal axis ends: at max_efpr, or at the last point if there is none."""
    if curve.max_efpr is not None:
        return float(curve.max_efpr)
    ends = [
        float(np.max(x))
        for x in (curve.efpr, *(c.efpr for c in curve.per_class.values()))
        if len(x)
    ]
    return max([*ends, 0.0]) or 1.0


def _staircase(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], end: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Extend a curve to both ends of the axis: 0 before its first point, its last value after."""
    x, y = x[x <= end], y[x <= end]
    last = y[-1] if len(y) else 0.0
    return np.concatenate(([0.0], x, [end])), np.concatenate(([0.0], y, [last]))


def _dress(ax: Axes, curve: PSDROC, end: float, title: str | None) -> None:
    """Set limits, axis names, grid and title."""
    ax.set_xlim(0.0, end)
    # Curves run along 0 and 1: a little room keeps half of their width from being cut off.
    ax.set_ylim(-0.012, 1.012)
    ax.set_yticks(np.linspace(0.0, 1.0, 6))
    ax.set_xlabel(f"Effective false positive rate (per {curve.unit_of_time})")
    ax.set_ylabel("True positive ratio")
    dress(ax, title)


def _write_labels(ax: Axes, labels: Sequence[_Label]) -> None:
    """Write each name beside the end of its curve, moved apart where they would overlap.

    Names stand in one column right of the panel; a short line in the style of the curve leads from
    the end of the curve to its name, so no legend is needed and the colours need not be matched by
    eye.
    """
    ordered = sorted(labels, key=lambda label: label.order)
    ends = [label.order[0] for label in ordered]
    heights = _spread(ends, gap=min(0.066, 1.04 / len(ordered)))
    for label, end, height in zip(ordered, ends, heights, strict=True):
        ax.annotate(
            label.text,
            xy=(1.075, height),
            xycoords=ax.get_yaxis_transform(),
            va="center",
            fontsize="small",
            fontweight="bold" if label.bold else "normal",
            color=INK,
            annotation_clip=False,
            # A class name is text, even when it has dollar signs.
            parse_math=False,
        )
        ax.plot(
            [1.0, 1.02, 1.045, 1.065],
            [end, end, height, height],
            transform=ax.get_yaxis_transform(),
            color=label.style.colour,
            linewidth=max(1.0, label.style.width * 0.8),
            linestyle=label.style.dash,
            clip_on=False,
            solid_capstyle="butt",
            zorder=5 if label.bold else 3,
        )


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move ascending heights as little as possible so that neighbours are ``gap`` apart.

    With i * gap taken off the i-th height, "gap apart" becomes "not descending", and the nearest
    such sequence is the isotonic regression: neighbours in the wrong order are pooled into a block
    at their mean, so a crowd spreads evenly around its middle. Clipping it keeps all in the panel.
    """
    blocks: list[tuple[float, int]] = []  # mean and number of the heights pooled
    for i, height in enumerate(heights):
        mean, size = height - i * gap, 1
        while blocks and blocks[-1][0] > mean:
            below, n = blocks.pop()
            mean, size = (n * below + size * mean) / (n + size), n + size
        blocks.append((mean, size))
    flat = np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])
    steps = gap * np.arange(len(flat))
    return [float(y) for y in np.clip(flat, -0.02, 1.02 - steps[-1]) + steps]
