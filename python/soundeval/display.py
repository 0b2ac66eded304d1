"""How results look in a terminal and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from soundeval.criteria import Clip, Collar, Intersection, Segment
from soundeval.names import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from soundeval.criteria import Criterion
    from soundeval.evaluate import Evaluation
    from soundeval.psds_result import PSDSResult
    from soundeval.results import Result
    from soundeval.thresholds import Thresholds

    class ValueResult(Result, Protocol):
        """A result that is one number, and one for each class."""

        @property
        def value(self) -> float:
            """The number."""

        @property
        def per_class(self) -> dict[str, float]:
            """Number of every class."""


class Table(NamedTuple):
    """What a result of several columns shows."""

    title: str
    settings: str
    columns: tuple[str, ...]
    averages: dict[str, tuple[str, ...]]
    classes: dict[str, tuple[str, ...]]


def number(value: float) -> str:
    """Return a parameter without needless digits.

    Examples
    --------
    >>> number(100.0), number(0.3)
    ('100', '0.3')
    """
    return f"{value:g}"


def parameter(value: object) -> str:
    """Return the value of any parameter as it is said.

    Examples
    --------
    >>> parameter(0.5), parameter(None), parameter(True), parameter("hour"), parameter((0.0, 0.5))
    ('0.5', 'none', 'yes', 'hour', '0,0.5')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, tuple):
        return ",".join(map(parameter, value))
    return value if isinstance(value, str) else "of each class"


def audio_length(seconds: float) -> str:
    """Return a duration in the unit in which it is easy to grasp.

    Examples
    --------
    >>> audio_length(36.0), audio_length(6920.0)
    ('36 s', '1.92 h')
    """
    if seconds < 120.0:
        return f"{seconds:.4g} s"
    return f"{seconds / 60.0:.3g} min" if seconds < 3600.0 else f"{seconds / 3600.0:,.2f} h"


def fixed(*values: float) -> tuple[str, ...]:
    """Return results with as many digits as anyone reports.

    Examples
    --------
    >>> fixed(0.5, 2 / 3)
    ('0.5000', '0.6667')
    """
    return tuple(f"{value:.4f}" for value in values)


def criterion_in_words(criterion: Criterion) -> str:
    """Return the parameters of a criterion in words."""
    match criterion:
        case Intersection():
            cross = "no cross triggers"
            if criterion.cttc_threshold is not None:
                cross = f"CTTC {number(criterion.cttc_threshold)}"
            dtc, gtc = number(criterion.dtc_threshold), number(criterion.gtc_threshold)
            return f"DTC {dtc}, GTC {gtc}, {cross}"
        case Collar():
            onset = f"onset within {number(criterion.onset_collar)} s"
            if criterion.offset_collar is None:
                return f"{onset}, any offset"
            share = ""
            if criterion.offset_collar_rate > 0.0:
                share = f" or {number(100.0 * criterion.offset_collar_rate)} % of the length"
            return f"{onset}, offset within {number(criterion.offset_collar)} s{share}"
        case Segment():
            return f"segments of {number(criterion.segment_length)} s"
        case Clip():
            return "whole clips"


def psds_settings(
    criterion: Criterion,
    *,
    alpha_ct: float,
    alpha_st: float,
    max_efpr: float,
    unit_of_time: str,
    oracle: bool = True,
    filter_lengths: tuple[float, ...] = (),
) -> str:
    """Return the parameters of a PSDS in words."""
    text = (
        f"{criterion_in_words(criterion)}; alpha_ct {number(alpha_ct)}, alpha_st "
        f"{number(alpha_st)}; up to {number(max_efpr)} false positives per {unit_of_time}"
    )
    if filter_lengths:
        text = f"{text}; best of median filters of {parameter(filter_lengths)} s"
    return text if oracle else f"{text}; all points, not the envelope (oracle=False)"


def psds_as_text(result: PSDSResult, title: str = "PSDS", remark: str = "") -> str:
    """Return a title line, the settings, and one line for each class."""
    return _values_as_text(title, result, [*_psds_origin(result), *filter(None, [remark])])


def psds_as_html(result: PSDSResult, title: str = "PSDS", remark: str = "") -> str:
    """Return a table with bars that takes its colours from the page, light or dark."""
    return _values_as_html(title, result, [*_psds_origin(result), *filter(None, [remark])])


def values_as_text(title: str, settings: str, result: ValueResult) -> str:
    """Return a title line with the number, where it is from, and one line for each class."""
    return _values_as_text(title, result, _origin(settings, result))


