"""A progress bar for reading many files, shown only where somebody can see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Fewer files are read before a bar could be drawn.
_MIN_FILES = 200


def _wanted(progress: bool | None, total: int) -> bool:
    if progress is False:
        return False
    # Looked up here: importing rich costs more than importing the whole package.
    from importlib.util import find_spec

    installed = find_spec("rich") is not None
    if progress is None:
        return total >= _MIN_FILES and sys.stderr.isatty() and installed
    if not installed:
        raise ImportError("progress=True needs the package 'rich': pip install rich")
    return True


@contextmanager
def progress_bar(
    description: str, total: int, progress: bool | None
) -> Iterator[Callable[[int], None]]:
    """Yield a function that moves the bar by a number of files; it does nothing without a bar.

    Parameters
    ----------
    description : str
        Text before the bar.
    total : int
        Number of files.
    progress : bool or None
        None shows a bar for many files if stderr is a terminal and rich is installed; True and
        False decide it.
    """
    if not _wanted(progress, total):
        yield lambda files: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda files: bar.advance(task, files)
