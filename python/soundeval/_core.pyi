from collections.abc import Sequence
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Criterion: TypeAlias = tuple[str | float | None, ...]
_Floats: TypeAlias = NDArray[np.float64]
_Counts: TypeAlias = NDArray[np.int64]
_ScoreTable: TypeAlias = tuple[str | None, NDArray[np.float64], NDArray[np.float64]]
_EventColumns: TypeAlias = tuple[Sequence[int], Sequence[float], Sequence[float], Sequence[int]]
_EventTable: TypeAlias = tuple[_Counts, _Counts, _Floats, _Floats]
_TagScores: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
_ScoreFile: TypeAlias = tuple[list[str], list[_ScoreTable]]

__all__ = [
    "DeltaStore",
    "auroc",
    "average_precision",
    "best_error_rate",
    "best_f_score",
    "build_profile",
    "cumulated_distances",
    "detect",
    "error_rate_curve",
    "f_score_curve",
    "match_events",
    "median_filter",
    "median_filter_frames",
    "num_threads",
    "obce_weights",
    "pair_changes",
    "precision_recall_curve",
    "psd_roc_of_variants",
    "psds_from_psd_roc",
    "read_durations",
    "read_events",
    "read_score_files",
    "roc_curve",
    "set_num_threads",
    "tagging_best_f",
    "tagging_numbers",
    "tagging_oap",
    "tagging_points",
    "tagging_ranked_labels",
    "version",
]

build_profile: str
version: str

@final
class DeltaStore:
    def __new__(
        cls,
        event_classes: Sequence[str],
        criterion: _Criterion,
    ) -> DeltaStore: ...
    @property
    def event_classes(self) -> list[str]: ...
    @property
    def criterion(self) -> _Criterion: ...
    def extend(
        self,
        clip_ids: Sequence[str],
        scores: Sequence[NDArray[np.float32] | NDArray[np.float64]],
        edges: Sequence[NDArray[np.float64]],
        event_counts: Sequence[int],
        onsets: Sequence[float],
        offsets: Sequence[float],
        classes: Sequence[int],
        durations: Sequence[float | None],
    ) -> None: ...
    def extend_with_events(
        self,
        clip_ids: Sequence[str],
        detections: _EventColumns,
        targets: _EventColumns,
        durations: Sequence[float | None],
    ) -> None: ...
    def merge(self, other: DeltaStore) -> None: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> DeltaStore: ...
    def clip_ids(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def n_ref(self) -> list[int]: ...
    def n_negatives(self) -> list[int] | None: ...
    def overall_errors(
        self, classes: Sequence[int], thresholds: Sequence[float]
    ) -> tuple[int, int, int, int] | None: ...
    def t_ref(self) -> list[float]: ...
    def class_statistics(
        self, class_index: int, classes: Sequence[int]
    ) -> tuple[
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.int64],
        list[tuple[int, NDArray[np.int64]]],
    ]: ...
    def psd_roc(
        self,
        classes: Sequence[int],
        dataset_duration: float,
        alpha_ct: float,
        alpha_st: float,
        seconds_per_unit: float,
        max_efpr: float | None,
        oracle: bool,
    ) -> tuple[
        NDArray[np.float64],
        NDArray[np.float64],
        list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]],
    ]: ...

