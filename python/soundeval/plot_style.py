"""What all plots look like; matplotlib is imported when the first is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Paul Tol's "muted" scheme without its two palest tones: told apart with every common form of
# colour blindness, and dark enough for thin lines. More lines repeat it with other dashes.
COLOURS = ("#332288", "#CC6677", "#117733", "#44AA99", "#882255", "#999933", "#AA4499", "#88CCEE")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)))
INK = "#222222"
QUIET = "#8A8A8A"


def new_axes() -> Axes:
    """Make a figure with one panel of the size of a journal column."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(5.2, 3.4), layout="constrained")[1]


def dress(ax: Axes, title: str | None = None) -> None:
    """Set grid, spines and title."""
    ax.grid(True, color="#E6E6E6", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(length=3, width=0.6, color=QUIET)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(QUIET)
        spine.set_linewidth(0.8)
    if title:
        ax.set_title(title, loc="left", fontsize="medium", fontweight="bold")
