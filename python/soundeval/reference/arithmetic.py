"""Rounding and adding, in ways that do not depend on the version of Python."""

from __future__ import annotations

from collections.abc import Sequence


def rounded(seconds: float, decimals: int) -> float:
    """Round one number as ``numpy.round`` does: scale, round half to even, scale back.

    This is not Python's ``round(seconds, decimals)``, which rounds the exact decimal value.

    Examples
    --------
    >>> rounded(0.1 + 0.2, 6)
    0.3
    >>> rounded(0.15, 1), round(0.15, 1)
    (0.2, 0.1)
    """
    scale = 1.0
    for _ in range(decimals):
        scale *= 10.0
    return round(seconds * scale) / scale


def add_up(values: Sequence[float]) -> float:
    """Add floats from left to right, which the built-in ``sum`` does only before Python 3.12.

    Examples
    --------
    >>> add_up([0.1, 0.2, 0.3])
    0.6000000000000001
    """
    total = 0.0
    for value in values:
        total += value
    return total


def mean(values: Sequence[float]) -> float:
    """Return the plain mean, NaN if one of the values is NaN.

    Examples
    --------
    >>> mean([0.5, 1.0])
    0.75
    """
    return add_up(values) / len(values)
