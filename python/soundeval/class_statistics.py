"""Exact counts of one class, at every decision threshold and at a single one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from soundeval.checks import real_number
from soundeval.names import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ClassStatistics", "Counts"]


@dataclass(frozen=True, slots=True, repr=False)
class Counts:
    """Counts of one class at one decision threshold.

    Attributes
    ----------
    tps : int
        Targets that were found. Targets are reference events; of `Segment` and `Clip` they are the
        segments and clips with such an event.
    fps : int
        Detections that are false.
    fns : int
        Targets that were missed: ``n_ref - tps``.
    n_ref : int
        Targets.
    cts : dict of str to int
        Cross triggers by other class; empty without a cross-trigger criterion.
    tns : int or None
        Segments or clips without the class that were not detected; None for event-based criteria.
    """

    tps: int
    fps: int
    fns: int
    n_ref: int
    cts: dict[str, int]
    tns: int | None = None

    def __repr__(self) -> str:
        """Return all counts that there are."""
        negatives = "" if self.tns is None else f", tns={self.tns}"
        return (
            f"Counts(tps={self.tps}, fps={self.fps}, fns={self.fns}, n_ref={self.n_ref}, "
            f"cts={self.cts}{negatives})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class ClassStatistics:
    """Counts of one class at every decision threshold.

    Attributes
    ----------
    name : str
        The class.
    thresholds : float64 ndarray of shape (n_points,)
        Ascending, the last is ``inf``. Point i stands for the decision thresholds from
        ``thresholds[i - 1]`` (included) to ``thresholds[i]`` (excluded).
    tps, fps : int64 ndarray of shape (n_points,)
        Found targets and false detections; 0 at the last point. Targets are reference events; of
        `Segment` and `Clip` they are the segments and clips with such an event.
    cts : dict of str to int64 ndarray of shape (n_points,)
        Cross triggers by other class; empty without a cross-trigger criterion.
    n_ref : int
        Number of targets.
    t_ref : float
        Sum of their lengths in seconds, correctly rounded.
    n_negatives : int or None
        Number of segments or clips without the class; None for event-based criteria.

    Examples
    --------
    See `statistics`.
    """

    name: str
    thresholds: NDArray[np.float64]
    tps: NDArray[np.int64]
    fps: NDArray[np.int64]
    cts: dict[str, NDArray[np.int64]]
    n_ref: int
    t_ref: float
    n_negatives: int | None = None

    @property
    def tns(self) -> NDArray[np.int64] | None:
        """True negatives: segments or clips; None for event-based criteria.

        int64 ndarray of shape (n_points,).
        """
        if self.n_negatives is None:
            return None
        tns = self.n_negatives - self.fps
        tns.flags.writeable = False
        return tns

    def at(self, threshold: float) -> Counts:
        """Return the counts at a decision threshold.

        Parameters
        ----------
        threshold : float
            Frames with a score *greater* than this are active. ``-inf`` gives the counts with every
            frame active whose score is not ``-inf``, ``inf`` those without detections.

        Returns
        -------
        Counts
            The counts of the first point whose threshold is greater than `threshold`.

        Raises
        ------
        InputError
            If `threshold` is NaN.
        """
        point = point_of(self.thresholds, threshold)
        tps, fps = int(self.tps[point]), int(self.fps[point])
        return Counts(
            tps=tps,
            fps=fps,
            fns=self.n_ref - tps,
            n_ref=self.n_ref,
            cts={name: int(counts[point]) for name, counts in self.cts.items()},
            tns=None if self.n_negatives is None else self.n_negatives - fps,
        )

    def __repr__(self) -> str:
        """Return the sizes; the arrays are long."""
        negatives = "" if self.n_negatives is None else f", n_negatives={self.n_negatives}"
        return (
            f"ClassStatistics({self.name!r}, {counted(len(self.thresholds), 'point')}, "
            f"n_ref={self.n_ref}, t_ref={self.t_ref}{negatives})"
        )


def point_of(thresholds: NDArray[np.float64], threshold: object) -> int:
    """Return the point that holds at a decision threshold: the first with a greater score."""
    theta = real_number("threshold", threshold)
    point = int(np.searchsorted(thresholds, theta, side="right"))
    # inf is greater than every score, also than inf.
    return min(point, len(thresholds) - 1)
