"""What is raised or warned about when user input is wrong.

Wrong *content* (an unknown label, a missing clip, a NaN) raises `InputError`, which is a
`ValueError`; a wrong *kind* of argument (a number where a table belongs) raises `TypeError`. Input
that can be used but is probably not what was meant is used as it stands, with an `InputWarning`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["InputError", "InputWarning"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


class InputError(ValueError):
    """Input that cannot be evaluated, with a sentence that says where, why and what to try.

    Examples
    --------
    >>> import soundeval as se
    >>> se.Intersection(dtc_threshold=1.5)
    Traceback (most recent call last):
    ...
    soundeval.errors.InputError: dtc_threshold must be between 0 and 1, got 1.5
    """


class InputWarning(UserWarning):
    """Input that was used as it stands but is probably not what was meant."""


def checked(function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Call a function of the compiled core and raise its ValueErrors as InputErrors.

    Files that cannot be opened stay OSErrors: the input may be fine.
    """
    try:
        return function(*args, **kwargs)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def warn(message: str) -> None:
    """Issue an `InputWarning` that points at the first line outside this package."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
        level += 1
    warnings.warn(message, InputWarning, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module == "soundeval" or module.startswith("soundeval.")
