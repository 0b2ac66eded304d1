"""Which clips and classes are evaluated where detections come as lists of events.

There are no scores that would say which clips and classes there are, so the rules are wider than
those of ``joining.py``:

| what | comes from |
|---|---|
| clips | the durations if they are given, else the detections and the ground truth together |
| classes | ``event_classes`` if they are given, else all labels of both, sorted |

A clip that the detections do not name has none: systems only write down what they detect. Whatever
else does not fit is an error, or a named policy says what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from soundeval.criteria import Clip, Segment
from soundeval.durations import coerce_durations
from soundeval.errors import InputError, warn
from soundeval.ground_truth import (
    EventNotes,
    FlatEvents,
    GroundTruth,
    UnknownLabels,
    check_event,
    check_events,
    coerce_events,
    coerce_ground_truth,
    flatten,
)
from soundeval.joining import clips_with_events_beyond, closest_id, warn_of_events_beyond
from soundeval.names import counted, did_you_mean, listed, look_alikes
from soundeval.scores import check_event_classes

if TYPE_CHECKING:
    from soundeval.criteria import Criterion
    from soundeval.joining import Policies


@dataclass(frozen=True, slots=True)
class EventLists:
    """Detections and reference events of the same clips and classes.

    Attributes
    ----------
    clip_ids : list of str
        Evaluated clips, sorted.
    event_classes : tuple of str
        All classes.
    detections, targets : FlatEvents
        Events clip by clip, in the order in which they came, labels as class indices.
    durations : dict of str to float, or None
        Seconds by clip.
    core_durations : list of float or None
        Durations of the clips where the criterion asks for them.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in.
    """

    clip_ids: list[str]
    event_classes: tuple[str, ...]
    detections: FlatEvents
    targets: FlatEvents
    durations: dict[str, float] | None
    core_durations: list[float | None]
    notes: tuple[str, ...]


def join_event_lists(
    detections: object,
    ground_truth: object,
    audio_durations: object,
    event_classes: object,
    criterion: Criterion,
    policies: Policies,
) -> EventLists:
    """Bring detections, ground truth and durations together, or raise one error for all of it."""
    found = coerce_events("detections", detections)
    truth = coerce_ground_truth(ground_truth)
    durations = None if audio_durations is None else coerce_durations(audio_durations)
    classes = None if event_classes is None else check_event_classes(event_classes)
    named: Collection[str] = {**found.events, **truth.events} if durations is None else durations
    clip_ids = _sorted_ids(named)
    problems, notes = _clip_problems(clip_ids, found, truth, durations, policies)
    if classes is None:
        classes = all_labels(clip_ids, (found, truth))
    index = {name: place for place, name in enumerate(classes)}
    if problems:
        problems += _label_problems(clip_ids, (found, truth), index, policies)
        raise InputError(_one_message(problems))

    flat = []
    for what, events in (("detection", found), ("reference event", truth)):
        event_notes = EventNotes()
        try:
            flat.append(
                flatten(
                    clip_ids,
                    events,
                    index,
                    unknown_labels=policies.unknown_labels,
                    zero_length=policies.zero_length,
                    notes=event_notes,
                )
            )
        except UnknownLabels:
            problems = _label_problems(clip_ids, (found, truth), index, policies)
            raise InputError(_one_message(problems)) from None
        notes += _event_notes(what, event_notes)
    kept = None if durations is None else {clip: float(durations[clip]) for clip in clip_ids}
    if kept is not None:
        # Of detections it is nothing odd: frames at the end may reach beyond the audio.
        warn_of_events_beyond(clips_with_events_beyond(clip_ids, flat[1], kept))
    core_durations: list[float | None] = [None] * len(clip_ids)
    if kept is not None and isinstance(criterion, (Segment, Clip)):
        core_durations = [kept[clip] for clip in clip_ids]
    return EventLists(clip_ids, classes, flat[0], flat[1], kept, core_durations, tuple(notes))


def all_labels(clip_ids: Collection[str], sides: Iterable[GroundTruth]) -> tuple[str, ...]:
    """Return the labels of the evaluated clips, sorted."""
    labels: set[str] = set()
    for events in sides:
        named = [clip for clip in clip_ids if clip in events.events]
        lists = [events.events[clip] for clip in named]
        try:
            found: set[object] = set(map(itemgetter(2), chain.from_iterable(lists)))
        except (TypeError, IndexError, KeyError):
            found = {None}
        if all(isinstance(label, str) for label in found):
            labels.update(map(str, found))
            continue
        # One at a time, to say which event is wrong.
        for clip in named:
            for place, event in enumerate(check_events(events, clip)):
                labels.add(check_event(events, clip, place, event)[2])
    if not labels:
        raise InputError(
            "there is no event in the detections and the ground truth of the evaluated clips"
        )
    classes = tuple(sorted(labels))
    for group in look_alikes(classes):
        warn(
            f"the labels {', '.join(map(ascii, group))} differ only in blanks or invisible "
            "characters; they are evaluated as different classes"
        )
    return classes


def classes_without_targets(
    event_classes: Sequence[str], n_ref: Sequence[int], missing_classes: str
) -> tuple[str, ...]:
    """Return the classes without targets; raise if none are allowed or nothing would be left."""
    classless = tuple(name for name, n in zip(event_classes, n_ref, strict=True) if n == 0)
    if len(classless) == len(event_classes):
        raise InputError(
            f"the ground truth of the evaluated clips has no event of any class "
            f"({listed(event_classes)}): check labels, clip ids and durations"
        )
    if classless and missing_classes == "raise":
        have = "has" if len(classless) == 1 else "have"
        raise InputError(
            f"{counted(len(classless), 'class')} {have} no event in the ground truth of the "
            f'evaluated clips: {listed(classless)}; missing_classes="exclude" leaves such classes '
            "out of everything"
        )
    return classless


# -- inside ---------------------------------------------------------------------------------------


def _sorted_ids(clips: Iterable[object]) -> list[str]:
    ids = list(clips)
    if not ids:
        raise InputError("there are no clips in the detections and the ground truth")
    if set(map(type, ids)) != {str}:
        for clip in ids:
            if not isinstance(clip, str):
                raise InputError(f"clip ids must be text, got {clip!r} ({type(clip).__name__})")
    return sorted(map(str, ids))


def _clip_problems(
    clip_ids: Sequence[str],
    found: GroundTruth,
    truth: GroundTruth,
    durations: Mapping[str, float] | None,
    policies: Policies,
) -> tuple[list[str], list[str]]:
    """Return what does not fit, and what a policy says of it."""
    problems: list[str] = []
    notes: list[str] = []
    if unnamed := [clip for clip in clip_ids if clip not in truth.events]:
        what = counted(len(unnamed), "evaluated clip")
        if policies.missing_ground_truth == "raise":
            spare = [clip for clip in truth.events if clip not in found.events]
            problems.append(
                f"{what} not in the ground truth: {listed(unnamed)}"
                f"{closest_id(unnamed, spare, 'the ground truth')}; give clips without events an "
                'empty list, or pass missing_ground_truth="no_events"'
            )
        else:
            notes.append(
                f"{what} not in the ground truth and counted as without reference events: "
                f"{listed(unnamed)}"
            )
    if durations is None:
        return problems, notes
    for name, events in (("detections", found.events), ("ground truth", truth.events)):
        extra = [clip for clip in events if clip not in durations]
        if not extra:
            continue
        what = f"{counted(len(extra), 'clip')} of the {name}"
        if policies.extra_clips == "raise":
            have = "has" if len(extra) == 1 else "have"
            spare = [clip for clip in durations if clip not in events]
            problems.append(
                f"{what} {have} no audio duration: {listed(extra)}"
                f'{closest_id(extra, spare, "the audio durations")}; extra_clips="ignore" leaves '
                "such clips out"
            )
        else:
            notes.append(f"{what} left out because they have no audio duration: {listed(extra)}")
    return problems, notes


def _label_problems(
    clip_ids: Sequence[str],
    sides: Iterable[GroundTruth],
    index: Mapping[str, int],
    policies: Policies,
) -> list[str]:
    """Say which labels are no evaluated class."""
    problems = []
    for events in sides:
        counts: Counter[str] = Counter()
        first: dict[str, str] = {}
        for clip in clip_ids:
            if clip in events.events:
                for place, event in enumerate(check_events(events, clip)):
                    label = check_event(events, clip, place, event)[2]
                    if label not in index:
                        counts[label] += 1
                        first.setdefault(label, events.where(clip, place))
        if counts and policies.unknown_labels == "raise":
            label = min(counts)
            are = "is no evaluated class" if len(counts) == 1 else "are no evaluated classes"
            problems.append(
                f"{counted(len(counts), 'label')} of the {events.origin} {are}: "
                f"{listed(sorted(counts))} (first at {first[label]}{did_you_mean(label, index)}); "
                'unknown_labels="ignore" leaves such events out'
            )
    return problems


def _event_notes(what: str, notes: EventNotes) -> list[str]:
    told = []
    if notes.unknown_labels:
        told.append(
            f"{counted(notes.unknown_labels.total(), what)} with labels that are no evaluated "
            f"class left out: {listed(notes.unknown_labels)}"
        )
    if notes.zero_length_dropped:
        told.append(f"{counted(notes.zero_length_dropped, what)} without length left out")
    return told


def _one_message(problems: Sequence[str]) -> str:
    if len(problems) == 1:
        return problems[0]
    lines = "".join(f"\n  - {problem}" for problem in problems)
    return f"detections, ground truth and audio durations do not fit together:{lines}"
