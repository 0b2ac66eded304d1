r"""The receiver operating characteristic (ROC) of segments or clips, and the area under it.

From the counts of a class at one decision threshold, with :math:`N` positive and :math:`M` negative
units:

.. math::
    \text{TPR} = \frac{\text{TP}}{N} \qquad \text{FPR} = \frac{\text{FP}}{M}

Criteria that look at events have no negatives, and no ROC.

References
----------
.. [1] McClish, "Analyzing a portion of the ROC curve", Medical Decision Making 9(3), 1989.
   doi:10.1177/0272989X8900900307
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from .arithmetic import add_up, mean
from .class_statistics import ClassStatistics


@dataclass(frozen=True)
class ROCCurve:
    """ROC of one class.

    Attributes
    ----------
    tpr, fpr : list of float, length n_points
        Sorted by false positive rate, then by true positive rate, from (0, 0) to (1, 1). NaN where
        there are no positives, or no negatives.
    thresholds : list of float, length n_points
        The point is reached by every decision threshold just below ``thresholds[i]``. The last is
        ``-inf`` if there are units without a score: no threshold reaches (1, 1) then.
    """

    tpr: list[float]
    fpr: list[float]
    thresholds: list[float]


@dataclass(frozen=True)
class AUROC:
    """The mean over classes, and the area of each class."""

    value: float
    per_class: dict[str, float]


def roc_curve(statistics: Mapping[str, ClassStatistics]) -> dict[str, ROCCurve]:
    """Compute the ROC of every class.

    Units without a score rank below all others, and all the same: the curve goes straight on from
    the last threshold to (1, 1).

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of segments or clips.

    Returns
    -------
    dict of str to ROCCurve

    Raises
    ------
    ValueError
        If the criterion has no negatives.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[1, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0, n_negatives=4, tns=[3, 4, 4])
    >>> roc_curve({"a": counts})["a"]
    ROCCurve(tpr=[0.0, 0.5, 1.0, 1.0], fpr=[0.0, 0.0, 0.25, 1.0], thresholds=[inf, 0.8, 0.2, -inf])
    """
    per_class = {}
    for name, its in statistics.items():
        if its.n_negatives is None:
            raise ValueError("events have no negatives, thus no ROC: use segments or clips")
        points = [
            (
                fps / its.n_negatives if its.n_negatives else math.nan,
                tps / its.n_ref if its.n_ref else math.nan,
                threshold,
            )
            for threshold, tps, fps in [
                *zip(its.thresholds, its.tps, its.fps, strict=True),
                (-math.inf, its.n_ref, its.n_negatives),
            ]
        ]
        if (its.tps[0], its.fps[0]) == (its.n_ref, its.n_negatives):
            del points[-1]
        points.sort(key=lambda point: point[:2])
        per_class[name] = ROCCurve(
            tpr=[tpr for _, tpr, _ in points],
            fpr=[fpr for fpr, _, _ in points],
            thresholds=[threshold for _, _, threshold in points],
        )
    return per_class


def auroc(
    statistics: Mapping[str, ClassStatistics],
    *,
    max_fpr: float | None = None,
    mcclish_correction: bool = False,
) -> AUROC:
    r"""Compute the area under the ROC, by trapezoids.

    It is the probability that a positive unit has a higher score than a negative one, where equal
    scores count one half.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        Of segments or clips.
    max_fpr : float, optional
        Greater than 0, at most 1. Only the part of the curve up to this false positive rate is
        used, and the area is divided by it: that of a perfect class is 1.
    mcclish_correction : bool, default False
        With ``max_fpr`` :math:`m` and the area :math:`A` up to there, return

        .. math::
            \frac{1}{2} \left(1 + \frac{A - m^2/2}{m - m^2/2}\right)

        instead of :math:`A / m`, which is 1/2 for scores that tell nothing (McClish, 1989).

    Returns
    -------
    AUROC
        NaN for a class without positives or without negatives, and for the mean then.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[4, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0, n_negatives=4, tns=[0, 4, 4])
    >>> auroc({"a": counts})
    AUROC(value=0.75, per_class={'a': 0.75})
    >>> auroc({"a": counts}, max_fpr=0.5).value
    0.625
    """
    per_class = {}
    for name, curve in roc_curve(statistics).items():
        if not statistics[name].n_ref or not statistics[name].n_negatives:
            per_class[name] = math.nan
            continue
        end = 1.0 if max_fpr is None else max_fpr
        areas = []
        for (left, tpr), (right, next_tpr) in pairwise(zip(curve.fpr, curve.tpr, strict=True)):
            if left >= end:
                break
            if right > end:
                # The curve is straight between its points.
                next_tpr = tpr + (next_tpr - tpr) * (end - left) / (right - left)
                right = end
            areas.append((tpr + next_tpr) / 2 * (right - left))
        area = add_up(areas)
        if mcclish_correction and max_fpr is not None:
            chance = end * end / 2
            per_class[name] = (1 + (area - chance) / (end - chance)) / 2
        else:
            per_class[name] = area / end
    return AUROC(mean(list(per_class.values())), per_class)
