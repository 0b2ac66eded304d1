"""Error rate over all classes, in which a false detection can stand in for a missed target."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from soundeval.errors import InputError, checked
from soundeval.results import FlatDict, json_number
from soundeval.thresholds import thresholds_by_class

if TYPE_CHECKING:
    from soundeval.statistics import Statistics
    from soundeval.typing import ThresholdInput

__all__ = ["OverallErrorRate"]


@dataclass(frozen=True, slots=True)
class OverallErrorRate:
    """Error rate over all classes, with substitutions.

    Attributes
    ----------
    error_rate : float
        Sum of the three rates, 0 or more; NaN without targets.
    substitution_rate, deletion_rate, insertion_rate : float
        Counts per target.
    substitutions : int
        Missed targets in whose place something of another class was detected.
    deletions : int
        Other missed targets.
    insertions : int
        Other false detections.
    n_ref : int
        Targets of all classes.
    """

    error_rate: float
    substitution_rate: float
    deletion_rate: float
    insertion_rate: float
    substitutions: int
    deletions: int
    insertions: int
    n_ref: int

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold, with None for NaN.

        Returns
        -------
        dict
            Every attribute by its name.
        """
        return {field.name: json_number(getattr(self, field.name)) for field in fields(self)}


def overall_error_rate_of(
    substitutions: int, deletions: int, insertions: int, n_ref: int
) -> OverallErrorRate:
    """Return the rates of counts."""
    rates = [
        count / n_ref if n_ref else math.nan for count in (substitutions, deletions, insertions)
    ]
    return OverallErrorRate(
        error_rate=rates[0] + rates[1] + rates[2],
        substitution_rate=rates[0],
        deletion_rate=rates[1],
        insertion_rate=rates[2],
        substitutions=substitutions,
        deletions=deletions,
        insertions=insertions,
        n_ref=n_ref,
    )


def overall_error_rate(self: Statistics, threshold: ThresholdInput) -> OverallErrorRate:
    r"""Return the error rate over all classes of segments or clips, with substitutions.

    In unit k, of whose classes :math:`N_k` are there, :math:`M_k` are detected and :math:`TP_k`
    both:

    .. math::

        S_k = \min(N_k, M_k) - TP_k, \quad D_k = \max(0, N_k - M_k), \quad
        I_k = \max(0, M_k - N_k), \qquad
        \text{ER} = \frac{\sum_k S_k + D_k + I_k}{\sum_k N_k}

    (Mesaros et al. 2016). A class that is missed and another that is detected in its place are one
    error here, where `error_rate` counts two.

    Parameters
    ----------
    threshold : float or mapping of str to float
        Decision threshold for all classes, or of each class. Frames with a score greater than it
        are active.

    Returns
    -------
    OverallErrorRate
        The rate, its three parts, and their counts.

    Raises
    ------
    InputError
        If the criterion is event-based: what stands in for what is then a question of matching,
        see `match`. If thresholds are missing or NaN, or name what is no evaluated class.

    Notes
    -----
    Only evaluated classes take part. The rate is 1 where nothing is detected, and has no upper
    limit.

    See Also
    --------
    error_rate : Class by class, and without substitutions.
    Matches.overall_error_rate : Of lists of events.

    References
    ----------
    A. Mesaros, T. Heittola, T. Virtanen, "Metrics for polyphonic sound event detection", Applied
    Sciences 6(6), 2016. https://doi.org/10.3390/app6060162

    Examples
    --------
    A dog is taken for a cat in the first second, and missed in the second:

    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.2, 0.9], [0.1, 0.1], [0.1, 0.8]])},
    ...     {"a": [(0.0, 2.0, "Dog"), (2.0, 3.0, "Cat")]},
    ...     se.Segment(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog", "Cat"],
    ... )
    >>> rate = stats.overall_error_rate(0.5)
    >>> rate.substitutions, rate.deletions, rate.insertions, rate.n_ref
    (1, 1, 0, 3)
    """
    thresholds = thresholds_by_class(threshold, self.event_classes, self.excluded_classes)
    indices = list(self._indices.values())
    errors = checked(self._store.overall_errors, indices, [thresholds[name] for name in self])
    if errors is None:
        raise InputError(
            f"substitutions are counted in segments or clips, and {type(self.criterion).__name__} "
            "compares events: make the statistics with Segment or Clip, or use "
            "match(...).overall_error_rate() on lists of events"
        )
    return overall_error_rate_of(*errors)
