"""The command ``soundeval tagging``: tables of scores and labels in, numbers out."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.text import Text

import soundeval as se
from soundeval.cli.options import EXISTING_FILE, NEW_FILE, SectionedCommand, option
from soundeval.cli.output import check_destination, write_json_values
from soundeval.cli.report import empty_table, terminal
from soundeval.names import counted, listed
from soundeval.results import json_number

if TYPE_CHECKING:
    from soundeval.tagging import TagTable

# What each is called in a table.
_HEADINGS = {
    "map": "mAP",
    "auroc": "AUROC",
    "d-prime": "d-prime",
    "lwlrap": "lwlrap",
    "best-f1": "best F1",
    "omap": "OmAP",
}


@click.command("tagging", cls=SectionedCommand)
@option(
    "--scores",
    type=EXISTING_FILE,
    required=True,
    help="Table of scores: a row for each clip, a column for each class; .csv, .tsv, .parquet, "
    "or .npz with clip_ids, classes and values.",
    section="Data",
)
@option(
    "--labels",
    type=EXISTING_FILE,
    required=True,
    help="Table of labels, 0 and 1, in the same form; rows and columns in any order.",
    section="Data",
)
@option(
    "--metric",
    "metrics",
    type=click.Choice(list(_HEADINGS)),
    multiple=True,
    help="Metric to compute; give it again for more. Default: map and auroc.",
    section="Metrics",
)
@option(
    "--ontology",
    help="For omap: 'audioset', or a file like its ontology.json.",
    section="Metrics",
)
@option(
    "--unlabeled",
    type=click.Choice(["error", "max", "zero", "one"]),
    default="error",
    help="For omap: what a false positive costs in a clip without labels. Default: error.",
    section="Metrics",
)
@option(
    "--worst",
    type=click.IntRange(min=0),
    default=10,
    help="Number of classes to show, the worst first. Default: 10. The JSON file has all.",
    section="Output",
)
@option("--json", "json_file", type=NEW_FILE, help="Write all numbers.", section="Output")
def tagging_command(
    scores: Path,
    labels: Path,
    metrics: tuple[str, ...],
    ontology: str | None,
    unlabeled: Any,
    worst: int,
    json_file: Path | None,
) -> None:
    """Evaluate audio tagging: one score for each clip and class."""
    names = list(dict.fromkeys(metrics)) or ["map", "auroc"]
    if "omap" in names and ontology is None:
        raise click.UsageError("omap needs distances between classes: --ontology audioset.")
    if "omap" not in names and ontology is not None:
        raise click.UsageError("--ontology belongs to none of the metrics; add --metric omap.")
    check_destination(json_file)
    score_table = se.tagging.read_tags(scores)
    label_table = se.tagging.read_tags(labels).arranged("labels", score_table, "scores")
    overall: dict[str, float] = {}
    per_class: dict[str, NDArray[np.float64]] = {}
    remarks: list[str] = []
    for name in names:
        if name == "omap":
            assert ontology is not None
            result = _omap(label_table, score_table, ontology, unlabeled)
            overall[name] = result.value
            per_class[name] = np.array(list(result.per_class.values()))
            remarks.append(
                f"OmAP is the mean over {counted(len(result.levels), 'level')}; at level 0 it is "
                f"{result.omap0:.4f}, and at the last 1 by construction."
            )
        else:
            overall[name], per_class[name] = _numbers(name, label_table.values, score_table.values)
    positives = label_table.values.sum(axis=0)
    classes = score_table.class_names
    if json_file is not None:
        flat: dict[str, object] = {"n_clips": len(score_table.clip_ids)}
        flat |= {name: json_number(value) for name, value in overall.items()}
        for name, values in per_class.items():
            flat |= {f"{name}/{c}": json_number(v) for c, v in zip(classes, values, strict=True)}
        write_json_values(json_file, flat)
    _print(score_table, positives, overall, per_class, worst, remarks)
    if json_file is not None:
        terminal().print(Text(f"Wrote {json_file}"), soft_wrap=True)


def _numbers(
    name: str, y_true: NDArray[Any], y_score: NDArray[Any]
) -> tuple[float, NDArray[np.float64]]:
    """Return a metric as it is quoted, and of each class."""
    # Who evaluates events does not wait for tags to be imported.
    from soundeval.tagging.averages import macro

    tagging = se.tagging
    if name == "best-f1":
        best = tagging.best_f_score(y_true, y_score)
        return best.value, best.f_score
    functions: dict[str, Callable[..., Any]] = {
        "map": tagging.average_precision,
        "auroc": tagging.roc_auc,
        "d-prime": tagging.d_prime,
        "lwlrap": tagging.lwlrap,
    }
    function = functions[name]
    per_class = function(y_true, y_score, average=None)
    if name in ("map", "auroc"):
        return macro(per_class), per_class
    # The default average is what has the name.
    return function(y_true, y_score), per_class


def _omap(labels: TagTable, scores: TagTable, ontology: str, unlabeled: Any) -> Any:
    kind = se.ontology.Ontology
    tree = kind.audioset() if ontology == "audioset" else kind.from_audioset_json(ontology)
    distances = tree.distance_matrix(scores.class_names)
    return se.tagging.omap(labels.values, scores.values, distances, unlabeled=unlabeled)


def _print(
    scores: TagTable,
    positives: NDArray[Any],
    overall: dict[str, float],
    per_class: dict[str, NDArray[np.float64]],
    worst: int,
    remarks: list[str],
) -> None:
    console = terminal()
    size = f"{counted(len(scores.clip_ids), 'clip')}, {counted(len(scores.class_names), 'class')}"
    console.print(Text(f"{size}, {counted(int(positives.sum()), 'label')}"), style="bold")
    console.print()
    table = empty_table("Clips", *(_HEADINGS[name] for name in overall))
    first = next(iter(per_class))
    table.add_row(
        "Overall",
        str(int(positives.sum())),
        *(f"{value:.4f}" for value in overall.values()),
        style="bold",
        end_section=True,
    )
    order = np.argsort(per_class[first], kind="stable")
    shown = [i for i in order if not math.isnan(per_class[first][i])][:worst]
    for i in shown:
        cells = (f"{per_class[name][i]:.4f}" for name in overall)
        table.add_row(Text(scores.class_names[i]), str(int(positives[i])), *cells)
    console.print(table)
    console.print()
    undefined = [name for name, n in zip(scores.class_names, positives, strict=True) if n == 0]
    if len(shown) < len(scores.class_names) - len(undefined):
        remarks = [*remarks, f"The {len(shown)} classes with the lowest {_HEADINGS[first]}."]
    if undefined:
        remarks = [
            *remarks,
            f"{counted(len(undefined), 'class')} without positives left out: {listed(undefined)}",
        ]
    others = {
        "d-prime": "Of d-prime it is that of the mean AUROC.",
        "lwlrap": "Of lwlrap it is the mean over labels.",
    }
    remarks = [*(text for name, text in others.items() if name in overall), *remarks]
    for remark in ["Overall is the mean over classes.", *remarks]:
        console.print(Text(remark), style="dim")
