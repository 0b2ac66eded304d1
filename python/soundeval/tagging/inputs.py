"""Labels and scores as the compiled core takes them, checked once for all functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval.errors import InputError
from soundeval.names import did_you_mean, listed

if TYPE_CHECKING:
    from soundeval.typing import Table

ScoreMatrix: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
TagsInput: TypeAlias = "ArrayLike | Table"

UNKNOWN = 2
"""The code of a label that nobody knows."""


@dataclass(frozen=True, slots=True, eq=False)
class TaggingInput:
    """Checked input.

    Attributes
    ----------
    labels : uint8 ndarray of shape (n_clips, n_classes)
        0, 1, or 2 for unknown.
    scores : float32 or float64 ndarray of shape (n_clips, n_classes)
        Scores in the precision they came in; borrowed where possible.
    weights : float64 ndarray of shape (n_clips,) or None
        What each clip counts; None is 1.
    class_names : tuple of str
        Columns of the table, or "0", "1", ...
    """

    labels: NDArray[np.uint8]
    scores: ScoreMatrix
    weights: NDArray[np.float64] | None
    class_names: tuple[str, ...]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where labels are known."""
        known: NDArray[np.bool_] = self.labels != UNKNOWN
        return known

    def pooled(self) -> TaggingInput:
        """Return all pairs of clip and class as the clips of one class."""
        n_classes = self.labels.shape[1]
        return TaggingInput(
            self.labels.reshape(-1, 1),
            self.scores.reshape(-1, 1),
            None if self.weights is None else np.repeat(self.weights, n_classes),
            ("all",),
        )

    def clips_as_classes(self) -> TaggingInput:
        """Return the transposed problem: how each clip ranks its classes."""
        names = tuple(str(clip) for clip in range(len(self.labels)))
        return TaggingInput(self.labels.T, self.scores.T, None, names)


