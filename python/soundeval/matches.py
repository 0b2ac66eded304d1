"""Matches: rows of pairs, misses, false alarms, cross triggers and substitutions; their counts.

`match` makes them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from soundeval import display
from soundeval import error_rate as _error_rate
from soundeval import f_score as _f_score
from soundeval.class_statistics import ClassStatistics, Counts
from soundeval.criteria import Collar, Criterion, Intersection
from soundeval.errors import InputError
from soundeval.names import counted, did_you_mean, listed
from soundeval.overall_error_rate import OverallErrorRate, overall_error_rate_of
from soundeval.results import FlatDict, json_number, origin_entries
from soundeval.rows import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from soundeval.error_rate import ErrorRateResult
    from soundeval.f_score import FScoreResult
    from soundeval.statistics import Statistics

__all__ = [
    "ClassDistances",
    "CrossTrigger",
    "FalseAlarm",
    "MatchedPair",
    "Matches",
    "Miss",
    "Substitution",
]


class MatchedPair(NamedTuple):
    """A detection and a reference event that go together.

    Attributes
    ----------
    clip, event_class : str
        Where, and what.
    detection_onset, detection_offset, reference_onset, reference_offset : float
        Seconds. Of segments and clips both are the unit.
    onset_distance, offset_distance : float
        Detection minus reference in seconds: positive where the detection is late.
    shared : float
        Seconds that both share.
    """

    clip: str
    event_class: str
    detection_onset: float
    detection_offset: float
    reference_onset: float
    reference_offset: float
    onset_distance: float
    offset_distance: float
    shared: float


class FalseAlarm(NamedTuple):
    """A detection that is false: clip, class, and times in seconds."""

    clip: str
    event_class: str
    onset: float
    offset: float


class Miss(NamedTuple):
    """A reference event that was not found: clip, class, and times in seconds."""

    clip: str
    event_class: str
    onset: float
    offset: float


class CrossTrigger(NamedTuple):
    """A false detection that reference events of another class triggered; times in seconds."""

    clip: str
    event_class: str
    other_class: str
    onset: float
    offset: float


class Substitution(NamedTuple):
    """A false detection in the place of a missed reference event of another class.

    Attributes
    ----------
    clip : str
        Where.
    event_class, reference_class : str
        What was detected, and what there was.
    detection_onset, detection_offset, reference_onset, reference_offset : float
        Seconds.
    onset_distance, offset_distance : float
        Detection minus reference in seconds.
    """

    clip: str
    event_class: str
    reference_class: str
    detection_onset: float
    detection_offset: float
    reference_onset: float
    reference_offset: float
    onset_distance: float
    offset_distance: float


@dataclass(frozen=True, slots=True)
class ClassDistances:
    """How far matched detections are from their reference events.

    Attributes
    ----------
    n_matched : int
        Matched pairs.
    onset_distance_sum, offset_distance_sum : float
        Sums of detection minus reference in seconds, correctly rounded.
    onset_distance_mean, offset_distance_mean : float
        The same per pair: positive where detections are late on average. NaN without pairs.
    onset_error_mean, offset_error_mean : float
        Means of the distances without their sign. NaN without pairs.
    """

    n_matched: int
    onset_distance_sum: float
    offset_distance_sum: float
    onset_distance_mean: float
    offset_distance_mean: float
    onset_error_mean: float
    offset_error_mean: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Matches:
    """Matched pairs, false alarms, misses, cross triggers and substitutions, as rows.

    Made by `match`. Rows are in the order of clips, then of time.

    Attributes
    ----------
    pairs : Rows of MatchedPair
        `Collar`: the pairs of the matching. `Intersection`: relevant detections with the found
        reference events that they overlap, so either can be in several. `Segment` and `Clip`: the
        units in which the class is detected and should be.
    false_alarms : Rows of FalseAlarm
        False detections.
    misses : Rows of Miss
        Reference events that were not found.
    cross_triggers : Rows of CrossTrigger
        False alarms with the classes that triggered them; only of `Intersection` with a
        `cttc_threshold`.
    substitutions : Rows of Substitution
        False alarms with misses of any class that they would have found; only of `Collar`. They
        stay among the false alarms and the misses.
    n_ref : dict of str to int
        Targets of each class: reference events, or units with such an event.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    event_classes : tuple of str
        Evaluated classes.
    excluded_classes : tuple of str
        Classes that were left out because they have no reference event.
    clip_ids : tuple of str
        Evaluated clips, sorted.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in.

    See Also
    --------
    match : Makes it, with an example.
    """

    pairs: Rows[MatchedPair]
    false_alarms: Rows[FalseAlarm]
    misses: Rows[Miss]
    cross_triggers: Rows[CrossTrigger]
    substitutions: Rows[Substitution]
    n_ref: dict[str, int] = field(hash=False)
    criterion: Criterion
    event_classes: tuple[str, ...]
    excluded_classes: tuple[str, ...]
    clip_ids: tuple[str, ...]
    notes: tuple[str, ...] = ()
    # For filters and counts: class and clip of every target, units of every clip, whether some
    # classes were filtered out.
    _target_codes: tuple[NDArray[np.int64], NDArray[np.int64]] = field(
        default_factory=lambda: (np.zeros(0, np.int64), np.zeros(0, np.int64))
    )
    _n_units: dict[str, int] | None = None
    _of_some_classes: bool = False

    @property
    def n_clips(self) -> int:
        """Number of evaluated clips."""
        return len(self.clip_ids)

    @property
    def counts(self) -> dict[str, Counts]:
        """Counts of every class, those of `detection_statistics`."""
        names = self.misses.names("event_class")
        misses = _tally(self.misses, "event_class", names)
        false_alarms = _tally(self.false_alarms, "event_class", names)
        cts = self._cross_trigger_counts(names)
        n_units = None if self._n_units is None else sum(self._n_units.values())
        counts = {}
        for name in self.event_classes:
            n_ref, fns, fps = self.n_ref[name], misses[name], false_alarms[name]
            counts[name] = Counts(
                tps=n_ref - fns,
                fps=fps,
                fns=fns,
                n_ref=n_ref,
                cts=cts.get(name, {}),
                tns=None if n_units is None else n_units - n_ref - fps,
            )
        return counts

    @property
    def distances(self) -> dict[str, ClassDistances]:
        """How far the matched pairs of every class are apart."""
        classes = self.pairs.codes("event_class")
        onsets = self.pairs.codes("onset_distance")
        offsets = self.pairs.codes("offset_distance")
        names = self.pairs.names("event_class")
        return {
            name: _distances(onsets[is_own], offsets[is_own])
            for name in self.event_classes
            for is_own in [classes == names.index(name)]
        }

    def of_class(self, *event_classes: str) -> Matches:
        """Return what concerns some classes.

        Parameters
        ----------
        *event_classes : str
            Evaluated classes. Cross triggers and substitutions are kept if either class is one of
            them.

        Returns
        -------
        Matches
            Of these classes only.

        Raises
        ------
        InputError
            If one is no evaluated class.
        """
        for name in event_classes:
            if name not in self.event_classes:
                raise InputError(
                    f"{name!r} is no evaluated class{did_you_mean(name, self.event_classes)}"
                )
        kept = tuple(name for name in self.event_classes if name in event_classes)
        return replace(
            self,
            pairs=self.pairs.of_class(*kept),
            false_alarms=self.false_alarms.of_class(*kept),
            misses=self.misses.of_class(*kept),
            cross_triggers=self.cross_triggers.of_class(*kept),
            substitutions=self.substitutions.of_class(*kept),
            n_ref={name: self.n_ref[name] for name in kept},
            event_classes=kept,
            _of_some_classes=self._of_some_classes or len(kept) < len(self.event_classes),
        )

    def of_clip(self, *clip_ids: str) -> Matches:
        """Return what concerns some clips.

        Parameters
        ----------
        *clip_ids : str
            Evaluated clips.

        Returns
        -------
        Matches
            Of these clips only, with all classes.

        Raises
        ------
        InputError
            If one is no evaluated clip.
        """
        for clip in clip_ids:
            if clip not in self.clip_ids:
                raise InputError(
                    f"{clip!r} is no evaluated clip{did_you_mean(clip, self.clip_ids)}"
                )
        kept = tuple(clip for clip in self.clip_ids if clip in clip_ids)
        names = self.misses.names("clip")
        clips, classes = self._target_codes
        is_kept = np.isin(clips, [names.index(clip) for clip in kept])
        clips, classes = clips[is_kept], classes[is_kept]
        class_names = self.misses.names("event_class")
        n_ref = np.bincount(classes, minlength=len(class_names))
        return replace(
            self,
            pairs=self.pairs.of_clip(*kept),
            false_alarms=self.false_alarms.of_clip(*kept),
            misses=self.misses.of_clip(*kept),
            cross_triggers=self.cross_triggers.of_clip(*kept),
            substitutions=self.substitutions.of_clip(*kept),
            n_ref={name: int(n_ref[class_names.index(name)]) for name in self.event_classes},
            clip_ids=kept,
            _target_codes=(clips, classes),
            _n_units=self._n_units and {clip: self._n_units[clip] for clip in kept},
        )

    def f_score(self, beta: float = 1.0) -> FScoreResult:
        """Return the F-scores of all classes, as ``detection_statistics(...).f_score(0.5)``.

        Parameters
        ----------
        beta : float, default 1.0
            Weight of recall, greater than 0.

        Returns
        -------
        FScoreResult
            Of the classes with targets. Where others were kept, their false alarms count in
            `micro`, and a note says so.

        Raises
        ------
        InputError
            If no class has a target.
        """
        stats = self._statistics()
        result = _f_score.f_score(cast("Statistics", stats), 0.5, beta)
        if stats.kept_without_targets:
            tps, fps, n_ref = self._sums()
            micro = _f_score._at_point(tps, fps, n_ref, result.beta)
            result = replace(result, micro=micro)
        return result

    def error_rate(self) -> ErrorRateResult:
        """Return the error rates of all classes, as ``detection_statistics(...).error_rate(0.5)``.

        Returns
        -------
        ErrorRateResult
            Of the classes with targets. Where others were kept, their false alarms count in
            `micro`, and a note says so.

        Raises
        ------
        InputError
            If no class has a target.

        See Also
        --------
        overall_error_rate : With substitutions.
        """
        stats = self._statistics()
        result = _error_rate.error_rate(cast("Statistics", stats), 0.5)
        if stats.kept_without_targets:
            result = replace(result, micro=_error_rate._at_point(*self._sums()))
        return result

    def overall_error_rate(self) -> OverallErrorRate:
        r"""Return the error rate over all classes, in which substitutions count once.

        .. math::

            \text{ER} = \frac{S + D + I}{N}

        (Mesaros et al. 2016). N counts targets of all classes. With `Collar`, S are the
        `substitutions`, D and I the other misses and false alarms. With `Segment` and `Clip`, in
        each unit with FN misses and FP false alarms

        .. math::

            S = \min(FN, FP), \qquad D = \max(0, FN - FP), \qquad I = \max(0, FP - FN).

        Returns
        -------
        OverallErrorRate
            Rates and counts. The rates are NaN without targets.

        Raises
        ------
        InputError
            If the criterion is an `Intersection`, which has no substitutions, or after `of_class`.
        """
        if isinstance(self.criterion, Intersection):
            raise InputError(
                "an Intersection has cross triggers and no substitutions: use error_rate().micro, "
                "or match with Collar or Segment"
            )
        if self._of_some_classes:
            raise InputError(
                "some classes are filtered out, so there is no rate over all of them: use "
                "error_rate(), or overall_error_rate() before of_class()"
            )
        if isinstance(self.criterion, Collar):
            substitutions = len(self.substitutions)
            deletions = len(self.misses) - substitutions
            insertions = len(self.false_alarms) - substitutions
        else:
            fns, fps = _per_unit(self.misses, self.false_alarms)
            substitutions = int(np.minimum(fns, fps).sum())
            deletions = int(np.maximum(fns - fps, 0).sum())
            insertions = int(np.maximum(fps - fns, 0).sum())
        n_ref = sum(self.n_ref.values())
        return overall_error_rate_of(substitutions, deletions, insertions, n_ref)

    def to_dict(self) -> FlatDict:
        """Return the counts as a flat dict that JSON can hold; rows have a `to_dict` of their own.

        Returns
        -------
        dict
            ``"tps/<class>"``, the same of `fps`, `fns`, `n_ref`, and of the sums and means of
            distances, ``"n_substitutions"`` and ``"n_cross_triggers"``, then criterion,
            ``"n_clips"``, and the lists ``"excluded_classes"`` and ``"notes"``.
        """
        flat: FlatDict = {}
        for name, counts in self.counts.items():
            for key in ("tps", "fps", "fns", "n_ref"):
                flat[f"{key}/{name}"] = getattr(counts, key)
        for name, distances in self.distances.items():
            for key in ClassDistances.__slots__[1:]:
                flat[f"{key}/{name}"] = json_number(getattr(distances, key))
        flat["n_substitutions"] = len(self.substitutions)
        flat["n_cross_triggers"] = len(self.cross_triggers)
        return {**flat, **origin_entries(self)}

    def __repr__(self) -> str:
        """Return the sums, and one line for each class."""
        return display.table_as_text(self._table(), self)

    def _repr_html_(self) -> str:
        """Return the same as a table, for notebooks."""
        return display.table_as_html(self._table(), self)

    def _table(self) -> display.Table:
        counts, distances = self.counts, self.distances
        tps, fps, n_ref = self._sums()
        is_timed = isinstance(self.criterion, (Collar, Intersection))

        def row(found: int, missed: int, false: int, apart: ClassDistances) -> tuple[str, ...]:
            times = (apart.onset_distance_mean, apart.offset_distance_mean) if is_timed else ()
            return (str(found), str(missed), str(false), *map(_signed, times))

        onsets, offsets = self.pairs.codes("onset_distance"), self.pairs.codes("offset_distance")
        parts = []
        if isinstance(self.criterion, Collar):
            parts.append(counted(len(self.substitutions), "substitution"))
        elif isinstance(self.criterion, Intersection) and self.criterion.cttc_threshold is not None:
            parts.append(counted(len(self.cross_triggers), "cross trigger"))
        return display.Table(
            title=f"Matches: {tps} of {counted(n_ref, 'target')} found, "
            f"{counted(fps, 'false alarm')}",
            settings=", ".join(parts),
            columns=(
                "found",
                "missed",
                "false",
                *(("mean onset", "mean offset") if is_timed else ()),
            ),
            averages={"all": row(tps, n_ref - tps, fps, _distances(onsets, offsets))},
            classes={
                name: row(at.tps, at.fns, at.fps, distances[name]) for name, at in counts.items()
            },
        )

    # -- inside -----------------------------------------------------------------------------------

    def _sums(self) -> tuple[int, int, int]:
        counts = self.counts.values()
        return sum(c.tps for c in counts), sum(c.fps for c in counts), sum(c.n_ref for c in counts)

    def _cross_trigger_counts(self, names: tuple[str, ...]) -> dict[str, dict[str, int]]:
        """Return the number of cross triggers of every class on every other one."""
        if not isinstance(self.criterion, Intersection) or self.criterion.cttc_threshold is None:
            return {}
        classes, others = map(self.cross_triggers.codes, ("event_class", "other_class"))
        flat = classes * len(names) + others
        table = np.bincount(flat, minlength=len(names) ** 2).reshape(len(names), len(names))
        index = {name: names.index(name) for name in self.event_classes}
        return {
            name: {o: int(table[index[name], index[o]]) for o in index if o != name}
            for name in index
        }

    def _statistics(self) -> _OnePoint:
        counts = self.counts
        without = tuple(name for name, at in counts.items() if at.n_ref == 0)
        if len(without) == len(counts):
            raise InputError(
                "no class has a target here, so there are no rates of found targets; see counts"
            )
        notes = self.notes
        if without and not self._of_some_classes:
            notes += (
                f"false alarms of {counted(len(without), 'class')} without targets count in the "
                f"micro average only: {listed(without)}",
            )
        return _OnePoint(
            {name: at for name, at in counts.items() if at.n_ref > 0},
            self.criterion,
            self.n_clips,
            self.excluded_classes,
            notes,
            without,
        )


class _OnePoint(Mapping[str, ClassStatistics]):
    """Statistics with a single operating point, as far as numbers at thresholds look at them."""

    def __init__(
        self,
        counts: dict[str, Counts],
        criterion: Criterion,
        n_clips: int,
        excluded_classes: tuple[str, ...],
        notes: tuple[str, ...],
        kept_without_targets: tuple[str, ...],
    ) -> None:
        self._counts = counts
        self.event_classes = tuple(counts)
        self.criterion = criterion
        self.n_clips = n_clips
        self.excluded_classes = excluded_classes
        self.notes = notes
        self.kept_without_targets = kept_without_targets

    def __getitem__(self, name: str) -> ClassStatistics:
        at = self._counts[name]
        return ClassStatistics(
            name,
            np.array([1.0, math.inf]),
            np.array([at.tps, 0]),
            np.array([at.fps, 0]),
            {},
            at.n_ref,
            math.nan,
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


def _tally(rows: Rows[Any], column: str, names: tuple[str, ...]) -> dict[str, int]:
    """Return how many rows there are of each name."""
    counts = np.bincount(rows.codes(column), minlength=len(names))
    return dict(zip(names, counts.tolist(), strict=True))


def _distances(onsets: NDArray[Any], offsets: NDArray[Any]) -> ClassDistances:
    n = len(onsets)
    sums = math.fsum(onsets.tolist()), math.fsum(offsets.tolist())
    errors = math.fsum(np.abs(onsets).tolist()), math.fsum(np.abs(offsets).tolist())
    return ClassDistances(n, *sums, *(total / n if n else math.nan for total in (*sums, *errors)))


def _per_unit(misses: Rows[Miss], false_alarms: Rows[FalseAlarm]) -> tuple[Any, Any]:
    """Return misses and false alarms of every unit that has any of them."""
    clips = np.concatenate([misses.codes("clip"), false_alarms.codes("clip")])
    onsets = np.concatenate([misses.codes("onset"), false_alarms.codes("onset")])
    times, time = np.unique(onsets, return_inverse=True)
    units, unit = np.unique(clips * max(len(times), 1) + time, return_inverse=True)
    split = len(misses)
    fns, fps = (np.bincount(part, minlength=len(units)) for part in (unit[:split], unit[split:]))
    return fns, fps


def _signed(seconds: float) -> str:
    return "" if math.isnan(seconds) else f"{seconds:+.3f}s"
