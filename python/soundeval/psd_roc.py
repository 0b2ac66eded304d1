r"""The PSD-ROC curve: how many reference events are found at how many effective false positives.

Per class and operating point, with counts from `Statistics`:

.. math::

    \text{TPR} = \frac{TP}{N}, \qquad
    \text{eFPR} = \frac{FP}{T} + \alpha_{CT} \cdot
        \frac{1}{C - 1} \sum_{o \ne c} \frac{CT_{c,o}}{T_o}

N is the number of reference events of the class, T the duration of all audio, :math:`T_o` the
duration of all reference events of class o, both in the unit of time (Bilen et al. 2020). Over
classes the curve is :math:`\mu - \alpha_{ST} \sigma` of the class curves, at least 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from soundeval.checks import choice, fraction, non_negative, positive
from soundeval.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PSDROC", "ClassPSDROC"]

SECONDS_PER_UNIT = {"second": 1.0, "minute": 60.0, "hour": 3600.0}


@dataclass(frozen=True, slots=True, eq=False)
class ClassPSDROC:
    """PSD-ROC of one class; a staircase that holds each value up to the next point.

    Attributes
    ----------
    tpr : float64 ndarray of shape (n_points,)
        True positive rate.
    efpr : float64 ndarray of shape (n_points,)
        Effective false positive rate per unit of time, strictly increasing.
    thresholds : float64 ndarray of shape (n_points,)
        Element i belongs to all decision thresholds just below ``thresholds[i]``: frames with a
        score of at least that much are active. ``inf`` means that nothing is detected.
    """

    tpr: NDArray[np.float64]
    efpr: NDArray[np.float64]
    thresholds: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PSDROC:
    """PSD-ROC over all classes, and of each class.

    Attributes
    ----------
    etpr : float64 ndarray of shape (n_points,)
        Effective true positive rate: mean of the classes' rates minus `alpha_st` standard
        deviations (population), at least 0.
    efpr : float64 ndarray of shape (n_points,)
        Effective false positive rate per unit of time. If `max_efpr` is given it is the last point.
    per_class : dict of str to ClassPSDROC
        Curve of every class.
    max_efpr : float or None
        Where the curves are cut.
    unit_of_time : {"second", "minute", "hour"}
        What rates are per.
    alpha_ct, alpha_st : float
        Weights of cross triggers and of the spread over classes.
    oracle : bool
        Whether the curves are monotone envelopes.

    See Also
    --------
    Statistics.psd_roc : Makes it.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.2], [0.9], [0.4]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Intersection(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> roc = stats.psd_roc({"a": 36.0}, max_efpr=None)
    >>> roc.per_class["Dog"].thresholds
    array([0.9])
    >>> roc.per_class["Dog"].tpr, roc.per_class["Dog"].efpr
    (array([1.]), array([0.]))
    """

    etpr: NDArray[np.float64]
    efpr: NDArray[np.float64]
    per_class: dict[str, ClassPSDROC]
    max_efpr: float | None
    unit_of_time: Literal["second", "minute", "hour"]
    alpha_ct: float
    alpha_st: float
    oracle: bool


@dataclass(frozen=True, slots=True)
class CurveArguments:
    """Arguments of a PSD-ROC, checked once for `psds` and `Statistics.psd_roc`."""

    alpha_ct: float
    alpha_st: float
    unit_of_time: Literal["second", "minute", "hour"]
    max_efpr: float | None
    oracle: bool = True

    def __post_init__(self) -> None:
        """Check and normalise."""
        set_field = object.__setattr__
        set_field(self, "alpha_ct", fraction("alpha_ct", self.alpha_ct))
        set_field(self, "alpha_st", non_negative("alpha_st", self.alpha_st))
        choice("unit_of_time", self.unit_of_time, tuple(SECONDS_PER_UNIT))
        if self.max_efpr is not None:
            set_field(self, "max_efpr", positive("max_efpr", self.max_efpr))
        if not isinstance(self.oracle, bool):
            raise TypeError(f"oracle must be True or False, got {type(self.oracle).__name__}")

    def check_cross_triggers(self, cttc_threshold: float | None) -> None:
        """Raise if cross triggers are to be weighted but were not counted."""
        if self.alpha_ct != 0.0 and cttc_threshold is None:
            raise InputError(
                f"alpha_ct={self.alpha_ct} weights cross triggers, but no cttc_threshold says what "
                "one is: pass cttc_threshold (0.3 in DCASE) or alpha_ct=0"
            )

    def check_weight_of_cross_triggers(self, cttc_threshold: float | None) -> None:
        """Raise if cross triggers would be counted for nothing."""
        if self.alpha_ct == 0.0 and cttc_threshold is not None:
            raise InputError(
                f"cttc_threshold={cttc_threshold} counts cross triggers, but alpha_ct=0 gives them "
                "no weight: pass cttc_threshold=None, or alpha_ct above 0 (0.5 in DCASE)"
            )

    @property
    def seconds_per_unit(self) -> float:
        """Seconds in the unit of time."""
        return SECONDS_PER_UNIT[self.unit_of_time]

    def required_max_efpr(self) -> float:
        """Return `max_efpr`, or raise if there is none: an area needs an end."""
        if self.max_efpr is None:
            raise InputError(
                "max_efpr=None leaves the area under the curve without an end: pass a number for a "
                "PSDS"
            )
        return self.max_efpr
