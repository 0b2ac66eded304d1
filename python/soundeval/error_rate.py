r"""Error rates: at given decision thresholds, at every one, and at the best.

Per class and point, with counts from `Statistics`:

.. math::

    \text{ER} = \frac{I + D}{N}, \qquad I = FP, \qquad D = N - TP

N is the number of targets, I counts insertions and D deletions. Classes are counted one by one, so
there are no substitutions. The functions are methods of `Statistics`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from soundeval import _core, display
from soundeval.checks import non_negative
from soundeval.errors import checked
from soundeval.names import counted, listed
from soundeval.results import FlatDict, json_number, mean, origin_entries, read_only
from soundeval.thresholds import Thresholds, thresholds_by_class

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from soundeval.criteria import Criterion
    from soundeval.statistics import Statistics
    from soundeval.typing import ThresholdInput

__all__ = [
    "ClassErrorRate",
    "ClassErrorRateCurve",
    "ErrorRate",
    "ErrorRateCurve",
    "ErrorRateResult",
]


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Error rate and its two parts.

    Attributes
    ----------
    error_rate : float
        Sum of the other two, 0 or more; 1 where nothing is detected.
    insertion_rate : float
        False detections per target, 0 or more.
    deletion_rate : float
        Missed targets per target, between 0 and 1.
    """

    error_rate: float
    insertion_rate: float
    deletion_rate: float


@dataclass(frozen=True, slots=True)
class ClassErrorRate:
    """Error rate of one class at one decision threshold.

    Attributes
    ----------
    error_rate, insertion_rate, deletion_rate : float
        See `ErrorRate`.
    threshold : float
        Frames with a score greater than this are active.
    tps, fps : int
        Found targets and false detections.
    n_ref : int
        Targets.
    """

    error_rate: float
    insertion_rate: float
    deletion_rate: float
    threshold: float
    tps: int
    fps: int
    n_ref: int


@dataclass(frozen=True, slots=True, repr=False)
class ErrorRateResult:
    """Error rates of all classes, each at one decision threshold.

    Attributes
    ----------
    macro : ErrorRate
        Means over classes.
    micro : ErrorRate
        Of the counts summed over classes.
    per_class : dict of str to ClassErrorRate
        Rates, threshold and counts of every class, in column order.
    best : bool
        Whether the thresholds were chosen on these clips, by the lowest error rate of each class.
    max_insertion_rate, max_deletion_rate : float or None
        Up to which rates they were chosen.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    n_clips : int
        Number of evaluated clips.
    excluded_classes : tuple of str
        Score columns that were left out because they have no target.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in, and for classes of which no
        threshold meets the constraints.

    See Also
    --------
    Statistics.error_rate : At given thresholds.
    Statistics.best_error_rate : At the best.
    """

    macro: ErrorRate
    micro: ErrorRate
    per_class: dict[str, ClassErrorRate] = field(hash=False)
    best: bool
    max_insertion_rate: float | None
    max_deletion_rate: float | None
    criterion: Criterion
    n_clips: int
    excluded_classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds of the classes, to be stored or applied to other clips."""
        metric = None
        if self.best:
            metric = (
                f"best_error_rate(max_insertion_rate={self.max_insertion_rate}, "
                f"max_deletion_rate={self.max_deletion_rate})"
            )
        return Thresholds(
            {name: rate.threshold for name, rate in self.per_class.items()},
            criterion=self.criterion,
            metric=metric,
        )

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            ``"macro_error_rate"``, ``"micro_error_rate"`` and ``"error_rate/<class>"``, the same of
            `insertion_rate` and `deletion_rate`, ``"threshold/<class>"`` (infinite ones as text)
            and the counts of each class, then the parameters, criterion, ``"n_clips"``, and the
            lists ``"excluded_classes"`` and ``"notes"``.
        """
        rates = ("error_rate", "insertion_rate", "deletion_rate")
        flat: FlatDict = {}
        for name in rates:
            flat[f"macro_{name}"] = getattr(self.macro, name)
            flat[f"micro_{name}"] = getattr(self.micro, name)
        for name in (*rates, "threshold", "tps", "fps", "n_ref"):
            for event_class, rate in self.per_class.items():
                flat[f"{name}/{event_class}"] = json_number(getattr(rate, name))
        return {
            **flat,
            "best": self.best,
            "max_insertion_rate": self.max_insertion_rate,
            "max_deletion_rate": self.max_deletion_rate,
            **origin_entries(self),
        }

    def __repr__(self) -> str:
        """Return averages, settings in words, and one line for each class."""
        return display.table_as_text(self._table(), self)

    def _repr_html_(self) -> str:
        """Return the same as a table, for notebooks."""
        return display.table_as_html(self._table(), self)

    def _table(self) -> display.Table:
        settings = "at the given thresholds"
        if self.best:
            settings = "at the best threshold of each class, chosen on these clips"
            limits = _limits_in_words(self.max_insertion_rate, self.max_deletion_rate)
            settings += f", with {limits}" if limits else ""
        return display.Table(
            title=(
                f"Error rate {self.macro.error_rate:.4f} macro, {self.micro.error_rate:.4f} micro"
            ),
            settings=settings,
            columns=("error rate", "insertions", "deletions", "threshold"),
            averages={
                "macro": (*display.fixed(*_rates(self.macro)), ""),
                "micro": (*display.fixed(*_rates(self.micro)), ""),
            },
            classes={
                name: (*display.fixed(*_rates(rate)), display.number(rate.threshold))
                for name, rate in self.per_class.items()
            },
        )


