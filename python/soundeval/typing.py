"""Names for the kinds of input that functions accept; useful in annotations only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from soundeval.ground_truth import GroundTruth
    from soundeval.metrics import Metric

__all__ = [
    "DurationsInput",
    "EventsInput",
    "GroundTruthInput",
    "MetricsInput",
    "PathInput",
    "ScoresInput",
    "Table",
    "ThresholdInput",
    "TimestampsInput",
]


class Table(Protocol):
    """What is asked of a pandas or polars DataFrame."""

    @property
    def columns(self) -> Iterable[str]:
        """Names of the columns."""

    def to_numpy(self) -> NDArray[np.generic]:
        """Return the values as a 2-d array."""

    def __getitem__(self, column: str, /) -> Iterable[object]:
        """Return one column."""

    def __len__(self) -> int:
        """Return the number of rows."""


ScoreArray: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
EdgeArray: TypeAlias = NDArray[np.float64]

PathInput: TypeAlias = str | os.PathLike[str]
EventsInput: TypeAlias = Sequence[tuple[float, float, str]]
TimestampsInput: TypeAlias = ArrayLike | Mapping[str, ArrayLike]
GroundTruthInput: TypeAlias = "PathInput | Mapping[str, EventsInput] | Table | GroundTruth"
DurationsInput: TypeAlias = PathInput | Mapping[str, float] | Table
MetricsInput: TypeAlias = "str | Metric | Iterable[str | Metric] | Mapping[str, str | Metric]"
ThresholdInput: TypeAlias = float | Mapping[str, float]
# object, because a mapping may hold tables, arrays or ClipScores, and mappings are invariant.
ScoresInput: TypeAlias = (
    PathInput | Mapping[str, object] | Iterable[tuple[str, ArrayLike, ArrayLike]]
)

ExtraClips: TypeAlias = Literal["raise", "ignore"]
MissingGroundTruth: TypeAlias = Literal["raise", "no_events"]
MissingClasses: TypeAlias = Literal["raise", "exclude"]
MissingClassesOfMatch: TypeAlias = Literal["raise", "exclude", "keep"]
UnknownLabels: TypeAlias = Literal["raise", "ignore"]
ZeroLength: TypeAlias = Literal["raise", "drop", "keep"]
UnitOfTime: TypeAlias = Literal["second", "minute", "hour"]
