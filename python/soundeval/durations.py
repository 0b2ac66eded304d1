"""Durations of the audio clips: what rates per hour are rates of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np

from soundeval.errors import InputError
from soundeval.ground_truth import table_column
from soundeval.sources import is_table

DURATION_COLUMNS = ("filename", "duration")


def coerce_durations(audio_durations: object) -> Mapping[str, float]:
    """Return durations in seconds by clip id, all finite and above 0."""
    if isinstance(audio_durations, (str, os.PathLike)):
        from soundeval.io import read_durations

        return read_durations(audio_durations)
    if is_table(audio_durations) and not isinstance(audio_durations, Mapping):
        return _durations_of_table(audio_durations)
    if not isinstance(audio_durations, Mapping):
        raise TypeError(
            "audio_durations must be a dict {clip_id: seconds}, the path of a TSV file or a table "
            f"with the columns filename, duration, got {type(audio_durations).__name__}"
        )
    values = list(audio_durations.values())
    if set(map(type, values)) == {float}:
        seconds = np.asarray(values, dtype=np.float64)
        if np.isfinite(seconds).all() and (seconds > 0.0).all():
            return audio_durations
    return dict(
        check_duration(f"audio duration of clip {clip!r}", clip, value)
        for clip, value in audio_durations.items()
    )


def check_duration(where: str, clip: str, value: object) -> tuple[str, float]:
    """Return the clip and its duration as a float, or raise."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(
            f"{where} must be a number of seconds, got {value!r} ({type(value).__name__})"
        )
    try:
        seconds = float(value)
    except OverflowError:
        seconds = float("inf")
    if not 0.0 < seconds < float("inf"):
        raise InputError(f"{where} must be finite and greater than 0 seconds, got {seconds}")
    return clip, seconds


def group_durations(
    rows: Iterable[tuple[str, object, int]], origin: str, line_word: str
) -> dict[str, float]:
    """Return durations by clip id; two rows for one clip are an error, also if they agree."""
    from soundeval.joining import clip_id_of

    durations: dict[str, float] = {}
    lines: dict[str, tuple[int, str]] = {}
    for filename, value, line in rows:
        clip = clip_id_of(filename)
        if clip in lines:
            before, name = lines[clip]
            raise InputError(
                f"{origin}, {line_word} {line}: a second duration for clip {clip!r} ({filename!r}; "
                f"{line_word} {before} has {name!r}); leave one row for each clip"
            )
        lines[clip] = (line, filename)
        durations.update(
            [check_duration(f"{origin}, {line_word} {line}: the duration", clip, value)]
        )
    return durations


def _durations_of_table(table: object) -> dict[str, float]:
    what = "the table of durations"
    filenames = table_column(table, "filename", DURATION_COLUMNS, what)
    values = table_column(table, "duration", DURATION_COLUMNS, what)
    rows: list[tuple[str, object, int]] = []
    for row, (filename, value) in enumerate(zip(filenames, values, strict=True)):
        if not isinstance(filename, str):
            raise InputError(f"{what}, row {row}: filename must be text, got {filename!r}")
        rows.append((filename, value, row))
    return group_durations(rows, what, "row")
