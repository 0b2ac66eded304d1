"""Counts of one class at all decision thresholds, and how those of clips are put together.

What is counted, and when, is up to the criteria. There are two kinds:

* criteria that look at events (intersections, collars) count anew at each threshold:
  :func:`add_clips` adds up what they counted in each clip;
* criteria that look at units (segments, clips), each of which has one score and is positive or
  negative: :func:`count_units` counts the units above each threshold.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .detection import Event, Interval


@dataclass(frozen=True)
class Counts:
    """Counts at one decision threshold; ``cts`` has one entry per other class."""

    tps: int
    fps: int
    cts: dict[str, int]


@dataclass(frozen=True)
class ClassStatistics:
    """Counts of one class at all decision thresholds.

    Attributes
    ----------
    thresholds : list of float, length n_points
        Ascending; the last is ``inf``, where nothing is detected and every count is 0. The counts
        at position ``i`` hold for every decision threshold from ``thresholds[i - 1]`` (included)
        up to ``thresholds[i]`` (excluded). Apart from the last, a score is listed only if some
        count changes there; if that is so at a score of ``inf``, then ``inf`` is listed twice.
    tps, fps : list of int, length n_points
        True positives (targets) and false positives (detections). Of segments and clips: positive
        and negative units with a score above the threshold.
    cts : dict of str to list of int, length n_points
        Cross triggers for each other class; empty without ``cttc_threshold``.
    n_ref : int
        Number of targets. Of segments and clips: number of positive units.
    t_ref : float
        Summed length of the targets, or of the positive units, in seconds, correctly rounded.
    n_negatives : int, optional
        Of segments and clips: number of negative units.
    tns : list of int, optional, length n_points
        Of segments and clips: negative units that are not above the threshold.
    """

    thresholds: list[float]
    tps: list[int]
    fps: list[int]
    cts: dict[str, list[int]]
    n_ref: int
    t_ref: float
    n_negatives: int | None = None
    tns: list[int] | None = None

    def point(self, threshold: float) -> int:
        """Return the position of the counts at a decision threshold.

        Examples
        --------
        >>> its = ClassStatistics([0.2, 0.8, math.inf], [1, 1, 0], [1, 0, 0], {}, 1, 2.0)
        >>> its.point(0.1), its.point(0.2), its.point(0.8)
        (0, 1, 2)
        """
        for position, score in enumerate(self.thresholds):
            if score > threshold:
                return position
        return len(self.thresholds) - 1

    def threshold_for(self, point: int) -> float:
        """Return a decision threshold that has the counts of a point, also on other data.

        It lies halfway between the score of the point and that of the point before. Where the
        middle is no number of its own that is at least the one and below the other, it is the score
        before; for the first point it is the next number below its score.

        Examples
        --------
        >>> its = ClassStatistics([0.25, 0.75, math.inf], [1, 1, 0], [1, 0, 0], {}, 1, 2.0)
        >>> its.threshold_for(1), its.threshold_for(2)
        (0.5, inf)
        >>> its.threshold_for(0) == math.nextafter(0.25, -math.inf)
        True
        """
        if point == len(self.thresholds) - 1:
            return math.inf
        score = self.thresholds[point]
        if point == 0:
            return math.nextafter(score, -math.inf)
        before = self.thresholds[point - 1]
        middle = (before + score) / 2
        return middle if before <= middle < score else before


@dataclass(frozen=True)
class Unit:
    """A segment or a clip: its score, whether something is to be found in it, its seconds."""

    score: float
    positive: bool
    length: float = 1.0


def column_of(matrix: npt.ArrayLike, column: int) -> list[float]:
    """Return the scores of one class, with 0.0 for -0.0 so that thresholds print in one way only.

    Examples
    --------
    >>> column_of([[1, -0.0], [2, 0.5]], 1)
    [0.0, 0.5]
    """
    return [float(score) + 0.0 for score in np.asarray(matrix)[:, column]]


def edges_of(timestamps: Mapping[str, Sequence[float]] | Sequence[float], clip: str) -> list[float]:
    """Return the frame edges of a clip, its own or those of all clips."""
    edges = timestamps[clip] if isinstance(timestamps, Mapping) else timestamps
    return [float(edge) for edge in edges]


def targets_of(events: Sequence[Event], name: str) -> list[Interval]:
    """Return the events of one class, in time order.

    Examples
    --------
    >>> targets_of([(2.0, 3.0, "a"), (0.0, 9.0, "b"), (1.0, 4.0, "a")], "a")
    [(1.0, 4.0), (2.0, 3.0)]
    """
    return sorted((onset, offset) for onset, offset, label in events if label == name)


def to_try(scores: Sequence[float]) -> dict[float, float]:
    """Return for each distinct score of a clip, ascending, a decision threshold just below it.

    Between two neighbouring scores of a clip its detections stay the same, so the smaller of them
    will do: it is not above itself. ``-inf`` is no score to try: it is above no threshold.

    Examples
    --------
    >>> to_try([0.5, 0.2, -math.inf, 0.5])
    {0.2: -inf, 0.5: 0.2}
    """
    distinct = sorted(set(scores) - {-math.inf})
    return dict(zip(distinct, [-math.inf, *distinct], strict=False))


def add(one: Counts, other: Counts) -> Counts:
    """Add the counts of two clips.

    Examples
    --------
    >>> add(Counts(1, 2, {"b": 1}), Counts(0, 1, {"b": 0}))
    Counts(tps=1, fps=3, cts={'b': 1})
    """
    return Counts(
        one.tps + other.tps,
        one.fps + other.fps,
        {name: one.cts[name] + other.cts[name] for name in one.cts},
    )


def add_clips(
    clips: Sequence[Mapping[float, Counts]],
    lengths: Sequence[float],
    other_names: Sequence[str] = (),
) -> ClassStatistics:
    """Add up the counts of all clips at all decision thresholds.

    Parameters
    ----------
    clips : sequence of mapping of float to Counts
        For each clip its distinct scores, ascending, and the counts just below each.
    lengths : sequence of float
        Lengths of all targets in seconds.
    other_names : sequence of str
        Classes for which cross triggers were counted.

    Returns
    -------
    ClassStatistics

    Examples
    --------
    >>> one, other = {0.2: Counts(1, 2, {}), 0.9: Counts(1, 0, {})}, {0.5: Counts(0, 1, {})}
    >>> its = add_clips([one, other], [2.0])
    >>> its.thresholds, its.tps, its.fps
    ([0.2, 0.5, 0.9, inf], [1, 1, 1, 0], [3, 1, 0, 0])
    """
    nothing = Counts(0, 0, dict.fromkeys(other_names, 0))
    scores = [list(counts) for counts in clips]
    all_scores = sorted({score for tried in scores for score in tried})
    points = []
    # Counts with thresholds just below each score, that is: from the score before it on.
    for threshold, score in zip([-math.inf, *all_scores], all_scores, strict=False):
        total = nothing
        for tried, counts in zip(scores, clips, strict=True):
            above = bisect_right(tried, threshold)
            if above < len(tried):
                total = add(total, counts[tried[above]])
        points.append((score, total))
    points.append((math.inf, nothing))

    # A score at which nothing changes is no point of its own.
    kept = [point for point, following in pairwise(points) if point[1] != following[1]]
    kept += points[-1:]

    return ClassStatistics(
        thresholds=[score for score, _ in kept],
        tps=[counts.tps for _, counts in kept],
        fps=[counts.fps for _, counts in kept],
        cts={other: [counts.cts[other] for _, counts in kept] for other in other_names},
        n_ref=len(lengths),
        # fsum is correctly rounded, so the order of the clips cannot show.
        t_ref=math.fsum(lengths),
    )


def count_units(units: Sequence[Unit]) -> ClassStatistics:
    """Count units above each decision threshold.

    A unit without a score (``-inf``) is above no threshold; it counts among the positive or the
    negative units all the same.

    Parameters
    ----------
    units : sequence of Unit
        Of all clips.

    Returns
    -------
    ClassStatistics

    Examples
    --------
    >>> units = [Unit(0.7, False), Unit(0.9, True), Unit(0.7, True), Unit(-math.inf, True)]
    >>> its = count_units(units)
    >>> its.thresholds, its.tps, its.fps, its.tns
    ([0.7, 0.9, inf], [2, 1, 0], [1, 0, 0], [0, 1, 1])
    >>> its.n_ref, its.t_ref, its.n_negatives
    (3, 3.0, 1)
    """
    thresholds = sorted({unit.score for unit in units} - {-math.inf})
    positive = [unit.score for unit in units if unit.positive]
    negative = [unit.score for unit in units if not unit.positive]
    # Just below a score, what has at least this score is above the threshold.
    tps = [sum(score >= threshold for score in positive) for threshold in thresholds] + [0]
    fps = [sum(score >= threshold for score in negative) for threshold in thresholds] + [0]
    return ClassStatistics(
        thresholds=[*thresholds, math.inf],
        tps=tps,
        fps=fps,
        cts={},
        n_ref=len(positive),
        t_ref=math.fsum(unit.length for unit in units if unit.positive),
        n_negatives=len(negative),
        tns=[len(negative) - count for count in fps],
    )
