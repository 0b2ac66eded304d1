r"""Precision against recall, and the area under it.

Per class and point, with counts from `Statistics`:

.. math::

    P = \frac{TP}{TP + FP}, \qquad R = \frac{TP}{N}

N is the number of targets. The functions are methods of `Statistics`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soundeval import _core, display
from soundeval.errors import checked
from soundeval.names import counted
from soundeval.results import FlatDict, mean, origin_entries, read_only

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from soundeval.criteria import Criterion
    from soundeval.statistics import Statistics

__all__ = ["AveragePrecisionResult", "ClassPrecisionRecallCurve", "PrecisionRecallCurve"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassPrecisionRecallCurve:
    """Precision and recall of one class at every decision threshold.

    Attributes
    ----------
    precision, recall : float64 ndarray of shape (n_points,)
        Sorted by recall, and by precision where recall is equal.
    thresholds : float64 ndarray of shape (n_points,)
        Element i belongs to all decision thresholds just below ``thresholds[i]``: frames with a
        score of at least that much are active. ``inf`` means that nothing is detected.
    """

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    thresholds: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"ClassPrecisionRecallCurve({counted(len(self.thresholds), 'point')})"


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve:
    """Precision-recall curves of all classes.

    Attributes
    ----------
    per_class : dict of str to ClassPrecisionRecallCurve
        Curve of every class, in column order.

    See Also
    --------
    Statistics.precision_recall_curve : Makes it.
    """

    per_class: dict[str, ClassPrecisionRecallCurve]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"PrecisionRecallCurve({counted(len(self.per_class), 'class')})"


@dataclass(frozen=True, slots=True, repr=False)
class AveragePrecisionResult:
    """Average precision: the area under the precision-recall curve.

    Attributes
    ----------
    value : float
        Mean over classes, between 0 and 1. ``float(result)`` gives it too.
    per_class : dict of str to float
        Average precision of every class, in column order.
    curve : PrecisionRecallCurve
        The curves.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    n_clips : int
        Number of evaluated clips.
    excluded_classes : tuple of str
        Score columns that were left out because they have no target.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in.

    See Also
    --------
    Statistics.average_precision : Makes it.
    """

    value: float
    per_class: dict[str, float] = field(hash=False)
    curve: PrecisionRecallCurve = field(compare=False)
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
            ``"average_precision"`` and ``"average_precision/<class>"``, then criterion,
            ``"n_clips"``, and the lists ``"excluded_classes"`` and ``"notes"``.
        """
        return {
            "average_precision": self.value,
            **{f"average_precision/{name}": value for name, value in self.per_class.items()},
            **origin_entries(self),
        }

    def __repr__(self) -> str:
        """Return the mean, the criterion in words and the classes."""
        return display.values_as_text("Average precision", "", self)

    def _repr_html_(self) -> str:
        """Return the same as a table with bars, for notebooks."""
        return display.values_as_html("Average precision", "", self)


def precision_recall_curve(self: Statistics) -> PrecisionRecallCurve:
    r"""Return precision and recall of every class at every decision threshold.

    .. math::

        P = \frac{TP}{TP + FP}, \qquad R = \frac{TP}{N}

    Returns
    -------
    PrecisionRecallCurve
        Its ``per_class[name]`` has `precision`, `recall` and `thresholds`, sorted by recall.

    Notes
    -----
    Without detections the precision is 1. The curves are as they are, not made monotone. With
    event-based criteria recall may fall where the threshold falls, because detections merge: sorted
    by recall, thresholds are not in order.

    Examples
    --------
    Of two dogs one is found at .9, then comes a false alarm at .6:

    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[-np.inf], [0.9], [-np.inf], [0.6]])},
    ...     {"a": [(1.0, 2.0, "Dog"), (2.0, 3.0, "Dog")]},
    ...     se.Collar(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0, 4.0],
    ...     event_classes=["Dog"],
    ... )
    >>> curve = stats.precision_recall_curve().per_class["Dog"]
    >>> curve.recall, curve.precision, curve.thresholds
    (array([0. , 0.5, 0.5]), array([1. , 0.5, 1. ]), array([inf, 0.6, 0.9]))
    """
    per_class = {}
    for name, counts in self.items():
        arrays = checked(
            _core.precision_recall_curve,
            counts.thresholds,
            counts.tps,
            counts.fps,
            counts.n_ref,
        )
        per_class[name] = ClassPrecisionRecallCurve(*read_only(arrays))
    return PrecisionRecallCurve(per_class)


def average_precision(self: Statistics) -> AveragePrecisionResult:
    r"""Return the average precision of every class, and its mean.

    .. math::

        \text{AP} = \sum_k (R_k - R_{k-1})\, P_k

    over the recalls :math:`R_1 < R_2 < \dots` that are reached, :math:`R_0 = 0`, and with the
    highest precision :math:`P_k` at each. Of `Clip` and `Segment` it is what
    ``sklearn.metrics.average_precision_score`` returns.

    Returns
    -------
    AveragePrecisionResult
        The mean over classes as `value`, the average precision of each class, and the curves.

    Notes
    -----
    Undefined cases:

    =================================  ==========================================================
    a class without targets            error, or left out with ``missing_classes="exclude"``
    a class that is never found        0
    targets that no threshold finds    the area ends at the highest recall; it is not extrapolated
    =================================  ==========================================================

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
    >>> stats.average_precision()
    Average precision 0.8333
    whole clips
    3 clips
      Dog  0.8333
    """
    per_class = {
        name: checked(_core.average_precision, counts.tps, counts.fps, counts.n_ref)
        for name, counts in self.items()
    }
    return AveragePrecisionResult(
        value=mean(per_class.values()),
        per_class=per_class,
        curve=precision_recall_curve(self),
        criterion=self.criterion,
        n_clips=self.n_clips,
        excluded_classes=self.excluded_classes,
        notes=self.notes,
    )
