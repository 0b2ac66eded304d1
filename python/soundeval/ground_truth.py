"""Reference events: what should have been detected.

Events are triples ``(onset, offset, label)`` with times in seconds. A data set is a mapping from
clip id to the events of the clip; a clip without events has an empty list. Events may stand in any
order, and events of one class may touch, overlap or nest.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from numbers import Real
from typing import NamedTuple

import numpy as np

from soundeval.errors import InputError
from soundeval.names import counted, listed
from soundeval.sources import is_table

EVENT_COLUMNS = ("filename", "onset", "offset", "event_label")


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """Events by clip, and where each of them stood, for messages.

    Attributes
    ----------
    events : mapping of str to sequence of (onset, offset, label)
        Events of every clip.
    origin : str
        What to call the whole: "ground truth" or the name of a file.
    lines : mapping of str to sequence of int, or None
        Line (or row) of every event, parallel to `events`, if they came from a table.
    line_word : str
        What to call such a number.
    """

    events: Mapping[str, Sequence[tuple[float, float, str]]]
    origin: str = "ground truth"
    lines: Mapping[str, Sequence[int]] | None = None
    line_word: str = "line"

    def where(self, clip: str, index: int) -> str:
        """Say where an event stands."""
        if self.lines is None:
            return f"{self.origin} of clip {clip!r}, event {index}"
        return f"{self.origin}, {self.line_word} {self.lines[clip][index]} (clip {clip!r})"


def coerce_ground_truth(ground_truth: object) -> GroundTruth:
    """Find out what kind of ground truth came. The events themselves are checked by `flatten`."""
    return coerce_events("ground_truth", ground_truth)


def coerce_events(argument: str, events: object) -> GroundTruth:
    """Find out what kind of events came for an argument, be they reference events or detections."""
    if isinstance(events, GroundTruth):
        return events
    if isinstance(events, (str, os.PathLike)):
        from soundeval.io import load_ground_truth

        return load_ground_truth(events)
    origin = argument.replace("_", " ")
    if isinstance(events, Mapping):
        return GroundTruth(events, origin)
    if is_table(events):
        return _events_of_table(origin, events)
    raise TypeError(
        f"{argument} must be a dict {{clip_id: [(onset, offset, label), ...]}}, the path of a TSV "
        f"file or a table with the columns filename, onset, offset, event_label, got "
        f"{type(events).__name__}"
    )


def table_column(table: object, column: str, columns: Sequence[str], what: str) -> list[object]:
    """Return a column of a duck-typed table as a list, or raise if it is not there."""
    present = list(table.columns)  # type: ignore[attr-defined]
    if column not in present:
        raise InputError(
            f"{what} has no column {column!r}; expected the columns {listed(columns)}, got "
            f"{listed(present)}"
        )
    return list(table[column].to_list())  # type: ignore[index]


def is_missing(value: object) -> bool:
    """Whether a table has no value here: None, NaN, or pandas' NA, which is not equal to itself."""
    if value is None:
        return True
    if isinstance(value, str):
        return False
    try:
        return not bool(value == value)
    except (TypeError, ValueError):
        return True


def _events_of_table(origin: str, table: object) -> GroundTruth:
    from soundeval.io import group_events

    what = f"the table of the {origin}"
    filenames, onsets, offsets, labels = (
        table_column(table, column, EVENT_COLUMNS, what) for column in EVENT_COLUMNS
    )
    rows: list[tuple[str, float | None, float | None, str | None, int]] = []
    for row, (filename, onset, offset, label) in enumerate(
        zip(filenames, onsets, offsets, labels, strict=True)
    ):
        if not isinstance(filename, str):
            raise InputError(f"{what}, row {row}: filename must be text, got {filename!r}")
        missing = [is_missing(value) for value in (onset, offset, label)]
        if all(missing):
            rows.append((filename, None, None, None, row))
            continue
        if any(missing):
            absent = listed(
                name for name, gone in zip(EVENT_COLUMNS[1:], missing, strict=True) if gone
            )
            raise InputError(
                f"{what}, row {row}: {absent} missing for {filename!r}; an event needs onset, "
                "offset and event_label, a clip without events none of them"
            )
        rows.append((filename, onset, offset, label, row))  # type: ignore[arg-type]
    return group_events(rows, origin, "row")


# -- flattening -----------------------------------------------------------------------------------


class FlatEvents(NamedTuple):
    """Events of some clips, one after the other, as the core reads them."""

    counts: list[int]
    onsets: list[float]
    offsets: list[float]
    classes: list[int]


@dataclass(slots=True)
class EventNotes:
    """What was left out while events were read, to be told in the result."""

    unknown_labels: Counter[str] = field(default_factory=Counter)
    zero_length_dropped: int = 0


def flatten(
    clip_ids: Sequence[str],
    truth: GroundTruth,
    class_index: Mapping[str, int],
    *,
    unknown_labels: str,
    zero_length: str,
    notes: EventNotes,
) -> FlatEvents:
    """Return the events of `clip_ids`, with labels replaced by class indices.

    The first attempt assumes that all is well and does nothing per event but append; the checks are
    on whole arrays. Only if something is odd does `_flatten_with_care` look at one event at a time,
    to say what is wrong or to do what the policies ask for.
    """
    flat = _flatten_quickly(clip_ids, truth.events, class_index)
    if flat is None:
        flat = _flatten_with_care(
            clip_ids,
            truth,
            class_index,
            unknown_labels=unknown_labels,
            zero_length=zero_length,
            notes=notes,
        )
    return flat


