"""The commands and their options; what they do is in the modules beside this one."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click

import soundeval as se
from soundeval import example
from soundeval.cli.evaluation import Policies, evaluate
from soundeval.cli.events import detect_command, match_command
from soundeval.cli.listing import print_metric, print_metrics
from soundeval.cli.options import (
    EXISTING_FILE,
    EXISTING_PATH,
    NEW_FILE,
    SectionedCommand,
    option,
    parameter_options,
    policy_options,
)
from soundeval.cli.output import (
    check_destination,
    check_plot,
    threshold_files,
    write_json,
    write_plot,
    write_thresholds,
)
from soundeval.cli.report import print_report
from soundeval.cli.request import Request, request
from soundeval.cli.settings import CHOICES, Settings, read_settings
from soundeval.cli.tagging import tagging_command

_F = TypeVar("_F", bound=Callable[..., Any])


def run(argv: list[str]) -> int:
    """Run the command line; whatever the user can mend becomes one paragraph on standard error."""
    # A class name that the terminal's encoding cannot show is no reason to lose the result.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(argv, prog_name="soundeval", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        print("Interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. Python flushes once more at exit: give it a sink.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except click.ClickException as error:
        return _fail(error.format_message())
    except se.InputError as error:
        return _fail(_as_options(str(error)))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}")
    return code if isinstance(code, int) else 0


def _as_options(message: str) -> str:
    """Write a policy as it is given here: ``extra_clips="ignore"`` as ``--extra-clips ignore``."""
    names = "|".join(policy.name for policy in fields(Policies))
    return re.sub(
        rf"\b({names})=[\"'](\w+)[\"']",
        lambda found: f"--{found[1].replace('_', '-')} {found[2]}",
        message,
    )


def _fail(message: str) -> int:
    """Say what is wrong, and return the exit code for it."""
    print(f"Error: {message}", file=sys.stderr)
    return 2


# "\b" keeps Click from filling a paragraph.
_INTRODUCTION = """Evaluate sound event detection: exact at every decision threshold.

\b
See what it does, on the example data set:
  soundeval demo
  soundeval demo --plot psd_roc.png

\b
Evaluate your own system:
  soundeval evaluate --scores scores/ --ground-truth ground_truth.tsv \\
      --durations durations.tsv --metric psds1 --metric psds2

\b
Other metrics, with thresholds tuned on other data:
  soundeval metrics
  soundeval evaluate ... --metric collar-best-f1 --save-thresholds best.json
  soundeval evaluate ... --metric collar-f1@best.json --onset-collar 0.5

\b
Detections instead of scores, and what is wrong with them:
  soundeval detect --scores scores/ --threshold best.json --out detections.tsv
  soundeval match --detections detections.tsv --ground-truth ground_truth.tsv \\
      --errors errors.tsv

\b
Audio tagging, one score for each clip and class:
  soundeval tagging --scores scores.csv --labels labels.csv --metric map --metric omap \\
      --ontology audioset

\b
Keep the numbers and the curves, and the settings:
  soundeval evaluate ... --json results.json --plot psd_roc.pdf
  soundeval evaluate --settings evaluation.toml

\b
What it reads (tab-separated, times in seconds):
  scores/            one file per clip: onset, offset, one column of scores per class;
                     or one file for all, with a column filename before these
  ground_truth.tsv   filename, onset, offset, event_label
  durations.tsv      filename, duration
