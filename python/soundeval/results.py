"""What results have in common: what they are about, and flat dicts of them that JSON can hold."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from soundeval.criteria import criterion_as_dict

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from soundeval.criteria import Criterion

FlatValue: TypeAlias = float | int | str | bool | list[str] | None
FlatDict: TypeAlias = dict[str, FlatValue]

_Arrays = TypeVar("_Arrays", bound="tuple[NDArray[np.float64], ...]")


class Result(Protocol):
    """What every result says about its origin."""

    @property
    def criterion(self) -> Criterion:
        """When a detection counts."""

    @property
    def n_clips(self) -> int:
        """Number of evaluated clips."""

    @property
    def excluded_classes(self) -> tuple[str, ...]:
        """Score columns that were left out because they have no target."""

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for everything that is not as usual."""


def origin_entries(result: Result) -> FlatDict:
    """Return the entries with which the flat dict of every result ends."""
    return {
        **criterion_as_dict(result.criterion),
        "n_clips": result.n_clips,
        "excluded_classes": list(result.excluded_classes),
        "notes": list(result.notes),
    }


def flat_dict(result: object) -> FlatDict:
    """Return the flat dict of any result, also of one that is but a few numbers."""
    if hasattr(result, "to_dict"):
        flat: FlatDict = result.to_dict()
        return flat
    numbers = {field.name: getattr(result, field.name) for field in fields(result)}  # type: ignore[arg-type]
    return {name: json_number(value) for name, value in numbers.items()}


def json_number(value: float) -> float | str | None:
    """Return a number as JSON can hold it: NaN as None, infinity as text.

    Examples
    --------
    >>> import math
    >>> json_number(0.5), json_number(math.nan), json_number(math.inf)
    (0.5, None, 'inf')
    """
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value)


def mean(values: Iterable[float]) -> float:
    """Return the plain mean, correctly summed, so that the order of classes does not matter."""
    values = list(values)
    return math.fsum(values) / len(values)


def read_only(arrays: _Arrays) -> _Arrays:
    """Return the arrays, no longer writeable: results are values."""
    for array in arrays:
        array.flags.writeable = False
    return arrays
