r"""PSDS over variants of a system, of which the best is chosen at each point of the curve.

How scores are smoothed has nothing to do with the system that made them, but PSDS depends on it. So
systems are compared by the best that any of several median filters makes of them, at each effective
false positive rate and for each class (post-processing-independent PSDS, Ebbers et al. 2023). A set
of operating points, each a list of detections, is a system with many variants of one point each.

Functions
---------
`pi_psds`
    Scores and lengths of median filters to a `VariantPSDSResult`.
`psds_of_variants`
    The same for statistics of variants of any kind.
`psds_from_detections`
    Lists of detections, one for each operating point; approximate.

References
----------
J. Ebbers, R. Haeb-Umbach, R. Serizel, "Post-processing independent evaluation of sound event
detection systems", DCASE Workshop 2023. https://arxiv.org/abs/2306.15440

Ç. Bilen, G. Ferroni, F. Tuveri, J. Azcarreta, S. Krstulović, "A framework for the robust evaluation
of sound event detection", ICASSP 2020. https://doi.org/10.1109/ICASSP40776.2020.9052995
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from soundeval import _core, display
from soundeval.criteria import Intersection
from soundeval.detection_statistics import detection_statistics
from soundeval.durations import coerce_durations
from soundeval.errors import InputError, checked
from soundeval.event_lists import all_labels
from soundeval.ground_truth import coerce_events, coerce_ground_truth
from soundeval.median_filter import median_filter
from soundeval.names import counted, listed
from soundeval.psd_roc import PSDROC, ClassPSDROC, CurveArguments
from soundeval.psds_result import PSDSResult
from soundeval.sources import collected, score_source
from soundeval.statistics import Statistics, statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

__all__ = [
    "ClassVariantPSDROC",
    "VariantPSDSResult",
    "pi_psds",
    "psds_from_detections",
    "psds_of_variants",
]


@dataclass(frozen=True, slots=True, eq=False)
class ClassVariantPSDROC(ClassPSDROC):
    """PSD-ROC of one class over variants of a system.

    Attributes
    ----------
    tpr, efpr, thresholds : float64 ndarray of shape (n_points,)
        See `ClassPSDROC`.
    variants : int64 ndarray of shape (n_points,)
        Index of the variant of each point, in the order in which they were given.
    """

    variants: NDArray[np.int64]


@dataclass(frozen=True, slots=True, repr=False)
class VariantPSDSResult(PSDSResult):
    """PSDS with the best variant at each point of the curve, its parameters and curves.

    It has the attributes of `PSDSResult`; the curves of its classes are `ClassVariantPSDROC`.

    Attributes
    ----------
    variant_names : tuple of str
        Names of the variants, in their order.
    per_variant : dict of str to PSDSResult
        PSDS of every variant on its own.
    approximate : bool
        Whether the variants are single operating points, between which nothing is known.
    """

    variant_names: tuple[str, ...] = ()
    per_variant: dict[str, PSDSResult] = field(default_factory=dict, hash=False)
    approximate: bool = False

    def to_dict(self) -> dict[str, float | int | str | bool | list[str] | None]:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            As that of `PSDSResult`, then ``"psds_of/<variant>"``, ``"approximate"`` and
            ``"variant_names"``.
        """
        return {
            # The zero-argument form of super does not survive slots.
            **PSDSResult.to_dict(self),
            **{f"psds_of/{name}": result.value for name, result in self.per_variant.items()},
            "approximate": self.approximate,
            "variant_names": list(self.variant_names),
        }

    def __repr__(self) -> str:
        """Return the score, the parameters in words and the classes."""
        return display.psds_as_text(self, self._title(), self._variants())

    def _repr_html_(self) -> str:
        """Return the same as a table with bars, for notebooks."""
        return display.psds_as_html(self, self._title(), self._variants())

    def _title(self) -> str:
        return "Approximate PSDS" if self.approximate else "Variant-independent PSDS"

    def _variants(self) -> str:
        n = len(self.variant_names)
        if self.approximate:
            return f"from {counted(n, 'operating point')}"
        best = max(self.per_variant, key=lambda name: self.per_variant[name].value)
        alone = f"{self.per_variant[best].value:.4f}"
        return f"best of {counted(n, 'variant')} at each point; {best!r} alone has {alone}"


