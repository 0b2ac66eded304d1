"""What the command line prints: a table, what its numbers mean, and what was left out."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from soundeval.cli.evaluation import Evaluation
from soundeval.cli.metrics import METRICS, in_words
from soundeval.display import audio_length
from soundeval.names import counted

_TEXT_WIDTH = 96


def print_report(evaluation: Evaluation, *, written: Sequence[Path] = ()) -> None:
    """Print a result to standard output; colours and bold only on a terminal.

    Parameters
    ----------
    evaluation : Evaluation
        What to print.
    written : sequence of pathlib.Path
        Files that were written, which are named at the end.
    """
    console = Console(file=sys.stdout, highlight=False, soft_wrap=False)
    if not console.is_terminal:
        # A file or a pipe has no width: never cut a class name to fit one.
        console = Console(file=sys.stdout, highlight=False, width=1000, color_system=None)
    width = min(console.width, _TEXT_WIDTH)
    console.print(_heading(evaluation), style="bold")
    console.print()
    console.print(_table(evaluation))
    for first, *sentences in _explanations(evaluation):
        console.print()
        console.print(Text(first), style="bold")
        for sentence in sentences:
            console.print(_wrapped(sentence, width, "  "), style="dim")
    if evaluation.notes or written:
        console.print()
    for note in evaluation.notes:
        console.print(_wrapped(f"Note: {note}", width), style="yellow")
    for path in written:
        console.print(Text(f"Wrote {path}"), soft_wrap=True)


def _wrapped(text: str, width: int, indent: str = "") -> Text:
    """Break a sentence into lines. What cannot be broken, as a path, is left whole."""
    lines = textwrap.fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return Text(lines)


def _heading(evaluation: Evaluation) -> Text:
    """Say how much was evaluated."""
    first, n_events = evaluation.first, evaluation.n_events
    return Text(
        f"{counted(first.n_clips, 'clip')}, {audio_length(first.dataset_duration)} of audio, "
        f"{counted(len(n_events), 'class')}, {counted(sum(n_events.values()), 'event')}"
    )


def _table(evaluation: Evaluation) -> Table:
    """Make one column per metric: the overall value first, then every class."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("", overflow="fold")
    table.add_column("Events", justify="right", no_wrap=True)
    for name in evaluation.results:
        table.add_column(METRICS[name].heading, justify="right", no_wrap=True)
    results = list(evaluation.results.values())
    total = str(sum(evaluation.n_events.values()))
    table.add_row(
        "Overall", total, *(f"{r.value:.4f}" for r in results), style="bold", end_section=True
    )
    for name, n_events in evaluation.n_events.items():
        values = (f"{result.per_class[name]:.4f}" for result in results)
        table.add_row(Text(name), str(n_events), *values)
    return table


def _explanations(evaluation: Evaluation) -> Iterator[list[str]]:
    """Yield what a reader needs to know to quote the numbers: a title, then sentences."""
    for name, result in evaluation.results.items():
        yield in_words(name, result)
    yield [
        "All metrics",
        "Exact: every score at which a count changes is used as a decision threshold.",
        "The value of a class is the area under its own curve.",
    ]