"""


@click.group(
    help=_INTRODUCTION,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(se.__version__, message="soundeval %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Show the introduction if no command is given."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _metric_options(command: _F) -> _F:
    """Add the options that say what to compute, and where it goes."""
    added = (
        option(
            "--metric",
            "metrics",
            multiple=True,
            metavar="NAME",
            help="Metric to compute, as psds1, collar-f1@0.5, collar-f1@thresholds.json or "
            "segment-auroc; give it again for more. See 'soundeval metrics'. Default: psds1 and "
            "psds2.",
            section="Metrics",
        ),
        option(
            "--median-filter",
            type=click.FloatRange(min=0.0),
            help="Filter the scores with a median over so many seconds first.",
            section="Metrics",
        ),
        option(
            "--sort",
            type=click.Choice(CHOICES["sort"]),
            help="Order of the classes. Default: the worst first where a metric has a table of its "
            "own, else that of the scores.",
            section="Metrics",
        ),
        option(
            "--json",
            type=NEW_FILE,
            help="Write all results to this JSON file.",
            section="Output",
        ),
        option(
            "--plot",
            type=NEW_FILE,
            help="Draw the PSD-ROCs to this .png, .pdf or .svg file.",
            section="Output",
        ),
        option(
            "--save-thresholds",
            type=NEW_FILE,
            help="Write the best thresholds to this JSON file, for collar-f1@FILE on other data; "
            "with several metrics {metric} in FILE stands for the name.",
            section="Output",
        ),
        option(
            "--threads",
            type=click.IntRange(min=1),
            help="Number of threads. Default: all processors. Results do not depend on it.",
            section="Output",
        ),
    )
    for decorate in reversed(added):
        command = decorate(command)
    return command


@cli.command("evaluate", cls=SectionedCommand)
@option(
    "--scores",
    type=EXISTING_PATH,
    help="Folder with a score file per clip, or one file.",
    section="Data",
)
@option(
    "--ground-truth",
    type=EXISTING_FILE,
    help="Table of the reference events.",
    section="Data",
)
@option(
    "--durations",
    type=EXISTING_FILE,
    help="Table of the clips' durations. PSDS needs it; segments are cut by it.",
    section="Data",
)
@option(
    "--settings",
    "settings_file",
    type=EXISTING_FILE,
    help="TOML file with any of these options, and metrics with parameters of their own. The "
    "command line overrides it.",
    section="Data",
)
@_metric_options
@parameter_options()
@policy_options
def evaluate_command(settings_file: Path | None, **options: Any) -> None:
    """Evaluate scores and print tables.

    Inputs that do not fit together are an error by default; options say what to do instead. What
    they left out is listed below the tables.
    """
    settings = Settings() if settings_file is None else read_settings(settings_file)
    _evaluate(request(options, settings))


@cli.command("demo", cls=SectionedCommand)
@_metric_options
@parameter_options()
def demo_command(**options: Any) -> None:
    """Evaluate the example data set of household sounds."""
    data = example.path()
    options["scores"] = data / "scores"
    options["ground_truth"] = data / "ground_truth.tsv"
    options["durations"] = data / "durations.tsv"
    _evaluate(request(options, Settings()))


@cli.command("metrics")
@click.argument("name", required=False)
def metrics_command(name: str | None) -> None:
    """List all metrics, or explain the one called NAME."""
    if name is None:
        print_metrics()
    else:
        print_metric(name)


cli.add_command(detect_command)
cli.add_command(match_command)
cli.add_command(tagging_command)


def _evaluate(wanted: Request) -> None:
    """Compute first, then write, then print: a table on the screen means that all is done."""
    # An hour of evaluation must not end with "no such folder".
    check_destination(wanted.json_file)
    check_destination(wanted.thresholds_file)
    check_plot(wanted.plot_file, wanted.metrics)
    check_destination(wanted.plot_file, plot=True)
    thresholds = threshold_files(wanted.thresholds_file, wanted.metrics)
    if wanted.threads is not None:
        se.set_num_threads(wanted.threads)
    report = evaluate(wanted.inputs, wanted.policies, wanted.metrics, wanted.median_filter)
    written = []
    if wanted.json_file is not None:
        write_json(wanted.json_file, report)
        written.append(wanted.json_file)
    if wanted.plot_file is not None:
        write_plot(wanted.plot_file, report)
        written.append(wanted.plot_file)
    for name, path in thresholds.items():
        write_thresholds(path, name, report)
        written.append(path)
    print_report(report, order=wanted.order, written=written)