def tagging_input(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> TaggingInput:
    """Check what every function of this package takes, and return it."""
    names = _names(y_true, y_score)
    scores = _scores(y_score)
    truth = _labels(_two_dimensional("y_true", np.asarray(y_true)))
    if truth.shape != scores.shape:
        raise InputError(
            f"y_true and y_score must have the same shape (n_clips, n_classes), got {truth.shape} "
            f"and {scores.shape}"
        )
    n_clips, n_classes = scores.shape
    if n_clips == 0 or n_classes == 0:
        raise InputError(
            f"y_true and y_score must have at least one clip and one class, got {scores.shape}"
        )
    if mask is not None:
        truth = _masked(truth, mask)
    weights = None if sample_weight is None else _weights(sample_weight, n_clips)
    if names is None:
        names = tuple(str(k) for k in range(n_classes))
    checked = TaggingInput(truth, scores, weights, names)
    return checked if labels is None else _chosen(checked, labels)


def distance_matrix(distances: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return distances of classes as the core takes them; it looks at their values."""
    matrix = np.ascontiguousarray(distances, dtype=np.float64)
    if matrix.shape != (n_classes, n_classes):
        raise InputError(
            f"distances must have a row and a column for each of the {n_classes} classes, got the "
            f"shape {matrix.shape}"
        )
    return matrix


def check_finite(data: TaggingInput) -> None:
    """Raise an error that names the first score that is NaN or infinite, of a known label."""
    usable = np.isfinite(data.scores) | ~data.known
    if not usable.all():
        clip, class_ = (int(i) for i in np.argwhere(~usable)[0])
        raise InputError(
            f"y_score of clip {clip}, class {class_} (row and column, counted from 0) is "
            f"{data.scores[clip, class_]}, but scores must be finite numbers; where the label is "
            "unknown, say so with mask"
        )


def check_probabilities(data: TaggingInput) -> None:
    """Raise an error unless all scores of known labels are between 0 and 1."""
    check_finite(data)
    outside = ((data.scores < 0) | (data.scores > 1)) & data.known
    if outside.any():
        clip, class_ = (int(i) for i in np.argwhere(outside)[0])
        raise InputError(
            f"y_score must be probabilities between 0 and 1 here, got "
            f"{data.scores[clip, class_]} for clip {clip}, class {class_} (row and column, counted "
            "from 0); are these logits? scipy.special.expit in float64 makes probabilities of them"
        )


def with_rows_of_ones(data: TaggingInput, n_rows: int) -> TaggingInput:
    """Return the input with clips added that have every label, each with score 1."""
    rows = (n_rows, data.labels.shape[1])
    weights = data.weights
    return replace(
        data,
        labels=np.concatenate([data.labels, np.ones(rows, np.uint8)]),
        scores=np.concatenate([data.scores, np.ones(rows, data.scores.dtype)]),
        weights=None if weights is None else np.concatenate([weights, np.ones(n_rows)]),
    )


def _names(y_true: TagsInput, y_score: TagsInput) -> tuple[str, ...] | None:
    """Return the columns of tables, which must agree."""
    tables = [tuple(map(str, t.columns)) for t in (y_true, y_score) if hasattr(t, "columns")]
    if len(tables) == 2 and tables[0] != tables[1]:
        differing = [
            name for pair in zip(*tables, strict=False) if len({*pair}) > 1 for name in pair
        ]
        raise InputError(
            "y_true and y_score must have the same columns in the same order, but they differ in "
            f"{listed(dict.fromkeys(differing)) or 'their number'}"
        )
    return tables[0] if tables else None


def _two_dimensional(name: str, array: NDArray[np.generic]) -> NDArray[np.generic]:
    if array.ndim == 1:
        return array.reshape(-1, 1)
    if array.ndim != 2:
        raise InputError(f"{name} must have the shape (n_clips, n_classes), got {array.shape}")
    return array


def _scores(y_score: TagsInput) -> ScoreMatrix:
    array = _two_dimensional("y_score", np.asarray(y_score))
    if array.dtype.kind == "f" and array.dtype.itemsize in (4, 8):
        return np.require(array, dtype=array.dtype.newbyteorder("="), requirements="A")
    if (array.dtype.kind == "f" and array.dtype.itemsize == 2) or array.dtype == np.bool_:
        return array.astype(np.float32)
    if array.dtype.kind in "iu":
        exact = array.astype(np.float64)
        # Beyond 2^53 neighbours would become ties.
        if array.dtype.itemsize == 8 and np.abs(exact).max(initial=0.0) > 2.0**53:
            raise InputError(
                "y_score has integers beyond 2**53, which cannot be told apart as float64; rank "
                "them first, for example with scipy.stats.rankdata"
            )
        return exact
    raise InputError(
        "y_score must hold numbers (bool, integers, float16, float32 or float64), got "
        f"{array.dtype}"
    )


def _labels(array: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return labels as 0 and 1, without a copy of bools."""
    if array.dtype == np.bool_:
        return array.view(np.uint8)
    if array.dtype.kind not in "iuf":
        raise InputError(f"y_true must hold 0 and 1, or bools, got {array.dtype}")
    if array.dtype == np.uint8:
        labels = array.view(np.uint8)
        is_label = labels <= 1
    else:
        labels = (array == 1).view(np.uint8)
        is_label = (array == 0) | (array == 1)
    if not is_label.all():
        clip, class_ = (int(i) for i in np.argwhere(~is_label)[0])
        value = array[clip, class_]
        advice = (
            "where the label is unknown, say so with mask"
            if value != value
            else "labels between 0 and 1 need a decision first, such as y_true >= 0.5"
        )
        raise InputError(
            f"y_true must hold 0 and 1, got {value} for clip {clip}, class {class_} (row and "
            f"column, counted from 0); {advice}"
        )
    return labels


def _masked(truth: NDArray[np.uint8], mask: ArrayLike) -> NDArray[np.uint8]:
    known = _two_dimensional("mask", np.asarray(mask))
    if known.dtype != np.bool_:
        if known.dtype.kind not in "iuf" or not np.isin(known, (0, 1)).all():
            raise InputError("mask must hold bools: True where the label is known")
        known = known != 0
    if known.shape != truth.shape:
        raise InputError(
            f"mask must have the shape of y_true, {truth.shape}, got {known.shape}; it is True "
            "where the label is known"
        )
    return np.where(known, truth, np.uint8(UNKNOWN))


def _weights(sample_weight: ArrayLike, n_clips: int) -> NDArray[np.float64]:
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_clips,):
        raise InputError(
            f"sample_weight must have a weight for each of the {n_clips} clips, got the shape "
            f"{weights.shape}"
        )
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        clip = int(np.argmax(wrong))
        raise InputError(
            f"sample_weight must be finite and 0 or more, got {weights[clip]} for clip {clip} "
            "(counted from 0)"
        )
    return np.ascontiguousarray(weights)


def chosen_columns(class_names: Sequence[str], labels: Sequence[int] | Sequence[str]) -> list[int]:
    """Return the numbers of the columns that are meant by `labels`."""
    columns = []
    n_classes = len(class_names)
    for label in labels:
        if isinstance(label, str):
            if label not in class_names:
                hint = did_you_mean(label, class_names)
                raise InputError(f"labels has {label!r}, which is no column of the tables{hint}")
            columns.append(class_names.index(label))
        elif 0 <= int(label) < n_classes:
            columns.append(int(label))
        else:
            raise InputError(f"labels must be columns from 0 to {n_classes - 1}, got {label}")
    if not columns or len({*columns}) != len(columns):
        raise InputError("labels must name at least one class, and each class once")
    return columns


def _chosen(data: TaggingInput, labels: Sequence[int] | Sequence[str]) -> TaggingInput:
    """Return the input with some of the classes."""
    columns = chosen_columns(data.class_names, labels)
    return replace(
        data,
        labels=data.labels[:, columns],
        scores=data.scores[:, columns],
        class_names=tuple(data.class_names[column] for column in columns),
    )
