"""The one thread setting of the package."""

from __future__ import annotations

from soundeval import _core
from soundeval.checks import whole_number
from soundeval.errors import checked

__all__ = ["set_num_threads"]


def set_num_threads(n: int) -> None:
    """Set how many threads computations use, in this process and from now on.

    Results do not depend on it: they are equal to the last bit for any number of threads.

    Parameters
    ----------
    n : int
        Number of threads, at least 1. Before the first call it is what the environment variable
        ``SOUNDEVAL_NUM_THREADS`` says, and without that variable the number of available cores.

    Raises
    ------
    InputError
        If `n` is less than 1 or more than 1024.

    Examples
    --------
    >>> import soundeval as se
    >>> se.set_num_threads(2)
    """
    checked(_core.set_num_threads, whole_number("n", n, low=1, high=1024))