def psds_of_variants(
    statistics: Mapping[str, Statistics] | Sequence[Statistics],
    audio_durations: DurationsInput | None = None,
    *,
    alpha_ct: float = 0.0,
    alpha_st: float = 0.0,
    unit_of_time: UnitOfTime = "hour",
    max_efpr: float = 100.0,
) -> VariantPSDSResult:
    r"""Return the PSDS of the best of several variants of a system at each point of the curve.

    The curve of class c is the envelope over the curves of the variants v:

    .. math::

        r_c(e) = \max_v \; \max_{e' \le e} r_{c,v}(e')

    Mean, spread over classes and area are those of `psds`.

    Parameters
    ----------
    statistics : mapping of str to Statistics, or sequence of Statistics
        One for each variant, by name or in order (then named by their number), all of the same
        clips, classes and `Intersection`.
    audio_durations : mapping of str to float, path or table, optional
        Duration of every evaluated clip in seconds. Default: those given to `statistics`.
    alpha_ct, alpha_st, unit_of_time, max_efpr
        See `psds`.

    Returns
    -------
    VariantPSDSResult
        The score, its curve with the variant of each point, and the score of each variant alone.

    Raises
    ------
    InputError
        If there are no variants, if they differ in clips, classes or criterion, and as
        `Statistics.psds`.

    Notes
    -----
    Where variants reach the same point the last of them is named.

    Examples
    --------
    One variant finds both dogs, but only after a false alarm, the other finds one and no more:

    >>> import numpy as np
    >>> import soundeval as se
    >>> def of(active):
    ...     scores = np.zeros((12, 1))
    ...     scores[list(active), 0] = list(active.values())
    ...     return se.statistics(
    ...         {"a": scores},
    ...         {"a": [(0.0, 1.0, "Dog"), (2.0, 3.0, "Dog")]},
    ...         se.Intersection(0.7, 0.7),
    ...         audio_durations={"a": 36.0},
    ...         timestamps=np.arange(13.0),
    ...         event_classes=["Dog"],
    ...     )
    >>> quick, calm = of({6: 0.9, 0: 0.8, 2: 0.7}), of({2: 0.8})
    >>> result = se.psds_of_variants({"quick": quick, "calm": calm}, max_efpr=200.0)
    >>> result.per_variant["quick"].value, result.per_variant["calm"].value, result.value
    (0.5, 0.5, 0.75)
    >>> result.curve.per_class["Dog"].variants
    array([1, 0])
    """
    arguments = CurveArguments(alpha_ct, alpha_st, unit_of_time, max_efpr, oracle=True)
    limit = arguments.required_max_efpr()
    variants = _named(statistics)
    first_name, first = next(iter(variants.items()))
    for name, its in variants.items():
        _check_same(first_name, first, name, its)
    alone = {
        name: its.psds(
            audio_durations,
            alpha_ct=alpha_ct,
            alpha_st=alpha_st,
            unit_of_time=unit_of_time,
            max_efpr=max_efpr,
        )
        for name, its in variants.items()
    }
    curves = [
        [(c.tpr, c.efpr, c.thresholds) for c in result.curve.per_class.values()]
        for result in alone.values()
    ]
    etpr, efpr, per_class = checked(
        _core.psd_roc_of_variants, curves, arguments.alpha_st, arguments.max_efpr
    )
    for array in (etpr, efpr, *(array for curve in per_class for array in curve)):
        array.flags.writeable = False
    some = alone[first_name]
    curve = PSDROC(
        etpr=etpr,
        efpr=efpr,
        per_class={
            name: ClassVariantPSDROC(*arrays) for name, arrays in zip(first, per_class, strict=True)
        },
        max_efpr=arguments.max_efpr,
        unit_of_time=arguments.unit_of_time,
        alpha_ct=arguments.alpha_ct,
        alpha_st=arguments.alpha_st,
        oracle=True,
    )
    area = _core.psds_from_psd_roc
    notes = dict.fromkeys(note for its in variants.values() for note in its.notes)
    return VariantPSDSResult(
        value=area(etpr, efpr, limit),
        per_class={name: area(c.tpr, c.efpr, limit) for name, c in curve.per_class.items()},
        curve=curve,
        criterion=some.criterion,
        alpha_ct=arguments.alpha_ct,
        alpha_st=arguments.alpha_st,
        unit_of_time=arguments.unit_of_time,
        max_efpr=limit,
        oracle=True,
        n_clips=some.n_clips,
        dataset_duration=some.dataset_duration,
        excluded_classes=some.excluded_classes,
        notes=tuple(notes),
        variant_names=tuple(variants),
        per_variant=alone,
    )


