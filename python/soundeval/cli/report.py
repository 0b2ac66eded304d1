"""What the command line prints: tables, what their numbers mean, and what was left out.

Metrics with one number per class share a table with a column for each. Those with several (an
F-score has precision, recall and a threshold) have a table of their own, in which the worst classes
come first.
"""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

import soundeval as se
from soundeval import display
from soundeval.cli.evaluation import Report
from soundeval.cli.words import in_words, label
from soundeval.display import headline, how_much, number
from soundeval.names import counted

# The order of the classes in tables; "scores" is that of the columns of the scores.
Order: TypeAlias = Literal["scores", "worst", "name"]

_TEXT_WIDTH = 96

# What targets are called, by criterion.
_TARGETS = {"Segment": "Segments", "Clip": "Clips"}
_EXTRA_HEADINGS = {"threshold": "Threshold", "tps": "TP", "fps": "FP", "fns": "FN"}
_HEADINGS = {
    "error_rate": "ER",
    "substitution_rate": "Substitutions",
    "insertion_rate": "Insertions",
    "deletion_rate": "Deletions",
    "sensitivity": "Sens.",
    "specificity": "Spec.",
    "balanced_accuracy": "Balanced",
}


def print_report(
    report: Report, *, order: Order | None = None, written: Sequence[Path] = ()
) -> None:
    """Print a result to standard output; colours and bold only on a terminal.

    Parameters
    ----------
    report : Report
        What to print.
    order : {"scores", "worst", "name"}, optional
        Order of the classes. Default: that of the scores in the joint table, the worst first in
        tables of one metric.
    written : sequence of pathlib.Path
        Files that were written, which are named at the end.
    """
    evaluation = report.evaluation
    console = terminal()
    width = min(console.width, _TEXT_WIDTH)
    console.print(Text(how_much(evaluation)), style="bold")
    joint = [name for name in evaluation if _has_one_number(evaluation, name)]
    for names in _in_blocks(evaluation, joint, console.width):
        console.print()
        console.print(_joint_table(evaluation, names, order or "scores"))
    for name in evaluation:
        if name not in joint:
            console.print()
            console.print(_own_title(evaluation, name, order or "worst"), style="bold")
            if evaluation.per_class(name):
                console.print(_own_table(evaluation, name, order or "worst"))
            else:
                console.print(_table_over_classes(evaluation, name))
            console.print()
            for sentence in in_words(name, evaluation.metrics[name])[1:]:
                console.print(_wrapped(sentence, width, "  "), style="dim")
    for name in joint:
        console.print()
        _print_sentences(console, in_words(name, evaluation.metrics[name]), width)
    console.print()
    common = [*_in_common(evaluation, joint), *_filter(report.median_filter)]
    _print_sentences(console, ["All metrics", *common], width)
    _print_notes(console, report.notes, written, width)


def print_matches(matches: se.Matches, *, notes: Sequence[str], written: Sequence[Path]) -> None:
    """Print what was found, missed and false, the worst classes first.

    Parameters
    ----------
    matches : Matches
        What to print.
    notes : sequence of str
        What a reader must know besides.
    written : sequence of pathlib.Path
        Files that were written, which are named at the end.
    """
    console = terminal()
    width = min(console.width, _TEXT_WIDTH)
    f_scores, counts = matches.f_score(), matches.counts
    tps, fps, n_ref = (
        sum(getattr(c, key) for c in counts.values()) for key in ("tps", "fps", "n_ref")
    )
    targets = _TARGETS.get(type(matches.criterion).__name__, "Events")
    console.print(
        Text(
            f"{counted(matches.n_clips, 'clip')}: {tps} of {n_ref} {targets.lower()} found, "
            f"{counted(fps, 'false alarm')}"
        ),
        style="bold",
    )
    console.print(_wrapped(display.criterion_in_words(matches.criterion), width), style="dim")
    console.print()
    table = empty_table(targets, "Found", "Missed", "False", "Precision", "Recall", "F1")

    def row(name: str, rates: Any, *numbers: int, **settings: Any) -> None:
        cells = (f"{getattr(rates, key):.4f}" for key in ("precision", "recall", "f_score"))
        table.add_row(Text(name), *map(str, numbers), *cells, **settings)

    row("Overall", f_scores.micro, n_ref, tps, n_ref - tps, fps, style="bold", end_section=True)
    for name, rates in sorted(f_scores.per_class.items(), key=lambda item: item[1].f_score):
        at = counts[name]
        row(name, rates, at.n_ref, at.tps, at.fns, at.fps)
    console.print(table)
    console.print()
    error_rate = matches.error_rate().micro
    sentences = [
        f"F1 is {f_scores.macro.f_score:.4f} as the mean over classes (macro), and Overall is of "
        "all events together (micro).",
        f"Error rate {error_rate.error_rate:.4f}: {error_rate.deletion_rate:.4f} deletions and "
        f"{error_rate.insertion_rate:.4f} insertions per target.",
    ]
    if not isinstance(matches.criterion, se.Intersection):
        overall = matches.overall_error_rate()
        sentences.append(
            f"Over all classes, with {counted(overall.substitutions, 'substitution')}: "
            f"{overall.error_rate:.4f}."
        )
    for sentence in sentences:
        console.print(_wrapped(sentence, width), style="dim")
    _print_notes(console, notes, written, width)


