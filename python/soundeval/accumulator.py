"""Statistics clip by clip: for evaluation loops, many processes and many machines.

What is kept per clip are the *deltas*: how the counts change when the decision threshold falls
below each score. Deltas of different clips just lie side by side, so accumulators can be merged in
any order and any grouping with the same result. Clips are known by their id: a clip that comes
twice with the same counts counts once (distributed samplers repeat clips to fill up batches), one
that comes with other content is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from soundeval import _core
from soundeval.counting import new_store
from soundeval.criteria import Segment, check_criterion, criterion_of_core
from soundeval.durations import check_duration
from soundeval.errors import InputError, checked
from soundeval.ground_truth import GroundTruth
from soundeval.joining import Join, Policies, excluded_classes
from soundeval.names import counted
from soundeval.scores import (
    check_edge_count,
    check_event_classes,
    coerce_edge_array,
    coerce_score_array,
)
from soundeval.statistics import Statistics, joined_durations

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from soundeval.criteria import Criterion
    from soundeval.typing import (
        DurationsInput,
        EventsInput,
        MissingClasses,
        UnknownLabels,
        ZeroLength,
    )

__all__ = ["Accumulator"]


class Accumulator:
    """Statistics that grow clip by clip and can be merged.

    Parameters
    ----------
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    event_classes : sequence of str
        Names of the score columns.

    Notes
    -----
    Merging is associative, commutative and idempotent, and an empty accumulator changes nothing.
    The result does not depend on which process saw which clip.

    Accumulators can be pickled and copied; both go through `to_bytes`, which holds no code.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> acc = se.Accumulator(se.Intersection(), ["Dog"])
    >>> acc.update("a", np.array([[0.2], [0.9], [0.4]]), [0, 1, 2, 3], [(1.0, 2.0, "Dog")])
    >>> other = se.Accumulator(se.Intersection(), ["Dog"])
    >>> other.update("b", np.array([[0.3], [0.1]]), [0, 1, 2], [])
    >>> both = acc | other
    >>> both
    Accumulator(2 clips, 1 class, Intersection(dtc_threshold=0.7, gtc_threshold=0.7, \
cttc_threshold=None, time_decimals=6))
    >>> both.statistics(audio_durations={"a": 3.0, "b": 2.0}).psds().value
    1.0
    """

    __slots__ = ("_criterion", "_event_classes", "_store")

    def __init__(self, criterion: Criterion, event_classes: Sequence[str]) -> None:
        self._criterion = check_criterion(criterion)
        self._event_classes = check_event_classes(event_classes)
        self._store = new_store(self._criterion, self._event_classes)

    @property
    def criterion(self) -> Criterion:
        """When a detection counts."""
        return self._criterion

    @property
    def event_classes(self) -> tuple[str, ...]:
        """Names of the score columns."""
        return self._event_classes

    @property
    def clip_ids(self) -> list[str]:
        """The clips so far, sorted."""
        return self._store.clip_ids()

    def __len__(self) -> int:
        """Return the number of clips so far."""
        return len(self._store)

    def __repr__(self) -> str:
        """Return the sizes and the criterion."""
        return (
            f"Accumulator({counted(len(self), 'clip')}, "
            f"{counted(len(self._event_classes), 'class')}, {self._criterion!r})"
        )

    def update(
        self,
        clip_id: str,
        scores: ArrayLike,
        timestamps: ArrayLike,
        events: EventsInput,
        *,
        duration: float | None = None,
        unknown_labels: UnknownLabels = "raise",
        zero_length: ZeroLength = "raise",
    ) -> None:
        """Add one clip.

        Parameters
        ----------
        clip_id : str
            Name of the clip. A clip that is already there must have the same counts, from scores
            of the same precision.
        scores : array_like of shape (n_frames, n_classes)
            Frame scores, columns in the order of `event_classes`.
        timestamps : array_like of shape (n_frames + 1,)
            Edges of the frames in seconds, strictly increasing.
        events : sequence of (onset, offset, label)
            Reference events in seconds; empty if there are none.
        duration : float or None, default None
            Duration of the clip in seconds. `Segment` cuts the clip by it, see there; the other
            criteria do not use it.
        unknown_labels : {"raise", "ignore"}, default "raise"
            Labels that are no score column.
        zero_length : {"raise", "drop", "keep"}, default "raise"
            Events with onset equal to offset.

        Raises
        ------
        InputError
            If content is wrong, or if the clip is there with other content. The accumulator is as
            it was before.
        """
        if not isinstance(clip_id, str):
            raise TypeError(f"clip_id must be text, got {clip_id!r} ({type(clip_id).__name__})")
        array = coerce_score_array(clip_id, scores, len(self._event_classes))
        edges = coerce_edge_array(f"timestamps of clip {clip_id!r}", timestamps)
        check_edge_count(clip_id, len(array), len(edges))
        if duration is not None:
            _, duration = check_duration(f"duration of clip {clip_id!r}", clip_id, duration)
        # A single clip rarely has events of all classes, so classes without events are no problem
        # yet.
        policies = Policies(
            missing_classes="exclude", unknown_labels=unknown_labels, zero_length=zero_length
        )
        join = Join(self._event_classes, GroundTruth({clip_id: events}, "events"), None, policies)
        flat = join.events_of([clip_id])
        durations = [duration if isinstance(self._criterion, Segment) else None]
        checked(self._store.extend, [clip_id], [array], [edges], *flat, durations)

    def merge(self, other: Accumulator) -> None:
        """Take over all clips of another accumulator.

        Parameters
        ----------
        other : Accumulator
            With the same criterion and classes. It is not changed.

        Raises
        ------
        InputError
            If criterion or classes differ, or if a clip has other content there.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"can only merge with an Accumulator, got {type(other).__name__}")
        if other._criterion != self._criterion:
            raise InputError(
                f"cannot merge statistics of different criteria: {self._criterion!r} and "
                f"{other._criterion!r}"
            )
        if other._event_classes != self._event_classes:
            raise InputError(
                f"cannot merge statistics of different classes: {self._event_classes!r} and "
                f"{other._event_classes!r}"
            )
        if other is not self:
            checked(self._store.merge, other._store)

    def __or__(self, other: Accumulator) -> Accumulator:
        """Return a new accumulator with the clips of both."""
        if not isinstance(other, Accumulator):
            return NotImplemented
        both = self.copy()
        both.merge(other)
        return both

    def __ior__(self, other: Accumulator) -> Accumulator:
        """Merge in place."""
        if not isinstance(other, Accumulator):
            return NotImplemented
        self.merge(other)
        return self

    def copy(self) -> Accumulator:
        """Return an independent accumulator with the same clips."""
        twin = Accumulator(self._criterion, self._event_classes)
        checked(twin._store.merge, self._store)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> Accumulator:
        """Return the same as `copy`."""
        return self.copy()

    def to_bytes(self) -> bytes:
        """Return the state as bytes: versioned, checksummed, readable on every platform.

        Returns
        -------
        bytes
            Equal accumulators give equal bytes.
        """
        return self._store.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Accumulator:
        """Read a state that `to_bytes` wrote.

        Parameters
        ----------
        data : bytes
            The state.

        Returns
        -------
        Accumulator
            An accumulator with criterion, classes and clips of the state.

        Raises
        ------
        InputError
            If the bytes are damaged or no such state.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"expected bytes, got {type(data).__name__}")
        store = checked(_core.DeltaStore.from_bytes, bytes(data))
        read = cls.__new__(cls)
        read._criterion = criterion_of_core(store.criterion)
        read._event_classes = tuple(store.event_classes)
        read._store = store
        return read

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        """Pickle as bytes."""
        return Accumulator.from_bytes, (self.to_bytes(),)

    def statistics(
        self,
        *,
        audio_durations: DurationsInput | None = None,
        missing_classes: MissingClasses = "raise",
    ) -> Statistics:
        """Return the statistics of the clips so far.

        Parameters
        ----------
        audio_durations : path, mapping or table, optional
            Duration of every clip in seconds. Needed for rates per unit of time, here or later.
            Not for `Segment`, which cuts clips when they are added: see `update`.
        missing_classes : {"raise", "exclude"}, default "raise"
            Classes without any reference event.

        Returns
        -------
        Statistics
            It does not change when the accumulator grows further.

        Raises
        ------
        InputError
            If there are no clips, if a class has no events, or if durations do not fit the clips
            or come too late (`Segment`).
        """
        policies = Policies(missing_classes=missing_classes)
        if not len(self._store):
            raise InputError("there are no clips in the accumulator: update it first")
        if audio_durations is not None and isinstance(self._criterion, Segment):
            raise InputError(
                "clips were cut into segments when they were added, so their durations come too "
                "late here: pass update(..., duration=seconds) instead of audio_durations"
            )
        store = self.copy()._store
        excluded = excluded_classes(
            self._event_classes,
            store.n_ref(),
            policies.missing_classes,
            in_segments=isinstance(self._criterion, Segment),
        )
        durations = None
        if audio_durations is not None:
            durations = joined_durations(audio_durations, store.clip_ids())
        return Statistics(store, self._criterion, excluded, durations, ())
