"""How results look in a terminal and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soundeval.names import counted, listed

if TYPE_CHECKING:
    from soundeval.criteria import Intersection
    from soundeval.psds_result import PSDSResult


def number(value: float) -> str:
    """Return a parameter without needless digits.

    Examples
    --------
    >>> number(100.0), number(0.3)
    ('100', '0.3')
    """
    return f"{value:g}"


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


def criterion_in_words(criterion: Intersection) -> str:
    """Return the thresholds of an intersection criterion in words."""
    cross = "no cross triggers"
    if criterion.cttc_threshold is not None:
        cross = f"CTTC {number(criterion.cttc_threshold)}"
    return f"DTC {number(criterion.dtc_threshold)}, GTC {number(criterion.gtc_threshold)}, {cross}"


def psds_settings(result: PSDSResult) -> str:
    """Return the parameters of a PSDS in words."""
    text = (
        f"{criterion_in_words(result.criterion)}; alpha_ct {number(result.alpha_ct)}, alpha_st "
        f"{number(result.alpha_st)}; up to {number(result.max_efpr)} false positives per "
        f"{result.unit_of_time}"
    )
    return text if result.oracle else f"{text}; all points, not the envelope (oracle=False)"


def psds_as_text(result: PSDSResult) -> str:
    """Return a title line, the settings, and one line for each class."""
    lines = [
        f"PSDS {result.value:.4f}",
        psds_settings(result),
        f"{counted(result.n_clips, 'clip')}, {audio_length(result.dataset_duration)} of audio",
    ]
    width = max(map(len, result.per_class), default=0)
    lines += [f"  {name:<{width}}  {value:.4f}" for name, value in result.per_class.items()]
    lines += [f"note: {remark}" for remark in remarks(result)]
    return "\n".join(lines)


def remarks(result: PSDSResult) -> list[str]:
    """Return what a reader has to know besides the numbers."""
    found = list(result.notes)
    if result.excluded_classes:
        found.insert(
            0,
            f"{counted(len(result.excluded_classes), 'class')} without reference events excluded: "
            f"{listed(result.excluded_classes)}",
        )
    return found


def psds_as_html(result: PSDSResult) -> str:
    """Return a table with bars that takes its colours from the page, light or dark."""
    from html import escape

    cell = "padding:0.1em 0.8em;text-align:left;border:0;background:transparent;color:inherit"

    def row(name: str, value: float, weight: str) -> str:
        # Values are between 0 and 1; a bar in the colour of the text is visible on any background.
        bar = (
            f'<div style="width:{100.0 * value:.1f}%;height:0.7em;background:currentColor;'
            'opacity:0.55;border-radius:2px"></div>'
        )
        frame = "width:10em;background:rgba(128,128,128,0.2);border-radius:2px"
        return (
            f'<tr style="background:transparent;font-weight:{weight}">'
            f'<td style="{cell}">{escape(name)}</td>'
            f'<td style="{cell};font-variant-numeric:tabular-nums">{value:.4f}</td>'
            f'<td style="{cell}"><div style="{frame}">{bar}</div></td></tr>'
        )

    rows = [row("PSDS", result.value, "bold")]
    rows += [row(name, value, "normal") for name, value in result.per_class.items()]
    below = [
        psds_settings(result),
        f"{counted(result.n_clips, 'clip')}, {audio_length(result.dataset_duration)} of audio",
        *remarks(result),
    ]
    small = "".join(f"<div>{escape(line)}</div>" for line in below)
    return (
        '<div style="color:inherit"><table style="border-collapse:collapse;border:0">'
        f'{"".join(rows)}</table><div style="font-size:85%;opacity:0.75;padding:0.3em '
        f'0.8em">{small}</div></div>'
    )
