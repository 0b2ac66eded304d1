"""Which clips and classes are evaluated: where scores, truth and durations are joined.

By default all three must name the same clips, and scores and truth the same classes. Nothing is
dropped unless a policy argument says so, and what a policy drops is listed in the notes of the
result.

| argument | what it is about | "raise" or |
|---|---|---|
| ``extra_clips`` | clips of the truth or the durations without scores | ``"ignore"`` |
| ``missing_ground_truth`` | scored clips that the truth does not name | ``"no_events"`` |
| ``missing_classes`` | score columns without any event in the truth | ``"exclude"`` |
| ``unknown_labels`` | labels of the truth that are no score column | ``"ignore"`` |
| ``zero_length`` | events with onset equal to offset | ``"drop"``, ``"keep"`` |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from soundeval.checks import choice
from soundeval.errors import InputError, warn
from soundeval.ground_truth import (
    EventNotes,
    FlatEvents,
    GroundTruth,
    UnknownLabels,
    check_event,
    check_events,
    flatten,
)
from soundeval.names import counted, did_you_mean, listed

# Only these are ever cut off a file name: in 'Y123_30.000_40.000' the '.000' is no extension.
AUDIO_EXTENSIONS = (
    ".wav",
    ".flac",
    ".mp3",
    ".ogg",
    ".opus",
    ".m4a",
    ".aac",
    ".aif",
    ".aiff",
    ".wma",
    ".au",
)


def clip_id_of(filename: str) -> str:
    """Return the clip id of an audio file name: the name without a known audio extension.

    Examples
    --------
    >>> clip_id_of("audio/a.WAV"), clip_id_of("Y123_30.000_40.000")
    ('audio/a', 'Y123_30.000_40.000')
    """
    if filename.lower().endswith(AUDIO_EXTENSIONS):
        stem = filename[: filename.rindex(".")]
        # A name that is nothing but an extension would leave nothing to call the clip by.
        if stem and not stem.endswith(("/", "\\")):
            return stem
    return filename


@dataclass(frozen=True, slots=True)
class Policies:
    """What to do with clips, classes and events that do not fit."""

    extra_clips: str = "raise"
    missing_ground_truth: str = "raise"
    missing_classes: str = "raise"
    unknown_labels: str = "raise"
    zero_length: str = "raise"

    def __post_init__(self) -> None:
        """Check the words."""
        choice("extra_clips", self.extra_clips, ("raise", "ignore"))
        choice("missing_ground_truth", self.missing_ground_truth, ("raise", "no_events"))
        choice("missing_classes", self.missing_classes, ("raise", "exclude"))
        choice("unknown_labels", self.unknown_labels, ("raise", "ignore"))
        choice("zero_length", self.zero_length, ("raise", "drop", "keep"))


class Join:
    """Ground truth and durations, to be looked up by the clips and classes of the scores.

    Parameters
    ----------
    event_classes : tuple of str
        Score columns.
    truth : GroundTruth
        Events by clip.
    durations : mapping of str to float, or None
        Seconds by clip.
    policies : Policies
        What to do with what does not fit.
    """

    def __init__(
        self,
        event_classes: tuple[str, ...],
        truth: GroundTruth,
        durations: Mapping[str, float] | None,
        policies: Policies,
    ) -> None:
        self._event_classes = event_classes
        self._class_index = {name: index for index, name in enumerate(event_classes)}
        self._truth = truth
        self._durations = durations
        self._policies = policies
        self._event_notes = EventNotes()
        self._clip_notes: list[str] = []
        self._beyond: list[str] = []

    def check_clips(self, clip_ids: Collection[str]) -> None:
        """Raise one error that lists everything that does not fit, given all scored clips."""
        scored = dict.fromkeys(clip_ids).keys()
        truth, durations = self._truth.events.keys(), self._durations
        if truth == scored and (durations is None or durations.keys() == scored):
            return
        policies, notes, problems = self._policies, [], []
        unnamed = [clip for clip in scored if clip not in truth]
        if unnamed:
            if policies.missing_ground_truth == "raise":
                problems.append(self._not_in_truth(unnamed, scored))
            else:
                notes.append(
                    f"{counted(len(unnamed), 'scored clip')} not in the ground truth and counted "
                    f"as without events: {listed(unnamed)}"
                )
        others: list[tuple[str, Collection[str]]] = [("ground truth", truth)]
        if durations is not None:
            others.append(("audio durations", durations.keys()))
            if undated := [clip for clip in scored if clip not in durations]:
                problems.append(self._without_duration(undated, scored))
        for name, ids in others:
            extra = [clip for clip in ids if clip not in scored]
            if not extra:
                continue
            what = f"{counted(len(extra), 'clip')} of the {name}"
            if policies.extra_clips == "raise":
                have = "has" if len(extra) == 1 else "have"
                problems.append(
                    f'{what} {have} no scores: {listed(extra)}; extra_clips="ignore" leaves such '
                    "clips out"
                )
            else:
                notes.append(f"{what} left out because they have no scores: {listed(extra)}")
        if problems:
            problems += self._label_problems(scored)
            raise InputError(one_message(problems))
        self._clip_notes = notes

    def events_of(self, clip_ids: Sequence[str]) -> FlatEvents:
        """Return the events of some scored clips, labels as class indices."""
        try:
            flat = flatten(
                clip_ids,
                self._truth,
                self._class_index,
                unknown_labels=self._policies.unknown_labels,
                zero_length=self._policies.zero_length,
                notes=self._event_notes,
            )
        except UnknownLabels:
            raise InputError(one_message(self._label_problems(clip_ids))) from None
        self._check_streamed(clip_ids)
        self._note_events_beyond(clip_ids, flat)
        return flat

    def excluded_classes(
        self, n_ref: Sequence[int], *, in_segments: bool = False
    ) -> tuple[str, ...]:
        """Return the classes to leave out, given the number of targets of each."""
        policy = self._policies.missing_classes
        return excluded_classes(self._event_classes, n_ref, policy, in_segments=in_segments)

    def notes(self) -> tuple[str, ...]:
        """Return one sentence for everything that a policy left out or filled in."""
        notes = list(self._clip_notes)
        unknown = self._event_notes.unknown_labels
        if unknown:
            events = counted(unknown.total(), "event")
            notes.append(
                f"{events} with labels that are no score column left out: {listed(unknown)}"
            )
        if dropped := self._event_notes.zero_length_dropped:
            notes.append(f"{counted(dropped, 'event')} without length left out")
        return tuple(notes)

    def warn_of_wrong_units(self) -> None:
        """Warn if all events of a clip begin after its end, which no annotator means."""
        warn_of_events_beyond(self._beyond)

    # -- messages ---------------------------------------------------------------------------------

    def _not_in_truth(self, unnamed: Sequence[str], scored: Collection[str]) -> str:
        spare = [clip for clip in self._truth.events if clip not in scored]
        return (
            f"{counted(len(unnamed), 'scored clip')} not in the ground truth: {listed(unnamed)}"
            f"{closest_id(unnamed, spare, 'the ground truth')}; give clips without events an empty "
            'list, or pass missing_ground_truth="no_events"'
        )

    def _without_duration(self, undated: Sequence[str], scored: Collection[str]) -> str:
        spare = [clip for clip in self._durations or () if clip not in scored]
        return (
            f"{counted(len(undated), 'scored clip')} without audio duration: {listed(undated)}"
            f"{closest_id(undated, spare, 'the audio durations')}"
        )

    def _check_streamed(self, clip_ids: Sequence[str]) -> None:
        """Stop a stream of clips at the first that does not fit, not at its end."""
        truth, durations = self._truth.events, self._durations
        problems = []
        if self._policies.missing_ground_truth == "raise" and (
            unnamed := [clip for clip in clip_ids if clip not in truth]
        ):
            problems.append(self._not_in_truth(unnamed, clip_ids))
        if durations is not None and (
            undated := [clip for clip in clip_ids if clip not in durations]
        ):
            problems.append(self._without_duration(undated, clip_ids))
        if problems:
            raise InputError(one_message(problems))

    def _label_problems(self, clip_ids: Iterable[str]) -> list[str]:
        """Say which labels and score columns have no counterpart."""
        counts: Counter[str] = Counter()
        first: dict[str, str] = {}
        for clip in clip_ids:
            if clip in self._truth.events:
                for index, event in enumerate(check_events(self._truth, clip)):
                    label = check_event(self._truth, clip, index, event)[2]
                    counts[label] += 1
                    first.setdefault(label, self._truth.where(clip, index))
        problems = []
        classless = [name for name in self._event_classes if name not in counts]
        unknown = sorted(label for label in counts if label not in self._class_index)
        if unknown and self._policies.unknown_labels == "raise":
            label = unknown[0]
            are = "is no score column" if len(unknown) == 1 else "are no score columns"
            problems.append(
                f"{counted(len(unknown), 'label')} of the ground truth {are}: {listed(unknown)} "
                f"(first at {first[label]}{did_you_mean(label, self._event_classes)}); "
                'unknown_labels="ignore" leaves such events out'
            )
        if classless and self._policies.missing_classes == "raise":
            problems.append(no_events_of(classless))
        return problems

    def _note_events_beyond(self, clip_ids: Sequence[str], flat: FlatEvents) -> None:
        if self._durations is not None:
            self._beyond += clips_with_events_beyond(clip_ids, flat, self._durations)


def clips_with_events_beyond(
    clip_ids: Sequence[str], flat: FlatEvents, durations: Mapping[str, float]
) -> list[str]:
    """Return the clips all of whose events begin after the end of the clip."""
    if not flat.onsets:
        return []
    seconds = np.asarray([durations[clip] for clip in clip_ids], dtype=np.float64)
    counts = np.asarray(flat.counts)
    beyond = np.asarray(flat.onsets) >= np.repeat(seconds, counts)
    if not beyond.any():
        return []
    late = np.bincount(np.repeat(np.arange(len(counts)), counts)[beyond], minlength=len(counts))
    return [clip_ids[i] for i in np.flatnonzero((late == counts) & (counts > 0)).tolist()]


def warn_of_events_beyond(clip_ids: Sequence[str]) -> None:
    """Warn of clips all of whose events begin after their end."""
    if clip_ids:
        warn(
            f"all events of {counted(len(clip_ids), 'clip')} begin after the end of the clip: "
            f"{listed(clip_ids)}; are onsets and durations both in seconds?"
        )


def excluded_classes(
    event_classes: Sequence[str],
    n_ref: Sequence[int],
    missing_classes: str,
    *,
    in_segments: bool = False,
) -> tuple[str, ...]:
    """Return the classes without targets; raise if none are allowed or nothing would be left."""
    classless = [name for name, n in zip(event_classes, n_ref, strict=True) if n == 0]
    if len(classless) == len(event_classes):
        raise InputError(
            f"{_PLACES[in_segments]} has no event of any score column ({listed(event_classes)}): "
            "check labels and clip ids"
        )
    if classless and missing_classes == "raise":
        raise InputError(no_events_of(classless, in_segments=in_segments))
    return tuple(classless)


def no_events_of(classless: Sequence[str], *, in_segments: bool = False) -> str:
    """Say that score columns have no event."""
    have = "has" if len(classless) == 1 else "have"
    return (
        f"{counted(len(classless), 'score column')} {have} no event in {_PLACES[in_segments]}: "
        f'{listed(classless)}; missing_classes="exclude" leaves such classes out of everything'
    )


# Where targets were looked for.
_PLACES = {
    False: "the ground truth of the scored clips",
    True: "the segments of the scored clips (an event behind the end of its clip is in none)",
}


def one_message(problems: Sequence[str]) -> str:
    """Join several problems into one text; a single one stands alone."""
    if len(problems) == 1:
        return problems[0]
    lines = "".join(f"\n  - {problem}" for problem in problems)
    return f"scores, ground truth and audio durations do not fit together:{lines}"


def closest_id(missing: Sequence[str], spare: Sequence[str], name: str) -> str:
    """Return " (closest in ...)" for the first missing id that has a likely counterpart, or ""."""
    by_stem: dict[str, str] = {}
    for clip in spare:
        by_stem.setdefault(_stem(clip), clip)
    for clip in missing:
        if _stem(clip) in by_stem:
            return (
                f" ({clip!r} and {by_stem[_stem(clip)]!r} of {name} differ only by folder, "
                "extension or case; ids must be equal, rename one side)"
            )
    # Comparing every id with every other would take minutes for large sets.
    if missing and 0 < len(spare) <= 10_000:
        import difflib

        if close := difflib.get_close_matches(missing[0], spare, n=1):
            return f" (closest to {missing[0]!r} in {name}: {close[0]!r})"
    return ""


def _stem(clip: str) -> str:
    name = clip.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].casefold().removesuffix(".tsv")
    return clip_id_of(name)
