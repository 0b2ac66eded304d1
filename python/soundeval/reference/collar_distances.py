r"""How far matched detections are from their targets, at one decision threshold after the other.

At each threshold detections are listed and matched from scratch, by the algorithm of Hopcroft and
Karp (1973) with both in order of time, and the distances of all pairs of all clips are summed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy.typing as npt

from .class_statistics import column_of, edges_of, targets_of, to_try
from .collar import fits
from .detection import Event, Interval, detections
from .matching_in_order import matching_in_order


@dataclass(frozen=True)
class CollarDistances:
    """Matched pairs of one class and their distances at all decision thresholds.

    Attributes
    ----------
    thresholds : list of float, length n_points
        Scores at which pairs or sums change, ascending; the last is infinite.
    n_matched : list of int, length n_points
        Pairs just below each.
    onset_distance_sums, offset_distance_sums : list of float, length n_points
        Sums of detection minus target in seconds.
    """

    thresholds: list[float]
    n_matched: list[int]
    onset_distance_sums: list[float]
    offset_distance_sums: list[float]


def matched_pairs(
    detected: Sequence[Interval], targets: Sequence[Interval], **collars: float | int | None
) -> list[tuple[Interval, Interval]]:
    """Match detections and targets of one class, both in order of time.

    Parameters
    ----------
    detected, targets : sequence of (onset, offset)
        Seconds.
    **collars
        See :func:`soundeval.reference.collar.fits`.

    Returns
    -------
    list of (detection, target)

    Examples
    --------
    >>> matched_pairs([(0.0, 1.0), (2.0, 3.1)], [(0.1, 1.0), (2.0, 3.0)])
    [((0.0, 1.0), (0.1, 1.0)), ((2.0, 3.1), (2.0, 3.0))]
    """
    hits = {
        number: [
            place
            for place, target in enumerate(targets)
            if fits(detection, target, **collars)  # type: ignore[arg-type]
        ]
        for number, detection in enumerate(detected)
    }
    found = matching_in_order({number: its for number, its in hits.items() if its})
    return [(detected[number], targets[place]) for place, number in sorted(found.items())]


def collar_distances(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    *,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
    **collars: float | int | None,
) -> dict[str, CollarDistances]:
    """Sum the distances of matched detections at all decision thresholds, for every class.

    Parameters
    ----------
    scores, ground_truth, event_classes, timestamps
        See :func:`soundeval.reference.statistics`.
    **collars
        See :func:`soundeval.reference.collar.fits`.

    Returns
    -------
    dict of str to CollarDistances

    Examples
    --------
    >>> its = collar_distances(
    ...     {"x": [[0.2], [0.9], [0.8], [0.2]]}, {"x": [(0.9, 3.0, "a")]},
    ...     event_classes=["a"], timestamps=[0.0, 1.0, 2.0, 3.0, 4.0])["a"]
    >>> its.thresholds, its.n_matched, [round(d, 6) for d in its.onset_distance_sums]
    ([0.2, 0.8, inf], [0, 1, 0], [0.0, 0.1, 0.0])
    """
    per_class = {}
    for column, name in enumerate(event_classes):
        frames = {clip: column_of(matrix, column) for clip, matrix in scores.items()}
        every_score = sorted({score for its in frames.values() for score in to_try(its)})
        points: list[tuple[float, int, float, float]] = [(math.inf, 0, 0.0, 0.0)]
        for score in reversed(every_score):
            pairs = [
                pair
                for clip, its in frames.items()
                for pair in matched_pairs(
                    # Active just below a score are the frames that reach it.
                    detections(
                        [1.0 if value >= score else 0.0 for value in its],
                        edges_of(timestamps, clip),
                        0.5,
                    ),
                    targets_of(ground_truth[clip], name),
                    **collars,
                )
            ]
            point = (
                score,
                len(pairs),
                math.fsum(detection[0] - target[0] for detection, target in pairs),
                math.fsum(detection[1] - target[1] for detection, target in pairs),
            )
            if point[1:] != points[-1][1:]:
                points.append(point)
        columns = zip(*reversed(points), strict=True)
        per_class[name] = CollarDistances(*map(list, columns))
    return per_class
