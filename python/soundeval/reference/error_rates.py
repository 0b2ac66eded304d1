r"""Error rates: at given decision thresholds, and at the best ones.

An error rate is the number of errors per target. False positives are *insertions*, missed targets
are *deletions* (Mesaros et al., 2016; with a single class at a time nothing is substituted). With
:math:`N` the number of targets:

.. math::
    \text{IR} = \frac{\text{FP}}{N} \qquad \text{DR} = \frac{N - \text{TP}}{N} \qquad
    \text{ER} = \frac{\text{FP} + N - \text{TP}}{N}

It has no upper limit; without detections it is 1. Classes are put together in two ways: *macro* is
the plain mean over classes of each rate, *micro* is what follows from the summed counts.

References
----------
.. [1] Mesaros, Heittola, Virtanen, "Metrics for polyphonic sound event detection", Applied Sciences
   6(6), 2016. doi:10.3390/app6060162
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .arithmetic import mean
from .class_statistics import ClassStatistics


@dataclass(frozen=True)
class ErrorRate:
    """An error rate, the sum of the insertion rate and the deletion rate."""

    error_rate: float
    insertion_rate: float
    deletion_rate: float


@dataclass(frozen=True)
class ClassErrorRate(ErrorRate):
    """Error rate of one class, with the decision threshold and the counts there."""

    threshold: float
    tps: int
    fps: int
    n_ref: int


@dataclass(frozen=True)
class ErrorRates:
    """Error rates of all classes together, in both ways, and of each."""

    macro: ErrorRate
    micro: ErrorRate
    per_class: dict[str, ClassErrorRate]


def error_rate(
    statistics: Mapping[str, ClassStatistics], threshold: float | Mapping[str, float]
) -> ErrorRates:
    """Compute error rates at given decision thresholds.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of any criterion.
    threshold : float or mapping of str to float
        For all classes, or for each. Scores greater than it count.

    Returns
    -------
    ErrorRates
        NaN for a class without targets, and for the mean then.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[2, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> error_rate({"a": counts}, 0.5).per_class["a"]
    ClassErrorRate(error_rate=0.5, insertion_rate=0.0, deletion_rate=0.5,
                   threshold=0.5, tps=1, fps=0, n_ref=2)
    """
    per_class = {}
    for name, its in statistics.items():
        its_threshold = threshold[name] if isinstance(threshold, Mapping) else threshold
        per_class[name] = at_point(its, its.point(its_threshold), its_threshold)
    return together(per_class)


def best_error_rate(
    statistics: Mapping[str, ClassStatistics],
    *,
    max_insertion_rate: float | None = None,
    max_deletion_rate: float | None = None,
) -> ErrorRates:
    """Compute the smallest error rate of each class, over all decision thresholds.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of any criterion.
    max_insertion_rate, max_deletion_rate : float, optional
        Only points with at most these rates are looked at.

    Returns
    -------
    ErrorRates
        Where several points are best, that with the highest threshold. Where none keeps the limits,
        the last: nothing is detected, with a threshold of ``inf``. Macro and micro are those of the
        best points.

    See Also
    --------
    soundeval.reference.ClassStatistics.threshold_for : which threshold is reported for a point.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[2, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> best_error_rate({"a": counts}).per_class["a"]
    ClassErrorRate(error_rate=0.5, insertion_rate=0.0, deletion_rate=0.5,
                   threshold=0.5, tps=1, fps=0, n_ref=2)
    >>> best_error_rate({"a": counts}, max_deletion_rate=0.1).per_class["a"].insertion_rate
    1.0
    """
    insertions = math.inf if max_insertion_rate is None else max_insertion_rate
    deletions = math.inf if max_deletion_rate is None else max_deletion_rate
    per_class = {}
    for name, its in statistics.items():
        all_points = [
            at_point(its, point, its.threshold_for(point)) for point in range(len(its.thresholds))
        ]
        allowed = [
            point
            for point in all_points
            if point.insertion_rate <= insertions and point.deletion_rate <= deletions
        ]
        # min() keeps the first of several, so the highest thresholds go first.
        per_class[name] = min(
            reversed(allowed), key=lambda point: point.error_rate, default=all_points[-1]
        )
    return together(per_class)


def rates_of(tps: int, fps: int, n_ref: int) -> tuple[float, float, float]:
    """Return error rate, insertion rate and deletion rate of some counts, NaN without targets.

    Examples
    --------
    >>> rates_of(1, 3, 2)
    (2.0, 1.5, 0.5)
    """
    if n_ref == 0:
        return math.nan, math.nan, math.nan
    return (fps + n_ref - tps) / n_ref, fps / n_ref, (n_ref - tps) / n_ref


def at_point(its: ClassStatistics, point: int, threshold: float) -> ClassErrorRate:
    """Return the error rate of a class at one point of its counts."""
    tps, fps = its.tps[point], its.fps[point]
    return ClassErrorRate(*rates_of(tps, fps, its.n_ref), threshold, tps, fps, its.n_ref)


def together(per_class: dict[str, ClassErrorRate]) -> ErrorRates:
    """Put classes together, each at its own threshold."""
    classes = per_class.values()
    return ErrorRates(
        macro=ErrorRate(
            error_rate=mean([its.error_rate for its in classes]),
            insertion_rate=mean([its.insertion_rate for its in classes]),
            deletion_rate=mean([its.deletion_rate for its in classes]),
        ),
        micro=ErrorRate(
            *rates_of(
                sum(its.tps for its in classes),
                sum(its.fps for its in classes),
                sum(its.n_ref for its in classes),
            )
        ),
        per_class=per_class,
    )
