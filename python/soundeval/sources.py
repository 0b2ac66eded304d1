"""Every kind of scores that functions accept, brought into one form: batches of clips.

| what the user has | here |
|---|---|
| `Scores`, dict of arrays or of `ClipScores` | `ArraySource` |
| dict (or other mapping) of tables | `TableSource` |
| iterable of ``(clip_id, array, edges)`` | `TripleSource` |
| directory of TSV files, one TSV file | `FileSource` (in ``score_files.py``) |

A batch goes to the core in one call. Sources hand out batches one after the other, so that scores
which are not in memory yet need not all be there at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from soundeval.errors import InputError
from soundeval.names import did_you_mean, listed
from soundeval.scores import (
    ClipScores,
    Scores,
    check_clip_ids,
    check_edges,
    check_event_classes,
    coerce_edge_array,
    coerce_edges,
    coerce_score_array,
    coerce_score_arrays,
)

if TYPE_CHECKING:
    from soundeval.typing import EdgeArray, ScoreArray

# Tables and triples are converted in batches of about this many bytes, so that what they are
# converted to does not have to be in memory for all clips at once.
BATCH_BYTES = 64 * 2**20


class Batch(NamedTuple):
    """Scores of some clips, as the core reads them."""

    clip_ids: list[str]
    scores: list[ScoreArray]
    edges: list[EdgeArray]


class ScoreSource(Protocol):
    """Scores of a data set that can be read once, batch by batch."""

    @property
    def event_classes(self) -> tuple[str, ...]:
        """Names of the classes, in column order."""

    @property
    def clip_ids(self) -> list[str] | None:
        """All clip ids, or None if they are known only after the last batch."""

    def batches(self) -> Iterator[Batch]:
        """Yield every clip once."""


def score_source(
    scores: object,
    *,
    timestamps: object = None,
    event_classes: object = None,
    progress: bool | None = None,
) -> ScoreSource:
    """Find out what kind of scores came; the one place that does."""
    if isinstance(scores, (str, os.PathLike)):
        from soundeval.score_files import FileSource

        _refuse(timestamps, "files of scores hold their own times: leave timestamps out")
        return _with_classes(FileSource(scores, progress=progress), event_classes)
    if isinstance(scores, Scores):
        _refuse(timestamps, "Scores hold their own times: leave timestamps out")
        if not scores:
            raise InputError("there are no clips in the scores")
        return _with_classes(
            ArraySource(*scores.arrays_and_edges(), scores.event_classes), event_classes
        )
    if isinstance(scores, Mapping):
        ids = check_clip_ids(scores)
        first = scores[ids[0]]
        if is_table(first):
            _refuse(timestamps, "tables of scores hold their own times: leave timestamps out")
            return _with_classes(TableSource(scores, ids), event_classes)
        classes = check_event_classes(event_classes)
        values = list(scores.values())
        if isinstance(first, ClipScores):
            _refuse(timestamps, "ClipScores hold their own times: leave timestamps out")
            return _source_of_clip_scores(ids, values, classes)
        arrays = coerce_score_arrays(ids, values, len(classes))
        return ArraySource(ids, arrays, coerce_edges(ids, timestamps, arrays), classes)
    if is_table(scores):
        raise TypeError("scores is a single table: pass {clip_id: table}, also for one clip")
    if isinstance(scores, np.ndarray):
        raise TypeError("scores is a single array: pass {clip_id: array}, also for one clip")
    if isinstance(scores, Iterable) and not isinstance(scores, (bytes, bytearray)):
        _refuse(
            timestamps, "triples (clip_id, array, edges) hold their own times: leave timestamps out"
        )
        return TripleSource(scores, check_event_classes(event_classes))
    raise TypeError(
        "scores must be a directory of TSV files, a TSV file, a dict {clip_id: table or array}, "
        f"soundeval.Scores or an iterable of (clip_id, array, edges), got {type(scores).__name__}"
    )


def is_table(value: object) -> bool:
    """Whether a value looks like a pandas or polars DataFrame."""
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


class ArraySource:
    """Arrays that are all in memory: one batch."""

    def __init__(
        self,
        clip_ids: list[str],
        scores: list[ScoreArray],
        edges: list[EdgeArray],
        event_classes: tuple[str, ...],
    ) -> None:
        self.clip_ids: list[str] | None = clip_ids
        self.event_classes = event_classes
        self._batch = Batch(clip_ids, scores, edges)

    def batches(self) -> Iterator[Batch]:
        """Yield all clips at once."""
        yield self._batch


class TableSource:
    """A mapping from clip id to a table with the columns onset, offset and one for each class."""

    def __init__(self, tables: Mapping[str, object], clip_ids: list[str]) -> None:
        self.clip_ids: list[str] | None = clip_ids
        self._tables = tables
        self.event_classes = table_classes(clip_ids[0], tables[clip_ids[0]])

    def batches(self) -> Iterator[Batch]:
        """Convert the tables batch by batch."""
        triples = (
            (clip, *arrays_of_table(clip, self._tables[clip], self.event_classes, self._first))
            for clip in self.clip_ids or ()
        )
        yield from in_batches(triples)

    @property
    def _first(self) -> str:
        return (self.clip_ids or [""])[0]


class TripleSource:
    """An iterable of ``(clip_id, array, edges)``, read once."""

    def __init__(self, triples: Iterable[object], event_classes: tuple[str, ...]) -> None:
        self.clip_ids: list[str] | None = None
        self.event_classes = event_classes
        self._triples = triples

    def batches(self) -> Iterator[Batch]:
        """Take clips from the iterable batch by batch."""
        yield from in_batches(self._checked())

    def _checked(self) -> Iterator[tuple[str, ScoreArray, EdgeArray]]:
        n_classes = len(self.event_classes)
        place = -1
        for place, triple in enumerate(self._triples):
            if not isinstance(triple, (tuple, list)) or len(triple) != 3:
                raise InputError(
                    f"element {place} of the scores must be a triple (clip_id, array, edges), got "
                    f"{type(triple).__name__}"
                    + (f" of length {len(triple)}" if isinstance(triple, (tuple, list)) else "")
                )
            clip, array, edges = triple
            if not isinstance(clip, str):
                raise InputError(
                    f"element {place} of the scores: the clip id must be text, got {clip!r}"
                )
            yield (
                str(clip),
                coerce_score_array(clip, array, n_classes),
                coerce_edge_array(f"edges of clip {clip!r}", edges),
            )
        if place < 0:
            raise InputError("there are no clips in the scores")


def in_batches(triples: Iterable[tuple[str, ScoreArray, EdgeArray]]) -> Iterator[Batch]:
    """Group clips into batches, of one clip at first and then ever more, up to `BATCH_BYTES`.

    Small batches at the beginning show mistakes (a wrong id, a wrong class) before a stream of
    clips has cost much time; large ones later keep all threads busy.
    """
    batch, size, n_clips = Batch([], [], []), 0, 1
    for clip, scores, edges in triples:
        batch.clip_ids.append(clip)
        batch.scores.append(scores)
        batch.edges.append(edges)
        size += scores.nbytes
        if len(batch.clip_ids) >= n_clips or size >= BATCH_BYTES:
            yield batch
            batch, size, n_clips = Batch([], [], []), 0, 2 * n_clips
    if batch.clip_ids:
        yield batch


def collected(
    source: ScoreSource,
    work: Callable[[Batch], Sequence[tuple[ScoreArray, EdgeArray]]] | None = None,
) -> Scores:
    """Return all scores of a source, or what becomes of them batch by batch, in memory."""
    arrays: dict[str, ScoreArray] = {}
    edges: dict[str, EdgeArray] = {}
    for batch in source.batches():
        done = zip(batch.scores, batch.edges, strict=True) if work is None else work(batch)
        for clip, (array, times) in zip(batch.clip_ids, done, strict=True):
            refuse_repeated(clip, arrays)
            arrays[clip], edges[clip] = array, times
    return Scores(arrays, edges, source.event_classes)


def refuse_repeated(clip: str, clip_ids: Container[str]) -> None:
    """Raise if a clip is among those that came before."""
    if clip in clip_ids:
        raise InputError(f"clip {clip!r} comes twice in the scores")


# -- tables ---------------------------------------------------------------------------------------


def table_classes(clip: str, table: object) -> tuple[str, ...]:
    """Return the names of the class columns of a score table."""
    columns = list(table.columns)  # type: ignore[attr-defined]
    if columns[:2] != ["onset", "offset"]:
        hint = ""
        if "onset" in columns and "offset" in columns:
            hint = "; move onset and offset to the front"
        elif columns and isinstance(columns[0], str):
            hint = did_you_mean(columns[0], ["onset"])
        raise InputError(
            f"scores of clip {clip!r}: the first columns must be 'onset' and 'offset', followed by "
            f"one column per class, got {listed(columns)}{hint}"
        )
    if len(columns) == 2:
        raise InputError(f"scores of clip {clip!r} have no class columns after onset and offset")
    return check_event_classes(columns[2:])


def arrays_of_table(
    clip: str, table: object, event_classes: tuple[str, ...], first_clip: str
) -> tuple[ScoreArray, EdgeArray]:
    """Return scores and edges of a table whose classes must be those of the first clip."""
    if not is_table(table):
        raise InputError(
            f"scores of clip {clip!r} must be a table like those of the other clips, got "
            f"{type(table).__name__}"
        )
    columns = list(table.columns)  # type: ignore[attr-defined]
    if columns != ["onset", "offset", *event_classes]:
        classes = table_classes(clip, table)
        raise InputError(
            class_mismatch(f"clip {clip!r}", classes, f"clip {first_clip!r}", event_classes)
        )
    values = np.asarray(table.to_numpy())  # type: ignore[attr-defined]
    if values.dtype.kind == "O":
        # A column of text or of missing values makes the whole table one of objects.
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"scores of clip {clip!r} hold something else than numbers (text or missing values)"
            ) from None
    scores = coerce_score_array(clip, values[:, 2:], len(event_classes))
    times = np.asarray(values[:, :2], dtype=np.float64)
    onsets, offsets = times[:, 0], times[:, 1]
    gaps = np.flatnonzero(onsets[1:] != offsets[:-1])
    if gaps.size:
        frame = int(gaps[0]) + 1
        end, begin = float(offsets[frame - 1]), float(onsets[frame])
        kind = "gap" if begin > end else "overlap"
        raise InputError(
            f"scores of clip {clip!r}: frame {frame} must begin exactly where frame {frame - 1} "
            f"ends, but frame {frame - 1} ends at {end} and frame {frame} begins at {begin} "
            f"({kind}); fill gaps with frames of score -inf if nothing can be detected there"
        )
    edges = np.concatenate((onsets[:1], offsets))
    check_edges(f"scores of clip {clip!r}", edges)
    return scores, edges


def class_mismatch(
    where: str, classes: tuple[str, ...], elsewhere: str, expected: tuple[str, ...]
) -> str:
    """Say how two lists of classes differ."""
    if sorted(classes) == sorted(expected):
        place = next(i for i, (a, b) in enumerate(zip(classes, expected, strict=True)) if a != b)
        return (
            f"scores of {where} have the same classes as {elsewhere} in another order (column "
            f"{place} is {classes[place]!r}, expected {expected[place]!r}); use one order for all "
            "clips"
        )
    parts = []
    if missing := [name for name in expected if name not in classes]:
        parts.append(f"{listed(missing)} missing")
    if added := [name for name in classes if name not in expected]:
        parts.append(f"{listed(added)} not expected{did_you_mean(added[0], missing)}")
    return f"scores of {where} have other classes than {elsewhere}: {'; '.join(parts)}"


# -- helpers --------------------------------------------------------------------------------------


def _source_of_clip_scores(
    ids: list[str], values: list[object], classes: tuple[str, ...]
) -> ArraySource:
    arrays, edges = [], []
    for clip, value in zip(ids, values, strict=True):
        if not isinstance(value, ClipScores):
            raise InputError(
                f"scores of clip {clip!r} must be ClipScores like those of the other clips, got "
                f"{type(value).__name__}"
            )
        arrays.append(coerce_score_array(clip, value.scores, len(classes)))
        edges.append(coerce_edge_array(f"timestamps of clip {clip!r}", value.timestamps))
    return ArraySource(ids, arrays, edges, classes)


def _with_classes(source: ScoreSource, event_classes: object) -> ScoreSource:
    """Check classes that the user names although the scores name them too."""
    if event_classes is not None:
        wanted = check_event_classes(event_classes)
        if wanted != source.event_classes:
            raise InputError(
                class_mismatch("the first clip", source.event_classes, "event_classes", wanted)
            )
    return source


def _refuse(timestamps: object, message: str) -> None:
    if timestamps is not None:
        raise InputError(message)
