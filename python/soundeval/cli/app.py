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
from soundeval.cli.evaluation import Inputs, Policies, evaluate
from soundeval.cli.metrics import METRICS
from soundeval.cli.output import check_destination, write_json, write_plot
from soundeval.cli.report import print_report

_EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)
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
Keep the numbers and the curves:
  soundeval evaluate ... --json results.json --plot psd_roc.pdf

\b
What it reads (tab-separated, times in seconds):
  scores/            one file per clip: onset, offset, one column of scores per class
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


def _output_options(command: _F) -> _F:
    """Add the options that both commands share."""
    for option in reversed(
        (
            click.option(
                "--metric",
                "metrics",
                multiple=True,
                type=click.Choice(list(METRICS), case_sensitive=False),
                help="Metric to compute; give it again for more. Default: psds1 and psds2.",
            ),
            click.option(
                "--alpha-st",
                type=click.FloatRange(min=0.0),
                help="Cost of instability across classes, in place of the metric's own.",
            ),
            click.option(
                "--json", "json_file", type=_NEW_FILE, help="Write all results to this JSON file."
            ),
            click.option(
                "--plot",
                "plot_file",
                type=_NEW_FILE,
                help="Draw the PSD-ROCs to this .png, .pdf or .svg file.",
            ),
            click.option(
                "--threads",
                type=click.IntRange(min=1),
                help="Number of threads. Default: all processors. Results do not depend on it.",
            ),
        )
    ):
        command = option(command)
    return command


@cli.command("evaluate")
@click.option(
    "--scores", required=True, type=_EXISTING_FOLDER, help="Folder with a score file per clip."
)
@click.option(
    "--ground-truth", required=True, type=_EXISTING_FILE, help="Table of the reference events."
)
@click.option(
    "--durations", required=True, type=_EXISTING_FILE, help="Table of the clips' durations."
)
@_output_options
@click.option(
    "--extra-clips",
    type=click.Choice(["raise", "ignore"]),
    default="raise",
    show_default=True,
    help="Clips of the ground truth or the durations that have no scores.",
)
@click.option(
    "--missing-ground-truth",
    type=click.Choice(["raise", "no_events"]),
    default="raise",
    show_default=True,
    help="Clips with scores that the ground truth does not name.",
)
@click.option(
    "--missing-classes",
    type=click.Choice(["raise", "exclude"]),
    default="raise",
    show_default=True,
    help="Classes with scores but without any event.",
)
@click.option(
    "--unknown-labels",
    type=click.Choice(["raise", "ignore"]),
    default="raise",
    show_default=True,
    help="Labels of the ground truth that have no scores.",
)
@click.option(
    "--zero-length",
    type=click.Choice(["raise", "drop", "keep"]),
    default="raise",
    show_default=True,
    help="Events that end where they begin.",
)
def evaluate_command(
    scores: Path,
    ground_truth: Path,
    durations: Path,
    metrics: tuple[str, ...],
    alpha_st: float | None,
    json_file: Path | None,
    plot_file: Path | None,
    threads: int | None,
    **policies: Any,
) -> None:
    """Evaluate a folder of scores and print a table.

    Inputs that do not fit together are an error by default; the options from --extra-clips on say
    what to do instead. What they left out is listed below the table.
    """
    inputs = Inputs(scores, ground_truth, durations)
    _evaluate(inputs, Policies(**policies), metrics, alpha_st, json_file, plot_file, threads)


@cli.command("demo")
@_output_options
def demo_command(
    metrics: tuple[str, ...],
    alpha_st: float | None,
    json_file: Path | None,
    plot_file: Path | None,
    threads: int | None,
) -> None:
    """Evaluate the example data set of household sounds."""
    data = example.path()
    inputs = Inputs(data / "scores", data / "ground_truth.tsv", data / "durations.tsv")
    _evaluate(inputs, Policies(), metrics, alpha_st, json_file, plot_file, threads)


def _evaluate(
    inputs: Inputs,
    policies: Policies,
    metrics: tuple[str, ...],
    alpha_st: float | None,
    json_file: Path | None,
    plot_file: Path | None,
    threads: int | None,
) -> None:
    """Compute first, then write, then print: a table on the screen means that all is done."""
    # An hour of evaluation must not end with "no such folder".
    check_destination(json_file)
    check_destination(plot_file, plot=True)
    if threads is not None:
        se.set_num_threads(threads)
    names = tuple(dict.fromkeys(metrics)) or ("psds1", "psds2")
    evaluation = evaluate(inputs, policies, names, alpha_st=alpha_st)
    if json_file is not None:
        write_json(json_file, evaluation)
    if plot_file is not None:
        write_plot(plot_file, evaluation)
    print_report(evaluation, written=[f for f in (json_file, plot_file) if f is not None])
