"""The commands for lists of events: make them of scores, and match them with reference events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

import soundeval as se
from soundeval.cli.evaluation import noted_warnings
from soundeval.cli.options import (
    EXISTING_FILE,
    EXISTING_PATH,
    NEW_FILE,
    SectionedCommand,
    flag_of,
    given_parameters,
    option,
    parameter_options,
    policy_options,
)
from soundeval.cli.output import check_destination, write_json_values, write_table
from soundeval.cli.report import print_matches
from soundeval.metric_catalogue import CRITERIA

_CRITERION_PARAMETERS = tuple(dict.fromkeys(key for k in CRITERIA.values() for key in k.defaults))


class Threshold(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number, or a file of thresholds."""

    name = "threshold"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what stands for the value in the help."""
        return "NUMBER|FILE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | se.Thresholds:
        """Return the number, or read the file."""
        try:
            return float(value)
        except ValueError:
            pass
        if not Path(value).exists():
            self.fail(f"{value!r} is neither a number nor a file of thresholds (.json)", param, ctx)
        return se.Thresholds.from_json(value)


def _seconds(name: str, text: str) -> Callable[[Any], Any]:
    return option(name, type=click.FloatRange(min=0.0), help=text, section="Post-processing")


@click.command("detect", cls=SectionedCommand)
@option(
    "--scores",
    type=EXISTING_PATH,
    required=True,
    help="Folder with a score file per clip, or one file.",
    section="Data",
)
@option(
    "--threshold",
    type=Threshold(),
    required=True,
    help="Decision threshold for all classes, or a file of thresholds as evaluate "
    "--save-thresholds writes it.",
    section="Data",
)
@option(
    "--out",
    type=NEW_FILE,
    required=True,
    help="Write the detections to this TSV file.",
    section="Data",
)
@_seconds("--median-filter", "Filter the scores with a median over so many seconds first.")
@_seconds("--max-gap", "Fill gaps of up to so many seconds between detections of a class.")
@_seconds("--min-duration", "Drop detections that are shorter than so many seconds.")
def detect_command(
    scores: Path,
    threshold: float | se.Thresholds,
    out: Path,
    median_filter: float | None,
    max_gap: float | None,
    min_duration: float | None,
) -> None:
    """Write what a system detects at a decision threshold.

    The file has the columns filename, onset, offset and event_label, and can be given to match.
    """
    check_destination(out)
    found = se.detect(
        scores if median_filter is None else se.median_filter(scores, median_filter),
        threshold,
        max_gap=max_gap or 0.0,
        min_duration=min_duration or 0.0,
    )
    se.write_events(found, out)
    n_events = sum(map(len, found.values()))
    click.echo(f"Wrote {out}: {n_events} detections in {len(found)} clips")


@click.command("match", cls=SectionedCommand)
@option(
    "--detections",
    type=EXISTING_FILE,
    required=True,
    help="Table of the detected events.",
    section="Data",
)
@option(
    "--ground-truth",
    type=EXISTING_FILE,
    required=True,
    help="Table of the reference events.",
    section="Data",
)
@option(
    "--durations",
    type=EXISTING_FILE,
    help="Table of the clips' durations. If it is given it says which clips are evaluated.",
    section="Data",
)
@option(
    "--criterion",
    type=click.Choice(list(CRITERIA)),
    default="collar",
    help="When a detection counts. Default: collar.",
    section="Criterion",
)
@option(
    "--errors",
    "errors_file",
    type=NEW_FILE,
    help="Write every false alarm and miss to this TSV file.",
    section="Output",
)
@option("--json", "json_file", type=NEW_FILE, help="Write counts and rates.", section="Output")
@parameter_options(_CRITERION_PARAMETERS)
@policy_options
def match_command(
    detections: Path,
    ground_truth: Path,
    durations: Path | None,
    criterion: str,
    errors_file: Path | None,
    json_file: Path | None,
    **options: Any,
) -> None:
    """Match detected with reference events, and say what is right and what is wrong."""
    check_destination(errors_file)
    check_destination(json_file)
    chosen = _criterion(criterion, given_parameters(options))
    policies = {name: value for name, value in options.items() if value is not None}
    with noted_warnings() as notes:
        matches = se.match(
            detections,
            ground_truth,
            chosen,
            audio_durations=durations,
            **policies,
        )
    written = []
    if json_file is not None:
        f_scores, error_rates = matches.f_score().to_dict(), matches.error_rate().to_dict()
        write_json_values(json_file, {**error_rates, **f_scores, **matches.to_dict()})
        written.append(json_file)
    if errors_file is not None:
        write_table(errors_file, _ERROR_COLUMNS, _errors(matches))
        written.append(errors_file)
    notes += [note for note in matches.notes if note not in notes]
    print_matches(matches, notes=notes, written=written)


def _criterion(name: str, given: Mapping[str, object]) -> Any:
    kind = CRITERIA[name]
    for key in given:
        if key not in kind.defaults:
            raise click.UsageError(f"{flag_of(key)} does not belong to the criterion {name}.")
    return kind.make(**{**kind.defaults, **given})


_ERROR_COLUMNS = ("filename", "onset", "offset", "event_label", "error", "instead_of")


def _errors(matches: se.Matches) -> Iterator[tuple[object, ...]]:
    """Yield every error: by clip, then by time."""
    instead: dict[tuple[str, str, float, float], list[str]] = {}
    for row in matches.substitutions:
        key = row.clip, row.event_class, row.detection_onset, row.detection_offset
        instead.setdefault(key, []).append(row.reference_class)
    for trigger in matches.cross_triggers:
        key = trigger.clip, trigger.event_class, trigger.onset, trigger.offset
        instead.setdefault(key, []).append(trigger.other_class)
    errors: list[tuple[str, float, float, str, str, str]] = []
    for false in matches.false_alarms:
        others = instead.get((false.clip, false.event_class, false.onset, false.offset), [])
        times = false.onset, false.offset
        errors.append((false.clip, *times, false.event_class, "false alarm", ",".join(others)))
    errors += [(m.clip, m.onset, m.offset, m.event_class, "miss", "") for m in matches.misses]
    yield from sorted(errors)
