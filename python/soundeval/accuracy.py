r"""Accuracy of segments and clips: sensitivity, specificity, and their mean.

Every segment or clip is a decision about each class. With counts from `Statistics`, N units of
which :math:`N^+` are positive and :math:`N^-` negative:

.. math::

    \text{sensitivity} = \frac{TP}{N^+}, \qquad \text{specificity} = \frac{TN}{N^-}, \qquad
    \text{accuracy} = \frac{TP + TN}{N}

The functions are methods of `Statistics`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soundeval import display
from soundeval.checks import fraction
from soundeval.errors import InputError
from soundeval.names import counted, listed
from soundeval.results import FlatDict, json_number, mean, origin_entries
from soundeval.thresholds import thresholds_by_class

if TYPE_CHECKING:
    from soundeval.criteria import Criterion
    from soundeval.statistics import Statistics
    from soundeval.typing import ThresholdInput

__all__ = ["Accuracy", "AccuracyResult", "ClassAccuracy"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy, and what is right of the positives and of the negatives.

    Attributes
    ----------
    accuracy, balanced_accuracy, sensitivity, specificity : float
        Between 0 and 1; NaN without the units that they are a share of.
    """

    accuracy: float
    balanced_accuracy: float
    sensitivity: float
    specificity: float


@dataclass(frozen=True, slots=True)
class ClassAccuracy:
    """Accuracy of one class at one decision threshold.

    Attributes
    ----------
    accuracy, balanced_accuracy, sensitivity, specificity : float
        See `Accuracy`.
    threshold : float
        Frames with a score greater than this are active.
    tps, fps, fns, tns : int
        Units by what they are and what was detected.
    """

    accuracy: float
    balanced_accuracy: float
    sensitivity: float
    specificity: float
    threshold: float
    tps: int
    fps: int
    fns: int
    tns: int


