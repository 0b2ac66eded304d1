r"""Average precision, its mean over classes (mAP), and the padded mean of BirdCLEF.

.. math::

    \text{AP} = \sum_j (R_j - R_{j-1})\, P_j

over all distinct scores, the highest first, without interpolation: what scikit-learn computes and
what AudioSet taggers report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.checks import whole_number
from soundeval.errors import InputError, checked
from soundeval.tagging.averages import check_average, over_classes, over_clips, undefined_as
from soundeval.tagging.inputs import (
    TaggingInput,
    check_finite,
    check_probabilities,
    tagging_input,
    with_rows_of_ones,
)

if TYPE_CHECKING:
    from soundeval.tagging.averages import Average, NoPositive, UnlabeledClips
    from soundeval.tagging.inputs import TagsInput

__all__ = ["average_precision", "padded_cmap"]

_Floats = NDArray[np.float64]


def average_precision(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    no_positive: NoPositive = "nan",
    unlabeled: UnlabeledClips = "nan",
) -> float | _Floats:
    r"""Return average precision; with the default average this is mAP.

    .. math::

        \text{AP} = \sum_j (R_j - R_{j-1})\, P_j

    Parameters
    ----------
    y_true : array-like or table of shape (n_clips, n_classes)
        0 and 1, or bools.
    y_score : array-like or table of shape (n_clips, n_classes)
        Finite scores; only their order within a class matters (within everything for ``"micro"``,
        within a clip for ``"samples"``).
    average : {"macro", "micro", "weighted", "samples"} or None, default "macro"
        Mean over classes; all pairs pooled; mean weighted by positives; mean over clips of how
        each ranks its classes; or None for an array.
    sample_weight : array-like of shape (n_clips,), optional
        What each clip counts, 1 by default.
    mask : array-like of bool of shape (n_clips, n_classes), optional
        True where the label is known, by default everywhere.
    labels : sequence of int or str, optional
        Columns to evaluate, all by default.
    no_positive : {"nan", "zero", "error"}, default "nan"
        What a class without positives has. NaN is left out of the mean; ``"zero"`` is counted in
        it, as scikit-learn does.
    unlabeled : {"nan", "zero", "one", "error"}, default "nan"
        The same for a clip without labels, for ``average="samples"``; ``"zero"`` is what
        scikit-learn's average precision gives them, ``"one"`` what its label ranking average
        precision gives them.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``

    Raises
    ------
    InputError
        If shapes differ, labels are not 0 or 1, or scores are NaN or infinite.

    Notes
    -----
    Undefined: a class without positives, see `no_positive`; NaN if no class has any. A class
    without negatives has 1.

    Cost: O(n log p) for a class with p positives among n clips.

    See Also
    --------
    statistics : Counts behind it.
    omap : With distances between classes.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> y_true = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    >>> y_score = np.array([[0.9, 0.2], [0.8, 0.6], [0.7, 0.1], [0.1, 0.3]])
    >>> se.tagging.average_precision(y_true, y_score, average=None)
    array([0.83333333, 0.75      ])
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    if average == "samples":
        return _by_clip(data, unlabeled)
    return averaged_precision(data, average, no_positive, lambda: _numbers(data))


def averaged_precision(
    data: TaggingInput,
    average: Average,
    no_positive: NoPositive,
    per_class: Callable[[], tuple[_Floats, _Floats]],
) -> float | _Floats:
    """Return the average, given a function for the numbers and the positives of classes."""
    check_average(average, ("macro", "micro", "weighted", "samples", None))
    if average == "samples":
        return _by_clip(data, "nan")
    values, positives = _numbers(data.pooled()) if average == "micro" else per_class()
    values = undefined_as(
        values,
        no_positive,
        what="classes without positives",
        names=data.class_names if average != "micro" else ("all",),
        allowed=("nan", "zero", "error"),
    )
    return over_classes(values, average, positives)


def _numbers(data: TaggingInput) -> tuple[_Floats, _Floats]:
    values, _, positives, _ = checked(
        _core.tagging_numbers, data.scores, data.labels, data.weights, 1.0
    )
    return values, positives


def _by_clip(data: TaggingInput, unlabeled: UnlabeledClips) -> float:
    check_finite(data)
    clips = data.clips_as_classes()
    values, _ = _numbers(clips)
    values = undefined_as(
        values,
        unlabeled,
        what="clips without labels",
        names=clips.class_names,
        allowed=("nan", "zero", "one", "error"),
    )
    return over_clips(values, data.weights)


def padded_cmap(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    padding: int = 5,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> float | _Floats:
    """Return padded cmAP: mAP with some clips added that have every label, with score 1.

    BirdCLEF 2023 ranked systems by it, with five such clips. Classes without positives are
    defined then, and rare ones weigh less.

    Parameters
    ----------
    y_true : array-like or table of shape (n_clips, n_classes)
        0 and 1, or bools.
    y_score : array-like or table of shape (n_clips, n_classes)
        Scores between 0 and 1: a logit above 1 would rank above the added clips.
    padding : int, default 5
        Number of clips to add.
    average : {"macro", "micro", "weighted"} or None, default "macro"
        As in `average_precision`.
    sample_weight, mask, labels
        As in `average_precision`. The added clips have weight 1.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``

    Raises
    ------
    InputError
        If a score is not between 0 and 1, and as in `average_precision`.

    Notes
    -----
    The clips are added once, to the whole data set. Added to every batch, as some code does, they
    make a number that grows with the number of batches.

    Examples
    --------
    >>> import soundeval as se
    >>> round(se.tagging.padded_cmap([[1, 0], [0, 0]], [[0.2, 0.5], [0.4, 0.1]]), 4)
    0.9881
    """
    whole_number("padding", padding, low=0, high=10**6)
    if average == "samples":
        raise InputError("average must be 'macro', 'micro', 'weighted' or None, got 'samples'")
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    check_probabilities(data)
    padded = with_rows_of_ones(data, padding)
    return averaged_precision(padded, average, "nan", lambda: _numbers(padded))
