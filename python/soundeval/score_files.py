"""Scores in TSV files: a directory with one file for each clip, or one file.

A file of a directory is called ``<clip>.tsv``; known audio extensions before the ``.tsv`` are no
part of the clip id. Names that begin with a dot are passed over, every other name is an error, so
that a forgotten ``.csv`` or folder does not silently leave clips out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from soundeval import _core
from soundeval.checks import existing_path
from soundeval.errors import InputError, checked
from soundeval.joining import clip_id_of
from soundeval.names import counted, listed
from soundeval.progress import progress_bar
from soundeval.scores import check_event_classes
from soundeval.sources import Batch, class_mismatch

if TYPE_CHECKING:
    from soundeval.typing import PathInput

# Bytes of text read in one call: enough files for all threads, little enough memory for any
# machine.
BATCH_TEXT_BYTES = 64 * 2**20

# Files that would run code when they are loaded, or that are no text.
_BINARY = (".npy", ".npz", ".pkl", ".pickle", ".pt", ".pth", ".joblib", ".h5", ".hdf5", ".parquet")


class FileSource:
    """Scores in TSV files, read batch by batch."""

    def __init__(self, path: PathInput, *, progress: bool | None = None) -> None:
        self._origin = existing_path(path)
        self._progress = progress
        self._files = score_files(self._origin)
        # The first file is read twice: its classes are needed before anything else is.
        first = read_files(self._files[:1])[0]
        self.event_classes = check_event_classes(first[0])
        self._with_column = bool(first[1]) and first[1][0][0] is not None
        # Ids of files with a column filename are known only when all of them are read.
        self.clip_ids: list[str] | None = None
        if not self._with_column:
            self.clip_ids = _ids_of_files(self._files)

    def batches(self) -> Iterator[Batch]:
        """Read files until they make up a batch."""
        seen: dict[str, str] = {}
        with progress_bar("Reading scores", len(self._files), self._progress) as advance:
            for paths in batches_of_files(self._files):
                batch = Batch([], [], [])
                for path, (classes, tables) in zip(paths, read_files(paths), strict=True):
                    if tuple(classes) != self.event_classes:
                        raise InputError(
                            class_mismatch(path, tuple(classes), self._files[0], self.event_classes)
                        )
                    for name, scores, edges in tables:
                        if (name is not None) != self._with_column:
                            raise InputError(
                                f"{path}: either all files of a directory have a column 'filename' "
                                f"or none has; {self._files[0]} "
                                f"{'has one' if self._with_column else 'has none'}"
                            )
                        clip = clip_id_of_file(path) if name is None else clip_id_of(name)
                        if clip in seen:
                            raise InputError(
                                f"{path}: clip {clip!r} has scores already in {seen[clip]}"
                            )
                        seen[clip] = path
                        batch.clip_ids.append(clip)
                        batch.scores.append(scores)
                        batch.edges.append(edges)
                advance(len(paths))
                yield batch


def score_files(path: str) -> list[str]:
    """Return the score files at a path, sorted by name."""
    if path.lower().endswith(_BINARY):
        raise InputError(
            f"{path}: scores are read from TSV files; load other formats yourself and pass "
            "{clip_id: array}, with pickle switched off for files of strangers"
        )
    if not os.path.isdir(path):
        return [path]
    with os.scandir(path) as entries:
        visible = sorted((e.name, e.is_dir()) for e in entries if not e.name.startswith("."))
    files = [name for name, is_dir in visible if name.endswith(".tsv") and not is_dir]
    if not files:
        found = f"found {listed(name for name, _ in visible)}" if visible else "it is empty"
        raise InputError(f"{path}: a directory of scores must hold <clip>.tsv files, but {found}")
    if others := [name for name, is_dir in visible if is_dir or not name.endswith(".tsv")]:
        raise InputError(
            f"{path}: a directory of scores must hold nothing but <clip>.tsv files, found also "
            f"{listed(others)}; move them away, or let their names begin with a dot"
        )
    return [os.path.join(path, name) for name in files]


def clip_id_of_file(path: str) -> str:
    """Return the clip id of a score file: its name without ``.tsv`` and audio extension.

    Examples
    --------
    >>> clip_id_of_file("scores/a.wav.tsv")
    'a'
    """
    return clip_id_of(os.path.basename(path).removesuffix(".tsv"))


def batches_of_files(paths: Iterable[str]) -> Iterator[list[str]]:
    """Group files into batches of about `BATCH_TEXT_BYTES`."""
    batch: list[str] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += file_size(path)
        if size >= BATCH_TEXT_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def file_size(path: str) -> int:
    """Return the size of a file, 0 if it cannot be told: reading the file then says why."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def read_files(paths: list[str]) -> list[_core._ScoreFile]:
    """Read score files in parallel."""
    return checked(_core.read_score_files, paths)


def _ids_of_files(files: list[str]) -> list[str]:
    by_clip: dict[str, str] = {}
    for path in files:
        clip = clip_id_of_file(path)
        if clip in by_clip:
            raise InputError(
                f"{path}: clip {clip!r} has scores already in {by_clip[clip]}; the "
                f"{counted(2, 'name')} differ only by an audio extension"
            )
        by_clip[clip] = path
    return list(by_clip)
