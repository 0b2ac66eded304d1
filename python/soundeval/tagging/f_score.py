r"""F at given thresholds, and the best F of every class.

.. math::

    F_\beta = \frac{(1 + \beta^2)\, TP}{(1 + \beta^2)\, TP + \beta^2\, FN + FP}
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.checks import positive
from soundeval.errors import InputError, checked
from soundeval.results import FlatDict, json_number
from soundeval.tagging.averages import check_average, macro, over_classes, over_clips
from soundeval.tagging.inputs import TaggingInput, check_finite, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.averages import Average
    from soundeval.tagging.inputs import TagsInput

__all__ = ["BestFScore", "best_f_score", "f_score"]

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BestFScore:
    """The best F of every class, and where it is reached.

    Attributes
    ----------
    value : float
        Mean over the classes with positives.
    f_score, precision, recall, thresholds : float64 ndarray of shape (n_classes,)
        NaN for classes without positives. Of several thresholds the highest.
    class_names : tuple of str
        Names of the classes.
    """

    value: float
    f_score: _Floats
    precision: _Floats
    recall: _Floats
    thresholds: _Floats
    class_names: tuple[str, ...]

    @property
    def per_class(self) -> dict[str, float]:
        """Best F of every class."""
        return dict(zip(self.class_names, self.f_score.tolist(), strict=True))

    def __float__(self) -> float:
        """Return the mean over classes."""
        return self.value

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold."""
        entries: FlatDict = {"best_f_score": json_number(self.value)}
        for i, name in enumerate(self.class_names):
            entries[f"best_f_score/{name}"] = json_number(float(self.f_score[i]))
            entries[f"threshold/{name}"] = json_number(float(self.thresholds[i]))
        return entries

    def __repr__(self) -> str:
        """Return the mean and the number of classes it is made of."""
        n = int(np.count_nonzero(~np.isnan(self.f_score)))
        return f"BestFScore({self.value:.4f}, mean of {n} of {len(self.f_score)} classes)"


def best_f_score(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    beta: float = 1.0,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> BestFScore:
    """Return the best F of every class over all thresholds.

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels
        As in `average_precision`.
    beta : float, default 1.0
        How many times as important recall is as precision.

    Returns
    -------
    BestFScore
        The mean, and F, precision, recall and threshold of every class.

    Raises
    ------
    InputError
        If `beta` is not above 0, and as in `average_precision`.

    Notes
    -----
    On the data that it was tuned on this is an upper bound. For a fair number take its
    ``thresholds`` from development data to `f_score` on other data; a class that had no positives
    there has the threshold NaN, and needs a decision of yours.

    Examples
    --------
    >>> import soundeval as se
    >>> best = se.tagging.best_f_score([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> best.f_score, best.thresholds
    (array([0.8]), array([0.7]))
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    return best_of(data, beta)


def best_of(data: TaggingInput, beta: float) -> BestFScore:
    """Return the best F of checked input."""
    positive("beta", beta)
    (values, thresholds, tps, fps), positives = checked(
        _core.tagging_best_f, data.scores, data.labels, data.weights, float(beta)
    )
    with np.errstate(invalid="ignore"):
        precision, recall = tps / (tps + fps), tps / positives
    return BestFScore(macro(values), values, precision, recall, thresholds, data.class_names)


def f_score(
    y_true: TagsInput,
    y_score: TagsInput,
    threshold: ArrayLike = 0.5,
    *,
    beta: float = 1.0,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    zero_division: float = math.nan,
) -> float | _Floats:
    r"""Return F at a threshold, or at one for each class.

    .. math::

        F_\beta = \frac{(1 + \beta^2)\, TP}{(1 + \beta^2)\, TP + \beta^2\, FN + FP}

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels
        As in `average_precision`.
    threshold : float or array-like of shape (n_classes,), default 0.5
        A clip is tagged where its score is at least this.
    beta : float, default 1.0
        How many times as important recall is as precision.
    average : {"macro", "micro", "weighted", "samples"} or None, default "macro"
        Mean over classes; of pooled counts; mean weighted by positives; mean over clips; or None
        for an array.
    zero_division : float, default NaN
        F where there are neither positives nor tags. NaN is left out of means; 0 is what
        scikit-learn gives by default.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``

    Raises
    ------
    InputError
        If there is not one threshold or one for each class, and as in `average_precision`.

    Notes
    -----
    | positives | tags | F |
    |---|---|---|
    | none | none | `zero_division` |
    | none | some | 0 |
    | some | none | 0 |

    Examples
    --------
    >>> import soundeval as se
    >>> se.tagging.f_score([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], 0.7)
    0.8
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    return averaged_f(data, threshold, beta, average, zero_division)


def tagged(data: TaggingInput, threshold: ArrayLike) -> NDArray[np.bool_]:
    """Return which clips are tagged with which classes; nothing where labels are unknown."""
    limits = np.asarray(threshold, dtype=np.float64)
    n_classes = len(data.class_names)
    if limits.ndim > 1 or (limits.ndim == 1 and limits.shape != (n_classes,)):
        raise InputError(
            f"threshold must be a number, or one for each of the {n_classes} classes, got the "
            f"shape {limits.shape}"
        )
    if np.isnan(limits).any():
        missing = data.class_names[int(np.argmax(np.isnan(np.atleast_1d(limits))))]
        raise InputError(
            f"threshold of class {missing!r} is NaN; best_f_score gives NaN to classes without "
            "positives: choose one, for example with numpy.nan_to_num(thresholds, nan=0.5)"
        )
    check_finite(data)
    # Compared in double precision: a float32 score next to 0.35 must not depend on how 0.35 rounds.
    # An array of doubles makes it so for any scores, and NumPy converts them piece by piece.
    over: NDArray[np.bool_] = data.scores >= np.broadcast_to(limits, n_classes)
    return over & data.known


def averaged_f(
    data: TaggingInput, threshold: ArrayLike, beta: float, average: Average, zero_division: float
) -> float | _Floats:
    """Return F of checked input."""
    check_average(average, ("macro", "micro", "weighted", "samples", None))
    positive("beta", beta)
    tags = tagged(data, threshold)
    truth = data.labels == 1
    axis = 1 if average == "samples" else 0
    weights = None if average == "samples" else data.weights
    tps, tagged_, positives = (
        weighted_counts(what, weights, axis) for what in (tags & truth, tags, truth)
    )
    if average == "micro":
        tps, tagged_, positives = (np.array([math.fsum(x)]) for x in (tps, tagged_, positives))
    denominator = beta**2 * positives + tagged_
    with np.errstate(invalid="ignore"):
        values = (1 + beta**2) * tps / denominator
    values = np.where(denominator == 0, zero_division, values)
    if average == "samples":
        return over_clips(values, data.weights)
    return over_classes(values, average, positives)


def weighted_counts(
    what: NDArray[np.bool_], weights: NDArray[np.float64] | None, axis: int
) -> _Floats:
    """Return how often something is true, along clips or classes."""
    if weights is None:
        return np.asarray(np.count_nonzero(what, axis=axis), dtype=np.float64)
    # Correctly rounded sums: the order of clips must not show in the last digit.
    sums = [math.fsum(weights[column].tolist()) for column in what.T]
    return np.array(sums, dtype=np.float64)