def detect(
    event_classes: Sequence[str],
    clip_ids: Sequence[str],
    scores: Sequence[NDArray[np.float32] | NDArray[np.float64]],
    edges: Sequence[NDArray[np.float64]],
    thresholds: Sequence[float],
    ranks: Sequence[int],
) -> tuple[NDArray[np.int64], _Floats, _Floats, NDArray[np.int64]]: ...
def pair_changes(
    event_classes: Sequence[str],
    clip_ids: Sequence[str],
    scores: Sequence[NDArray[np.float32] | NDArray[np.float64]],
    edges: Sequence[NDArray[np.float64]],
    events: _EventColumns,
    criterion: _Criterion,
) -> list[tuple[_Floats, _Floats, _Floats, NDArray[np.bool_]]]: ...
def cumulated_distances(
    scores: _Floats,
    onset_distances: _Floats,
    offset_distances: _Floats,
    comes: NDArray[np.bool_],
) -> tuple[_Floats, NDArray[np.int64], _Floats, _Floats]: ...
def median_filter(
    event_classes: Sequence[str],
    clip_ids: Sequence[str],
    scores: Sequence[NDArray[np.float32] | NDArray[np.float64]],
    edges: Sequence[NDArray[np.float64]],
    lengths: Sequence[float],
    time_decimals: int,
) -> list[tuple[NDArray[np.float32] | NDArray[np.float64], _Floats]]: ...
def median_filter_frames(
    event_classes: Sequence[str],
    clip_ids: Sequence[str],
    scores: Sequence[NDArray[np.float32] | NDArray[np.float64]],
    edges: Sequence[NDArray[np.float64]],
    sizes: Sequence[int],
    mode: str,
    cval: float,
) -> list[tuple[NDArray[np.float32] | NDArray[np.float64], _Floats]]: ...
def precision_recall_curve(
    thresholds: _Floats, tps: _Counts, fps: _Counts, n_ref: int
) -> tuple[_Floats, _Floats, _Floats]: ...
def average_precision(tps: _Counts, fps: _Counts, n_ref: int) -> float: ...
def roc_curve(
    thresholds: _Floats, tps: _Counts, fps: _Counts, n_ref: int, n_negatives: int
) -> tuple[_Floats, _Floats, _Floats]: ...
def auroc(
    tps: _Counts,
    fps: _Counts,
    n_ref: int,
    n_negatives: int,
    max_fpr: float | None,
    mcclish_correction: bool,
) -> float: ...
def f_score_curve(
    tps: _Counts, fps: _Counts, n_ref: int, beta: float
) -> tuple[_Floats, _Floats, _Floats]: ...
def best_f_score(
    thresholds: _Floats,
    tps: _Counts,
    fps: _Counts,
    n_ref: int,
    beta: float,
    min_precision: float,
    min_recall: float,
) -> tuple[int, float]: ...
def error_rate_curve(
    tps: _Counts, fps: _Counts, n_ref: int
) -> tuple[_Floats, _Floats, _Floats]: ...
def best_error_rate(
    thresholds: _Floats,
    tps: _Counts,
    fps: _Counts,
    n_ref: int,
    max_insertion_rate: float | None,
    max_deletion_rate: float | None,
) -> tuple[int, float]: ...
def match_events(
    criterion: _Criterion,
    n_classes: int,
    clip_ids: Sequence[str],
    detections: _EventColumns,
    targets: _EventColumns,
    durations: Sequence[float | None],
) -> tuple[
    _EventTable,
    _EventTable,
    tuple[_Counts, _Counts],
    _Counts,
    _Counts,
    tuple[_Counts, _Counts],
    tuple[_Counts, _Counts],
    _Counts,
]: ...
def psd_roc_of_variants(
    curves: Sequence[Sequence[tuple[_Floats, _Floats, _Floats]]],
    alpha_st: float,
    max_efpr: float | None,
) -> tuple[_Floats, _Floats, list[tuple[_Floats, _Floats, _Floats, NDArray[np.int64]]]]: ...
def psds_from_psd_roc(
    tpr: NDArray[np.float64], efpr: NDArray[np.float64], max_efpr: float
) -> float: ...
def tagging_numbers(
    scores: _TagScores, labels: NDArray[np.uint8], weights: _Floats | None, max_fpr: float
) -> tuple[_Floats, _Floats, _Floats, _Floats]: ...
def tagging_points(
    scores: _TagScores, labels: NDArray[np.uint8], weights: _Floats | None
) -> tuple[NDArray[np.int64], list[_Floats], _Floats, _Floats]: ...
def tagging_best_f(
    scores: _TagScores, labels: NDArray[np.uint8], weights: _Floats | None, beta: float
) -> tuple[list[_Floats], _Floats]: ...
def tagging_ranked_labels(
    scores: _TagScores, labels: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
def tagging_oap(
    scores: _TagScores,
    labels: NDArray[np.uint8],
    weights: _Floats | None,
    distances: _Floats,
    levels: Sequence[float],
    normalization: str,
    unlabeled: str,
    strict: bool,
) -> tuple[_Floats, _Floats, int]: ...
def obce_weights(
    labels: NDArray[np.uint8],
    distances: _Floats,
    beta: float,
    over_batch: bool,
    to_other_labels: bool,
) -> _Floats: ...
def read_score_files(paths: Sequence[str]) -> list[_ScoreFile]: ...
def read_events(
    path: str,
) -> tuple[list[tuple[str, float | None, float | None, str | None, int]], list[int]]: ...
def read_durations(path: str) -> list[tuple[str, float, int]]: ...
def set_num_threads(n: int) -> None: ...
def num_threads() -> int: ...
