"""Reading and writing the text formats of the field.

All files are tab-separated with a header line, UTF-8, times in seconds:

| file | columns |
|---|---|
| scores of one clip | ``onset offset <class> <class> ...`` |
| scores of many clips | ``filename onset offset <class> ...`` |
| reference events | ``filename onset offset event_label`` |
| durations | ``filename duration`` |

Conventions
-----------
Numbers are rounded correctly: reading gives the float nearest to the text, and what is written
reads back equal. Text is text: ``NA``, ``nan``, ``None`` are labels and ``00123`` is a file name.
File names become clip ids by leaving out a known audio extension (``.wav``, ``.flac``, ``.mp3``,
...), and nothing else. Wrong rows are errors that name file and line.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

import numpy as np

from soundeval import _core
from soundeval.checks import existing_path
from soundeval.durations import group_durations
from soundeval.errors import InputError, checked, warn
from soundeval.ground_truth import GroundTruth, coerce_events
from soundeval.joining import clip_id_of
from soundeval.names import counted
from soundeval.score_files import FileSource, clip_id_of_file
from soundeval.scores import Scores, check_edge_count, check_edges
from soundeval.sources import refuse_repeated, score_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soundeval.sources import Batch
    from soundeval.typing import (
        EdgeArray,
        GroundTruthInput,
        PathInput,
        ScoreArray,
        ScoresInput,
        TimestampsInput,
    )

__all__ = ["read_durations", "read_ground_truth", "read_scores", "write_scores"]


def read_scores(path: PathInput, *, progress: bool | None = None) -> Scores:
    r"""Read frame scores from a directory of ``<clip>.tsv`` files or from one file.

    Parameters
    ----------
    path : path
        Directory, or TSV file with the columns ``onset``, ``offset`` and one for each class; with a
        column ``filename`` before them it holds many clips.
    progress : bool or None, default None
        Progress bar; None shows it on terminals if rich is installed.

    Returns
    -------
    Scores
        All clips, in float64.

    Raises
    ------
    InputError
        If a file is not such a table, or clips have different classes. Functions that take scores
        take the path as well, and then need not hold all clips in memory.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import soundeval as se
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name) / "a.tsv"
    >>> _ = file.write_text("onset\toffset\tDog\n0.0\t0.5\t0.25\n0.5\t1.0\t0.75\n")
    >>> se.read_scores(folder.name)
    Scores(1 clip, event_classes=('Dog',))
    >>> folder.cleanup()
    """
    source = FileSource(path, progress=progress)
    arrays: dict[str, ScoreArray] = {}
    edges: dict[str, EdgeArray] = {}
    for batch in source.batches():
        arrays.update(zip(batch.clip_ids, batch.scores, strict=True))
        edges.update(zip(batch.clip_ids, batch.edges, strict=True))
    return Scores(arrays, edges, source.event_classes)


def read_ground_truth(path: PathInput) -> dict[str, list[tuple[float, float, str]]]:
    r"""Read reference events from a TSV file.

    Parameters
    ----------
    path : path
        TSV file with the columns ``filename``, ``onset``, ``offset``, ``event_label``. A row with
        nothing but a file name says that the clip has no events.

    Returns
    -------
    dict of str to list of (onset, offset, label)
        Events of every clip in the order of the file, times in seconds.

    Raises
    ------
    InputError
        If the file is not such a table, an onset is after its offset, or two file names mean one
        clip.

    Warns
    -----
    InputWarning
        If blanks around names or labels were left out, or if a row comes twice.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import soundeval as se
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name) / "events.tsv"
    >>> _ = file.write_text(
    ...     "filename\tonset\toffset\tevent_label\na.wav\t0.5\t1.5\tDog\nb.wav\t\t\t\n"
    ... )
    >>> se.read_ground_truth(file)
    {'a': [(0.5, 1.5, 'Dog')], 'b': []}
    >>> folder.cleanup()
    """
    truth = load_ground_truth(path)
    return {clip: list(events) for clip, events in truth.events.items()}


def read_durations(path: PathInput) -> dict[str, float]:
    r"""Read durations of clips from a TSV file.

    Parameters
    ----------
    path : path
        TSV file with the columns ``filename`` and ``duration`` (seconds), one row for each clip.

    Returns
    -------
    dict of str to float
        Seconds by clip id.

    Raises
    ------
    InputError
        If the file is not such a table, a duration is not above 0, or a clip has two rows.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import soundeval as se
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name) / "durations.tsv"
    >>> _ = file.write_text("filename\tduration\na.wav\t10.0\n")
    >>> se.read_durations(file)
    {'a': 10.0}
    >>> folder.cleanup()
    """
    name = existing_path(path)
    return group_durations(checked(_core.read_durations, name), name, "line")


def load_ground_truth(path: PathInput) -> GroundTruth:
    """Read reference events and keep the line of each, for messages."""
    name = existing_path(path)
    rows, trimmed = checked(_core.read_events, name)
    if trimmed:
        lines = sorted(set(trimmed))
        warn(
            f"{name}: blanks around names or labels were left out in "
            f"{counted(len(lines), 'line')}: {_numbers(lines)}"
        )
    truth = group_events(rows, name, "line")
    _warn_of_repeated_events(truth)
    return truth


def group_events(
    rows: Iterable[tuple[str, float | None, float | None, str | None, int]],
    origin: str,
    line_word: str,
) -> GroundTruth:
    """Group rows by clip. Two file names that mean one clip are an error, not a union."""
    events: dict[str, list[tuple[float, float, str]]] = {}
    lines: dict[str, list[int]] = {}
    clip_of: dict[str, str] = {}
    first: dict[str, tuple[str, int]] = {}
    for filename, onset, offset, label, line in rows:
        clip = clip_of.get(filename)
        if clip is None:
            clip = clip_of[filename] = clip_id_of(filename)
            if clip in first:
                other, other_line = first[clip]
                raise InputError(
                    f"{origin}, {line_word} {line}: {filename!r} and {other!r} ({line_word} "
                    f"{other_line}) would both be clip {clip!r}; rename one of them"
                )
            first[clip] = (filename, line)
            events[clip], lines[clip] = [], []
        if onset is not None and offset is not None and label is not None:
            events[clip].append((onset, offset, label))
            lines[clip].append(line)
    return GroundTruth(events, origin, lines, line_word)


def _warn_of_repeated_events(truth: GroundTruth) -> None:
    repeated: list[int] = []
    for clip, events in truth.events.items():
        if len(set(events)) < len(events) and truth.lines is not None:
            seen: set[tuple[float, float, str]] = set()
            for event, line in zip(events, truth.lines[clip], strict=True):
                if event in seen:
                    repeated.append(line)
                seen.add(event)
    if repeated:
        warn(
            f"{truth.origin}: {counted(len(repeated), 'line')} repeat an event of the same clip, "
            f"which counts once for each line: {_numbers(sorted(repeated))}"
        )


def _numbers(lines: Sequence[int], limit: int = 10) -> str:
    text = ", ".join(map(str, lines[:limit]))
    return text if len(lines) <= limit else f"{text} and {len(lines) - limit} more"


# -- writing --------------------------------------------------------------------------------------


def write_scores(
    scores: ScoresInput,
    path: PathInput,
    *,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
) -> None:
    """Write frame scores as TSV files that read back equal.

    Parameters
    ----------
    scores : mapping, Scores, iterable or path
        Scores of every kind that `statistics` takes.
    path : path
        A directory, which is made if needed, for one ``<clip>.tsv`` per clip; or a file name that
        ends in ``.tsv``, for one table with a column ``filename``.
    timestamps, event_classes
        For arrays, see `statistics`.

    Raises
    ------
    InputError
        If scores contain NaN, or if a clip id or class name would not read back equal or would name
        a file outside the directory.

    Notes
    -----
    Each file is written under a temporary name and then renamed, so that no reader sees half of it.
    Numbers have as many digits as it takes to read back the same float64; float32 scores are
    written as the float64 of the same value.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> import soundeval as se
    >>> folder = tempfile.TemporaryDirectory()
    >>> se.write_scores(
    ...     {"a": np.array([[0.25], [0.75]])},
    ...     folder.name,
    ...     timestamps=[0.0, 0.5, 1.0],
    ...     event_classes=["Dog"],
    ... )
    >>> se.read_scores(folder.name)["a"].scores
    array([[0.25],
           [0.75]])
    >>> folder.cleanup()
    """
    target = os.fspath(path)
    source = score_source(scores, timestamps=timestamps, event_classes=event_classes)
    classes = source.event_classes
    for name in classes:
        _check_text("class", name)
    header = "\t".join(("onset", "offset", *classes))
    if target.endswith(".tsv"):
        seen: set[str] = set()

        def write_all(file: TextIO) -> None:
            file.write(f"filename\t{header}\n")
            for clip, array, edges in _clips(source.batches(), classes):
                _check_text("clip", clip)
                if clip_id_of(clip) != clip:
                    raise InputError(_would_read_back(clip, clip_id_of(clip)))
                refuse_repeated(clip, seen)
                seen.add(clip)
                file.writelines(f"{clip}\t{line}" for line in _lines(array, edges))

        _write_atomically(target, write_all)
        return
    os.makedirs(target, exist_ok=True)
    # All names are looked at before the first file is written, if they are known.
    for clip in source.clip_ids or ():
        _check_file_name(clip)
    for clip, array, edges in _clips(source.batches(), classes):
        _check_file_name(clip)
        lines = _lines(array, edges)

        def write_one(file: TextIO, lines: Iterator[str] = lines) -> None:
            file.write(f"{header}\n")
            file.writelines(lines)

        _write_atomically(os.path.join(target, f"{clip}.tsv"), write_one)


def write_events(events: GroundTruthInput, path: PathInput) -> None:
    """Write events as a TSV file that reads back equal.

    Parameters
    ----------
    events : mapping or table
        Events by clip, as `detect` returns them or as `statistics` takes a ground truth.
    path : path
        The file: columns ``filename``, ``onset``, ``offset`` and ``event_label``, in the order of
        clip ids, then times. A clip without events is a row with nothing but its name.

    Raises
    ------
    InputError
        If an event is wrong, or if a clip id or label would not read back equal.

    Notes
    -----
    The file is written under a temporary name and then renamed, so that no reader sees half of it.
    Clips are named by their ids, without an audio extension.

    Examples
    --------
    >>> import tempfile
    >>> import soundeval as se
    >>> folder = tempfile.TemporaryDirectory()
    >>> se.write_events({"a": [(0.5, 1.0, "Dog")], "b": []}, f"{folder.name}/detections.tsv")
    >>> se.read_ground_truth(f"{folder.name}/detections.tsv")
    {'a': [(0.5, 1.0, 'Dog')], 'b': []}
    >>> folder.cleanup()
    """
    from soundeval.event_processing import checked_events

    rows = checked_events(coerce_events("events", events))
    for clip, clip_events in rows.items():
        _check_text("clip", clip)
        if clip_id_of(clip) != clip:
            raise InputError(_would_read_back(clip, clip_id_of(clip)))
        for label in {label for _, _, label in clip_events}:
            _check_text("label", label)

    def write(file: TextIO) -> None:
        file.write("filename\tonset\toffset\tevent_label\n")
        for clip in sorted(rows):
            if not rows[clip]:
                file.write(f"{clip}\t\t\t\n")
            for onset, offset, label in sorted(rows[clip]):
                file.write(f"{clip}\t{onset!r}\t{offset!r}\t{label}\n")

    _write_atomically(os.fspath(path), write)


def _clips(
    batches: Iterable[Batch], classes: Sequence[str]
) -> Iterator[tuple[str, ScoreArray, EdgeArray]]:
    """Yield the clips of batches, checked as the core would do."""
    for batch in batches:
        for clip, array, edges in zip(*batch, strict=True):
            check_edge_count(clip, len(array), len(edges))
            check_edges(f"clip {clip!r}", edges)
            nans = np.argwhere(np.isnan(array))
            if nans.size:
                frame, column = nans[0].tolist()
                raise InputError(
                    f"scores of clip {clip!r}, class {classes[column]!r} contain NaN at frame "
                    f"{frame}"
                )
            yield clip, array, edges


def _lines(array: ScoreArray, edges: EdgeArray) -> Iterator[str]:
    # tolist() gives Python floats, whose repr is the shortest text that reads back equal.
    times = edges.tolist()
    for onset, offset, row in zip(times[:-1], times[1:], array.tolist(), strict=True):
        yield "\t".join(map(repr, (onset, offset, *row))) + "\n"


def _write_atomically(path: str, write: Callable[[TextIO], None]) -> None:
    """Write under a temporary name in the same folder, then rename."""
    folder, name = os.path.split(path)
    handle, temporary = tempfile.mkstemp(
        prefix=f".{name[:100]}.", suffix=".part", dir=folder or "."
    )
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            write(file)
        # mkstemp makes private files; results are for whoever may read other new files.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _check_text(kind: str, name: str) -> None:
    """Raise if a name would not read back equal from a tab-separated file."""
    if not name or name != name.strip() or any(c in name for c in "\t\n\r\x00"):
        raise InputError(
            f"{kind} {name!r} cannot be written to a TSV file: names must not be empty, begin or "
            "end with blanks, or contain tabs or line ends"
        )
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{kind} {name!r} cannot be written: it is no valid Unicode") from None


def _check_file_name(clip: str) -> None:
    """Raise if a clip id cannot be the name of a file in the directory."""
    _check_text("clip", clip)
    if clip.startswith(".") or any(c in clip for c in '/\\:*?"<>|'):
        raise InputError(
            f"clip id {clip!r} cannot be the name of a file: it must not begin with a dot or "
            "contain any "
            'of / \\ : * ? " < > |; write to a path that ends in .tsv, where ids stand in a column'
        )
    if clip_id_of_file(f"{clip}.tsv") != clip:
        raise InputError(_would_read_back(clip, clip_id_of_file(f"{clip}.tsv")))


def _would_read_back(clip: str, other: str) -> str:
    return (
        f"clip id {clip!r} ends in an audio extension and would read back as {other!r}; rename the "
        "clip before writing"
    )
