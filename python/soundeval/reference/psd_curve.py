r"""The polyphonic sound detection ROC (PSD-ROC): of one class, and of all classes together.

From the counts of a class :math:`c` at one decision threshold (Bilen et al., 2020):

.. math::
    \text{TPR}_c &= \frac{\text{TP}_c}{N_c} \qquad
    \text{FPR}_c = \frac{\text{FP}_c}{T} \qquad
    \text{CTR}_c = \frac{1}{C - 1} \sum_{o \ne c} \frac{\text{CT}_{c,o}}{T_o} \\
    \text{eFPR}_c &= \text{FPR}_c + \alpha_\text{CT}\, \text{CTR}_c

with :math:`N_c` the number of targets, :math:`T` the duration of the data set, :math:`T_o` the
summed length of the targets of class :math:`o`, all times in the unit of time chosen. All decision
thresholds together give the curve of the class, :math:`\text{TPR}_c` over eFPR. The curve of all
classes is

.. math::
    \text{eTPR}(e) = \max\bigl(\mu(e) - \alpha_\text{ST}\, \sigma(e), 0\bigr)

with the mean :math:`\mu` and the population standard deviation :math:`\sigma` over classes of
:math:`\text{TPR}_c(e)`.

References
----------
.. [1] Bilen, Ferroni, Tuveri, Azcarreta, Krstulovic, "A framework for the robust evaluation of
   sound event detection", ICASSP 2020. doi:10.1109/ICASSP40776.2020.9052995
.. [2] Ebbers, Haeb-Umbach, Serizel, "Threshold independent evaluation of sound event detection
   scores", ICASSP 2022. doi:10.1109/ICASSP43922.2022.9747556
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .arithmetic import add_up
from .class_statistics import ClassStatistics

SECONDS_PER_UNIT = {"second": 1.0, "minute": 60.0, "hour": 3600.0}


@dataclass(frozen=True)
class ClassPSDROC:
    """PSD-ROC of one class.

    Attributes
    ----------
    tpr : list of float, length n_points
        True positive rate, held from ``efpr[i]`` up to ``efpr[i + 1]``; the last is held on.
    efpr : list of float, length n_points
        Effective false positive rate per unit of time, strictly ascending from 0.
    thresholds : list of float, length n_points
        The point is reached by every decision threshold just below ``thresholds[i]``; ``inf``
        where nothing needs to be detected.
    """

    tpr: list[float]
    efpr: list[float]
    thresholds: list[float]


@dataclass(frozen=True)
class PSDROC:
    """PSD-ROC of all classes together, and of each.

    Attributes
    ----------
    etpr : list of float, length n_points
        Effective true positive rate, held from ``efpr[i]`` up to ``efpr[i + 1]``.
    efpr : list of float, length n_points
        Effective false positive rate per unit of time, ascending from 0. With a ``max_efpr`` it is
        the last element, even where it stands there already as the rate of some point.
    per_class : dict of str to ClassPSDROC
    """

    etpr: list[float]
    efpr: list[float]
    per_class: dict[str, ClassPSDROC]


def class_psd_roc(
    efpr: Sequence[float],
    tpr: Sequence[float],
    thresholds: Sequence[float],
    *,
    max_efpr: float | None = 100.0,
    oracle: bool = True,
) -> ClassPSDROC:
    """Choose the operating points that make the PSD-ROC of one class.

    Parameters
    ----------
    efpr, tpr, thresholds : sequence of float, length n_points
        Rates at all decision thresholds of one class.
    max_efpr, oracle
        See :func:`psd_roc`.

    Returns
    -------
    ClassPSDROC

    Examples
    --------
    Of two points with the same eFPR the one with the higher TPR is kept. A point with a lower TPR
    at a higher eFPR is kept only if ``oracle`` is false:

    >>> efpr, tpr = [3.0, 2.0, 1.0, 1.0, 0.0], [0.9, 0.2, 0.4, 0.5, 0.0]
    >>> thresholds = [0.1, 0.2, 0.3, 0.4, 1.0]
    >>> class_psd_roc(efpr, tpr, thresholds)
    ClassPSDROC(tpr=[0.0, 0.5, 0.9], efpr=[0.0, 1.0, 3.0], thresholds=[1.0, 0.4, 0.1])
    >>> class_psd_roc(efpr, tpr, thresholds, oracle=False).tpr
    [0.0, 0.5, 0.2, 0.9]
    """
    points = list(zip(efpr, tpr, thresholds, strict=True))
    chosen = ClassPSDROC([], [], [])
    highest_tpr = -math.inf
    for rate in sorted(set(efpr)):
        if max_efpr is not None and rate > max_efpr:
            break
        best_tpr = max(t for e, t, _ in points if e == rate)
        reached_by = [s for e, t, s in points if e == rate and t == best_tpr]
        threshold = max(reached_by) if oracle else min(reached_by)
        if oracle and not best_tpr > highest_tpr:
            continue
        highest_tpr = max(highest_tpr, best_tpr)
        chosen.tpr.append(best_tpr)
        chosen.efpr.append(rate)
        chosen.thresholds.append(threshold)
    return chosen


def psd_roc(
    statistics: Mapping[str, ClassStatistics],
    dataset_duration: float,
    *,
    alpha_ct: float = 0.0,
    alpha_st: float = 0.0,
    unit_of_time: str = "hour",
    max_efpr: float | None = 100.0,
    oracle: bool = True,
) -> PSDROC:
    """Compute the PSD-ROC from counts at all decision thresholds.

    Parameters
    ----------
    statistics : mapping of str to ClassStatistics
        From :func:`soundeval.reference.statistics`. Their order is the order of all sums over
        classes.
    dataset_duration : float
        Summed duration of the clips in seconds.
    alpha_ct : float, default 0
        Weight of the cross-trigger rate; needs cross triggers in ``statistics`` if it is not 0.
    alpha_st : float, default 0
        Weight of the standard deviation over classes.
    unit_of_time : {"second", "minute", "hour"}, default "hour"
        Unit in which false positive rates are counted.
    max_efpr : float or None, default 100
        Largest effective false positive rate of interest, per ``unit_of_time``; a point with just
        this rate belongs to the curve. ``None`` keeps all points.
    oracle : bool, default True
        Whether a point of a class is left out when another threshold has a lower (or the same)
        eFPR and at least the same TPR.

    Returns
    -------
    PSDROC

    Notes
    -----
    Which points a class keeps, exactly:

    1. The point at the threshold ``inf``, where nothing is detected, takes part like any other.
       Its rates are 0 and 0, so every curve starts at eFPR 0. Its TPR there is not always 0:
       a threshold with true positives and no false positive takes the place of "nothing".
    2. Rates are the same only if the two floats are equal.
    3. At each distinct eFPR one point is left: the one with the highest TPR. If several thresholds
       reach it, the highest of them is reported with ``oracle``, the lowest without.
    4. With ``oracle``, going up in eFPR, a point stays only if its TPR is larger than that of every
       point before; the first always stays. TPRs are strictly ascending. Without ``oracle`` all
       points of step 3 stay, and TPR may fall. In both cases the choice runs over eFPR, not over
       the thresholds, in whose order neither rate is monotone.
    5. Points with ``efpr > max_efpr`` are cut.

    The tie rules of step 3 are those of sed_scores_eval 0.0.4; they move no rate.

    A class without targets has TPR 0; a class of which the others have no targets has, for these, a
    cross-trigger rate of 0, and so has the only class of a data set.

    The curve of all classes has a point at each distinct eFPR of any class. At an eFPR a class
    counts with the TPR of its last point up to there. The eTPR is not made monotone afterwards: it
    falls where the standard deviation gains more than the mean. With a ``max_efpr`` the last
    eTPR is repeated there, always.

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[1, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> curve = psd_roc({"a": counts}, 60.0)
    >>> curve.per_class["a"]
    ClassPSDROC(tpr=[0.5, 1.0], efpr=[0.0, 60.0], thresholds=[0.8, 0.2])
    >>> curve.etpr, curve.efpr
    ([0.5, 1.0, 1.0], [0.0, 60.0, 100.0])
    """
    per_class = {}
    for name, counts in statistics.items():
        efprs = []
        tprs = []
        for point in range(len(counts.thresholds)):
            rate = counts.fps[point] / dataset_duration
            if alpha_ct and len(statistics) > 1:
                ctr = 0.0
                for other in statistics:
                    if other != name:
                        ctr += counts.cts[other][point] / max(statistics[other].t_ref, 1e-12)
                rate += alpha_ct * (ctr / (len(statistics) - 1))
            efprs.append(rate * SECONDS_PER_UNIT[unit_of_time])
            tprs.append(counts.tps[point] / max(counts.n_ref, 1))
        per_class[name] = class_psd_roc(
            efprs, tprs, counts.thresholds, max_efpr=max_efpr, oracle=oracle
        )

    efpr = sorted({rate for roc in per_class.values() for rate in roc.efpr})
    etpr = []
    for rate in efpr:
        tprs = [tpr_at(roc, rate) for roc in per_class.values()]
        mean = add_up(tprs) / len(tprs)
        deviation = math.sqrt(add_up([(tpr - mean) * (tpr - mean) for tpr in tprs]) / len(tprs))
        etpr.append(max(mean - alpha_st * deviation, 0.0))
    if max_efpr is not None:
        etpr.append(etpr[-1])
        efpr.append(max_efpr)
    return PSDROC(etpr, efpr, per_class)


def tpr_at(roc: ClassPSDROC, efpr: float) -> float:
    """Return the TPR of the last point of a class with at most this eFPR, 0 before the first.

    Examples
    --------
    >>> tpr_at(ClassPSDROC(tpr=[0.5, 1.0], efpr=[0.0, 60.0], thresholds=[0.8, 0.2]), 59.0)
    0.5
    """
    value = 0.0
    for rate, tpr in zip(roc.efpr, roc.tpr, strict=True):
        if rate <= efpr:
            value = tpr
    return value
