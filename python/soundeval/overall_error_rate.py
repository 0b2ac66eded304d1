"""Error rate over all classes, in which a false detection can stand in for a missed target."""

from __future__ import annotations

import math
from dataclasses import dataclass

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
