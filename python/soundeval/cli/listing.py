"""What ``soundeval metrics`` prints: every metric, or all about one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from soundeval.cli.options import flag_of
from soundeval.cli.report import terminal
from soundeval.display import criterion_in_words, parameter
from soundeval.metric_catalogue import CRITERIA, PARAMETERS, SCENARIOS, Paper
from soundeval.metric_names import Family, families, family_of

_TEXT_WIDTH = 100

_INTRODUCTION = (
    "T is a decision threshold, or a file of thresholds (.json). F-scores take any beta: f1, f2, "
    "f0.5. Parameters are shown with their defaults; give others by option "
    "(--onset-collar 0.5) or in a settings file. 'soundeval metrics NAME' explains one metric."
)


def print_metrics() -> None:
    """Print all metrics by criterion, with parameters, defaults and papers."""
    console, width = _console()
    found = families()
    numbers = {
        paper: i
        for i, paper in enumerate(dict.fromkeys(p for f in found for p in f.papers), start=1)
    }
    _print_text(console, _INTRODUCTION, width)
    scenarios = [family for family in found if family.name in SCENARIOS]
    _print_group(
        console,
        width,
        "Scenarios of the polyphonic sound detection score (they need --durations)",
        {key: value for key, value in scenarios[0].defaults.items() if key != "alpha_st"},
        "",
        [(f.pattern, _scenario_in_words(f.name), f) for f in scenarios],
        numbers,
    )
    for name, kind in CRITERIA.items():
        rows = [
            (f.pattern, f.description, f)
            for f in found
            if f.criterion == name and f not in scenarios
        ]
        _print_group(
            console,
            width,
            f"{kind.heading}: {kind.description}",
            kind.defaults,
            kind.why,
            rows,
            numbers,
        )
    console.print()
    console.print(Text("Papers"), style="bold")
    for paper, number in numbers.items():
        _print_text(console, f"[{number}] {paper}", width, "  ", "      ")


def print_metric(name: str) -> None:
    """Print all about one metric."""
    console, width = _console()
    family = family_of(name)
    kind = CRITERIA[family.criterion]
    console.print(Text(f"{family.pattern}: {family.heading}"), style="bold")
    _print_text(console, family.description.rstrip(".") + ".", width, "  ")
    if family.name in SCENARIOS:
        if family.origin:
            _print_text(console, f"Used in {family.origin}.", width, "  ")
    else:
        _print_text(console, f"{kind.heading}: {kind.description} {kind.why}", width, "  ")
    console.print()
    console.print(Text("Parameters and their defaults"), style="bold")
    table = _grid()
    for key, value in family.defaults.items():
        table.add_row(
            Text(f"  {flag_of(key)}"), Text(parameter(value)), Text(PARAMETERS[key].description)
        )
    for key, value in family.fixed.items():
        table.add_row(
            Text(f"  {key}"), Text(parameter(value)), Text("Fixed: it makes the scenario.")
        )
    if not table.rows:
        table.add_row(Text("  none"), Text(""), Text(""))
    console.print(table, width=width)
    console.print()
    console.print(Text("How to call it"), style="bold")
    for line in _calls(family):
        console.print(Text(f"  {line}"), soft_wrap=True)
    console.print()
    console.print(Text("Papers"), style="bold")
    for paper in family.papers:
        _print_text(console, str(paper), width, "  ", "    ")


# -- inside ---------------------------------------------------------------------------------------


def _console() -> tuple[Console, int]:
    console = terminal()
    return console, min(console.width, _TEXT_WIDTH)


def _print_group(
    console: Console,
    width: int,
    title: str,
    defaults: Mapping[str, object],
    why: str,
    rows: Sequence[tuple[str, str, Family]],
    papers: Mapping[Paper, int],
) -> None:
    console.print()
    console.print(Text(title.rstrip(".")), style="bold")
    if defaults:
        _print_text(console, f"{_in_order(defaults)}. {why}".strip(), width, "  ", "  ", "dim")
    table = _grid()
    for pattern, description, family in rows:
        own = {key: value for key, value in family.defaults.items() if key not in defaults}
        text = description.rstrip(".")
        if own:
            text += f"; {_in_order(own)}"
        cited = "".join(f"[{papers[paper]}]" for paper in family.papers)
        table.add_row(Text(f"  {pattern}"), Text(text), Text(cited))
    console.print(table, width=width)


def _grid() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_column()
    return table


def _in_order(defaults: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {parameter(value)}" for key, value in defaults.items())


def _scenario_in_words(name: str) -> str:
    scenario = SCENARIOS[name].scenario
    origin = SCENARIOS[name].origin or f"{scenario.name} with the best median filter at each point"
    return (
        f"{origin}: {criterion_in_words(scenario.criterion)}, alpha_ct "
        f"{parameter(scenario.alpha_ct)}"
    )


def _calls(family: Family) -> Iterator[str]:
    name = family.pattern.replace("@T", "@0.5")
    yield f"soundeval evaluate ... --metric {name}"
    yield f'se.evaluate(scores, ground_truth, ["{name}"])["{name}"]'
    number = family.number
    arguments = ["0.5"] if number.takes_threshold else []
    if family.beta not in (None, 1.0):
        arguments.append(f"beta={family.beta:g}")
    if family.name in SCENARIOS:
        scenario = SCENARIOS[family.name].scenario.name
        call = "psds(scores, ground_truth, durations, "
        if SCENARIOS[family.name].number == "pi-psds":
            call = f"pi_{call}filter_lengths={list(_lengths(family))}, "
        yield f"se.{call}**se.scenarios.{scenario})"
        return
    kind = CRITERIA[family.criterion]
    if number.method == "psds_of_variants":
        shares = ", ".join(
            f"{key}={kind.defaults[key]}" for key in ("dtc_threshold", "gtc_threshold")
        )
        yield (
            f"se.pi_psds(scores, ground_truth, durations, filter_lengths={list(_lengths(family))}, "
            f"{shares})"
        )
        return
    positions = ", ".join(
        f"{key}={value!r}"
        for key, value in kind.defaults.items()
        if value != getattr(kind.make(), key)
    )
    yield (
        f"se.statistics(scores, ground_truth, se.{kind.heading}({positions}))"
        f".{number.method}({', '.join(arguments)})"
    )


def _lengths(family: Family) -> tuple[float, ...]:
    lengths: tuple[float, ...] = family.defaults["filter_lengths"]  # type: ignore[assignment]
    return lengths


def _print_text(
    console: Console,
    text: str,
    width: int,
    first: str = "",
    following: str | None = None,
    style: str | None = None,
) -> None:
    lines = textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=first if following is None else following,
        break_long_words=False,
        break_on_hyphens=False,
    )
    console.print(Text(lines), style=style)