def _print_notes(
    console: Console, notes: Sequence[str], written: Sequence[Path], width: int
) -> None:
    if notes or written:
        console.print()
    for note in notes:
        console.print(_wrapped(f"Note: {note}", width), style="yellow")
    for path in written:
        console.print(Text(f"Wrote {path}"), soft_wrap=True)


def terminal() -> Console:
    """Return standard output, as wide as it is."""
    console = Console(file=sys.stdout, highlight=False, soft_wrap=False)
    if not console.is_terminal:
        # A file or a pipe has no width: never cut a class name to fit one.
        console = Console(file=sys.stdout, highlight=False, width=1000, color_system=None)
    return console


def _print_sentences(console: Console, sentences: Sequence[str], width: int) -> None:
    first, *others = sentences
    console.print(_wrapped(first, width), style="bold")
    for sentence in others:
        console.print(_wrapped(sentence, width, "  "), style="dim")


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


def _filter(length: float | Mapping[str, float] | None) -> list[str]:
    """Say which median filter scores went through."""
    if length is None:
        return []
    if isinstance(length, Mapping):
        of_classes = ", ".join(f"{name} {number(its)} s" for name, its in length.items())
        return [f"Scores were filtered with a median: {of_classes} (median_filter)."]
    return [f"Scores were filtered with a median over {number(length)} s (median_filter)."]


def _in_common(evaluation: se.Evaluation, joint: Sequence[str]) -> Iterator[str]:
    """Yield what a reader needs to know to quote any of the numbers."""
    metrics = evaluation.metrics
    if joint or any(metric.chooses_thresholds for metric in metrics.values()):
        yield "Exact: every score at which a count changes is used as a decision threshold."
    if joint:
        yield "The value of a class is the area under its own curve."
    if any(metrics[name].micro(evaluation[name]) is not None for name in evaluation):
        yield "Macro is the mean over classes, micro is made of the counts of all classes together."


def _sorted(
    evaluation: se.Evaluation, name: str, event_classes: Sequence[str], order: Order
) -> list[str]:
    """Return the classes in order; those whose number is undefined come last."""
    if order == "name":
        return sorted(event_classes, key=str.casefold)
    if order == "scores":
        return list(event_classes)
    values = evaluation.per_class(name)
    sign = -1.0 if evaluation.metrics[name].lower_is_better else 1.0

    def badness(event_class: str) -> float:
        value = sign * values.get(event_class, math.nan)
        return math.inf if math.isnan(value) else value

    return sorted(event_classes, key=badness)


# -- a table for many metrics ---------------------------------------------------------------------


def _has_one_number(evaluation: se.Evaluation, name: str) -> bool:
    """Whether a class has but one number under a metric."""
    return isinstance(evaluation[name], (se.PSDSResult, se.AveragePrecisionResult, se.AUROCResult))


def _in_blocks(evaluation: se.Evaluation, names: Sequence[str], width: int) -> Iterator[list[str]]:
    """Yield as many metrics at a time as fit side by side."""
    first = max(map(len, (*evaluation.event_classes, "Overall"))) + len("   Events")
    block: list[str] = []
    room = width - first
    for name in names:
        needed = max(len(label(name, evaluation.metrics[name])), len("0.0000")) + 3
        if block and needed > room:
            yield block
            block, room = [], width - first
        block.append(name)
        room -= needed
    if block:
        yield block


