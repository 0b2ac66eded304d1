"""Files written by the command line: complete or not there at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

from soundeval.cli.evaluation import Evaluation
from soundeval.cli.metrics import METRICS

PLOT_SUFFIXES = (".png", ".pdf", ".svg")


def check_destination(path: Path | None, *, plot: bool = False) -> None:
    """Refuse what could not be written later, before anything is computed.

    Parameters
    ----------
    path : pathlib.Path or None
        The file to be written; None is fine.
    plot : bool, default False
        Whether the file is a plot, which needs matplotlib and a known suffix.

    Raises
    ------
    click.ClickException
        If the folder does not exist, the suffix is unknown or matplotlib is missing.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise click.ClickException(f"cannot write {path}: there is no folder {path.parent}")
    if plot and path.suffix.lower() not in PLOT_SUFFIXES:
        raise click.ClickException(
            f"cannot draw {path}: expected a name that ends in {', '.join(PLOT_SUFFIXES)}"
        )
    if plot and find_spec("matplotlib") is None:
        raise click.ClickException(
            'plots need the package matplotlib: pip install "soundeval[plot]" installs it'
        )


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a temporary name beside a file, and move it there once the block has ended well.

    A reader never sees half a file, and an earlier file survives a failure.
    """
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, evaluation: Evaluation) -> None:
    """Write the results as strict JSON (no NaN, no Infinity)."""
    text = json.dumps(evaluation.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
    with _replacing(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def write_plot(path: Path, evaluation: Evaluation) -> None:
    """Draw the PSD-ROC of every metric, one panel each."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from soundeval.plot import plot_psd_roc

    # A Figure of its own, not one of pyplot's: no window system is looked for.
    n = len(evaluation.results)
    columns = min(n, 2)
    rows = -(-n // columns)
    # Text stays text in vector files, so that it can be searched and edited.
    with rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
        figure = Figure(figsize=(5.9 * columns, 3.8 * rows), layout="constrained")
        for i, (name, result) in enumerate(evaluation.results.items()):
            plot_psd_roc(result, ax=figure.add_subplot(rows, columns, i + 1), title=_title(name))
        with _replacing(path) as temporary:
            figure.savefig(temporary, dpi=200)


def _title(name: str) -> str:
    """Name a panel after its metric."""
    return METRICS[name].heading
