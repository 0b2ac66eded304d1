"""Accuracy of tags, and how far scores are from being probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval.checks import whole_number
from soundeval.tagging.averages import check_average, macro, over_clips
from soundeval.tagging.f_score import tagged, weighted_counts
from soundeval.tagging.inputs import TaggingInput, check_probabilities, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.averages import Average
    from soundeval.tagging.inputs import TagsInput

__all__ = ["accuracy", "brier_score", "calibration_error"]

_Floats = NDArray[np.float64]


def accuracy(
    y_true: TagsInput,
    y_score: TagsInput,
    threshold: ArrayLike = 0.5,
    *,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> float | _Floats:
    """Return the share of right decisions at a threshold, or at one for each class.

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels
        As in `average_precision`.
    threshold : float or array-like of shape (n_classes,), default 0.5
        A clip is tagged where its score is at least this.
    average : {"macro", "micro", "samples"} or None, default "macro"
        Mean over classes; share of all decisions; share of clips of which *all* decisions are
        right, which scikit-learn calls accuracy; or None for an array.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``
        NaN where nothing is known.

    Raises
    ------
    InputError
        As in `f_score`.

    Examples
    --------
    >>> import soundeval as se
    >>> y_true, y_score = [[1, 0], [0, 1]], [[0.9, 0.2], [0.8, 0.6]]
    >>> se.tagging.accuracy(y_true, y_score)
    0.75
    >>> se.tagging.accuracy(y_true, y_score, average="samples")
    0.5
    """
    check_average(average, ("macro", "micro", "samples", None))
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    right = tagged(data, threshold) == (data.labels == 1)
    if average == "samples":
        all_right = right.all(axis=1)
        all_right = np.where(data.known.any(axis=1), all_right.astype(np.float64), math.nan)
        return over_clips(all_right, data.weights)
    n_right = weighted_counts(right & data.known, data.weights, 0)
    n_known = weighted_counts(data.known, data.weights, 0)
    return _averaged(n_right, n_known, average)


def brier_score(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> float | _Floats:
    """Return the mean squared difference of probabilities and labels (Brier, 1950).

    Parameters
    ----------
    y_true, sample_weight, mask, labels
        As in `average_precision`.
    y_score : array-like or table of shape (n_clips, n_classes)
        Probabilities between 0 and 1.
    average : {"macro", "micro"} or None, default "macro"
        Mean over classes; over all pairs, which differs only with a mask; or None for an array.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``
        NaN where nothing is known.

    Raises
    ------
    InputError
        If a score is not between 0 and 1, and as in `average_precision`.

    Examples
    --------
    >>> import soundeval as se
    >>> round(se.tagging.brier_score([1, 0], [0.8, 0.4]), 4)
    0.1
    """
    check_average(average, ("macro", "micro", None))
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    check_probabilities(data)
    sums, counts = [], []
    for scores, truth, weights in _known_columns(data):
        sums.append(math.fsum((weights * (scores - truth) ** 2).tolist()))
        counts.append(math.fsum(weights.tolist()))
    return _averaged(np.array(sums), np.array(counts), average)


def calibration_error(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    n_bins: int = 15,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> float | _Floats:
    r"""Return the expected calibration error (ECE) of tags.

    .. math::

        \text{ECE} = \sum_b \frac{n_b}{n} \left| \bar{y}_b - \bar{p}_b \right|

    over bins of equal width, with the share of positives and the mean probability of each.

    Parameters
    ----------
    y_true, sample_weight, mask, labels
        As in `average_precision`.
    y_score : array-like or table of shape (n_clips, n_classes)
        Probabilities between 0 and 1.
    n_bins : int, default 15
        Number of bins; bin b holds ``b / n_bins < p <= (b + 1) / n_bins``, the first also 0.
    average : {"macro", "micro"} or None, default "macro"
        Mean over classes; of all pairs pooled; or None for an array.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``
        NaN where nothing is known.

    Raises
    ------
    InputError
        If a score is not between 0 and 1, and as in `average_precision`.

    Notes
    -----
    This compares the probability of a tag with how often it is right to give it, as torchmetrics
    does for two classes; not the confidence in the decision with its accuracy.

    Examples
    --------
    >>> import soundeval as se
    >>> round(se.tagging.calibration_error([1, 0], [0.8, 0.4]), 4)
    0.3
    """
    check_average(average, ("macro", "micro", None))
    whole_number("n_bins", n_bins, low=1, high=10**6)
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    check_probabilities(data)
    if average == "micro":
        data = data.pooled()
    values = np.array([_ece(*column, n_bins) for column in _known_columns(data)])
    return values if average is None else macro(values)


def _known_columns(data: TaggingInput) -> Iterator[tuple[_Floats, _Floats, _Floats]]:
    """Yield scores, labels and weights of the clips of each class whose label is known."""
    for labels, scores in zip(data.labels.T, data.scores.T, strict=True):
        known = labels <= 1
        weights = np.ones(len(labels)) if data.weights is None else data.weights
        yield (
            scores[known].astype(np.float64),
            labels[known].astype(np.float64),
            weights[known],
        )


def _ece(scores: _Floats, labels: _Floats, weights: _Floats, n_bins: int) -> float:
    total = math.fsum(weights.tolist())
    if not total:
        return math.nan
    edges = np.arange(1, n_bins) / n_bins
    bins = np.searchsorted(edges, scores, side="left")
    # In the order of scores, so that rounding does not depend on the order of clips.
    order = np.lexsort((weights, labels, scores))
    gaps = weights * (labels - scores)
    return float(np.abs(np.bincount(bins[order], gaps[order], n_bins)).sum() / total)


def _averaged(sums: _Floats, counts: _Floats, average: Average) -> float | _Floats:
    """Return sums over counts, by class or pooled."""
    if average == "micro":
        total = math.fsum(counts)
        return math.fsum(sums) / total if total else math.nan
    with np.errstate(invalid="ignore"):
        values = np.where(counts > 0, sums / np.where(counts > 0, counts, 1.0), math.nan)
    return values if average is None else macro(values)
