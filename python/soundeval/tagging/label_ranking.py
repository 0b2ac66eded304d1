r"""How every clip ranks its labels: lwlrap, and hits among the first k.

The rank of a label is the number of classes of its clip with at least its score: equal scores take
the worst rank, whatever the order of columns. Its precision is the share of labels among these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.checks import whole_number
from soundeval.tagging.averages import check_average, over_classes, over_clips, undefined_as
from soundeval.tagging.inputs import TaggingInput, check_finite, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.averages import Average, UnlabeledClips
    from soundeval.tagging.inputs import TagsInput

__all__ = ["hit_at_k", "lwlrap", "precision_at_k", "recall_at_k"]

_Floats = NDArray[np.float64]


def lwlrap(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    average: Average = "weighted",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> float | _Floats:
    r"""Return label-weighted label-ranking average precision (DCASE 2019 task 2).

    .. math::

        \text{lwlrap} = \frac{1}{\sum_n |L_n|} \sum_n \sum_{k \in L_n}
        \frac{|\{j \in L_n: s_{nj} \ge s_{nk}\}|}{|\{j: s_{nj} \ge s_{nk}\}|}

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels
        As in `average_precision`; scores are compared within a clip. Labels that are masked out
        have no rank and take none.
    average : {"weighted", "macro"} or None, default "weighted"
        Every label counts the same, which is lwlrap; the plain mean over classes, which is
        something else; or None for an array.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``
        NaN for classes without labels. Clips without labels do not count.

    Raises
    ------
    InputError
        As in `average_precision`.

    Notes
    -----
    It equals scikit-learn's ``label_ranking_average_precision_score`` of the clips with labels,
    weighted by their number of labels. The code of the challenge breaks ties by column.

    Examples
    --------
    >>> import soundeval as se
    >>> round(se.tagging.lwlrap([[1, 0, 1]], [[0.2, 0.5, 0.9]]), 4)
    0.8333
    """
    check_average(average, ("weighted", "macro", None))
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    check_finite(data)
    clips, classes, hits, ranks = _core.tagging_ranked_labels(data.scores, data.labels)
    weights = np.ones(len(clips)) if data.weights is None else data.weights[clips]
    n_classes = len(data.class_names)
    counts = _sums(weights, classes, n_classes)
    with np.errstate(invalid="ignore"):
        values = _sums(weights * (hits / ranks), classes, n_classes) / counts
    return over_classes(values, average, counts)


def _sums(values: _Floats, groups: NDArray[np.int64], n_groups: int) -> _Floats:
    """Return correctly rounded sums, so that the order of clips does not matter."""
    order = np.argsort(groups, kind="stable")
    ends = np.cumsum(np.bincount(groups, minlength=n_groups))
    parts = np.split(values[order], ends[:-1])
    return np.array([math.fsum(part.tolist()) for part in parts])


def hit_at_k(
    y_true: TagsInput,
    y_score: TagsInput,
    k: int = 1,
    *,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    unlabeled: UnlabeledClips = "nan",
) -> float:
    """Return the share of clips with at least one label among the k highest scores.

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels
        As in `average_precision`; scores are compared within a clip.
    k : int, default 1
        How many of the highest scores are looked at. Where scores are equal across that border,
        none of them is among the k.
    unlabeled : {"nan", "zero", "one", "error"}, default "nan"
        What a clip without labels has; NaN is left out of the mean.

    Returns
    -------
    float
        NaN if no clip has a label.

    Raises
    ------
    InputError
        If `k` is not from 1 to the number of classes, and as in `average_precision`.

    Examples
    --------
    >>> import soundeval as se
    >>> y_true, y_score = [[1, 0, 1], [0, 1, 0]], [[0.2, 0.5, 0.9], [0.8, 0.1, 0.3]]
    >>> se.tagging.hit_at_k(y_true, y_score)
    0.5
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    return _at_k(data, k, "hit", unlabeled)


def precision_at_k(
    y_true: TagsInput,
    y_score: TagsInput,
    k: int = 1,
    *,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    unlabeled: UnlabeledClips = "zero",
) -> float:
    """Return the mean share of labels among the k highest scores of a clip.

    Parameters
    ----------
    y_true, y_score, k, sample_weight, mask, labels
        As in `hit_at_k`.
    unlabeled : {"nan", "zero", "one", "error"}, default "zero"
        What a clip without labels has: none of its k tags is right.

    Returns
    -------
    float

    Raises
    ------
    InputError
        As in `hit_at_k`.

    Examples
    --------
    >>> import soundeval as se
    >>> y_true, y_score = [[1, 0, 1], [0, 1, 0]], [[0.2, 0.5, 0.9], [0.8, 0.1, 0.3]]
    >>> se.tagging.precision_at_k(y_true, y_score, 2)
    0.25
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    return _at_k(data, k, "precision", unlabeled)


def recall_at_k(
    y_true: TagsInput,
    y_score: TagsInput,
    k: int = 1,
    *,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    unlabeled: UnlabeledClips = "nan",
) -> float:
    """Return the mean share of a clip's labels that are among its k highest scores.

    Parameters
    ----------
    y_true, y_score, k, sample_weight, mask, labels, unlabeled
        As in `hit_at_k`.

    Returns
    -------
    float
        NaN if no clip has a label.

    Raises
    ------
    InputError
        As in `hit_at_k`.

    Examples
    --------
    >>> import soundeval as se
    >>> y_true, y_score = [[1, 0, 1], [0, 1, 0]], [[0.2, 0.5, 0.9], [0.8, 0.1, 0.3]]
    >>> se.tagging.recall_at_k(y_true, y_score, 2)
    0.25
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    return _at_k(data, k, "recall", unlabeled)


def _at_k(
    data: TaggingInput,
    k: int,
    measure: Literal["hit", "precision", "recall"],
    unlabeled: UnlabeledClips,
) -> float:
    whole_number("k", k, low=1, high=len(data.class_names))
    check_finite(data)
    clips, _, _, ranks = _core.tagging_ranked_labels(data.scores, data.labels)
    n_clips = len(data.labels)
    found = np.bincount(clips[ranks <= k], minlength=n_clips).astype(np.float64)
    n_labels = np.bincount(clips, minlength=n_clips)
    if measure == "hit":
        values = (found > 0).astype(np.float64)
    elif measure == "precision":
        values = found / k
    else:
        values = found / np.maximum(n_labels, 1)
    values[n_labels == 0] = math.nan
    values = undefined_as(
        values,
        unlabeled,
        what="clips without labels",
        names=[str(clip) for clip in range(n_clips)] if unlabeled == "error" else (),
        allowed=("nan", "zero", "one", "error"),
    )
    return over_clips(values, data.weights)
