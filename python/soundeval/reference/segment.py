r"""Segment-based counts at all decision thresholds.

Time is cut into segments of equal length. A segment is *positive* when an event of the class
overlaps it, be it ever so little, and *detected* when an active frame overlaps it, thus when the
largest score of these frames is greater than the decision threshold (Mesaros et al., 2016). True
positives are positive segments that are detected, false positives are negative ones.

References
----------
.. [1] Mesaros, Heittola, Virtanen, "Metrics for polyphonic sound event detection", Applied Sciences
   6(6), 2016. doi:10.3390/app6060162
.. [2] Ebbers, Haeb-Umbach, Serizel, "Threshold independent evaluation of sound event detection
   scores", ICASSP 2022. doi:10.1109/ICASSP43922.2022.9747556
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy.typing as npt

from .arithmetic import rounded
from .class_statistics import (
    ClassStatistics,
    Unit,
    column_of,
    count_units,
    edges_of,
    targets_of,
)
from .detection import Event, Interval


def boundaries(duration: float, segment_length: float, time_decimals: int = 6) -> list[float]:
    """Return where segments begin and end; the last may end after the duration.

    The number of segments is the quotient of duration and length, rounded up. It is the quotient
    of two binary numbers, so it may be one more than the decimals promise.

    Examples
    --------
    >>> boundaries(2.5, 1.0)
    [0.0, 1.0, 2.0, 3.0]
    >>> len(boundaries(0.14, 0.02)) - 1
    8
    """
    n_segments = math.ceil(duration / segment_length)
    return [rounded(k * segment_length, time_decimals) for k in range(n_segments + 1)]


def meet(one: Interval, other: Interval) -> bool:
    """Tell whether two intervals overlap; touching is not overlapping.

    Examples
    --------
    >>> meet((0.0, 1.0), (0.9, 2.0)), meet((0.0, 1.0), (1.0, 2.0))
    (True, False)
    """
    return one[0] < other[1] and other[0] < one[1]


def segment_statistics(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    audio_durations: Mapping[str, float] | None = None,
    *,
    segment_length: float = 1.0,
    time_decimals: int = 6,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
) -> dict[str, ClassStatistics]:
    """Count segments at all decision thresholds, for every class.

    Parameters
    ----------
    scores, ground_truth, event_classes, timestamps
        See :func:`soundeval.reference.statistics`.
    audio_durations : mapping of clip id to float, optional
        Durations in seconds: the segments of a clip begin before this time. Events beyond the last
        segment are not looked at. Without durations, a clip lasts up to the end of its last frame,
        or of the last event of any class if that is later.
    segment_length : float, default 1.0
        Seconds.
    time_decimals : int, default 6
        Frame edges and segment boundaries are rounded to so many decimals of a second; events and
        durations are not.

    Returns
    -------
    dict of str to ClassStatistics
        In the order of ``event_classes``; with ``n_negatives`` and ``tns``.

    Notes
    -----
    A segment without frames is never detected. That is so whatever the scores are: probabilities
    and logarithms of them give the same counts.

    Examples
    --------
    >>> per_class = segment_statistics(
    ...     {"x": [[0.2], [0.9], [0.8], [0.2]]}, {"x": [(0.5, 1.2, "a")]}, {"x": 2.5},
    ...     event_classes=["a"], timestamps=[0.0, 0.5, 1.0, 1.5, 2.0])
    >>> its = per_class["a"]
    >>> its.thresholds, its.tps, its.fps, its.n_ref, its.n_negatives
    ([0.8, 0.9, inf], [2, 1, 0], [0, 0, 0], 2, 1)
    """
    per_class = {}
    for column, name in enumerate(event_classes):
        units = []
        for clip, matrix in scores.items():
            frame_scores = column_of(matrix, column)
            edges = [rounded(edge, time_decimals) for edge in edges_of(timestamps, clip)]
            targets = targets_of(ground_truth[clip], name)
            if audio_durations is None:
                known = [event for event in ground_truth[clip] if event[2] in event_classes]
                duration = max([edges[-1], *(offset for _, offset, _ in known)])
            else:
                duration = audio_durations[clip]
            for segment in pairwise(boundaries(duration, segment_length, time_decimals)):
                inside = [
                    score
                    for score, frame in zip(frame_scores, pairwise(edges), strict=True)
                    if meet(frame, segment)
                ]
                units.append(
                    Unit(
                        score=max(inside, default=-math.inf),
                        positive=any(meet(target, segment) for target in targets),
                        length=segment_length,
                    )
                )
        per_class[name] = count_units(units)
    return per_class