def pi_psds(
    scores: ScoresInput,
    ground_truth: GroundTruthInput,
    audio_durations: DurationsInput,
    *,
    filter_lengths: Sequence[float | Mapping[str, float]],
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    alpha_ct: float = 0.0,
    alpha_st: float = 0.0,
    unit_of_time: UnitOfTime = "hour",
    max_efpr: float = 100.0,
    time_decimals: int = 6,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
    progress: bool | None = None,
) -> VariantPSDSResult:
    """Return the PSDS with the best of several median filters at each point of the curve.

    Parameters
    ----------
    scores, ground_truth, audio_durations
        See `psds`. Scores are read once and held in memory.
    filter_lengths : sequence of float or of mapping of str to float
        Lengths of the median filters in seconds, each for all classes or by class; 0 does not
        filter. See `median_filter`.
    dtc_threshold, gtc_threshold, cttc_threshold, alpha_ct, alpha_st, unit_of_time, max_efpr
        See `psds`.
    time_decimals : int, default 6
        Decimals (of seconds) to which times are rounded before they are compared, and to which
        edges of filtered frames are rounded.
    timestamps, event_classes, progress
        See `psds`.
    extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
        See `statistics`.

    Returns
    -------
    VariantPSDSResult
        The score, its curve with the filter of each point, and the score with each filter alone.

    Raises
    ------
    InputError
        As `psds`, and if a length is negative or there is none.

    Notes
    -----
    Each class has its own best filter at each point. So the score is at least that of any single
    filter if `alpha_st` is 0.

    References
    ----------
    J. Ebbers, R. Haeb-Umbach, R. Serizel, "Post-processing independent evaluation of sound event
    detection systems", DCASE Workshop 2023. https://arxiv.org/abs/2306.15440

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> result = se.pi_psds(
    ...     {"a": np.array([[0.1], [0.9], [0.1], [0.8], [0.3], [0.8], [0.1]])},
    ...     {"a": [(3.0, 6.0, "Dog")]},
    ...     {"a": 3600.0},
    ...     filter_lengths=[0.0, 3.0],
    ...     timestamps=np.arange(8.0),
    ...     event_classes=["Dog"],
    ...     **se.scenarios.PSDS1,
    ... )
    >>> round(result.per_variant["0 s"].value, 4), result.value
    (0.99, 1.0)
    """
    lengths = named_lengths(filter_lengths)
    criterion = Intersection(dtc_threshold, gtc_threshold, cttc_threshold, time_decimals)
    arguments = CurveArguments(alpha_ct, alpha_st, unit_of_time, max_efpr, oracle=True)
    arguments.required_max_efpr()
    arguments.check_cross_triggers(criterion.cttc_threshold)
    arguments.check_weight_of_cross_triggers(criterion.cttc_threshold)
    truth, durations = coerce_ground_truth(ground_truth), coerce_durations(audio_durations)
    whole = collected(
        score_source(scores, timestamps=timestamps, event_classes=event_classes, progress=progress)
    )
    variants = {
        name: statistics(
            median_filter(whole, length, time_decimals=time_decimals),
            truth,
            criterion,
            audio_durations=durations,
            extra_clips=extra_clips,
            missing_ground_truth=missing_ground_truth,
            missing_classes=missing_classes,
            unknown_labels=unknown_labels,
            zero_length=zero_length,
        )
        for name, length in lengths.items()
    }
    return psds_of_variants(
        variants,
        alpha_ct=alpha_ct,
        alpha_st=alpha_st,
        unit_of_time=unit_of_time,
        max_efpr=max_efpr,
    )


