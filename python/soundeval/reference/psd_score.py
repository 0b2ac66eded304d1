r"""The polyphonic sound detection score (PSDS): the area under the PSD-ROC.

.. math::
    \text{PSDS} = \frac{1}{e_\text{max}} \int_0^{e_\text{max}} \text{eTPR}(e)\, \mathrm{d}e

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

import numpy.typing as npt

from .class_statistics import ClassStatistics
from .detection import Event
from .intersection import statistics
from .psd_curve import PSDROC, psd_roc


@dataclass(frozen=True)
class PSDS:
    """The score of all classes together, the score of each, and the curves."""

    value: float
    per_class: dict[str, float]
    curve: PSDROC


def area(heights: Sequence[float], positions: Sequence[float], end: float) -> float:
    """Return the area under a staircase: each height is held up to the next position.

    The steps are added from left to right; the last is held up to ``end``.

    Examples
    --------
    >>> area([0.5, 1.0], [0.0, 60.0], 100.0)
    70.0
    """
    total = 0.0
    for height, left, right in zip(heights, positions, [*positions[1:], end], strict=True):
        total += height * (right - left)
    return total


def psds(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    audio_durations: Mapping[str, float],
    *,
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    alpha_ct: float = 0.0,
    alpha_st: float = 0.0,
    unit_of_time: str = "hour",
    max_efpr: float = 100.0,
    oracle: bool = True,
    time_decimals: int = 6,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
) -> PSDS:
    """Compute the PSDS from scores, at all decision thresholds.

    Parameters
    ----------
    scores, ground_truth, event_classes, timestamps
        See :func:`soundeval.reference.statistics`.
    audio_durations : mapping of clip id to float
        Durations in seconds, one for each clip of ``scores``; other clips are not looked at.
    dtc_threshold, gtc_threshold, cttc_threshold, time_decimals
        See :func:`soundeval.reference.intersection.count`.
    alpha_ct, alpha_st, unit_of_time, max_efpr, oracle
        See :func:`soundeval.reference.psd_roc`; ``max_efpr`` must be a positive number here.

    Returns
    -------
    PSDS

    Examples
    --------
    >>> result = psds(
    ...     {"x": [[0.1], [0.9], [0.8], [0.2]]}, {"x": [(1.0, 3.0, "a")]}, {"x": 4.0},
    ...     dtc_threshold=0.7, gtc_threshold=0.7, event_classes=["a"],
    ...     timestamps=[0.0, 1.0, 2.0, 3.0, 4.0])
    >>> result.value, result.per_class
    (1.0, {'a': 1.0})
    """
    counts = statistics(
        scores,
        ground_truth,
        dtc_threshold=dtc_threshold,
        gtc_threshold=gtc_threshold,
        cttc_threshold=cttc_threshold,
        time_decimals=time_decimals,
        event_classes=event_classes,
        timestamps=timestamps,
    )
    return psds_from_statistics(
        counts,
        math.fsum(audio_durations[clip] for clip in scores),
        alpha_ct=alpha_ct,
        alpha_st=alpha_st,
        unit_of_time=unit_of_time,
        max_efpr=max_efpr,
        oracle=oracle,
    )


def psds_from_statistics(
    statistics: Mapping[str, ClassStatistics],
    dataset_duration: float,
    *,
    alpha_ct: float = 0.0,
    alpha_st: float = 0.0,
    unit_of_time: str = "hour",
    max_efpr: float = 100.0,
    oracle: bool = True,
) -> PSDS:
    """Compute the PSDS from counts at all decision thresholds.

    Parameters
    ----------
    statistics, dataset_duration, alpha_ct, alpha_st, unit_of_time, max_efpr, oracle
        See :func:`soundeval.reference.psd_roc`; ``max_efpr`` must be a positive number here.

    Returns
    -------
    PSDS

    Examples
    --------
    >>> counts = ClassStatistics(
    ...     thresholds=[0.2, 0.8, math.inf], tps=[2, 1, 0], fps=[1, 0, 0], cts={},
    ...     n_ref=2, t_ref=4.0)
    >>> psds_from_statistics({"a": counts}, 60.0).value
    0.7
    """
    curve = psd_roc(
        statistics,
        dataset_duration,
        alpha_ct=alpha_ct,
        alpha_st=alpha_st,
        unit_of_time=unit_of_time,
        max_efpr=max_efpr,
        oracle=oracle,
    )
    return PSDS(
        value=area(curve.etpr, curve.efpr, max_efpr) / max_efpr,
        per_class={
            name: area(roc.tpr, roc.efpr, max_efpr) / max_efpr
            for name, roc in curve.per_class.items()
        },
        curve=curve,
    )
