"""The result of a PSDS: the number, what it is made of, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from soundeval import display

if TYPE_CHECKING:
    from soundeval.criteria import Intersection
    from soundeval.psd_roc import PSDROC

__all__ = ["PSDSResult"]


@dataclass(frozen=True, slots=True, repr=False)
class PSDSResult:
    """Polyphonic sound detection score.

    Attributes
    ----------
    value : float
        PSDS over all classes, between 0 and 1. It is not the mean of `per_class` if `alpha_st` is
        above 0. ``float(result)`` gives it too.
    per_class : dict of str to float
        PSDS of every class alone, in column order.
    curve : PSDROC
        The curve under which `value` is the area, and those of the classes.
    criterion : Intersection
        When a detection counts.
    alpha_ct, alpha_st : float
        Weights of cross triggers and of the spread over classes.
    unit_of_time : {"second", "minute", "hour"}
        What false positive rates are per.
    max_efpr : float
        Effective false positive rate up to which the area is taken.
    oracle : bool
        Whether the curves are monotone envelopes.
    n_clips : int
        Number of evaluated clips.
    dataset_duration : float
        Their duration in seconds.
    excluded_classes : tuple of str
        Score columns that were left out because they have no reference event.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> result = se.psds(
    ...     {"a": np.array([[0.2], [0.9], [0.4]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     {"a": 3.0},
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ...     **se.scenarios.PSDS1,
    ... )
    >>> result
    PSDS 1.0000
    DTC 0.7, GTC 0.7, no cross triggers; alpha_ct 0, alpha_st 1; up to 100 false positives per hour
    1 clip, 3 s of audio
      Dog  1.0000
    >>> result.to_dict()["psds/Dog"]
    1.0
    """

    value: float
    per_class: dict[str, float] = field(hash=False)
    # Curves are arrays, which do not compare to one truth value; equal numbers of equal settings
    # will do.
    curve: PSDROC = field(compare=False)
    criterion: Intersection
    alpha_ct: float
    alpha_st: float
    unit_of_time: Literal["second", "minute", "hour"]
    max_efpr: float
    oracle: bool
    n_clips: int
    dataset_duration: float
    excluded_classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __float__(self) -> float:
        """Return the PSDS."""
        return self.value

    def to_dict(self) -> dict[str, float | int | str | bool | list[str] | None]:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            ``"psds"`` and ``"psds/<class>"``, then the parameters, ``"n_clips"``,
            ``"dataset_duration"`` in seconds, and the lists ``"excluded_classes"`` and ``"notes"``.
            All numbers are finite.
        """
        return {
            "psds": self.value,
            **{f"psds/{name}": value for name, value in self.per_class.items()},
            "dtc_threshold": self.criterion.dtc_threshold,
            "gtc_threshold": self.criterion.gtc_threshold,
            "cttc_threshold": self.criterion.cttc_threshold,
            "time_decimals": self.criterion.time_decimals,
            "alpha_ct": self.alpha_ct,
            "alpha_st": self.alpha_st,
            "unit_of_time": self.unit_of_time,
            "max_efpr": self.max_efpr,
            "oracle": self.oracle,
            "n_clips": self.n_clips,
            "dataset_duration": self.dataset_duration,
            "excluded_classes": list(self.excluded_classes),
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        """Return the score, the parameters in words and the classes."""
        return display.psds_as_text(self)

    def _repr_html_(self) -> str:
        """Return the same as a table with bars, for notebooks."""
        return display.psds_as_html(self)
