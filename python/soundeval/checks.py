"""Checks of single arguments, so that every function words the same mistake the same way."""

from __future__ import annotations

import math
import os
from numbers import Integral, Real
from typing import TypeVar

from soundeval.errors import InputError

_C = TypeVar("_C", bound=str)


def real_number(name: str, value: object) -> float:
    """Return `value` as a float; a bool is refused, it is nearly always a slipped argument."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    number = float(value)
    if math.isnan(number):
        raise InputError(f"{name} must be a number, got nan")
    return number


def fraction(name: str, value: object) -> float:
    """Return `value` as a float between 0 and 1, both included."""
    number = real_number(name, value)
    if not 0.0 <= number <= 1.0:
        raise InputError(f"{name} must be between 0 and 1, got {number}")
    return number


def positive_fraction(name: str, value: object) -> float:
    """Return `value` as a float above 0, and 1 at most."""
    number = real_number(name, value)
    if not 0.0 < number <= 1.0:
        raise InputError(f"{name} must be greater than 0 and at most 1, got {number}")
    return number


def non_negative(name: str, value: object) -> float:
    """Return `value` as a finite float that is 0 or more."""
    number = real_number(name, value)
    if not 0.0 <= number < math.inf:
        raise InputError(f"{name} must be finite and 0 or more, got {number}")
    return number


def positive(name: str, value: object) -> float:
    """Return `value` as a finite float above 0."""
    number = real_number(name, value)
    if not 0.0 < number < math.inf:
        raise InputError(f"{name} must be finite and greater than 0, got {number}")
    return number


def whole_number(name: str, value: object, *, low: int, high: int) -> int:
    """Return `value` as an int from `low` to `high`, both included."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, got {type(value).__name__}")
    number = int(value)
    if not low <= number <= high:
        raise InputError(f"{name} must be between {low} and {high}, got {number}")
    return number


def choice(name: str, value: _C, allowed: tuple[str, ...]) -> _C:
    """Return `value` if it is one of the words that `name` accepts."""
    if not isinstance(value, str) or value not in allowed:
        words = ", ".join(map(repr, allowed))
        raise InputError(f"{name} must be one of {words}, got {value!r}")
    return value


def existing_path(path: str | os.PathLike[str]) -> str:
    """Return the path as text; a missing file is a FileNotFoundError that names it."""
    name = os.fspath(path)
    os.stat(name)
    return name
