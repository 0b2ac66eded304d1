r"""Precision and recall, their curve, and the average precision.

From the counts of a class at one decision threshold, with :math:`N` the number of targets:

.. math::
    P = \frac{\text{TP}}{\text{TP} + \text{FP}} \qquad R = \frac{\text{TP}}{N}

Without detections precision is 1, by convention. Without targets recall is undefined: NaN, and so
is whatever is made of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .arithmetic import mean
from .class_statistics import ClassStatistics


@dataclass(frozen=True)
class PrecisionRecallCurve:
    """Precision and recall of one class at all decision thresholds.

    Attributes
    ----------
    precision, recall : list of float, length n_points
        Sorted by recall, then by precision. Where recall does not fall with the threshold, as with
        intersections and collars, that is another order than that of the thresholds.
    thresholds : list of float, length n_points
        The point is reached by every decision threshold just below ``thresholds[i]``.
    """

    precision: list[float]
    recall: list[float]
    thresholds: list[float]


@dataclass(frozen=True)
class AveragePrecision:
    """The mean over classes, and the average precision of each class."""

    value: float
    per_class: dict[str, float]


def precision_of(tps: int, fps: int) -> float:
    """Return the share of the detections that are right, 1 if there are none.

    Examples
    --------
    >>> precision_of(1, 3), precision_of(0, 0)
    (0.25, 1.0)
    """
    return tps / (tps + fps) if tps + fps else 1.0


def recall_of(tps: int, n_ref: int) -> float:
    """Return the share of the targets that are found, NaN if there are none.

    Examples
    --------
    >>> recall_of(1, 4), recall_of(0, 0)
    (0.25, nan)
    """
    return tps / n_ref if n_ref else math.nan


def precision_recall_curve(
    statistics: Mapping[str, ClassStatistics],
) -> dict[str, PrecisionRecallCurve]:
    """Compute the precision-recall curves.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of any criterion.

    Returns
    -------
    dict of str to PrecisionRecallCurve

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[2, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> precision_recall_curve({"a": counts})["a"]
    PrecisionRecallCurve(precision=[1.0, 1.0, 0.5], recall=[0.0, 0.5, 1.0],
                         thresholds=[inf, 0.8, 0.2])
    """
    per_class = {}
    for name, its in statistics.items():
        points = [
            (recall_of(tps, its.n_ref), precision_of(tps, fps), threshold)
            for threshold, tps, fps in zip(its.thresholds, its.tps, its.fps, strict=True)
        ]
        points.sort(key=lambda point: point[:2])
        per_class[name] = PrecisionRecallCurve(
            precision=[precision for _, precision, _ in points],
            recall=[recall for recall, _, _ in points],
            thresholds=[threshold for _, _, threshold in points],
        )
    return per_class


def average_precision(statistics: Mapping[str, ClassStatistics]) -> AveragePrecision:
    r"""Compute the average precision: the best precision at each recall, weighted by its steps.

    With the distinct recalls :math:`0 = R_0 < R_1 < \dots` of the curve, and the best precision
    :math:`P_k` that is reached at :math:`R_k`:

    .. math::
        \text{AP} = \sum_{k \ge 1} P_k\, (R_k - R_{k-1})

    Recalls that are not reached, because targets are not found at any threshold, add nothing.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of any criterion.

    Returns
    -------
    AveragePrecision
        NaN for a class without targets.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[2, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> average_precision({"a": counts})
    AveragePrecision(value=0.75, per_class={'a': 0.75})
    """
    per_class = {}
    for name, curve in precision_recall_curve(statistics).items():
        if statistics[name].n_ref == 0:
            per_class[name] = math.nan
            continue
        total = 0.0
        before = 0.0
        for reached in sorted(set(curve.recall)):
            best = max(
                precision
                for precision, recall in zip(curve.precision, curve.recall, strict=True)
                if recall == reached
            )
            total += best * (reached - before)
            before = reached
        per_class[name] = total
    return AveragePrecision(mean(list(per_class.values())), per_class)