@dataclass(frozen=True, slots=True, repr=False)
class AccuracyResult:
    """Accuracies of all classes, each at one decision threshold.

    Attributes
    ----------
    macro : Accuracy
        Means over classes, of each number separately; NaN if it is of any class.
    micro : Accuracy
        Of the counts summed over classes.
    per_class : dict of str to ClassAccuracy
        Numbers, threshold and counts of every class, in column order.
    factor : float
        Weight of specificity in the balanced accuracy.
    criterion : Segment or Clip
        What is a unit.
    n_clips : int
        Number of evaluated clips.
    excluded_classes : tuple of str
        Score columns that were left out because they have no target.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in, and for classes without
        negatives.

    See Also
    --------
    Statistics.accuracy : Makes it.
    """

    macro: Accuracy
    micro: Accuracy
    per_class: dict[str, ClassAccuracy] = field(hash=False)
    factor: float
    criterion: Criterion
    n_clips: int
    excluded_classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            ``"macro_accuracy"``, ``"micro_accuracy"`` and ``"accuracy/<class>"``, the same of the
            other numbers with None for NaN, threshold and counts of each class, then `factor`,
            criterion, ``"n_clips"``, and the lists ``"excluded_classes"`` and ``"notes"``.
        """
        flat: FlatDict = {}
        for name in _NUMBERS:
            flat[f"macro_{name}"] = json_number(getattr(self.macro, name))
            flat[f"micro_{name}"] = json_number(getattr(self.micro, name))
        for name in (*_NUMBERS, "threshold", "tps", "fps", "fns", "tns"):
            for event_class, value in self.per_class.items():
                flat[f"{name}/{event_class}"] = json_number(getattr(value, name))
        return {**flat, "factor": self.factor, **origin_entries(self)}

    def __repr__(self) -> str:
        """Return averages, settings in words, and one line for each class."""
        return display.table_as_text(self._table(), self)

    def _repr_html_(self) -> str:
        """Return the same as a table, for notebooks."""
        return display.table_as_html(self._table(), self)

    def _table(self) -> display.Table:
        def cells(value: Accuracy | ClassAccuracy) -> tuple[str, ...]:
            return display.fixed(*(getattr(value, name) for name in _NUMBERS))

        settings = "at the given thresholds"
        if self.factor != 0.5:
            weight = display.number(self.factor)
            settings += f", specificity with weight {weight} in the balanced accuracy"
        return display.Table(
            title=f"Accuracy {self.macro.accuracy:.4f} macro, {self.micro.accuracy:.4f} micro",
            settings=settings,
            columns=("accuracy", "balanced", "sensitivity", "specificity", "threshold"),
            averages={"macro": (*cells(self.macro), ""), "micro": (*cells(self.micro), "")},
            classes={
                name: (*cells(value), display.number(value.threshold))
                for name, value in self.per_class.items()
            },
        )


_NUMBERS = ("accuracy", "balanced_accuracy", "sensitivity", "specificity")


def accuracy(self: Statistics, threshold: ThresholdInput, factor: float = 0.5) -> AccuracyResult:
    r"""Return accuracy, sensitivity and specificity at given thresholds, and their averages.

    .. math::

        \text{accuracy} = \frac{TP + TN}{N}, \qquad
        \text{balanced} = (1 - f) \frac{TP}{N^+} + f \frac{TN}{N^-}

    (Mesaros et al. 2016). Most segments hold few classes, so a system that detects nothing has a
    high accuracy; its balanced accuracy is 0.5.

    Parameters
    ----------
    threshold : float or mapping of str to float
        Decision threshold for all classes, or of each class: a dict, or the `Thresholds` that were
        chosen on other clips. Frames with a score greater than it are active.
    factor : float, default 0.5
        Weight f of specificity in the balanced accuracy, between 0 and 1.

    Returns
    -------
    AccuracyResult
        `macro` (means over classes), `micro` (of summed counts) and `per_class`.

    Raises
    ------
    InputError
        If the criterion is event-based: there are no true negatives. If thresholds are missing or
        NaN, or name what is no evaluated class.

    Notes
    -----
    Undefined cases:

    ===============================  ============================================================
    a class without targets          error, or left out with ``missing_classes="exclude"``
    a class that is in every unit    specificity and balanced accuracy NaN, and so are their
                                     macro averages; a note says so
    ===============================  ============================================================

    References
    ----------
    A. Mesaros, T. Heittola, T. Virtanen, "Metrics for polyphonic sound event detection", Applied
    Sciences 6(6), 2016. https://doi.org/10.3390/app6060162

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.2], [0.9], [0.4]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Segment(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> stats.accuracy(0.3).macro
    Accuracy(accuracy=0.6666666666666666, balanced_accuracy=0.75, sensitivity=1.0,
    specificity=0.5)
    """
    factor = fraction("factor", factor)
    thresholds = thresholds_by_class(threshold, self.event_classes, self.excluded_classes)
    per_class = {}
    tps = fps = fns = tns = 0
    for name, counts in self.items():
        at = counts.at(thresholds[name])
        if at.tns is None:
            raise InputError(
                f"an accuracy needs true negatives, and {type(self.criterion).__name__} compares "
                "events, which have none: make the statistics with Segment or Clip, or use f_score"
            )
        tps, fps, fns, tns = tps + at.tps, fps + at.fps, fns + at.fns, tns + at.tns
        value = _of_counts(at.tps, at.fps, at.fns, at.tns, factor)
        per_class[name] = ClassAccuracy(
            value.accuracy,
            value.balanced_accuracy,
            value.sensitivity,
            value.specificity,
            thresholds[name],
            at.tps,
            at.fps,
            at.fns,
            at.tns,
        )
    return AccuracyResult(
        macro=Accuracy(
            *(mean(getattr(value, name) for value in per_class.values()) for name in _NUMBERS)
        ),
        micro=_of_counts(tps, fps, fns, tns, factor),
        per_class=per_class,
        factor=factor,
        criterion=self.criterion,
        n_clips=self.n_clips,
        excluded_classes=self.excluded_classes,
        notes=(*self.notes, *_undefined(per_class)),
    )


def _of_counts(tps: int, fps: int, fns: int, tns: int, factor: float) -> Accuracy:
    sensitivity, specificity = _share(tps, tps + fns), _share(tns, tns + fps)
    return Accuracy(
        accuracy=_share(tps + tns, tps + fps + fns + tns),
        balanced_accuracy=(1.0 - factor) * sensitivity + factor * specificity,
        sensitivity=sensitivity,
        specificity=specificity,
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _undefined(per_class: dict[str, ClassAccuracy]) -> list[str]:
    undefined = [name for name, value in per_class.items() if math.isnan(value.specificity)]
    if not undefined:
        return []
    return [
        f"no specificity for {counted(len(undefined), 'class')} without negatives, and so no macro "
        f"average: {listed(undefined)}"
    ]
