"""Frame scores: what the system under evaluation put out.

Conventions
-----------
A clip has ``n_frames`` frames that follow each other without gaps. Frame ``t`` lasts from
``timestamps[t]`` to ``timestamps[t + 1]``: there are ``n_frames + 1`` *edges*, in seconds, strictly
increasing. Scores have shape ``(n_frames, n_classes)``; a frame is active where its score is
greater than the decision threshold. ``-inf`` is never active, ``+inf`` active below every finite
threshold, NaN is refused. All clips have the same classes in the same order.

float32 and float64 scores are used as they are, without a copy in Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from soundeval.errors import InputError, warn
from soundeval.names import counted, listed, look_alikes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from soundeval.typing import EdgeArray, ScoreArray

__all__ = ["ClipScores", "Scores"]

# Names of columns that hold something else than scores.
RESERVED_COLUMNS = ("filename", "onset", "offset")

_FLOAT64 = np.dtype(np.float64)
_CORE_DTYPES = frozenset({np.dtype(np.float32), _FLOAT64})


@dataclass(frozen=True, slots=True, eq=False)
class ClipScores:
    """Scores of one clip.

    Attributes
    ----------
    scores : ndarray of shape (n_frames, n_classes)
        Score of every frame and class.
    timestamps : float64 ndarray of shape (n_frames + 1,)
        Edges of the frames in seconds.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> clip = se.ClipScores(np.array([[0.2], [0.9]]), np.array([0.0, 0.5, 1.0]))
    >>> clip.scores.shape
    (2, 1)
    """

    scores: ScoreArray
    timestamps: EdgeArray


class Scores(Mapping[str, ClipScores]):
    """Scores of a set of clips: a read-only mapping from clip id to `ClipScores`.

    Made by `Scores.from_arrays` or `read_scores`. The arrays are shared with the caller, not
    copied.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> arrays = {"a": np.array([[0.2, 0.7], [0.9, 0.1]], dtype=np.float32)}
    >>> scores = se.Scores.from_arrays(
    ...     arrays, timestamps=[0.0, 0.5, 1.0], event_classes=["Dog", "Cat"]
    ... )
    >>> scores
    Scores(1 clip, event_classes=('Dog', 'Cat'))
    >>> scores["a"].scores is arrays["a"]
    True
    """

    __slots__ = ("_arrays", "_edges", "_event_classes")

    def __init__(
        self,
        arrays: dict[str, ScoreArray],
        edges: dict[str, EdgeArray],
        event_classes: tuple[str, ...],
    ) -> None:
        # Arguments are checked already: this is what from_arrays and read_scores end with.
        self._arrays = arrays
        self._edges = edges
        self._event_classes = event_classes

    @classmethod
    def from_arrays(
        cls,
        arrays: Mapping[str, ArrayLike],
        timestamps: ArrayLike | Mapping[str, ArrayLike],
        event_classes: Sequence[str],
    ) -> Scores:
        """Wrap one array per clip, without copying float32 and float64 arrays.

        Parameters
        ----------
        arrays : mapping of str to array_like of shape (n_frames, n_classes)
            Scores of every clip. float32 and float64 arrays are kept as they are, also read-only
            and strided ones; float16 becomes float32; whole numbers and booleans become float64.
        timestamps : array_like of shape (n_frames + 1,), or mapping of clip id to such
            Edges of the frames in seconds, strictly increasing: one array for clips that all have
            the same frames, or one for every clip.
        event_classes : sequence of str
            Names of the columns, in their order.

        Returns
        -------
        Scores
            The wrapped arrays.

        Raises
        ------
        InputError
            If an array has another shape or holds something else than real numbers, if edges do not
            increase strictly, or if class names are not unique. NaNs are found later, when the
            scores are evaluated or written.
        """
        classes = check_event_classes(event_classes)
        ids = check_clip_ids(arrays)
        scores = coerce_score_arrays(ids, list(arrays.values()), len(classes))
        edges = coerce_edges(ids, timestamps, scores)
        checked: set[int] = set()
        for clip, array, clip_edges in zip(ids, scores, edges, strict=True):
            if id(clip_edges) not in checked:
                check_edges(f"clip {clip!r}", clip_edges)
                checked.add(id(clip_edges))
            check_edge_count(clip, len(array), len(clip_edges))
        return cls(dict(zip(ids, scores, strict=True)), dict(zip(ids, edges, strict=True)), classes)

    @property
    def event_classes(self) -> tuple[str, ...]:
        """Names of the classes, in column order."""
        return self._event_classes

    def __getitem__(self, clip_id: str) -> ClipScores:
        """Return the scores of one clip."""
        return ClipScores(self._arrays[clip_id], self._edges[clip_id])

    def __iter__(self) -> Iterator[str]:
        """Iterate over the clip ids, in the order in which they came."""
        return iter(self._arrays)

    def __len__(self) -> int:
        """Return the number of clips."""
        return len(self._arrays)

    def __repr__(self) -> str:
        """Return the number of clips and the classes."""
        return f"Scores({counted(len(self), 'clip')}, event_classes={self._event_classes!r})"

    def arrays_and_edges(self) -> tuple[list[str], list[ScoreArray], list[EdgeArray]]:
        """Return the clip ids, the score arrays and the edges, in the same order."""
        return list(self._arrays), list(self._arrays.values()), list(self._edges.values())


# -- checks ---------------------------------------------------------------------------------------


def check_event_classes(event_classes: object) -> tuple[str, ...]:
    """Return the class names as a tuple, or raise if they cannot name the columns of a matrix."""
    if event_classes is None:
        raise InputError(
            "arrays of scores have no column names: pass event_classes=[...], one name per column"
        )
    if isinstance(event_classes, (str, bytes)):
        raise TypeError(f"event_classes must be a list of names, got the text {event_classes!r}")
    if isinstance(event_classes, Set):
        raise TypeError(
            "event_classes must be a list of names in the order of the columns, and a set has no "
            "order: pass the list that the scores were made with"
        )
    try:
        names = list(event_classes)  # type: ignore[call-overload]
    except TypeError:
        kind = type(event_classes).__name__
        raise TypeError(f"event_classes must be a list of names, got {kind}") from None
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise InputError(
                f"event_classes[{place}] must be text, got {name!r} ({type(name).__name__})"
            )
    classes = tuple(map(str, names))
    if not classes:
        raise InputError("event_classes is empty: scores need at least one class")
    if len(set(classes)) < len(classes):
        twice = sorted({name for name in classes if classes.count(name) > 1})
        raise InputError(f"event_classes names a class more than once: {listed(twice)}")
    reserved = [name for name in classes if name in RESERVED_COLUMNS]
    if reserved:
        raise InputError(
            f"{listed(reserved)} cannot be the name of a class: columns of that name hold times or "
            "file names; pass only the names of the score columns"
        )
    if "" in classes:
        raise InputError(f"event_classes[{classes.index('')}] is empty: a class needs a name")
    for group in look_alikes(classes):
        warn(
            f"the classes {', '.join(map(ascii, group))} differ only in blanks or invisible "
            "characters; they are evaluated as different classes"
        )
    return classes


def check_clip_ids(clips: object) -> list[str]:
    """Return the ids of a mapping by clip, or raise if it is empty or has keys that are no text."""
    if not isinstance(clips, Mapping):
        raise TypeError(f"expected a mapping by clip id, got {type(clips).__name__}")
    ids = list(clips)
    if not ids:
        raise InputError("there are no clips in the scores")
    if set(map(type, ids)) != {str}:
        for key in ids:
            if not isinstance(key, str):
                raise InputError(f"clip ids must be text, got {key!r} ({type(key).__name__})")
        ids = list(map(str, ids))
    return ids


def coerce_score_arrays(
    clip_ids: Sequence[str], arrays: list[object], n_classes: int
) -> list[ScoreArray]:
    """Return arrays of shape (n_frames >= 1, n_classes) in float32 or float64, one for every clip.

    Usually nothing has to be done for any clip, and then this looks at each array only twice,
    without a NumPy call: sets of shapes and types say that all is well.
    """
    if set(map(type, arrays)) == {np.ndarray}:
        ready: list[ScoreArray] = arrays  # type: ignore[assignment]
        if {array.dtype for array in ready} <= _CORE_DTYPES and all(
            len(shape) == 2 and shape[1] == n_classes and shape[0] > 0
            for shape in {array.shape for array in ready}
        ):
            return ready
    return [
        coerce_score_array(clip, array, n_classes)
        for clip, array in zip(clip_ids, arrays, strict=True)
    ]


def coerce_score_array(clip: str, scores: object, n_classes: int) -> ScoreArray:
    """Return the scores of one clip as the core reads them, or raise with the reason."""
    if isinstance(scores, np.ma.MaskedArray):
        raise InputError(
            f"scores of clip {clip!r} are a masked array; fill the masked frames, -inf is never "
            "active"
        )
    if scores is None or isinstance(scores, (str, bytes, Mapping)):
        raise InputError(
            f"scores of clip {clip!r} must be an array of shape (n_frames, {n_classes}), got "
            f"{type(scores).__name__}"
        )
    try:
        array = np.asarray(scores)
    except (TypeError, ValueError) as error:
        raise InputError(f"scores of clip {clip!r} are no array: {error}") from None
    if array.ndim != 2:
        hint = "; use scores[:, np.newaxis] for a single class" if array.ndim == 1 else ""
        raise InputError(
            f"scores of clip {clip!r} must have shape (n_frames, n_classes), got a "
            f"{array.ndim}-d array of shape {array.shape}{hint}"
        )
    if array.shape[1] != n_classes:
        hint = "; is it transposed?" if array.shape[0] == n_classes else ""
        raise InputError(
            f"scores of clip {clip!r} must have {counted(n_classes, 'column')}, one per event "
            f"class, got shape {array.shape}{hint}"
        )
    if array.shape[0] == 0:
        raise InputError(f"scores of clip {clip!r} have no frames: at least one is needed")
    # Whole numbers and booleans are exact in float64 up to 2**53; float16 is exact in float32.
    kind = array.dtype.kind
    if kind in "biu":
        return array.astype(np.float64)
    if kind == "f" and array.dtype.itemsize <= 8:
        if array.dtype.itemsize == 8:
            return np.asarray(array, dtype=np.float64)
        return np.asarray(array, dtype=np.float32)
    hint = {"O": "; arrays of Python objects are refused", "c": "; pass real numbers"}.get(kind, "")
    raise InputError(
        f"scores of clip {clip!r} must be real numbers in float16, float32 or float64, got dtype "
        f"{array.dtype}{hint}"
    )


def coerce_edges(
    clip_ids: Sequence[str], timestamps: object, scores: Sequence[ScoreArray]
) -> list[EdgeArray]:
    """Return the edges of every clip in contiguous float64; their values are checked elsewhere."""
    if timestamps is None:
        raise InputError(
            "arrays of scores have no times: pass timestamps=edges, the n_frames + 1 times in "
            "seconds at which frames begin and end, or {clip: edges}"
        )
    if not isinstance(timestamps, Mapping):
        edges = coerce_edge_array("timestamps", timestamps)
        # All lengths at once: clips usually have the same shape.
        if {len(array) + 1 for array in scores} != {len(edges)}:
            for clip, array in zip(clip_ids, scores, strict=True):
                check_edge_count(clip, len(array), len(edges), shared=True)
        check_edges("timestamps", edges)
        return [edges] * len(clip_ids)
    try:
        by_clip: list[object] = [timestamps[clip] for clip in clip_ids]
    except KeyError:
        missing = [clip for clip in clip_ids if clip not in timestamps]
        raise InputError(
            f"timestamps has no edges for {counted(len(missing), 'clip')}: {listed(missing)}"
        ) from None
    if set(map(type, by_clip)) == {np.ndarray}:
        ready: list[EdgeArray] = by_clip  # type: ignore[assignment]
        if all(e.dtype is _FLOAT64 and e.ndim == 1 and e.flags.c_contiguous for e in ready):
            return ready
    return [
        coerce_edge_array(f"timestamps of clip {clip!r}", edges)
        for clip, edges in zip(clip_ids, by_clip, strict=True)
    ]


def coerce_edge_array(where: str, edges: object) -> EdgeArray:
    """Return edges as a contiguous float64 array, or raise with `where` in the message."""
    try:
        array = np.asarray(edges)
    except ValueError as error:
        raise InputError(f"{where} are no array of numbers: {error}") from None
    if array.ndim != 1:
        raise InputError(
            f"{where} must be a 1-d array of n_frames + 1 edges in seconds, got a "
            f"{array.ndim}-d array of shape {array.shape}"
        )
    if array.dtype.kind not in "fiu":
        raise InputError(f"{where} must be numbers of seconds, got dtype {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def check_edge_count(clip: str, n_frames: int, n_edges: int, *, shared: bool = False) -> None:
    """Raise if a clip of `n_frames` frames does not have one edge more than frames."""
    if n_edges == n_frames + 1:
        return
    hint = ""
    if n_edges == n_frames:
        hint = "; did you pass frame onsets or centres? The end of the last frame is needed too"
    elif shared:
        hint = "; clips of different length need timestamps={clip: edges}"
    raise InputError(
        f"clip {clip!r}: frame edges must have n_frames + 1 = {n_frames + 1} values in seconds, "
        f"got {n_edges}{hint}"
    )


def check_edges(where: str, edges: NDArray[np.float64]) -> None:
    """Raise if edges are not finite or do not increase strictly."""
    if edges.size and np.isfinite(edges).all() and (edges[1:] > edges[:-1]).all():
        return
    for index, edge in enumerate(edges.tolist()):
        if not np.isfinite(edge):
            raise InputError(f"{where}: edges must be finite, edge {index} is {edge}")
        if index and edge <= edges[index - 1]:
            raise InputError(
                f"{where}: edges must increase strictly, edge {index} is {edge} after "
                f"{float(edges[index - 1])}"
            )
