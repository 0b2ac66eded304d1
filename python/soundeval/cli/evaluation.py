"""From files to results: read once, count once per criterion, then one number per metric."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import soundeval as se
from soundeval.cli.metrics import METRICS
from soundeval.display import remarks


@dataclass(frozen=True)
class Inputs:
    """The three things that are read: a folder of scores and two tables."""

    scores: Path
    ground_truth: Path
    durations: Path


@dataclass(frozen=True)
class Policies:
    """What to do with inputs that do not fit together; see ``soundeval.statistics``."""

    extra_clips: Literal["raise", "ignore"] = "raise"
    missing_ground_truth: Literal["raise", "no_events"] = "raise"
    missing_classes: Literal["raise", "exclude"] = "raise"
    unknown_labels: Literal["raise", "ignore"] = "raise"
    zero_length: Literal["raise", "drop", "keep"] = "raise"


@dataclass(frozen=True)
class Evaluation:
    """Everything that is printed or written."""

    inputs: Inputs
    policies: Policies
    results: dict[str, se.PSDSResult]
    n_events: dict[str, int]
    notes: list[str] = field(default_factory=list)

    @property
    def first(self) -> se.PSDSResult:
        """Any of the results: clips, durations and classes are the same for all."""
        return next(iter(self.results.values()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""
        return {
            "soundeval_version": se.__version__,
            "inputs": {name: str(path) for name, path in asdict(self.inputs).items()},
            "policies": asdict(self.policies),
            "n_clips": self.first.n_clips,
            "dataset_duration": self.first.dataset_duration,
            "n_events": self.n_events,
            "notes": self.notes,
            "metrics": {name: result.to_dict() for name, result in self.results.items()},
        }


def evaluate(
    inputs: Inputs, policies: Policies, metrics: Sequence[str], *, alpha_st: float | None = None
) -> Evaluation:
    """Evaluate a folder of scores.

    Parameters
    ----------
    inputs : Inputs
        What to read.
    policies : Policies
        What to do with inputs that do not fit together.
    metrics : sequence of str
        Keys of ``METRICS``.
    alpha_st : float, optional
        Cost of instability across classes, in place of that of each metric.

    Returns
    -------
    Evaluation
        One result per metric, in the order given, and what a reader must know about them.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", se.InputWarning)
        scores = se.read_scores(inputs.scores)
        ground_truth = se.read_ground_truth(inputs.ground_truth)
        durations = se.read_durations(inputs.durations)
        counted: dict[se.Intersection, se.Statistics] = {}
        results: dict[str, se.PSDSResult] = {}
        for name in metrics:
            scenario = METRICS[name].scenario
            criterion = scenario.criterion
            # Counting is nearly all of the work, and metrics may share a criterion.
            if criterion not in counted:
                counted[criterion] = se.statistics(
                    scores,
                    ground_truth,
                    criterion,
                    audio_durations=durations,
                    extra_clips=policies.extra_clips,
                    missing_ground_truth=policies.missing_ground_truth,
                    missing_classes=policies.missing_classes,
                    unknown_labels=policies.unknown_labels,
                    zero_length=policies.zero_length,
                )
            results[name] = counted[criterion].psds(
                alpha_ct=scenario.alpha_ct,
                alpha_st=scenario.alpha_st if alpha_st is None else alpha_st,
                unit_of_time=scenario.unit_of_time,
                max_efpr=scenario.max_efpr,
            )
    statistics = next(iter(counted.values()))
    notes = [str(warning.message) for warning in caught]
    notes += [note for result in results.values() for note in remarks(result)]
    return Evaluation(
        inputs,
        policies,
        results,
        statistics.n_ref,
        list(dict.fromkeys(notes)),
    )
