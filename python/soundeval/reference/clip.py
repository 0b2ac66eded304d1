"""Clip-based counts at all decision thresholds.

A clip is *positive* when it has an event of the class, wherever and however long, and *detected*
when one of its frames is active, thus when its largest score is greater than the decision
threshold. True positives are positive clips that are detected, false positives are negative ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy.typing as npt

from .class_statistics import ClassStatistics, Unit, column_of, count_units, edges_of, targets_of
from .detection import Event


def clip_statistics(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    *,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
) -> dict[str, ClassStatistics]:
    """Count clips at all decision thresholds, for every class.

    Parameters
    ----------
    scores, ground_truth, event_classes, timestamps
        See :func:`soundeval.reference.statistics`. A clip is as long as its frames together.

    Returns
    -------
    dict of str to ClassStatistics
        In the order of ``event_classes``; with ``n_negatives`` and ``tns``.

    Examples
    --------
    >>> per_class = clip_statistics(
    ...     {"x": [[0.2], [0.9]], "y": [[0.3], [0.1]]}, {"x": [(1.0, 2.0, "a")], "y": []},
    ...     event_classes=["a"], timestamps=[0.0, 1.0, 2.0])
    >>> its = per_class["a"]
    >>> its.thresholds, its.tps, its.fps, its.n_ref, its.n_negatives
    ([0.3, 0.9, inf], [1, 1, 0], [1, 0, 0], 1, 1)
    """
    per_class = {}
    for column, name in enumerate(event_classes):
        units = []
        for clip, matrix in scores.items():
            edges = edges_of(timestamps, clip)
            units.append(
                Unit(
                    score=max(column_of(matrix, column)),
                    positive=bool(targets_of(ground_truth[clip], name)),
                    length=edges[-1] - edges[0],
                )
            )
        per_class[name] = count_units(units)
    return per_class
