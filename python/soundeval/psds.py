"""Polyphonic sound detection score (PSDS).

The score asks two questions at once: how many of the events does a system find, and how many false
alarms does it raise meanwhile? It is the area under the PSD-ROC curve up to a number of effective
false positives per hour, and so it depends on no decision threshold. Here it is exact: every
threshold at which anything changes is taken into account, not a grid.

Metrics
-------
`psds`
    Scores, ground truth and durations to a `PSDSResult`.
`scenarios`
    The settings of the DCASE challenges, for ``**``.

Differences to other packages
-----------------------------
1. Packages that evaluate at a grid of thresholds (50 in the DCASE baselines) give lower values.
2. Classes without reference events are an error, or are left out if asked for; they are never a 0
   that lowers the mean.
3. Reference events of one class may touch or overlap.

References
----------
Ç. Bilen, G. Ferroni, F. Tuveri, J. Azcarreta, S. Krstulović, "A framework for the robust evaluation
of sound event detection", ICASSP 2020. https://doi.org/10.1109/ICASSP40776.2020.9052995

J. Ebbers, R. Haeb-Umbach, R. Serizel, "Threshold independent evaluation of sound event detection
scores", ICASSP 2022. https://doi.org/10.1109/ICASSP43922.2022.9747556
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soundeval.criteria import Intersection
from soundeval.errors import InputError
from soundeval.psd_roc import CurveArguments
from soundeval.statistics import statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soundeval.psds_result import PSDSResult
    from soundeval.typing import (
        DurationsInput,
        ExtraClips,
        GroundTruthInput,
        MissingClasses,
        MissingGroundTruth,
        ScoresInput,
        TimestampsInput,
        UnitOfTime,
        UnknownLabels,
        ZeroLength,
    )

__all__ = ["psds"]


def psds(
    scores: ScoresInput,
    ground_truth: GroundTruthInput,
    audio_durations: DurationsInput,
    *,
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    alpha_ct: float = 0.0,
    alpha_st: float = 0.0,
    unit_of_time: UnitOfTime = "hour",
    max_efpr: float = 100.0,
    oracle: bool = True,
    time_decimals: int = 6,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
    progress: bool | None = None,
) -> PSDSResult:
    r"""Return the polyphonic sound detection score.

    .. math::

        \text{PSDS} = \frac{1}{e_{max}} \int_0^{e_{max}}
            \max(\mu_{TPR}(e) - \alpha_{ST}\, \sigma_{TPR}(e),\, 0) \; de

    with mean and standard deviation over classes of the true positive rates that are reached at an
    effective false positive rate of e (Bilen et al. 2020).

    Parameters
    ----------
    scores, ground_truth, timestamps, event_classes
        See `statistics`.
    audio_durations : path, mapping or table
        Duration of every clip in seconds, see `statistics`.
    dtc_threshold, gtc_threshold : float
        Detection tolerance and ground-truth intersection criterion, see `Intersection`.
    cttc_threshold : float or None, default None
        Cross-trigger tolerance criterion; it goes with an `alpha_ct` above 0.
    alpha_ct : float, default 0.0
        Weight of the cross-trigger rate, between 0 and 1.
    alpha_st : float, default 0.0
        Weight of the standard deviation over classes, 0 or more.
    unit_of_time : {"second", "minute", "hour"}, default "hour"
        What false positive rates are per.
    max_efpr : float, default 100.0
        Effective false positive rate up to which the area is taken, per `unit_of_time`.
    oracle : bool, default True
        Whether curves are the monotone envelope, as in the DCASE challenges.
    time_decimals : int, default 6
        Decimals to which times are rounded before they are compared.
    extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length, progress
        See `statistics`.

    Returns
    -------
    PSDSResult
        The score between 0 and 1, the score of each class, and the curve.

    Raises
    ------
    InputError
        If content is wrong or does not fit together, if an argument is out of range, if `alpha_ct`
        is above 0 without `cttc_threshold`, or `cttc_threshold` given although `alpha_ct` is 0 and
        would not use it.
    TypeError
        If an argument is of a wrong kind.

    Notes
    -----
    Undefined cases:

    =================================  =========================================================
    a class without reference events   error, or left out with ``missing_classes="exclude"``
    a class without detections         its rate is 0 everywhere
    one class only and `alpha_ct` > 0  there are no other classes: the cross-trigger rate is 0
    clips without frames               error
    =================================  =========================================================

    See Also
    --------
    statistics : The counts, from which several scores can be made.
    scenarios : Settings of the DCASE challenges.

    Examples
    --------
    A dog barks twice in 36 s, and a frame of noise gets a score between those of the two barks:

    >>> import numpy as np
    >>> import soundeval as se
    >>> scores = np.full((36, 1), 0.1)
    >>> scores[[0, 2, 5], 0] = [0.995, 0.999, 0.997]
    >>> result = se.psds(
    ...     {"a": scores},
    ...     {"a": [(0.0, 1.0, "Dog"), (2.0, 3.0, "Dog")]},
    ...     {"a": 36.0},
    ...     dtc_threshold=0.5,
    ...     gtc_threshold=0.5,
    ...     timestamps=np.arange(37.0),
    ...     event_classes=["Dog"],
    ... )
    >>> result.value
    0.5
    """
    criterion = Intersection(dtc_threshold, gtc_threshold, cttc_threshold, time_decimals)
    # All arguments are looked at before the scores, which can take minutes to read.
    arguments = CurveArguments(alpha_ct, alpha_st, unit_of_time, max_efpr, oracle)
    arguments.required_max_efpr()
    arguments.check_cross_triggers(criterion.cttc_threshold)
    arguments.check_weight_of_cross_triggers(criterion.cttc_threshold)
    if audio_durations is None:
        raise InputError(
            "false positives per unit of time need the durations of the clips: pass "
            "audio_durations={clip_id: seconds}"
        )
    return statistics(
        scores,
        ground_truth,
        criterion,
        audio_durations=audio_durations,
        timestamps=timestamps,
        event_classes=event_classes,
        extra_clips=extra_clips,
        missing_ground_truth=missing_ground_truth,
        missing_classes=missing_classes,
        unknown_labels=unknown_labels,
        zero_length=zero_length,
        progress=progress,
    ).psds(
        alpha_ct=alpha_ct,
        alpha_st=alpha_st,
        unit_of_time=unit_of_time,
        max_efpr=max_efpr,
        oracle=oracle,
    )
