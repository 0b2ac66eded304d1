r"""The area under the ROC of tags, and d-prime.

.. math::

    d' = \sqrt{2}\, \Phi^{-1}(\text{AUC})
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.checks import choice, positive_fraction
from soundeval.errors import InputError, checked
from soundeval.tagging.averages import check_average, macro, over_classes, undefined_as
from soundeval.tagging.inputs import TaggingInput, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.averages import Average
    from soundeval.tagging.inputs import TagsInput

__all__ = ["d_prime", "roc_auc"]

_Floats = NDArray[np.float64]


def roc_auc(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    average: Average = "macro",
    max_fpr: float | None = None,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    undefined: Literal["nan", "error"] = "nan",
) -> float | _Floats:
    """Return the area under the ROC; with the default average this is mAUC.

    It is the probability that a positive has a higher score than a negative, equal scores counting
    one half (Hanley and McNeil, Radiology 1982, doi:10.1148/radiology.143.1.7063747).

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels
        As in `average_precision`.
    average : {"macro", "micro", "weighted"} or None, default "macro"
        As in `average_precision`.
    max_fpr : float, optional
        End of a partial area, above 0 and at most 1. It is corrected as McClish (1989,
        doi:10.1177/0272989X8900900307) does, so that scores that tell nothing have 0.5 and perfect
        ones 1; scikit-learn gives the same, for one class.
    undefined : {"nan", "error"}, default "nan"
        What a class without positives or without negatives has. NaN is left out of the mean, as
        in BirdCLEF 2024.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``

    Raises
    ------
    InputError
        If `max_fpr` is out of range, and as in `average_precision`.

    Examples
    --------
    >>> import soundeval as se
    >>> se.tagging.roc_auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.75
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    return averaged_area(data, average, max_fpr, undefined)


def averaged_area(
    data: TaggingInput, average: Average, max_fpr: float | None, undefined: str
) -> float | _Floats:
    """Return the average of the areas of checked input."""
    check_average(average, ("macro", "micro", "weighted", None))
    end = 1.0 if max_fpr is None else positive_fraction("max_fpr", max_fpr)
    data = data.pooled() if average == "micro" else data
    _, values, positives, _ = checked(
        _core.tagging_numbers, data.scores, data.labels, data.weights, end
    )
    values = undefined_as(
        values,
        undefined,
        what="classes without positives or without negatives",
        names=data.class_names,
        allowed=("nan", "error"),
    )
    return over_classes(values, average, positives)


def d_prime(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    average: Average = "macro",
    convention: Literal["mean_auc", "per_class"] = "mean_auc",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
    undefined: Literal["nan", "error"] = "nan",
) -> float | _Floats:
    r"""Return d-prime, the separation of positives and negatives in standard deviations.

    .. math::

        d' = \sqrt{2}\, \Phi^{-1}(\text{AUC})

    Parameters
    ----------
    y_true, y_score, sample_weight, mask, labels, undefined
        As in `roc_auc`.
    average : {"macro", "micro", "weighted"} or None, default "macro"
        As in `average_precision`.
    convention : {"mean_auc", "per_class"}, default "mean_auc"
        Of the averaged area, as PANNs and PSLA report it for AudioSet; or averaged over d-primes of
        classes, as HEAR does. The second is infinite as soon as one class is perfect, and NaN
        if another is reversed perfectly.

    Returns
    -------
    float, or float64 ndarray of shape (n_classes,) for ``average=None``
        0 for scores that tell nothing, ``inf`` for perfect and ``-inf`` for reversed ones, NaN
        where the area is undefined.

    Raises
    ------
    InputError
        As in `roc_auc`.

    Examples
    --------
    >>> import soundeval as se
    >>> round(se.tagging.d_prime([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), 4)
    0.9539
    """
    choice("convention", convention, ("mean_auc", "per_class"))
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    if average in ("macro", "weighted") and convention == "per_class":
        areas = averaged_area(data, None, None, undefined)
        values = np.array([_d_prime(area) for area in np.atleast_1d(areas)])
        if average == "macro":
            return macro(values)
        raise InputError('average="weighted" needs convention="mean_auc"')
    area = averaged_area(data, average, None, undefined)
    if isinstance(area, float):
        return _d_prime(area)
    return np.array([_d_prime(one) for one in area])


def _d_prime(area: float) -> float:
    if math.isnan(area):
        return math.nan
    if area <= 0.0 or area >= 1.0:
        return math.copysign(math.inf, area - 0.5)
    return math.sqrt(2.0) * NormalDist().inv_cdf(float(area))
