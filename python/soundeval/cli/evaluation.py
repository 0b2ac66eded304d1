"""From files to results, and everything that a reader must know about them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import soundeval as se
from soundeval.results import flat_dict, json_number


@dataclass(frozen=True)
class Inputs:
    """What is read: scores and two tables, of which durations may not be needed."""

    scores: Path
    ground_truth: Path
    durations: Path | None


@dataclass(frozen=True)
class Policies:
    """What to do with inputs that do not fit together; see ``soundeval.statistics``."""

    extra_clips: Literal["raise", "ignore"] = "raise"
    missing_ground_truth: Literal["raise", "no_events"] = "raise"
    missing_classes: Literal["raise", "exclude"] = "raise"
    unknown_labels: Literal["raise", "ignore"] = "raise"
    zero_length: Literal["raise", "drop", "keep"] = "raise"


@dataclass(frozen=True)
class Report:
    """Everything that is printed or written."""

    inputs: Inputs
    policies: Policies
    evaluation: se.Evaluation
    median_filter: float | dict[str, float] | None = None
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""
        evaluation = self.evaluation
        inputs = {
            name: None if path is None else str(path) for name, path in asdict(self.inputs).items()
        }
        return {
            "soundeval_version": se.__version__,
            "inputs": inputs,
            "policies": asdict(self.policies),
            "median_filter": self.median_filter,
            "n_clips": evaluation.n_clips,
            "dataset_duration": evaluation.dataset_duration,
            "n_events": evaluation.n_events,
            "notes": self.notes,
            "values": {name: json_number(evaluation.value(name)) for name in evaluation},
            "definitions": {
                name: {"metric": metric.name, **metric.parameters}
                for name, metric in evaluation.metrics.items()
            },
            "metrics": {name: flat_dict(result) for name, result in evaluation.items()},
        }


def evaluate(
    inputs: Inputs,
    policies: Policies,
    metrics: dict[str, se.Metric],
    median_filter: float | dict[str, float] | None = None,
) -> Report:
    """Evaluate scores.

    Parameters
    ----------
    inputs : Inputs
        What to read.
    policies : Policies
        What to do with inputs that do not fit together.
    metrics : dict of str to Metric
        What to compute, by the names under which results are shown.
    median_filter : float or dict of str to float, optional
        Seconds over which scores are filtered first, for all classes or for each.

    Returns
    -------
    Report
        One result per metric, in the order given, and what a reader must know about them.
    """
    with noted_warnings() as notes:
        scores: Path | se.Scores = inputs.scores
        if median_filter is not None:
            scores = se.median_filter(scores, median_filter)
        evaluation = se.evaluate(
            scores,
            inputs.ground_truth,
            metrics,
            audio_durations=inputs.durations,
            **asdict(policies),
        )
    notes += [note for note in evaluation.notes if note not in notes]
    return Report(inputs, policies, evaluation, median_filter, notes)


@contextmanager
def noted_warnings() -> Iterator[list[str]]:
    """Give a list that holds, after the block, every warning about the input once."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", se.InputWarning)
        yield notes
    notes += dict.fromkeys(str(warning.message) for warning in caught)
