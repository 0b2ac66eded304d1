r"""F-scores: at given decision thresholds, and at the best ones.

The F-score is the weighted harmonic mean of precision and recall. From counts, with :math:`N` the
number of targets (van Rijsbergen, 1979):

.. math::
    F_\beta = \frac{(1 + \beta^2)\, P R}{\beta^2 P + R}
            = \frac{(1 + \beta^2)\, \text{TP}}{\text{TP} + \text{FP} + \beta^2 N}

Classes are put together in two ways: *macro* is the plain mean over classes of F-score, precision
and recall, each on its own; *micro* is what follows from the summed counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .arithmetic import mean
from .class_statistics import ClassStatistics
from .precision_recall import precision_of, recall_of


@dataclass(frozen=True)
class FScore:
    """An F-score, with the precision and the recall it is made of."""

    f_score: float
    precision: float
    recall: float


@dataclass(frozen=True)
class ClassFScore(FScore):
    """F-score of one class, with the decision threshold and the counts there."""

    threshold: float
    tps: int
    fps: int
    n_ref: int


@dataclass(frozen=True)
class FScores:
    """F-scores of all classes together, in both ways, and of each."""

    macro: FScore
    micro: FScore
    per_class: dict[str, ClassFScore]


def f_score_of(tps: int, fps: int, n_ref: int, beta: float = 1.0) -> float:
    """Return the F-score of some counts: NaN without targets, 0 without true positives.

    Examples
    --------
    >>> f_score_of(1, 1, 2), f_score_of(0, 0, 2), f_score_of(0, 1, 0)
    (0.5, 0.0, nan)
    """
    if n_ref == 0:
        return math.nan
    if tps == 0:
        return 0.0
    return (1 + beta * beta) * tps / (tps + fps + beta * beta * n_ref)


def f_score(
    statistics: Mapping[str, ClassStatistics],
    threshold: float | Mapping[str, float],
    *,
    beta: float = 1.0,
) -> FScores:
    """Compute F-scores at given decision thresholds.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of any criterion.
    threshold : float or mapping of str to float
        For all classes, or for each. Scores greater than it count.
    beta : float, default 1.0
        Weight of recall over precision.

    Returns
    -------
    FScores
        A class without detections has precision 1 and F-score 0. Together, without any detection,
        classes have (micro) precision 0.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[2, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> f_score({"a": counts}, 0.1).per_class["a"]
    ClassFScore(f_score=0.6666666666666666, precision=0.5, recall=1.0,
                threshold=0.1, tps=2, fps=2, n_ref=2)
    """
    per_class = {}
    for name, its in statistics.items():
        its_threshold = threshold[name] if isinstance(threshold, Mapping) else threshold
        point = its.point(its_threshold)
        per_class[name] = at_point(its, point, its_threshold, beta)
    return together(per_class, beta)


def best_f_score(
    statistics: Mapping[str, ClassStatistics],
    *,
    min_precision: float = 0.0,
    min_recall: float = 0.0,
    beta: float = 1.0,
) -> FScores:
    """Compute the best F-score of each class, over all decision thresholds.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of any criterion.
    min_precision, min_recall : float, default 0.0
        Only points with at least this precision and this recall are looked at.
    beta : float, default 1.0
        Weight of recall over precision.

    Returns
    -------
    FScores
        Where several points are best, that with the highest threshold. Where none has the required
        precision and recall, the last: nothing is detected, with a threshold of ``inf``. Macro and
        micro are those of the best points; there may be thresholds with a better micro F-score.

    See Also
    --------
    soundeval.reference.ClassStatistics.threshold_for : which threshold is reported for a point.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[2, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> best_f_score({"a": counts}).per_class["a"]
    ClassFScore(f_score=0.6666666666666666, precision=1.0, recall=0.5,
                threshold=0.5, tps=1, fps=0, n_ref=2)
    >>> best_f_score({"a": counts}, min_recall=0.9).per_class["a"].recall
    1.0
    """
    per_class = {}
    for name, its in statistics.items():
        all_points = [
            at_point(its, point, its.threshold_for(point), beta)
            for point in range(len(its.thresholds))
        ]
        allowed = [
            point
            for point in all_points
            if point.precision >= min_precision and point.recall >= min_recall
        ]
        # max() keeps the first of several, so the highest thresholds go first.
        per_class[name] = max(
            reversed(allowed), key=lambda point: point.f_score, default=all_points[-1]
        )
    return together(per_class, beta)


def at_point(its: ClassStatistics, point: int, threshold: float, beta: float) -> ClassFScore:
    """Return the F-score of a class at one point of its counts."""
    tps, fps = its.tps[point], its.fps[point]
    return ClassFScore(
        f_score=f_score_of(tps, fps, its.n_ref, beta),
        precision=precision_of(tps, fps),
        recall=recall_of(tps, its.n_ref),
        threshold=threshold,
        tps=tps,
        fps=fps,
        n_ref=its.n_ref,
    )


def together(per_class: dict[str, ClassFScore], beta: float) -> FScores:
    """Put classes together, each at its own threshold."""
    classes = per_class.values()
    tps = sum(its.tps for its in classes)
    fps = sum(its.fps for its in classes)
    n_ref = sum(its.n_ref for its in classes)
    return FScores(
        macro=FScore(
            f_score=mean([its.f_score for its in classes]),
            precision=mean([its.precision for its in classes]),
            recall=mean([its.recall for its in classes]),
        ),
        micro=FScore(
            f_score=f_score_of(tps, fps, n_ref, beta),
            precision=precision_of(tps, fps) if tps + fps else 0.0,
            recall=recall_of(tps, n_ref),
        ),
        per_class=per_class,
    )