@dataclass(frozen=True, slots=True, eq=False)
class ClassErrorRateCurve:
    """Error rate of one class at every decision threshold.

    Attributes
    ----------
    error_rate, insertion_rate, deletion_rate : float64 ndarray of shape (n_points,)
        One for each of `thresholds`.
    thresholds : float64 ndarray of shape (n_points,)
        Ascending, the last is ``inf``. Point i stands for the decision thresholds from
        ``thresholds[i - 1]`` (included) to ``thresholds[i]`` (excluded).
    """

    error_rate: NDArray[np.float64]
    insertion_rate: NDArray[np.float64]
    deletion_rate: NDArray[np.float64]
    thresholds: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"ClassErrorRateCurve({counted(len(self.thresholds), 'point')})"


@dataclass(frozen=True, slots=True, eq=False)
class ErrorRateCurve:
    """Error rates of all classes at every decision threshold.

    Attributes
    ----------
    per_class : dict of str to ClassErrorRateCurve
        Curve of every class, in column order.

    See Also
    --------
    Statistics.error_rate_curve : Makes it.
    """

    per_class: dict[str, ClassErrorRateCurve]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"ErrorRateCurve({counted(len(self.per_class), 'class')})"


def error_rate_curve(self: Statistics) -> ErrorRateCurve:
    r"""Return error, insertion and deletion rate of every class at every decision threshold.

    .. math::

        \text{ER} = \frac{FP + N - TP}{N}

    Returns
    -------
    ErrorRateCurve
        Its ``per_class[name]`` has `error_rate`, `insertion_rate`, `deletion_rate` and
        `thresholds`, in the order of the thresholds.

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
    >>> stats.error_rate_curve().per_class["Dog"].error_rate
    array([2., 1., 0., 1.])
    """
    per_class = {}
    for name, counts in self.items():
        arrays = checked(_core.error_rate_curve, counts.tps, counts.fps, counts.n_ref)
        per_class[name] = ClassErrorRateCurve(*read_only(arrays), counts.thresholds)
    return ErrorRateCurve(per_class)


def error_rate(self: Statistics, threshold: ThresholdInput) -> ErrorRateResult:
    r"""Return the error rate of every class at given decision thresholds, and its averages.

    .. math::

        \text{ER} = \frac{I + D}{N}, \qquad I = FP, \qquad D = N - TP

    (Mesaros et al. 2016, class by class).

    Parameters
    ----------
    threshold : float or mapping of str to float
        Decision threshold for all classes, or of each class: a dict, or the `Thresholds` that were
        chosen on other clips. Frames with a score greater than it are active.

    Returns
    -------
    ErrorRateResult
        `macro` (means over classes), `micro` (of summed counts) and `per_class`.

    Raises
    ------
    InputError
        If thresholds are missing or NaN, or name what is no evaluated class.

    Notes
    -----
    A false detection of one class at the time of a missed target of another stays an insertion and
    a deletion, in the micro average too. Joining them to a substitution would halve their weight.

    Undefined cases:

    =======================  ====================================================
    a class without targets  error, or left out with ``missing_classes="exclude"``
    no detections            1: everything is deleted
    =======================  ====================================================

    See Also
    --------
    best_error_rate : At the best thresholds.

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
    >>> stats.error_rate(0.3).macro
    ErrorRate(error_rate=1.0, insertion_rate=1.0, deletion_rate=0.0)
    """
    return _result(self, thresholds_by_class(threshold, self.event_classes, self.excluded_classes))


