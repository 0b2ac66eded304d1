"""Exact, fast evaluation of sound event detection.

Scores of a system and reference events go in, exact numbers come out: no grid of thresholds, the
same result for any number of threads.

>>> import numpy as np
>>> import soundeval as se
>>> scores = {"a": np.array([[0.2], [0.9], [0.4]], dtype=np.float32)}
>>> ground_truth = {"a": [(1.0, 2.0, "Dog")]}
>>> result = se.psds(
...     scores,
...     ground_truth,
...     {"a": 3.0},
...     timestamps=[0.0, 1.0, 2.0, 3.0],
...     event_classes=["Dog"],
...     **se.scenarios.PSDS1,
... )
>>> result.value
1.0

| what you want | look at |
|---|---|
| many metrics from one pass | `evaluate`, `metric`, `metrics` |
| polyphonic sound detection score | `psds`, `scenarios` |
| the same with the best median filter at each point | `pi_psds`, `psds_of_variants` |
| the same, approximately, from lists of detections | `psds_from_detections` |
| counts at every decision threshold | `statistics` |
| steadier scores | `median_filter`, `median_filter_frames` |
| events at given thresholds, gaps filled | `detect`, `fill_gaps`, `drop_short` |
| counts of detections that are lists of events | `detection_statistics` |
| matched pairs, misses, false alarms | `match`, `Matches` |
| how early or late found events are, at every threshold | `matched_distances` |
| when a detection counts | `Intersection`, `Collar`, `Segment`, `Clip` |
| F-scores, error rates, best thresholds | `Statistics.f_score`, `Statistics.best_f_score`, ... |
| accuracy, error rate over all classes | `Statistics.accuracy`, `Statistics.overall_error_rate` |
| average precision, AUROC, curves | `Statistics.average_precision`, `Statistics.auroc`, ... |
| thresholds for another data set | `Thresholds` |
| clip by clip, over processes or machines | `Accumulator` |
| files | `read_scores`, `read_ground_truth`, `read_durations`, `write_scores`, `write_events` |
| many arrays | `Scores` |
| audio tagging: mAP, lwlrap, OmAP and more | `tagging` |
| distances between classes, AudioSet's ontology | `ontology` |
| the same in slow, obvious Python | ``soundeval.reference`` |

Times are in seconds. A frame is active where its score is greater than the decision threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soundeval import metrics, scenarios
from soundeval._core import version as __version__
from soundeval.accumulator import Accumulator
from soundeval.accuracy import Accuracy, AccuracyResult, ClassAccuracy
from soundeval.class_statistics import ClassStatistics, Counts
from soundeval.criteria import Clip, Collar, Criterion, Intersection, Segment
from soundeval.detect import detect
from soundeval.detection_statistics import detection_statistics
from soundeval.error_rate import (
    ClassErrorRate,
    ClassErrorRateCurve,
    ErrorRate,
    ErrorRateCurve,
    ErrorRateResult,
)
from soundeval.errors import InputError, InputWarning
from soundeval.evaluate import Evaluation, evaluate
from soundeval.event_processing import drop_short, fill_gaps
from soundeval.f_score import (
    ClassFScore,
    ClassFScoreCurve,
    FScore,
    FScoreCurve,
    FScoreResult,
)
from soundeval.io import (
    read_durations,
    read_ground_truth,
    read_scores,
    write_events,
    write_scores,
)
from soundeval.match import match
from soundeval.matched_distances import (
    ClassMatchedDistances,
    DistanceSums,
    MatchedDistances,
    matched_distances,
)
from soundeval.matches import (
    ClassDistances,
    CrossTrigger,
    FalseAlarm,
    MatchedPair,
    Matches,
    Miss,
    Substitution,
)
from soundeval.median_filter import median_filter, median_filter_frames
from soundeval.metrics import Metric, metric
from soundeval.overall_error_rate import OverallErrorRate
from soundeval.pi_psds import (
    ClassVariantPSDROC,
    VariantPSDSResult,
    pi_psds,
    psds_from_detections,
    psds_of_variants,
)
from soundeval.precision_recall import (
    AveragePrecisionResult,
    ClassPrecisionRecallCurve,
    PrecisionRecallCurve,
)
from soundeval.psd_roc import PSDROC, ClassPSDROC
from soundeval.psds import psds
from soundeval.psds_result import PSDSResult
from soundeval.roc import AUROCResult, ClassROCCurve, ROCCurve
from soundeval.rows import Rows
from soundeval.scenarios import Scenario
from soundeval.scores import ClipScores, Scores
from soundeval.statistics import Statistics, statistics
from soundeval.threads import set_num_threads
from soundeval.thresholds import Thresholds

if TYPE_CHECKING:
    from types import ModuleType

    from soundeval import ontology, plot, reference, tagging

__all__ = [
    "PSDROC",
    "AUROCResult",
    "Accumulator",
    "Accuracy",
    "AccuracyResult",
    "AveragePrecisionResult",
    "ClassAccuracy",
    "ClassDistances",
    "ClassErrorRate",
    "ClassErrorRateCurve",
    "ClassFScore",
    "ClassFScoreCurve",
    "ClassMatchedDistances",
    "ClassPSDROC",
    "ClassPrecisionRecallCurve",
    "ClassROCCurve",
    "ClassStatistics",
    "ClassVariantPSDROC",
    "Clip",
    "ClipScores",
    "Collar",
    "Counts",
    "Criterion",
    "CrossTrigger",
    "DistanceSums",
    "ErrorRate",
    "ErrorRateCurve",
    "ErrorRateResult",
    "Evaluation",
    "FScore",
    "FScoreCurve",
    "FScoreResult",
    "FalseAlarm",
    "InputError",
    "InputWarning",
    "Intersection",
    "MatchedDistances",
    "MatchedPair",
    "Matches",
    "Metric",
    "Miss",
    "OverallErrorRate",
    "PSDSResult",
    "PrecisionRecallCurve",
    "ROCCurve",
    "Rows",
    "Scenario",
    "Scores",
    "Segment",
    "Statistics",
    "Substitution",
    "Thresholds",
    "VariantPSDSResult",
    "__version__",
    "detect",
    "detection_statistics",
    "drop_short",
    "evaluate",
    "fill_gaps",
    "match",
    "matched_distances",
    "median_filter",
    "median_filter_frames",
    "metric",
    "metrics",
    "ontology",
    "pi_psds",
    "plot",
    "psds",
    "psds_from_detections",
    "psds_of_variants",
    "read_durations",
    "read_ground_truth",
    "read_scores",
    "reference",
    "scenarios",
    "set_num_threads",
    "statistics",
    "tagging",
    "write_events",
    "write_scores",
]

# Imported when they are first used: plots need matplotlib, the reference is for checking, and who
# evaluates events has no need of tags.
_LAZY_MODULES = frozenset({"ontology", "plot", "reference", "tagging"})


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY_MODULES:
        from importlib import import_module

        return import_module(f"soundeval.{name}")
    raise AttributeError(f"module 'soundeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
