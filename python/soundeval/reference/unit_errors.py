r"""What is right in segments or clips: accuracy, and the error rate over all classes.

In unit k, with the set of classes that are there and the set of those detected:

.. math::
    S_k = \min(N_k, M_k) - \text{TP}_k \qquad D_k = \max(0, N_k - M_k) \qquad
    I_k = \max(0, M_k - N_k)

References
----------
.. [1] Mesaros, Heittola, Virtanen, "Metrics for polyphonic sound event detection", Applied Sciences
   6(6), 2016. doi:10.3390/app6060162
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy.typing as npt

from .arithmetic import mean, rounded
from .class_statistics import ClassStatistics, column_of, edges_of, targets_of
from .detection import Event
from .segment import boundaries, meet


@dataclass(frozen=True)
class Accuracy:
    """Shares of decisions that are right: of all, weighed, of the positives, of the negatives."""

    accuracy: float
    balanced_accuracy: float
    sensitivity: float
    specificity: float


@dataclass(frozen=True)
class Accuracies:
    """Accuracies of all classes together, in both ways, and of each."""

    macro: Accuracy
    micro: Accuracy
    per_class: dict[str, Accuracy]


@dataclass(frozen=True)
class OverallErrors:
    """Errors over all classes, and positive units of all classes."""

    substitutions: int
    deletions: int
    insertions: int
    n_ref: int


def accuracy_of(tps: int, fps: int, fns: int, tns: int, factor: float = 0.5) -> Accuracy:
    """Return the accuracies of some counts.

    Examples
    --------
    >>> accuracy_of(1, 1, 0, 2)
    Accuracy(accuracy=0.75, balanced_accuracy=0.8333333333333333, sensitivity=1.0,
             specificity=0.6666666666666666)
    """
    sensitivity = tps / (tps + fns) if tps + fns else math.nan
    specificity = tns / (tns + fps) if tns + fps else math.nan
    balanced = (1 - factor) * sensitivity + factor * specificity
    return Accuracy((tps + tns) / (tps + fps + fns + tns), balanced, sensitivity, specificity)


def accuracy(
    statistics: Mapping[str, ClassStatistics],
    threshold: float | Mapping[str, float],
    *,
    factor: float = 0.5,
) -> Accuracies:
    """Compute accuracies at given decision thresholds, of segments or clips."""
    counts = {}
    for name, its in statistics.items():
        theta = threshold[name] if isinstance(threshold, Mapping) else threshold
        point = next(
            (i for i, score in enumerate(its.thresholds) if score > theta), len(its.thresholds) - 1
        )
        tps, fps = its.tps[point], its.fps[point]
        negatives = its.n_negatives
        assert negatives is not None
        counts[name] = (tps, fps, its.n_ref - tps, negatives - fps)
    per_class = {name: accuracy_of(*four, factor) for name, four in counts.items()}
    tps, fps, fns, tns = (sum(column) for column in zip(*counts.values(), strict=True))
    names = ("accuracy", "balanced_accuracy", "sensitivity", "specificity")
    return Accuracies(
        macro=Accuracy(*(mean([getattr(a, name) for a in per_class.values()]) for name in names)),
        micro=accuracy_of(tps, fps, fns, tns, factor),
        per_class=per_class,
    )


def overall_errors(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    threshold: float | Mapping[str, float],
    audio_durations: Mapping[str, float] | None = None,
    *,
    segment_length: float | None,
    time_decimals: int = 6,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
) -> OverallErrors:
    """Count substitutions, deletions and insertions in segments; in whole clips without a length.

    Examples
    --------
    >>> overall_errors(
    ...     {"x": [[0.2, 0.9], [0.1, 0.1]]}, {"x": [(0.0, 2.0, "a")]}, 0.5, segment_length=1.0,
    ...     event_classes=["a", "b"], timestamps=[0.0, 1.0, 2.0])
    OverallErrors(substitutions=1, deletions=1, insertions=0, n_ref=2)
    """
    substitutions = deletions = insertions = n_ref = 0
    for clip, matrix in scores.items():
        events = [event for event in ground_truth[clip] if event[2] in event_classes]
        edges = edges_of(timestamps, clip)
        if segment_length is None:
            units = [(-math.inf, math.inf)]
        else:
            edges = [rounded(edge, time_decimals) for edge in edges]
            if audio_durations is None:
                duration = max([edges[-1], *(offset for _, offset, _ in events)])
            else:
                duration = audio_durations[clip]
            units = list(pairwise(boundaries(duration, segment_length, time_decimals)))
        for unit in units:
            there, detected = set(), set()
            for column, name in enumerate(event_classes):
                if any(meet(target, unit) for target in targets_of(events, name)):
                    there.add(name)
                theta = threshold[name] if isinstance(threshold, Mapping) else threshold
                frames = zip(column_of(matrix, column), pairwise(edges), strict=True)
                if any(score > theta and meet(frame, unit) for score, frame in frames):
                    detected.add(name)
            substitutions += min(len(there), len(detected)) - len(there & detected)
            deletions += max(0, len(there) - len(detected))
            insertions += max(0, len(detected) - len(there))
            n_ref += len(there)
    return OverallErrors(substitutions, deletions, insertions, n_ref)
