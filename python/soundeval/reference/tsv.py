r"""Read scores, ground truth and durations from tab-separated files, with ``csv`` and ``float``.

The files of the DCASE challenges:

* scores: a directory with one file per clip, ``<clip>.tsv``, columns ``onset``, ``offset`` and one
  per class, one row per frame, each starting where the one before ends;
* ground truth: one file, columns ``filename``, ``onset``, ``offset``, ``event_label``, one row per
  event; a clip without events has one row with the three last fields empty;
* durations: one file, columns ``filename`` and ``duration`` (seconds).

A clip is named by its file name without the extension of an audio file; other dots belong to it.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .detection import Event

AUDIO_EXTENSIONS = (
    ".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".aac", ".aif", ".aiff", ".wma", ".au",
)  # fmt: skip


@dataclass(frozen=True)
class ScoreSet:
    """Scores of many clips, as read from files.

    Attributes
    ----------
    scores : dict of clip id to array, shape (n_frames, n_classes)
    timestamps : dict of clip id to list of float, length n_frames + 1
        Frame edges in seconds.
    event_classes : list of str
    """

    scores: dict[str, npt.NDArray[np.float64]]
    timestamps: dict[str, list[float]]
    event_classes: list[str]


def clip_id(filename: str) -> str:
    """Strip the extension of an audio file, and no other.

    Examples
    --------
    >>> clip_id("a.b.wav"), clip_id("Y-3x_30.000"), clip_id("x.FLAC")
    ('a.b', 'Y-3x_30.000', 'x')
    """
    for extension in AUDIO_EXTENSIONS:
        if filename.lower().endswith(extension):
            return filename[: -len(extension)]
    return filename


def read_scores(path: str | os.PathLike[str]) -> ScoreSet:
    """Read a directory with one score file per clip, in the order of the file names."""
    scores: dict[str, npt.NDArray[np.float64]] = {}
    timestamps: dict[str, list[float]] = {}
    event_classes: list[str] = []
    for file in sorted(Path(path).glob("*.tsv")):
        header, *rows = read_rows(file)
        clip = clip_id(file.name.removesuffix(".tsv"))
        event_classes = header[2:]
        numbers = [[float(field) for field in row] for row in rows]
        scores[clip] = np.array([row[2:] for row in numbers], dtype=np.float64)
        timestamps[clip] = [row[0] for row in numbers] + [numbers[-1][1]]
    return ScoreSet(scores, timestamps, event_classes)


def read_ground_truth(path: str | os.PathLike[str]) -> dict[str, list[Event]]:
    """Read a table of events; a clip listed without an event has an empty list."""
    header, *rows = read_rows(path)
    ground_truth: dict[str, list[Event]] = {}
    for row in rows:
        field = dict(zip(header, row, strict=True))
        events = ground_truth.setdefault(clip_id(field["filename"]), [])
        if field["event_label"]:
            events.append((float(field["onset"]), float(field["offset"]), field["event_label"]))
    return ground_truth


def read_durations(path: str | os.PathLike[str]) -> dict[str, float]:
    """Read a table of durations in seconds."""
    header, *rows = read_rows(path)
    fields = [dict(zip(header, row, strict=True)) for row in rows]
    return {clip_id(field["filename"]): float(field["duration"]) for field in fields}


def read_rows(path: str | os.PathLike[str]) -> Sequence[list[str]]:
    """Read the fields of all rows that are not empty."""
    with open(path, encoding="utf-8-sig", newline="") as lines:
        return [row for row in csv.reader(lines, delimiter="\t") if row]
