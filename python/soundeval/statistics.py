"""Statistics: exact counts at every decision threshold, and the curves and numbers made of them.

Conventions
-----------
A frame is active where its score is greater than the decision threshold. Counts change only where a
threshold passes one of the scores, so a few points describe all thresholds. Point i stands for
every decision threshold ``theta`` with ``thresholds[i - 1] <= theta < thresholds[i]``: frames with
a score of at least ``thresholds[i]`` are active. Only scores at which a count changes are points.
The last threshold is ``inf``: nothing is detected, and all counts are 0.

Thresholds are float64. Of float32 scores they are the exact values of the float32 numbers: the
score ``float32(0.3)`` is greater than the threshold ``0.3``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from soundeval import _core
from soundeval import accuracy as _accuracy
from soundeval import error_rate as _error_rate
from soundeval import f_score as _f_score
from soundeval import overall_error_rate as _overall_error_rate
from soundeval import precision_recall as _precision_recall
from soundeval import roc as _roc
from soundeval.class_statistics import ClassStatistics
from soundeval.counting import count
from soundeval.criteria import Intersection, check_criterion
from soundeval.durations import coerce_durations
from soundeval.errors import InputError, checked
from soundeval.ground_truth import GroundTruth
from soundeval.joining import Join, Policies
from soundeval.names import counted, did_you_mean
from soundeval.psd_roc import PSDROC, ClassPSDROC, CurveArguments
from soundeval.psds_result import PSDSResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soundeval.counting import Pass
    from soundeval.criteria import Criterion
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

__all__ = ["Statistics", "statistics"]


class Statistics(Mapping[str, ClassStatistics]):
    """Counts of all classes: a read-only mapping from class name to `ClassStatistics`.

    Made by `statistics` or `Accumulator.statistics`. The counts of a class are computed when it is
    first asked for.

    Attributes
    ----------
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    event_classes : tuple of str
        Evaluated classes, in column order.
    excluded_classes : tuple of str
        Score columns that were left out because they have no reference event.
    clip_ids : list of str
        Evaluated clips, sorted.
    n_clips : int
        Their number.
    audio_durations : dict of str to float, or None
        Durations of the evaluated clips in seconds.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in.

    See Also
    --------
    statistics : Makes it, with an example.
    """

    # Every family of numbers is written in its own file; its functions are methods here.
    precision_recall_curve = _precision_recall.precision_recall_curve
    average_precision = _precision_recall.average_precision
    roc_curve = _roc.roc_curve
    auroc = _roc.auroc
    f_score = _f_score.f_score
    best_f_score = _f_score.best_f_score
    f_score_curve = _f_score.f_score_curve
    error_rate = _error_rate.error_rate
    best_error_rate = _error_rate.best_error_rate
    error_rate_curve = _error_rate.error_rate_curve
    overall_error_rate = _overall_error_rate.overall_error_rate
    accuracy = _accuracy.accuracy

    __slots__ = (
        "_cache",
        "_clip_ids",
        "_event_classes",
        "_indices",
        "_n_negatives",
        "_n_ref",
        "_store",
        "_t_ref",
        "audio_durations",
        "criterion",
        "excluded_classes",
        "notes",
    )

    def __init__(
        self,
        store: _core.DeltaStore,
        criterion: Criterion,
        excluded_classes: tuple[str, ...],
        audio_durations: dict[str, float] | None,
        notes: tuple[str, ...],
    ) -> None:
        # Arguments are checked already: users get one from `statistics` or
        # `Accumulator.statistics`.
        excluded = frozenset(excluded_classes)
        self._store = store
        self._indices = {
            name: index for index, name in enumerate(store.event_classes) if name not in excluded
        }
        self._event_classes = tuple(self._indices)
        self._n_ref = store.n_ref()
        self._n_negatives = store.n_negatives()
        self._t_ref = store.t_ref()
        self._clip_ids: list[str] | None = None
        self._cache: dict[str, ClassStatistics] = {}
        self.criterion = criterion
        self.excluded_classes = excluded_classes
        self.audio_durations = audio_durations
        self.notes = notes

    @property
    def event_classes(self) -> tuple[str, ...]:
        """Evaluated classes, in column order."""
        return self._event_classes

    @property
    def clip_ids(self) -> list[str]:
        """Evaluated clips, sorted."""
        if self._clip_ids is None:
            self._clip_ids = self._store.clip_ids()
        return list(self._clip_ids)

    @property
    def n_clips(self) -> int:
        """Number of evaluated clips."""
        return len(self._store)

    @property
    def n_ref(self) -> dict[str, int]:
        """Number of targets of each class; costs no counting, unlike ``stats[name].n_ref``.

        Targets are reference events; of `Segment` and `Clip` they are the segments and clips with
        such an event.
        """
        return {name: self._n_ref[index] for name, index in self._indices.items()}

    @property
    def t_ref(self) -> dict[str, float]:
        """Total length of the targets of each class in seconds, correctly rounded."""
        return {name: self._t_ref[index] for name, index in self._indices.items()}

    def __getitem__(self, event_class: str) -> ClassStatistics:
        """Return the counts of one class."""
        found = self._cache.get(event_class)
        if found is None:
            index = self._indices.get(event_class)
            if index is None:
                raise KeyError(self._unknown_class(event_class))
            found = self._cache[event_class] = self._class_statistics(event_class, index)
        return found

    def __contains__(self, event_class: object) -> bool:
        """Whether a class was evaluated, without computing its counts."""
        return event_class in self._indices

    def __iter__(self) -> Iterator[str]:
        """Iterate over the evaluated classes, in column order."""
        return iter(self._event_classes)

    def __len__(self) -> int:
        """Return the number of evaluated classes."""
        return len(self._event_classes)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle as bytes, so that statistics can come back from another process."""
        parts = (self.criterion, self.excluded_classes, self.audio_durations, self.notes)
        return _from_bytes, (self._store.to_bytes(), *parts)

    def __repr__(self) -> str:
        """Return the sizes and the criterion."""
        return (
            f"Statistics({counted(self.n_clips, 'clip')}, {counted(len(self), 'class')}, "
            f"{self.criterion!r})"
        )

    def psd_roc(
        self,
        audio_durations: DurationsInput | None = None,
        *,
        alpha_ct: float = 0.0,
        alpha_st: float = 0.0,
        unit_of_time: UnitOfTime = "hour",
        max_efpr: float | None = 100.0,
        oracle: bool = True,
    ) -> PSDROC:
        """Return the PSD-ROC over all classes and of each class.

        Parameters
        ----------
        audio_durations : mapping of str to float, path or table, optional
            Duration of every evaluated clip in seconds. Default: those given to `statistics`.
        alpha_ct : float, default 0.0
            Weight of the cross-trigger rate, between 0 and 1. Above 0 it needs a criterion with
            `cttc_threshold`.
        alpha_st : float, default 0.0
            Weight of the standard deviation over classes, 0 or more.
        unit_of_time : {"second", "minute", "hour"}, default "hour"
            What false positive rates are per.
        max_efpr : float or None, default 100.0
            Effective false positive rate at which the curves end, per `unit_of_time`. None keeps
            all.
        oracle : bool, default True
            True keeps the monotone envelope: the best rate that any threshold reaches within the
            allowed false positives. False keeps all points.

        Returns
        -------
        PSDROC
            The curves.

        Raises
        ------
        InputError
            If the criterion is not an `Intersection`, if durations are not known or do not fit the
            clips, or if an argument is out of range.

        Notes
        -----
        With a single class there are no other classes to trigger, and the cross-trigger rate is 0.
        """
        arguments = CurveArguments(alpha_ct, alpha_st, unit_of_time, max_efpr, oracle)
        criterion = self._intersection()
        return self._psd_roc(criterion, arguments, self._dataset_duration(audio_durations))

    def psds(
        self,
        audio_durations: DurationsInput | None = None,
        *,
        alpha_ct: float = 0.0,
        alpha_st: float = 0.0,
        unit_of_time: UnitOfTime = "hour",
        max_efpr: float = 100.0,
        oracle: bool = True,
    ) -> PSDSResult:
        """Return the polyphonic sound detection score: the area under the PSD-ROC.

        Parameters
        ----------
        audio_durations, alpha_ct, alpha_st, unit_of_time, oracle
            See `psd_roc`.
        max_efpr : float, default 100.0
            Effective false positive rate up to which the area is taken, per `unit_of_time`.

        Returns
        -------
        PSDSResult
            The score between 0 and 1, the score of each class, and the curve.

        Raises
        ------
        InputError
            As `psd_roc`, and if `max_efpr` is None.

        See Also
        --------
        psds : Scores and ground truth to PSDS in one call.
        """
        arguments = CurveArguments(alpha_ct, alpha_st, unit_of_time, max_efpr, oracle)
        limit = arguments.required_max_efpr()
        criterion = self._intersection()
        duration = self._dataset_duration(audio_durations)
        curve = self._psd_roc(criterion, arguments, duration)
        area = _core.psds_from_psd_roc
        return PSDSResult(
            value=area(curve.etpr, curve.efpr, limit),
            per_class={name: area(c.tpr, c.efpr, limit) for name, c in curve.per_class.items()},
            curve=curve,
            criterion=criterion,
            alpha_ct=arguments.alpha_ct,
            alpha_st=arguments.alpha_st,
            unit_of_time=arguments.unit_of_time,
            max_efpr=limit,
            oracle=oracle,
            n_clips=self.n_clips,
            dataset_duration=duration,
            excluded_classes=self.excluded_classes,
            notes=self.notes,
        )

    # -- inside -----------------------------------------------------------------------------------

    def _intersection(self) -> Intersection:
        if not isinstance(self.criterion, Intersection):
            raise InputError(
                "a PSD-ROC counts intersections, and these statistics were made with "
                f"{type(self.criterion).__name__}: make them with Intersection, or use "
                "average_precision or best_f_score"
            )
        return self.criterion

    def _psd_roc(
        self, criterion: Intersection, arguments: CurveArguments, dataset_duration: float
    ) -> PSDROC:
        arguments.check_cross_triggers(criterion.cttc_threshold)
        etpr, efpr, curves = checked(
            self._store.psd_roc,
            list(self._indices.values()),
            dataset_duration,
            arguments.alpha_ct,
            arguments.alpha_st,
            arguments.seconds_per_unit,
            arguments.max_efpr,
            arguments.oracle,
        )
        for array in (etpr, efpr, *(array for curve in curves for array in curve)):
            array.flags.writeable = False
        return PSDROC(
            etpr=etpr,
            efpr=efpr,
            per_class={name: ClassPSDROC(*curve) for name, curve in zip(self, curves, strict=True)},
            max_efpr=arguments.max_efpr,
            unit_of_time=arguments.unit_of_time,
            alpha_ct=arguments.alpha_ct,
            alpha_st=arguments.alpha_st,
            oracle=arguments.oracle,
        )

    def _dataset_duration(self, audio_durations: DurationsInput | None) -> float:
        if audio_durations is None:
            durations = self.audio_durations
            if durations is None:
                raise InputError(
                    "false positives per unit of time need the durations of the clips: pass "
                    "audio_durations={clip_id: seconds}, here or to the function that made the "
                    "statistics"
                )
        else:
            durations = joined_durations(audio_durations, self.clip_ids)
        return math.fsum(durations.values())

    def _class_statistics(self, name: str, index: int) -> ClassStatistics:
        thresholds, tps, fps, cts = checked(
            self._store.class_statistics, index, list(self._indices.values())
        )
        for array in (thresholds, tps, fps, *(counts for _, counts in cts)):
            array.flags.writeable = False
        names = self._store.event_classes
        return ClassStatistics(
            name=name,
            thresholds=thresholds,
            tps=tps,
            fps=fps,
            cts={names[other]: counts for other, counts in cts},
            n_ref=self._n_ref[index],
            t_ref=self._t_ref[index],
            n_negatives=None if self._n_negatives is None else self._n_negatives[index],
        )

    def _unknown_class(self, name: object) -> str:
        if name in self.excluded_classes:
            return f"{name!r} was excluded: it has no event in the ground truth"
        hint = did_you_mean(name, self._event_classes) if isinstance(name, str) else ""
        return f"{name!r} is no evaluated class{hint}"


