r"""The receiver operating characteristic of segments and clips, and the area under it.

Per class and point, with counts from `Statistics`:

.. math::

    \text{TPR} = \frac{TP}{N}, \qquad \text{FPR} = \frac{FP}{N^-}

N is the number of positives, :math:`N^-` that of negatives. Only segments and clips can be
negatives; for events the PSD-ROC takes the place of this curve. The functions are methods of
`Statistics`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soundeval import _core, display
from soundeval.checks import positive_fraction
from soundeval.errors import InputError, checked
from soundeval.names import counted, listed
from soundeval.results import FlatDict, json_number, mean, origin_entries, read_only

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from soundeval.criteria import Criterion
    from soundeval.statistics import Statistics

__all__ = ["AUROCResult", "ClassROCCurve", "ROCCurve"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassROCCurve:
    """True and false positive rate of one class at every decision threshold.

    Attributes
    ----------
    tpr, fpr : float64 ndarray of shape (n_points,)
        Sorted by `fpr`, and by `tpr` where that is equal. Without negatives `fpr` is NaN.
    thresholds : float64 ndarray of shape (n_points,)
        Element i belongs to all decision thresholds just below ``thresholds[i]``: frames with a
        score of at least that much are active. ``inf`` means that nothing is detected, ``-inf``
        that also those are counted in which no frame can be active.
    """

    tpr: NDArray[np.float64]
    fpr: NDArray[np.float64]
    thresholds: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"ClassROCCurve({counted(len(self.thresholds), 'point')})"


@dataclass(frozen=True, slots=True, eq=False)
class ROCCurve:
    """Receiver operating characteristics of all classes.

    Attributes
    ----------
    per_class : dict of str to ClassROCCurve
        Curve of every class, in column order.

    See Also
    --------
    Statistics.roc_curve : Makes it.
    """

    per_class: dict[str, ClassROCCurve]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"ROCCurve({counted(len(self.per_class), 'class')})"


@dataclass(frozen=True, slots=True, repr=False)
class AUROCResult:
    """Area under the receiver operating characteristic.

    Attributes
    ----------
    value : float
        Mean over classes, between 0 and 1. NaN if it is of any class; `notes` say why.
        ``float(result)`` gives it too.
    per_class : dict of str to float
        Area of every class, in column order; NaN without negatives.
    curve : ROCCurve
        The curves, whole also with `max_fpr`.
    max_fpr : float or None
        False positive rate up to which the area is taken.
    mcclish_correction : bool
        Whether chance is at 0.5 also with `max_fpr`.
    criterion : Segment or Clip
        When a detection counts.
    n_clips : int
        Number of evaluated clips.
    excluded_classes : tuple of str
        Score columns that were left out because they have no target.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in, and for undefined areas.

    See Also
    --------
    Statistics.auroc : Makes it.
    """

    value: float
    per_class: dict[str, float] = field(hash=False)
    curve: ROCCurve = field(compare=False)
    max_fpr: float | None
    mcclish_correction: bool
    criterion: Criterion
    n_clips: int
    excluded_classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def macro(self) -> float:
        """Mean over classes: `value`."""
        return self.value

    def __float__(self) -> float:
        """Return the mean over classes."""
        return self.value

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            ``"auroc"`` and ``"auroc/<class>"`` with None for NaN, then the parameters, criterion,
            ``"n_clips"``, and the lists ``"excluded_classes"`` and ``"notes"``.
        """
        return {
            "auroc": json_number(self.value),
            **{f"auroc/{name}": json_number(value) for name, value in self.per_class.items()},
            "max_fpr": self.max_fpr,
            "mcclish_correction": self.mcclish_correction,
            **origin_entries(self),
        }

    def __repr__(self) -> str:
        """Return the mean, the settings in words and the classes."""
        return display.values_as_text("AUROC", self._settings(), self)

    def _repr_html_(self) -> str:
        """Return the same as a table with bars, for notebooks."""
        return display.values_as_html("AUROC", self._settings(), self)

    def _settings(self) -> str:
        if self.max_fpr is None:
            return ""
        corrected = ", with McClish's correction" if self.mcclish_correction else ""
        return f"up to a false positive rate of {display.number(self.max_fpr)}{corrected}"


