"""The command ``soundeval`` (``pip install "soundeval[cli]"``).

``soundeval evaluate`` reads scores, a ground truth and a duration table and prints tables of
metrics; ``soundeval demo`` does so with the example data set; ``soundeval metrics`` lists what can
be computed. Click and rich are imported when the command runs, so that a missing one is a sentence
and not a traceback.

Exit codes: 0 done; 1 a package is missing; 2 the arguments or the data cannot be used; 130
interrupted.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]

_OPTIONAL = ("click", "rich")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments after the name of the command; by default those of the process.

    Returns
    -------
    int
        The exit code. Nothing is raised for bad arguments or bad data: one sentence goes to
        standard error.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    soundeval ...
    0
    """
    try:
        from soundeval.cli.app import run
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _OPTIONAL:
            raise
        print(
            f"The command line needs the package {package}: "
            'pip install "soundeval[cli]" installs all that it uses.',
            file=sys.stderr,
        )
        return 1
    return run(sys.argv[1:] if argv is None else list(argv))