def best_error_rate(
    self: Statistics,
    max_insertion_rate: float | None = None,
    max_deletion_rate: float | None = None,
) -> ErrorRateResult:
    r"""Return the lowest error rate of every class over all decision thresholds, and its averages.

    .. math::

        \min_\theta \; \text{ER}(\theta) \quad\text{where}\quad
        I(\theta) / N \le I_{max}, \; D(\theta) / N \le D_{max}

    The thresholds are chosen on the clips on which they are evaluated, see `best_f_score`.

    Parameters
    ----------
    max_insertion_rate, max_deletion_rate : float or None, default None
        Only thresholds with at most these rates are chosen. None sets no limit.

    Returns
    -------
    ErrorRateResult
        As `error_rate` at the best thresholds; its `thresholds` can be stored and applied
        elsewhere.

    Notes
    -----
    A threshold lies halfway between two scores at which counts change. Of equally good ones it is
    the highest. It is never worse than 1, where nothing is detected, unless a limit forbids that.

    Undefined cases:

    ====================================  ==================================================
    no threshold meets the constraints    the threshold ``inf`` is taken, where nothing is
                                          detected, and a note names the class
    ====================================  ==================================================

    For others see `error_rate`.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.25], [0.75], [0.5]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Segment(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> best = stats.best_error_rate()
    >>> best.macro.error_rate, dict(best.thresholds)
    (0.0, {'Dog': 0.625})
    """
    limits = (
        _limit("max_insertion_rate", max_insertion_rate),
        _limit("max_deletion_rate", max_deletion_rate),
    )
    thresholds = {}
    for name, counts in self.items():
        _, thresholds[name] = checked(
            _core.best_error_rate,
            counts.thresholds,
            counts.tps,
            counts.fps,
            counts.n_ref,
            *limits,
        )
    return _result(self, thresholds, best=True, limits=limits)


def _result(
    stats: Statistics,
    thresholds: Mapping[str, float],
    *,
    best: bool = False,
    limits: tuple[float | None, float | None] = (None, None),
) -> ErrorRateResult:
    per_class = {}
    sums = np.zeros(3, dtype=np.int64)
    unmet = []
    for name, counts in stats.items():
        at = counts.at(thresholds[name])
        sums += (at.tps, at.fps, at.n_ref)
        rate = _at_point(at.tps, at.fps, at.n_ref)
        per_class[name] = ClassErrorRate(*_rates(rate), thresholds[name], at.tps, at.fps, at.n_ref)
        parts = (rate.insertion_rate, rate.deletion_rate)
        if any(
            limit is not None and part > limit for part, limit in zip(parts, limits, strict=True)
        ):
            unmet.append(name)
    notes = list(stats.notes)
    if unmet:
        notes.append(
            f"no threshold has {_limits_in_words(*limits)} for "
            f"{counted(len(unmet), 'class')}: {listed(unmet)}"
        )
    return ErrorRateResult(
        macro=ErrorRate(*map(mean, zip(*map(_rates, per_class.values()), strict=True))),
        micro=_at_point(*sums.tolist()),
        per_class=per_class,
        best=best,
        max_insertion_rate=limits[0],
        max_deletion_rate=limits[1],
        criterion=stats.criterion,
        n_clips=stats.n_clips,
        excluded_classes=stats.excluded_classes,
        notes=tuple(notes),
    )


def _at_point(tps: int, fps: int, n_ref: int) -> ErrorRate:
    """Return the rates of one point, computed as those of curves are."""
    arrays = checked(
        _core.error_rate_curve,
        np.array([tps], dtype=np.int64),
        np.array([fps], dtype=np.int64),
        n_ref,
    )
    return ErrorRate(*(float(array[0]) for array in arrays))


def _rates(rate: ErrorRate | ClassErrorRate) -> tuple[float, float, float]:
    return rate.error_rate, rate.insertion_rate, rate.deletion_rate


def _limit(name: str, value: float | None) -> float | None:
    return None if value is None else non_negative(name, value)


def _limits_in_words(max_insertion_rate: float | None, max_deletion_rate: float | None) -> str:
    limits = (("an insertion", max_insertion_rate), ("a deletion", max_deletion_rate))
    return " and ".join(
        f"{name} rate of {display.number(limit)} or less"
        for name, limit in limits
        if limit is not None
    )