def _flatten_quickly(
    clip_ids: Sequence[str],
    events_of: Mapping[str, Sequence[tuple[float, float, str]]],
    class_index: Mapping[str, int],
) -> FlatEvents | None:
    try:
        # Whether a clip may be missing is decided where clips are joined.
        lists = [events_of.get(clip, ()) for clip in clip_ids]
        counts = [len(events) for events in lists]
        rows = list(chain.from_iterable(lists))
        if not rows:
            return FlatEvents(counts, [], [], [])
        if set(map(len, rows)) != {3}:
            return None
        # A few passes of compiled code, whatever the number of events.
        values: list[object] = list(chain.from_iterable(rows))
        if len(values) != 3 * len(rows):
            return None
        begin, end = np.asarray(values[0::3]), np.asarray(values[1::3])
        classes = list(map(class_index.__getitem__, values[2::3]))  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    # Text, None and booleans would show up in the kind of the array; NaN fails the comparison.
    if begin.dtype.kind not in "fiu" or end.dtype.kind not in "fiu":
        return None
    if not ((begin < end).all() and np.isfinite(begin).all() and np.isfinite(end).all()):
        return None
    # An iterator could be of a set or a generator, whose length would not be that of the loop.
    if sum(counts) != len(rows):
        return None
    return FlatEvents(
        counts,
        begin.astype(np.float64, copy=False).tolist(),
        end.astype(np.float64, copy=False).tolist(),
        classes,
    )


def _flatten_with_care(
    clip_ids: Sequence[str],
    truth: GroundTruth,
    class_index: Mapping[str, int],
    *,
    unknown_labels: str,
    zero_length: str,
    notes: EventNotes,
) -> FlatEvents:
    flat = FlatEvents([], [], [], [])
    unknown: Counter[str] = Counter()
    for clip in clip_ids:
        if clip not in truth.events:
            # Whether that is allowed is decided where clips are joined.
            flat.counts.append(0)
            continue
        kept = 0
        for index, event in enumerate(check_events(truth, clip)):
            onset, offset, label = check_event(truth, clip, index, event)
            if label not in class_index:
                unknown[label] += 1
                continue
            if onset == offset and zero_length != "keep":
                if zero_length == "raise":
                    raise InputError(
                        f"{truth.where(clip, index)}: the event {label!r} has no length (onset and "
                        f'offset are {onset}); zero_length="drop" leaves such events out, '
                        'zero_length="keep" counts them'
                    )
                notes.zero_length_dropped += 1
                continue
            kept += 1
            flat.onsets.append(onset)
            flat.offsets.append(offset)
            flat.classes.append(class_index[label])
        flat.counts.append(kept)
    if unknown and unknown_labels == "raise":
        # The callers explain unknown labels together with whatever else does not fit.
        raise UnknownLabels
    notes.unknown_labels.update(unknown)
    return flat


class UnknownLabels(Exception):
    """The ground truth has labels that are no score column; never leaves the package."""


def check_events(truth: GroundTruth, clip: str) -> list[object]:
    """Return the events of a clip, or raise if they are no list."""
    events: object = truth.events[clip]
    if isinstance(events, Collection) and not isinstance(events, (str, bytes, Mapping)):
        return list(events)
    raise InputError(
        f"{truth.origin} of clip {clip!r} must be a list of (onset, offset, label), got "
        f"{type(events).__name__}"
    )


def check_event(
    truth: GroundTruth, clip: str, index: int, event: object
) -> tuple[float, float, str]:
    """Return one event as two finite floats in order and a label, or raise."""
    if isinstance(event, (str, bytes, Mapping)) or not isinstance(event, Iterable):
        raise InputError(
            f"{truth.where(clip, index)}: expected (onset, offset, label), got {event!r}"
        )
    values = list(event)
    if len(values) != 3:
        raise InputError(
            f"{truth.where(clip, index)}: expected (onset, offset, label), got "
            f"{counted(len(values), 'value')}: {event!r}"
        )
    onset, offset, label = values
    if not isinstance(label, str):
        raise InputError(
            f"{truth.where(clip, index)}: the label must be text, got {label!r} "
            f"({type(label).__name__})"
        )
    times = []
    for name, value in (("onset", onset), ("offset", offset)):
        if not isinstance(value, Real):
            raise InputError(
                f"{truth.where(clip, index)}: the {name} must be a number of seconds, got "
                f"{value!r} ({type(value).__name__})"
            )
        try:
            time = float(value)
        except OverflowError:
            time = math.inf
        if not math.isfinite(time):
            raise InputError(f"{truth.where(clip, index)}: the {name} must be finite, got {time}")
        times.append(time)
    onset, offset = times
    if onset > offset:
        raise InputError(
            f"{truth.where(clip, index)}: the event {label!r} has its onset {onset} after its "
            f"offset {offset}; are the two swapped, or is the offset a duration?"
        )
    return onset, offset, str(label)
