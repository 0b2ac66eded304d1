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
| polyphonic sound detection score | `psds`, `scenarios` |
| counts at every decision threshold | `statistics`, `Intersection` |
| clip by clip, over processes or machines | `Accumulator` |
| files | `read_scores`, `read_ground_truth`, `read_durations`, `write_scores` |
| many arrays | `Scores` |
| the same in slow, obvious Python | ``soundeval.reference`` |

Times are in seconds. A frame is active where its score is greater than the decision threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soundeval import scenarios
from soundeval._core import version as __version__
from soundeval.accumulator import Accumulator
from soundeval.class_statistics import ClassStatistics, Counts
from soundeval.criteria import Intersection
from soundeval.errors import InputError, InputWarning
from soundeval.io import read_durations, read_ground_truth, read_scores, write_scores
from soundeval.psd_roc import PSDROC, ClassPSDROC
from soundeval.psds import psds
from soundeval.psds_result import PSDSResult
from soundeval.scenarios import Scenario
from soundeval.scores import ClipScores, Scores
from soundeval.statistics import Statistics, statistics
from soundeval.threads import set_num_threads

if TYPE_CHECKING:
    from types import ModuleType

    from soundeval import plot, reference

__all__ = [
    "PSDROC",
    "Accumulator",
    "ClassPSDROC",
    "ClassStatistics",
    "ClipScores",
    "Counts",
    "InputError",
    "InputWarning",
    "Intersection",
    "PSDSResult",
    "Scenario",
    "Scores",
    "Statistics",
    "__version__",
    "plot",
    "psds",
    "read_durations",
    "read_ground_truth",
    "read_scores",
    "reference",
    "scenarios",
    "set_num_threads",
    "statistics",
    "write_scores",
]

# Imported when they are first used: the one needs matplotlib, the other is for checking.
_LAZY_MODULES = frozenset({"plot", "reference"})


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY_MODULES:
        from importlib import import_module

        return import_module(f"soundeval.{name}")
    raise AttributeError(f"module 'soundeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