def _joint_table(evaluation: se.Evaluation, names: Sequence[str], order: Order) -> Table:
    """Make one column per metric: the overall value first, then every class."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("", overflow="fold")
    table.add_column("Events", justify="right", no_wrap=True)
    for name in names:
        heading = Text(label(name, evaluation.metrics[name]))
        table.add_column(heading, justify="right", no_wrap=True)
    n_events = evaluation.n_events
    total = str(sum(n_events.values()))
    overall = (f"{evaluation.value(name):.4f}" for name in names)
    table.add_row("Overall", total, *overall, style="bold", end_section=True)
    columns = [evaluation.per_class(name) for name in names]
    for event_class in _sorted(evaluation, names[0], list(n_events), order):
        values = (_cell(column.get(event_class)) for column in columns)
        table.add_row(Text(event_class), str(n_events[event_class]), *values)
    return table


def _cell(value: float | None) -> str:
    """Write a number; a class without targets under a criterion has none."""
    return "-" if value is None else f"{value:.4f}"


# -- a table for one metric -----------------------------------------------------------------------


def _own_title(evaluation: se.Evaluation, name: str, order: Order) -> Text:
    """Say the headline, and in which order the classes are."""
    metric = evaluation.metrics[name]
    own = "" if name == metric.name else f" ({metric.heading})"
    text = f"{label(name, metric)}{own}: {headline(evaluation, name)}"
    if order == "worst" and len(evaluation.per_class(name)) > 1:
        text += " (worst classes first)"
    return Text(text)


def _own_table(evaluation: se.Evaluation, name: str, order: Order) -> Table:
    """Make one column per number: the averages first, then every class."""
    metric, result = evaluation.metrics[name], evaluation[name]
    assert not isinstance(result, se.OverallErrorRate), "it has no classes"
    n_ref = evaluation.statistics[metric.criterion].n_ref
    averages: dict[str, Any] = {
        key: getattr(result, key) for key in ("macro", "micro") if hasattr(result, key)
    }
    macro = averages["macro"]
    rates = [f.name for f in fields(macro) if isinstance(getattr(macro, f.name), float)]
    per_class: dict[str, Any] = dict(result.per_class)
    # Counts if there are any, and thresholds unless one is that of all classes.
    some = next(iter(per_class.values()))
    one_for_all = isinstance(metric.arguments.get("threshold"), float)
    extra = [] if one_for_all or not hasattr(some, "threshold") else ["threshold"]
    extra += [key for key in ("tps", "fps") if hasattr(some, key)]
    extra += ["fns"] if "tps" in extra else []
    table = empty_table(
        _TARGETS.get(type(metric.criterion).__name__, "Events"),
        *(_rate_heading(rate, metric) for rate in rates),
        *(_EXTRA_HEADINGS[key] for key in extra),
    )
    total = sum(n_ref.values())
    for average, numbers in averages.items():
        counts = ["" for _ in extra]
        if average == "micro" and "tps" in extra:
            tps, fps = (sum(getattr(c, key) for c in per_class.values()) for key in ("tps", "fps"))
            counts = [*counts[:-3], str(tps), str(fps), str(total - tps)]
        cells = (f"{getattr(numbers, rate):.4f}" for rate in rates)
        end = average == [*averages][-1]
        table.add_row(
            average.capitalize(), str(total), *cells, *counts, style="bold", end_section=end
        )
    for event_class in _sorted(evaluation, name, list(per_class), order):
        numbers = per_class[event_class]
        cells = (f"{getattr(numbers, rate):.4f}" for rate in rates)
        counts = []
        if "threshold" in extra:
            counts.append(f"{numbers.threshold:.4g}")
        if "tps" in extra:
            misses = n_ref[event_class] - numbers.tps
            counts += [str(numbers.tps), str(numbers.fps), str(misses)]
        table.add_row(Text(event_class), str(n_ref[event_class]), *cells, *counts)
    return table


def _table_over_classes(evaluation: se.Evaluation, name: str) -> Table:
    """Make one row of the rates of a number that no class has alone, and one of its counts."""
    metric, result = evaluation.metrics[name], evaluation[name]
    rates = [key for key in _HEADINGS if hasattr(result, key)]
    table = empty_table(
        _TARGETS.get(type(metric.criterion).__name__, "Events"),
        *(_rate_heading(rate, metric) for rate in rates),
    )
    total = str(sum(evaluation.statistics[metric.criterion].n_ref.values()))
    table.add_row("Overall", total, *(f"{getattr(result, rate):.4f}" for rate in rates))
    counts = (getattr(result, f"{rate.removesuffix('_rate')}s", "") for rate in rates)
    table.add_row("Counts", "", *map(str, counts))
    return table


def empty_table(*headings: str) -> Table:
    """Return a table with a column for names, and one for each heading."""
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        header_style="bold",
    )
    table.add_column("", overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _rate_heading(rate: str, metric: se.Metric) -> str:
    if rate == "f_score":
        return f"F{metric.arguments['beta']:g}"
    return _HEADINGS.get(rate, rate.replace("_", " ").capitalize())