def roc_curve(self: Statistics) -> ROCCurve:
    r"""Return true and false positive rate of every class at every decision threshold.

    .. math::

        \text{TPR} = \frac{TP}{N}, \qquad \text{FPR} = \frac{FP}{N^-}

    Returns
    -------
    ROCCurve
        Its ``per_class[name]`` has `tpr`, `fpr` and `thresholds`, sorted by `fpr`.

    Raises
    ------
    InputError
        If the criterion is event-based: there are no negatives.

    Notes
    -----
    The curve goes from (0, 0) to (1, 1). Segments and clips without any score above ``-inf`` are
    tied behind all others: they add a last point at the threshold ``-inf``, which no decision
    threshold reaches. A class without negatives has no false positive rate: `fpr` is NaN.

    See Also
    --------
    psd_roc : The counterpart for events.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.9]]), "b": np.array([[0.6]]), "c": np.array([[0.3]])},
    ...     {"a": [(0.0, 1.0, "Dog")], "b": [], "c": [(0.0, 1.0, "Dog")]},
    ...     se.Clip(),
    ...     timestamps=[0.0, 1.0],
    ...     event_classes=["Dog"],
    ... )
    >>> curve = stats.roc_curve().per_class["Dog"]
    >>> curve.fpr, curve.tpr
    (array([0., 0., 1., 1.]), array([0. , 0.5, 0.5, 1. ]))
    >>> curve.thresholds
    array([inf, 0.9, 0.6, 0.3])
    """
    per_class = {}
    for name, counts in self.items():
        arrays = checked(
            _core.roc_curve,
            counts.thresholds,
            counts.tps,
            counts.fps,
            counts.n_ref,
            _negatives(self.criterion, counts.n_negatives),
        )
        per_class[name] = ClassROCCurve(*read_only(arrays))
    return ROCCurve(per_class)


def auroc(
    self: Statistics, max_fpr: float | None = None, mcclish_correction: bool = False
) -> AUROCResult:
    r"""Return the area under the receiver operating characteristic of every class, and its mean.

    .. math::

        A = \int_0^m \text{TPR} \; d\text{FPR}, \qquad
        \text{AUROC} = \frac{A}{m}, \quad \text{corrected} \quad
        \frac12 \left(1 + \frac{A - m^2 / 2}{m - m^2 / 2}\right)

    with :math:`m = 1`, or `max_fpr`. Points are joined by straight lines, so segments or clips with
    equal scores count as half in order. Without `max_fpr` it is what
    ``sklearn.metrics.roc_auc_score`` returns, with `max_fpr` and `mcclish_correction` too.

    Parameters
    ----------
    max_fpr : float or None, default None
        False positive rate up to which the area is taken, greater than 0, at most 1. None is 1.
    mcclish_correction : bool, default False
        Scale a partial area so that chance is 0.5 (McClish 1989). It changes nothing for the whole
        area.

    Returns
    -------
    AUROCResult
        The mean over classes as `value`, the area of each class, and the curves.

    Raises
    ------
    InputError
        If the criterion is event-based, or `max_fpr` is out of range.

    Notes
    -----
    Undefined cases:

    ===============================  ============================================================
    a class without targets          error, or left out with ``missing_classes="exclude"``
    a class that is in every unit    NaN, and so is the mean; a note says so, and gives the mean
                                     over the other classes
    units without a score            tied behind all others
    ===============================  ============================================================

    References
    ----------
    D. K. McClish, "Analyzing a portion of the ROC curve", Medical Decision Making 9(3), 1989.
    https://doi.org/10.1177/0272989X8900900307

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.9]]), "b": np.array([[0.6]]), "c": np.array([[0.3]])},
    ...     {"a": [(0.0, 1.0, "Dog")], "b": [], "c": [(0.0, 1.0, "Dog")]},
    ...     se.Clip(),
    ...     timestamps=[0.0, 1.0],
    ...     event_classes=["Dog"],
    ... )
    >>> stats.auroc().value
    0.5
    """
    if max_fpr is not None:
        max_fpr = positive_fraction("max_fpr", max_fpr)
    if not isinstance(mcclish_correction, bool):
        raise TypeError(
            f"mcclish_correction must be True or False, got {type(mcclish_correction).__name__}"
        )
    per_class = {
        name: checked(
            _core.auroc,
            counts.tps,
            counts.fps,
            counts.n_ref,
            _negatives(self.criterion, counts.n_negatives),
            max_fpr,
            mcclish_correction,
        )
        for name, counts in self.items()
    }
    return AUROCResult(
        value=mean(per_class.values()),
        per_class=per_class,
        curve=roc_curve(self),
        max_fpr=max_fpr,
        mcclish_correction=mcclish_correction,
        criterion=self.criterion,
        n_clips=self.n_clips,
        excluded_classes=self.excluded_classes,
        notes=(*self.notes, *_undefined(per_class)),
    )


def _negatives(criterion: Criterion, n_negatives: int | None) -> int:
    if n_negatives is None:
        raise InputError(
            f"an ROC needs true negatives, and {type(criterion).__name__} compares events, which "
            "have none: make the statistics with Segment or Clip, or use psd_roc or "
            "precision_recall_curve"
        )
    return n_negatives


def _undefined(per_class: dict[str, float]) -> list[str]:
    undefined = [name for name, area in per_class.items() if math.isnan(area)]
    if not undefined:
        return []
    note = (
        f"undefined for {counted(len(undefined), 'class')} without negatives, and so is the mean: "
        f"{listed(undefined)}"
    )
    if others := [area for area in per_class.values() if not math.isnan(area)]:
        note += f"; mean over the other {counted(len(others), 'class')}: {mean(others):.4f}"
    return [note]
