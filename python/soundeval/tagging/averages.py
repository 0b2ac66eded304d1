"""From a number for each class to one number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from soundeval.checks import choice
from soundeval.errors import InputError
from soundeval.names import counted, listed
from soundeval.results import mean

Average: TypeAlias = Literal["macro", "micro", "weighted", "samples"] | None
NoPositive: TypeAlias = Literal["nan", "zero", "error"]
UnlabeledClips: TypeAlias = Literal["nan", "zero", "one", "error"]

Floats: TypeAlias = NDArray[np.float64]


def check_average(average: object, allowed: tuple[str | None, ...]) -> None:
    """Raise an error unless the function knows this average."""
    if average not in allowed:
        words = ", ".join(map(repr, allowed))
        raise InputError(f"average must be one of {words}, got {average!r}")


def undefined_as(
    values: Floats, policy: str, *, what: str, names: Sequence[str], allowed: tuple[str, ...]
) -> Floats:
    """Return values with NaN as the policy wants it."""
    choice(f"a policy for {what}", policy, allowed)
    undefined = np.isnan(values)
    if policy == "nan" or not undefined.any():
        return values
    if policy == "error":
        missing = [names[int(i)] for i in np.flatnonzero(undefined)]
        raise InputError(
            f"{counted(len(missing), 'result')} of {what} cannot be computed: {listed(missing)}"
        )
    return np.where(undefined, {"zero": 0.0, "one": 1.0}[policy], values)


def over_classes(values: Floats, average: Average, positives: Floats) -> float | Floats:
    """Return values of classes as they are, or their plain or weighted mean."""
    if average is None:
        return values
    return weighted(values, positives) if average == "weighted" else macro(values)


def over_clips(values: Floats, weights: Floats | None) -> float:
    """Return the mean over clips, which may have weights."""
    return macro(values) if weights is None else weighted(values, weights)


def macro(values: Floats) -> float:
    """Return the mean of the values that are defined, NaN if none is."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return math.nan
    infinite = defined[np.isinf(defined)]
    if len(infinite):
        # Infinite d-primes: one sign outweighs all that is finite, both have no mean.
        return float(infinite[0]) if (infinite == infinite[0]).all() else math.nan
    return mean(defined.tolist())


def weighted(values: Floats, weights: Floats) -> float:
    """Return the mean weighted by positives; what is undefined has no positives."""
    counts = (weights > 0) & ~np.isnan(values)
    if not counts.any():
        return math.nan
    products = (values[counts] * weights[counts]).tolist()
    return math.fsum(products) / math.fsum(weights[counts].tolist())