def values_as_html(title: str, settings: str, result: ValueResult) -> str:
    """Return a table with bars that takes its colours from the page, light or dark."""
    return _values_as_html(title, result, _origin(settings, result))


def table_as_text(table: Table, result: Result) -> str:
    """Return a title line, where the numbers are from, and a table with a line for each class."""
    rows = (*table.averages.items(), *table.classes.items())
    cells = [("", *table.columns), *((name, *values) for name, values in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [table.title, *_origin(table.settings, result)]
    for name, *values in cells:
        padded = [f"{value:>{width}}" for value, width in zip(values, widths[1:], strict=True)]
        lines.append(f"  {name:<{widths[0]}}  {'  '.join(padded)}".rstrip())
    lines += [f"note: {remark}" for remark in remarks(result)]
    return "\n".join(lines)


def table_as_html(table: Table, result: Result) -> str:
    """Return the same as a table that takes its colours from the page, light or dark."""
    rows = [_html_row(("", *table.columns), "bold")]
    rows += [_html_row((name, *values), "bold") for name, values in table.averages.items()]
    rows += [_html_row((name, *values), "normal") for name, values in table.classes.items()]
    return _html(rows, [table.title, *_origin(table.settings, result), *remarks(result)])


def thresholds_as_text(thresholds: Thresholds) -> str:
    """Return what thresholds are for, and one line for each class."""
    width = max(map(len, thresholds))
    lines = [_thresholds_title(thresholds)]
    lines += [f"  {name:<{width}}  {number(value)}" for name, value in thresholds.items()]
    return "\n".join(lines)


def thresholds_as_html(thresholds: Thresholds) -> str:
    """Return the same as a table that takes its colours from the page, light or dark."""
    rows = [_html_row((name, number(value)), "normal") for name, value in thresholds.items()]
    return _html(rows, [_thresholds_title(thresholds)])


def evaluation_as_text(evaluation: Evaluation) -> str:
    """Return what was evaluated, one line for each metric, and a table with one for each class."""
    names = list(evaluation)
    width = max(map(len, names))
    lines = [f"Evaluation of {how_much(evaluation)}"]
    lines += [f"  {name:<{width}}  {headline(evaluation, name)}" for name in names]
    for columns in _in_blocks(evaluation):
        lines += ["", *_columns_as_text(columns, evaluation.event_classes)]
    lines += [f"note: {remark}" for remark in evaluation.notes]
    return "\n".join(lines)


def evaluation_as_html(evaluation: Evaluation) -> str:
    """Return the same as a table that takes its colours from the page, light or dark."""
    columns = {name: values for block in _in_blocks(evaluation) for name, values in block.items()}
    rows = [_html_row((name, headline(evaluation, name)), "bold") for name in evaluation]
    tables = [_html(rows, [f"Evaluation of {how_much(evaluation)}", *evaluation.notes])]
    if columns:
        rows = [_html_row(("", *columns), "bold")]
        for event_class in evaluation.event_classes:
            cells = (_cell(values, event_class) for values in columns.values())
            rows.append(_html_row((event_class, *cells), "normal"))
        tables.append(_html(rows, []))
    return "".join(tables)


def headline(evaluation: Evaluation, name: str) -> str:
    """Return the headline of a metric, with the micro average if there is one."""
    text = f"{evaluation.value(name):.4f}"
    micro = evaluation.metrics[name].micro(evaluation[name])
    return text if micro is None else f"{text} macro, {micro:.4f} micro"


def remarks(result: PSDSResult | Result) -> list[str]:
    """Return what a reader has to know besides the numbers."""
    found = list(result.notes)
    if result.excluded_classes:
        found.insert(
            0,
            f"{counted(len(result.excluded_classes), 'class')} without reference events excluded: "
            f"{listed(result.excluded_classes)}",
        )
    return found


# -- inside ---------------------------------------------------------------------------------------

_CELL = "padding:0.1em 0.8em;text-align:left;border:0;background:transparent;color:inherit"


# Columns beyond this would be broken by most terminals.
_TEXT_WIDTH = 96


def how_much(evaluation: Evaluation) -> str:
    """Say how much was evaluated."""
    parts = [counted(evaluation.n_clips, "clip")]
    if evaluation.dataset_duration is not None:
        parts.append(f"{audio_length(evaluation.dataset_duration)} of audio")
    parts.append(counted(len(evaluation.n_events), "class"))
    parts.append(counted(sum(evaluation.n_events.values()), "event"))
    return ", ".join(parts)


def _in_blocks(evaluation: Evaluation) -> list[dict[str, dict[str, float]]]:
    """Group the metrics that have classes into tables that are not too wide."""
    first = max(map(len, evaluation.event_classes), default=0) + 2
    blocks: list[dict[str, dict[str, float]]] = []
    room = 0
    for name in evaluation:
        values = evaluation.per_class(name)
        if not values:
            continue
        width = max(len(name), 6) + 2
        if not blocks or width > room:
            blocks.append({})
            room = _TEXT_WIDTH - first
        blocks[-1][name] = values
        room -= width
    return blocks


def _columns_as_text(
    columns: dict[str, dict[str, float]], event_classes: Iterable[str]
) -> list[str]:
    classes = list(event_classes)
    first = max(map(len, classes))
    widths = {name: max(len(name), 6) for name in columns}
    lines = [" " * first + "".join(f"  {name:>{widths[name]}}" for name in columns)]
    for event_class in classes:
        cells = (
            f"  {_cell(values, event_class):>{widths[name]}}" for name, values in columns.items()
        )
        lines.append(f"{event_class:<{first}}{''.join(cells)}")
    return [f"  {line}".rstrip() for line in lines]


def _cell(values: dict[str, float], event_class: str) -> str:
    """Write a number; a class that this criterion has no targets of has none."""
    return f"{values[event_class]:.4f}" if event_class in values else "-"


def _psds_origin(result: PSDSResult) -> list[str]:
    return [
        psds_settings(
            result.criterion,
            alpha_ct=result.alpha_ct,
            alpha_st=result.alpha_st,
            max_efpr=result.max_efpr,
            unit_of_time=result.unit_of_time,
            oracle=result.oracle,
        ),
        f"{counted(result.n_clips, 'clip')}, {audio_length(result.dataset_duration)} of audio",
    ]


def _origin(settings: str, result: Result) -> list[str]:
    lines = (criterion_in_words(result.criterion), settings, counted(result.n_clips, "clip"))
    return [line for line in lines if line]


def _thresholds_title(thresholds: Thresholds) -> str:
    title = f"Thresholds for {counted(len(thresholds), 'class')}"
    parts = [] if thresholds.metric is None else [thresholds.metric]
    if thresholds.criterion is not None:
        parts.append(criterion_in_words(thresholds.criterion))
    return f"{title}: {'; '.join(parts)}" if parts else title


def _values_as_text(title: str, result: PSDSResult | ValueResult, origin: list[str]) -> str:
    lines = [f"{title} {result.value:.4f}", *origin]
    width = max(map(len, result.per_class), default=0)
    lines += [f"  {name:<{width}}  {value:.4f}" for name, value in result.per_class.items()]
    lines += [f"note: {remark}" for remark in remarks(result)]
    return "\n".join(lines)


def _values_as_html(title: str, result: PSDSResult | ValueResult, origin: list[str]) -> str:
    def row(name: str, value: float, weight: str) -> str:
        # Values are between 0 and 1 (or NaN, without a bar); a bar in the colour of the text is
        # visible on any background.
        share = 0.0 if value != value else value
        bar = (
            f'<div style="width:{100.0 * share:.1f}%;height:0.7em;background:currentColor;'
            'opacity:0.55;border-radius:2px"></div>'
        )
        frame = "width:10em;background:rgba(128,128,128,0.2);border-radius:2px"
        return _html_row(
            (name, *fixed(value)),
            weight,
            f'<td style="{_CELL}"><div style="{frame}">{bar}</div></td>',
        )

    rows = [row(title, result.value, "bold")]
    rows += [row(name, value, "normal") for name, value in result.per_class.items()]
    return _html(rows, [*origin, *remarks(result)])


def _html_row(cells: Iterable[str], weight: str, last: str = "") -> str:
    from html import escape

    name, *values = cells
    numbers = "".join(
        f'<td style="{_CELL};font-variant-numeric:tabular-nums">{escape(value)}</td>'
        for value in values
    )
    return (
        f'<tr style="background:transparent;font-weight:{weight}">'
        f'<td style="{_CELL}">{escape(name)}</td>{numbers}{last}</tr>'
    )


def _html(rows: Iterable[str], below: Iterable[str]) -> str:
    from html import escape

    small = "".join(f"<div>{escape(line)}</div>" for line in below)
    return (
        '<div style="color:inherit"><table style="border-collapse:collapse;border:0">'
        f'{"".join(rows)}</table><div style="font-size:85%;opacity:0.75;padding:0.3em '
        f'0.8em">{small}</div></div>'
    )