def joined_durations(audio_durations: object, clip_ids: Iterable[str]) -> dict[str, float]:
    """Return the durations of exactly these clips, which must be all that are named."""
    durations = coerce_durations(audio_durations)
    ids = list(clip_ids)
    join = Join((), GroundTruth(dict.fromkeys(ids, ())), durations, Policies())
    join.check_clips(ids)
    return {clip: float(durations[clip]) for clip in ids}


def statistics(
    scores: ScoresInput,
    ground_truth: GroundTruthInput,
    criterion: Criterion,
    *,
    audio_durations: DurationsInput | None = None,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
    progress: bool | None = None,
) -> Statistics:
    """Return the exact counts of every class at every decision threshold.

    Parameters
    ----------
    scores : path, mapping, Scores or iterable
        Frame scores of the system, as one of

        * the path of a directory of ``<clip>.tsv`` files, or of one such file; with a column
          ``filename`` a file holds many clips,
        * a dict of clip id to table (pandas, polars) with the columns ``onset``, ``offset`` and one
          for each class, the frames without gaps,
        * a dict of clip id to array of shape (n_frames, n_classes), with `timestamps` and
          `event_classes`,
        * `Scores`, from `read_scores` or `Scores.from_arrays`,
        * an iterable of ``(clip_id, array, edges)``, with `event_classes`.

        All clips have the same classes in the same order.
    ground_truth : path, mapping or table
        Reference events: dict of clip id to list of ``(onset, offset, label)`` in seconds, or the
        path of a TSV file or a table with the columns ``filename``, ``onset``, ``offset``,
        ``event_label``.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    audio_durations : path, mapping or table, optional
        Duration of every clip in seconds: dict, or the path of a TSV file or a table with the
        columns ``filename``, ``duration``. Needed for rates per unit of time, here or later.
        `Segment` cuts the clips by it.
    timestamps : array_like of shape (n_frames + 1,), or mapping of str to such, optional
        Edges of the frames in seconds, for arrays: the same for all clips, or by clip.
    event_classes : sequence of str, optional
        Names of the columns, for arrays. With other scores they are checked.
    extra_clips : {"raise", "ignore"}, default "raise"
        Clips of the ground truth or the durations that have no scores.
    missing_ground_truth : {"raise", "no_events"}, default "raise"
        Scored clips that the ground truth does not name.
    missing_classes : {"raise", "exclude"}, default "raise"
        Score columns without any reference event, for which no rate of found events exists.
        "exclude" leaves them out of everything, also as other classes of cross triggers.
    unknown_labels : {"raise", "ignore"}, default "raise"
        Labels of the ground truth that are no score column.
    zero_length : {"raise", "drop", "keep"}, default "raise"
        Events with onset equal to offset.
    progress : bool or None, default None
        Progress bar while files are read; None shows it on terminals if rich is installed.

    Returns
    -------
    Statistics
        A mapping from class to `ClassStatistics`.

    Raises
    ------
    InputError
        If content is wrong or does not fit together. One message lists all clips and classes that
        do not fit.
    TypeError
        If an argument is of a wrong kind.

    Notes
    -----
    The time is linear in the number of frames, times the number of classes. Results do not depend
    on the order of clips and events or on the number of threads.

    See Also
    --------
    psds : The polyphonic sound detection score in one call.
    Accumulator : The same, clip by clip and mergeable.

    Examples
    --------
    One clip of three seconds, in which a dog barks from 1 s to 2 s:

    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.2], [0.9], [0.4]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Intersection(dtc_threshold=0.7, gtc_threshold=0.7),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> stats["Dog"].thresholds
    array([0.4, 0.9, inf])
    >>> stats["Dog"].tps, stats["Dog"].fps
    (array([0, 1, 0]), array([1, 0, 0]))
    >>> stats["Dog"].at(0.5)
    Counts(tps=1, fps=0, fns=0, n_ref=1, cts={})
    """
    criterion = check_criterion(criterion)
    policies = Policies(
        extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
    )
    one_pass = count(
        scores,
        ground_truth,
        (criterion,),
        policies,
        audio_durations=audio_durations,
        timestamps=timestamps,
        event_classes=event_classes,
        progress=progress,
    )
    return statistics_of_pass(one_pass)[criterion]


def statistics_of_pass(one_pass: Pass) -> dict[Criterion, Statistics]:
    """Return the statistics of every criterion of a pass."""
    return {
        criterion: Statistics(
            store,
            criterion,
            one_pass.excluded_classes[criterion],
            one_pass.audio_durations,
            one_pass.notes,
        )
        for criterion, store in one_pass.stores.items()
    }


def _from_bytes(
    data: bytes,
    criterion: Criterion,
    excluded_classes: tuple[str, ...],
    audio_durations: dict[str, float] | None,
    notes: tuple[str, ...],
) -> Statistics:
    store = checked(_core.DeltaStore.from_bytes, data)
    return Statistics(store, criterion, excluded_classes, audio_durations, notes)