def psds_from_detections(
    operating_points: Mapping[str, GroundTruthInput] | Sequence[GroundTruthInput],
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
    time_decimals: int = 6,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
) -> VariantPSDSResult:
    """Return the approximate PSDS of a system of which only some operating points are known.

    Between the points nothing is known, so the curves are too low: with 50 points usually by 0.01
    to 0.03. Where there are scores, `psds` is exact, and faster.

    Parameters
    ----------
    operating_points : mapping of str to detections, or sequence of detections
        Detections at each operating point, by name or in order. Detections are events as
        `statistics` takes a ground truth: what `detect` returns, a TSV file, or a table.
    ground_truth, audio_durations
        See `detection_statistics`: the clips are those of the durations.
    dtc_threshold, gtc_threshold, cttc_threshold, alpha_ct, alpha_st, unit_of_time, max_efpr
        See `psds`.
    time_decimals : int, default 6
        See `Intersection`.
    event_classes : sequence of str, optional
        Evaluated classes. Default: all labels of the ground truth and of the detections, sorted.
    extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
        See `detection_statistics`.

    Returns
    -------
    VariantPSDSResult
        Marked as `approximate`; its curves say of each point which list of detections it is.

    Raises
    ------
    InputError
        As `detection_statistics` and `psds`, and if there are no operating points.

    Notes
    -----
    It is the PSDS of psds_eval in its default form, but for shares of lengths that are equal to a
    threshold up to rounding, and for detections that lie outside of their clip, which count here.

    Examples
    --------
    >>> import soundeval as se
    >>> points = {
    ...     "careful": {"a": [(0.0, 2.0, "Dog")]},
    ...     "eager": {"a": [(0.0, 2.0, "Dog"), (4.0, 6.0, "Dog"), (8.0, 9.0, "Dog")]},
    ... }
    >>> truth = {"a": [(0.0, 2.0, "Dog"), (4.0, 6.0, "Dog")]}
    >>> result = se.psds_from_detections(
    ...     points, truth, {"a": 72.0}, dtc_threshold=0.5, gtc_threshold=0.5
    ... )
    >>> result
    Approximate PSDS 0.7500
    DTC 0.5, GTC 0.5, no cross triggers; alpha_ct 0, alpha_st 0; up to 100 false positives per hour
    1 clip, 72 s of audio
    from 2 operating points
      Dog  0.7500
    note: nothing is known between operating points, so the curve is a lower bound
    """
    if isinstance(operating_points, Mapping):
        points = {
            str(name): coerce_events(f"operating point {name!r}", its)
            for name, its in operating_points.items()
        }
    elif isinstance(operating_points, (str, bytes)) or not isinstance(operating_points, Sequence):
        raise TypeError(
            "operating_points must be a sequence of detections or a mapping from names to them, "
            f"got {type(operating_points).__name__}"
        )
    else:
        points = {
            str(index): coerce_events(f"operating point {index}", its)
            for index, its in enumerate(operating_points)
        }
    if not points:
        raise InputError("there are no operating points: at least one list of detections is needed")
    criterion = Intersection(dtc_threshold, gtc_threshold, cttc_threshold, time_decimals)
    arguments = CurveArguments(alpha_ct, alpha_st, unit_of_time, max_efpr, oracle=True)
    arguments.required_max_efpr()
    arguments.check_cross_triggers(criterion.cttc_threshold)
    truth, durations = coerce_ground_truth(ground_truth), coerce_durations(audio_durations)
    if event_classes is None:
        # The labels of one point need not be those of another.
        event_classes = all_labels(durations, (truth, *points.values()))
    variants = {
        name: detection_statistics(
            detections,
            truth,
            criterion,
            audio_durations=durations,
            event_classes=event_classes,
            extra_clips=extra_clips,
            missing_ground_truth=missing_ground_truth,
            missing_classes=missing_classes,
            unknown_labels=unknown_labels,
            zero_length=zero_length,
        )
        for name, detections in points.items()
    }
    result = psds_of_variants(
        variants,
        alpha_ct=alpha_ct,
        alpha_st=alpha_st,
        unit_of_time=unit_of_time,
        max_efpr=max_efpr,
    )
    return replace(
        result,
        approximate=True,
        notes=(
            *result.notes,
            "nothing is known between operating points, so the curve is a lower bound",
        ),
    )


def _named(statistics: object) -> dict[str, Statistics]:
    """Return variants by name, those of a sequence by their number."""
    # Statistics are a mapping too, of classes.
    if isinstance(statistics, Statistics) or not isinstance(statistics, (Mapping, Sequence)):
        raise TypeError(
            "statistics must be a sequence of Statistics or a mapping from names to them, got "
            f"{type(statistics).__name__}"
        )
    if isinstance(statistics, Mapping):
        variants = {str(name): its for name, its in statistics.items()}
    else:
        variants = {str(index): its for index, its in enumerate(statistics)}
    if not variants:
        raise InputError("there are no variants: at least one is needed")
    for name, its in variants.items():
        if not isinstance(its, Statistics):
            raise TypeError(f"variant {name!r} must be Statistics, got {type(its).__name__}")
    return variants


def _check_same(first_name: str, first: Statistics, name: str, other: Statistics) -> None:
    if other.criterion != first.criterion:
        raise InputError(
            f"variants {first_name!r} and {name!r} have different criteria: {first.criterion!r} "
            f"and {other.criterion!r}"
        )
    if other.event_classes != first.event_classes:
        differ = sorted({*first.event_classes} ^ {*other.event_classes})
        what = listed(differ) if differ else "the same in another order"
        raise InputError(f"variants {first_name!r} and {name!r} have different classes: {what}")
    if other.clip_ids != first.clip_ids:
        differ = sorted({*first.clip_ids} ^ {*other.clip_ids})
        raise InputError(
            f"variants {first_name!r} and {name!r} have different clips: {listed(differ)}"
        )


def named_lengths(
    filter_lengths: object,
) -> dict[str, Any]:
    """Return lengths by the names that results show: a number, or one for each class."""
    if isinstance(filter_lengths, (str, bytes, Mapping)) or not isinstance(
        filter_lengths, (Sequence, np.ndarray)
    ):
        raise TypeError(
            "filter_lengths must be a sequence of lengths in seconds, got "
            f"{type(filter_lengths).__name__}"
        )
    if not len(filter_lengths):
        raise InputError("filter_lengths is empty: at least one length is needed, 0 for no filter")
    lengths: dict[str, Any] = {}
    for index, length in enumerate(filter_lengths):
        name = f"lengths {index}" if isinstance(length, Mapping) else f"{length:g} s"
        lengths[f"{name} ({index})" if name in lengths else name] = length
    return lengths
