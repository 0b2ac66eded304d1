"""Files written by the command line: complete or not there at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

import soundeval as se
from soundeval.cli.evaluation import Report
from soundeval.cli.words import label

PLOT_SUFFIXES = (".png", ".pdf", ".svg")

# Where the name of a metric goes if thresholds of several are written.
_PLACE = "{metric}"


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


def check_plot(path: Path | None, metrics: Mapping[str, se.Metric]) -> None:
    """Refuse a plot if no metric has a PSD-ROC to draw."""
    # Those that need durations count false positives per unit of time: they have one.
    if path is not None and not any(metric.needs_durations for metric in metrics.values()):
        raise click.ClickException(
            f"--plot draws PSD-ROCs, and {', '.join(metrics)} {_have(metrics)} none: leave it out, "
            "or add --metric psds1"
        )


def threshold_files(path: Path | None, metrics: Mapping[str, se.Metric]) -> dict[str, Path]:
    """Return where the thresholds of each metric go, or refuse before anything is computed."""
    if path is None:
        return {}
    best = [name for name, metric in metrics.items() if metric.chooses_thresholds]
    if not best:
        raise click.ClickException(
            f"--save-thresholds writes best thresholds, and {', '.join(metrics)} {_have(metrics)} "
            "none: add a metric as collar-best-f1"
        )
    if len(best) > 1 and _PLACE not in path.name:
        example = f"{path.stem}-{_PLACE}{path.suffix}"
        raise click.ClickException(
            f"thresholds of {', '.join(best)} cannot go into one file: write {_PLACE} where the "
            f"name of the metric belongs, as --save-thresholds {example}"
        )
    # What a name of the user's own may hold is not always good for a file.
    return {
        name: path.with_name(path.name.replace(_PLACE, name.replace("/", "_").replace("\\", "_")))
        for name in best
    }


def _have(metrics: Mapping[str, se.Metric]) -> str:
    return "has" if len(metrics) == 1 else "have"


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


def write_json(path: Path, report: Report) -> None:
    """Write the results as strict JSON (no NaN, no Infinity)."""
    write_json_values(path, report.to_dict())


def write_json_values(path: Path, values: Mapping[str, object]) -> None:
    """Write values as strict JSON."""
    text = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
    with _replacing(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a TSV file; numbers are read back as they were."""
    with _replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for row in (columns, *rows):
            file.write("\t".join(map(str, row)) + "\n")


def write_thresholds(path: Path, name: str, report: Report) -> None:
    """Write the best thresholds of a metric, to be applied with ``@file.json``."""
    result = report.evaluation[name]
    assert isinstance(result, (se.FScoreResult, se.ErrorRateResult))
    with _replacing(path) as temporary:
        result.thresholds.to_json(temporary)


def write_plot(path: Path, report: Report) -> None:
    """Draw the PSD-ROC of every metric that has one, one panel each."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from soundeval.plot import plot_psd_roc

    results = [
        (label(name, report.evaluation.metrics[name]), result)
        for name, result in report.evaluation.items()
        if isinstance(result, se.PSDSResult)
    ]
    # A Figure of its own, not one of pyplot's: no window system is looked for.
    columns = min(len(results), 2)
    rows = -(-len(results) // columns)
    # Text stays text in vector files, so that it can be searched and edited.
    with rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
        figure = Figure(figsize=(5.9 * columns, 3.8 * rows), layout="constrained")
        for i, (name, result) in enumerate(results):
            plot_psd_roc(result, ax=figure.add_subplot(rows, columns, i + 1), title=name)
        with _replacing(path) as temporary:
            figure.savefig(temporary, dpi=200)
