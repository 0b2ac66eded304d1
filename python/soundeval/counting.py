"""One pass over scores and ground truth, for one criterion or many.

Scores may be files or a stream, which are read once and need not fit into memory. So every batch
goes to the stores of all criteria before the next one is read: what is held is one batch and the
deltas. `statistics` is the case of one criterion, `evaluate` that of many.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from soundeval import _core
from soundeval.criteria import Segment
from soundeval.durations import coerce_durations
from soundeval.errors import InputError, checked
from soundeval.ground_truth import coerce_ground_truth
from soundeval.joining import Join
from soundeval.sources import score_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from soundeval.criteria import Criterion
    from soundeval.ground_truth import FlatEvents
    from soundeval.joining import Policies
    from soundeval.sources import Batch


class Pass(NamedTuple):
    """What one pass leaves behind."""

    event_classes: tuple[str, ...]
    stores: dict[Criterion, _core.DeltaStore]
    excluded_classes: dict[Criterion, tuple[str, ...]]
    audio_durations: dict[str, float] | None
    notes: tuple[str, ...]


def count(
    scores: object,
    ground_truth: object,
    criteria: Iterable[Criterion],
    policies: Policies,
    *,
    audio_durations: object = None,
    timestamps: object = None,
    event_classes: object = None,
    progress: bool | None = None,
    n_events: Counter[str] | None = None,
) -> Pass:
    """Count every criterion in one pass; the arguments are those of `statistics`.

    The evaluated events are counted by class in `n_events`, if one is given.
    """
    joined = JoinedScores(
        scores,
        ground_truth,
        policies,
        audio_durations=audio_durations,
        timestamps=timestamps,
        event_classes=event_classes,
        progress=progress,
    )
    classes, durations = joined.event_classes, joined.durations
    stores = {criterion: new_store(criterion, classes) for criterion in criteria}
    for batch, events in joined.batches():
        if n_events is not None:
            n_events.update(map(classes.__getitem__, events.classes))
        for criterion, store in stores.items():
            lengths: list[float | None] = [None] * len(batch.clip_ids)
            if durations is not None and isinstance(criterion, Segment):
                lengths = [durations.get(clip) for clip in batch.clip_ids]
            checked(store.extend, batch.clip_ids, batch.scores, batch.edges, *events, lengths)
    excluded = {
        criterion: joined.join.excluded_classes(
            store.n_ref(), in_segments=isinstance(criterion, Segment)
        )
        for criterion, store in stores.items()
    }
    joined.join.warn_of_wrong_units()
    kept = None if durations is None else {clip: durations[clip] for clip in joined.seen}
    return Pass(classes, stores, excluded, kept, joined.join.notes())


class JoinedScores:
    """Scores with the reference events of the same clips, read once and batch by batch.

    The arguments are those of `statistics`. Clips that are known beforehand are compared before
    the first batch, others after the last.

    Attributes
    ----------
    event_classes : tuple of str
        Classes of the scores.
    durations : mapping of str to float, or None
        Seconds by clip.
    join : Join
        Says what does not fit, and what was left out.
    seen : dict of str to None
        Clips that came, in their order.
    """

    def __init__(
        self,
        scores: object,
        ground_truth: object,
        policies: Policies,
        *,
        audio_durations: object = None,
        timestamps: object = None,
        event_classes: object = None,
        progress: bool | None = None,
    ) -> None:
        truth = coerce_ground_truth(ground_truth)
        self.durations = None if audio_durations is None else coerce_durations(audio_durations)
        self._source = score_source(
            scores, timestamps=timestamps, event_classes=event_classes, progress=progress
        )
        self.event_classes = self._source.event_classes
        self.join = Join(self.event_classes, truth, self.durations, policies)
        if self._source.clip_ids is not None:
            self.join.check_clips(self._source.clip_ids)
        self.seen: dict[str, None] = {}

    def batches(self) -> Iterator[tuple[Batch, FlatEvents]]:
        """Yield every clip once, with its events."""
        for batch in self._source.batches():
            for clip in batch.clip_ids:
                if clip in self.seen:
                    raise InputError(
                        f"clip {clip!r} comes twice in the scores; every clip counts once, so "
                        "leave one of them out or give it an id of its own"
                    )
                self.seen[clip] = None
            yield batch, self.join.events_of(batch.clip_ids)
        if self._source.clip_ids is None:
            self.join.check_clips(self.seen)


def new_store(criterion: Criterion, event_classes: Iterable[str]) -> _core.DeltaStore:
    """Return an empty store of the core for a criterion."""
    return checked(_core.DeltaStore, list(event_classes), criterion._core)
