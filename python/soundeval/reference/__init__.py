"""The pure-Python twins: every number once more, in the most obvious way.

These functions have the names and arguments of the fast ones and none of their tricks: they loop
over every distinct score, list the events, match and count, with plain integers and floats. They
are there to be read, and to be compared with: use them to check a definition, not to evaluate a
system. They trust their input; unlike the fast ones they do not search it for mistakes. They import
nothing but the standard library and, to hold arrays, NumPy.

Differences from the fast functions: there is one function per criterion, with its parameters
(``statistics`` is that of intersections); ``event_classes`` and ``timestamps`` are always needed;
curves and numbers are functions of statistics, not methods; and results hold lists. Undefined
values are NaN.
"""

from .class_statistics import ClassStatistics
from .clip import clip_statistics
from .collar import collar_statistics
from .collar_distances import CollarDistances, collar_distances, matched_pairs
from .detection import detections
from .error_rates import ClassErrorRate, ErrorRate, ErrorRates, best_error_rate, error_rate
from .event_lists import (
    Matches,
    detection_clip_statistics,
    detection_collar_statistics,
    detection_intersection_statistics,
    detection_segment_statistics,
    match_collar,
    match_intersection,
)
from .f_scores import ClassFScore, FScore, FScores, best_f_score, f_score
from .intersection import statistics
from .matching import maximum_matching
from .matching_in_order import hits_in_order, matching_in_order
from .median_filters import median_filter, median_filter_frames
from .omap import hop_distances, obce_weights, omap, ontology_aware_average_precision
from .precision_recall import (
    AveragePrecision,
    PrecisionRecallCurve,
    average_precision,
    precision_recall_curve,
)
from .psd_curve import PSDROC, ClassPSDROC, class_psd_roc, psd_roc
from .psd_score import PSDS, psds, psds_from_statistics
from .roc import AUROC, ROCCurve, auroc, roc_curve
from .segment import segment_statistics
from .tagging import (
    lwlrap,
    tag_average_precision,
    tag_best_f_scores,
    tag_calibration_error,
    tag_counts,
    tag_d_prime,
    tag_f_scores,
    tag_label_ranks,
    tag_roc_auc,
)
from .tsv import ScoreSet, read_durations, read_ground_truth, read_scores
from .unit_errors import Accuracies, Accuracy, OverallErrors, accuracy, overall_errors
from .variants import best_of_variants

__all__ = [
    "AUROC",
    "PSDROC",
    "PSDS",
    "Accuracies",
    "Accuracy",
    "AveragePrecision",
    "ClassErrorRate",
    "ClassFScore",
    "ClassPSDROC",
    "ClassStatistics",
    "CollarDistances",
    "ErrorRate",
    "ErrorRates",
    "FScore",
    "FScores",
    "Matches",
    "OverallErrors",
    "PrecisionRecallCurve",
    "ROCCurve",
    "ScoreSet",
    "accuracy",
    "auroc",
    "average_precision",
    "best_error_rate",
    "best_f_score",
    "best_of_variants",
    "class_psd_roc",
    "clip_statistics",
    "collar_distances",
    "collar_statistics",
    "detection_clip_statistics",
    "detection_collar_statistics",
    "detection_intersection_statistics",
    "detection_segment_statistics",
    "detections",
    "error_rate",
    "f_score",
    "hits_in_order",
    "hop_distances",
    "lwlrap",
    "match_collar",
    "match_intersection",
    "matched_pairs",
    "matching_in_order",
    "maximum_matching",
    "median_filter",
    "median_filter_frames",
    "obce_weights",
    "omap",
    "ontology_aware_average_precision",
    "overall_errors",
    "precision_recall_curve",
    "psd_roc",
    "psds",
    "psds_from_statistics",
    "read_durations",
    "read_ground_truth",
    "read_scores",
    "roc_curve",
    "segment_statistics",
    "statistics",
    "tag_average_precision",
    "tag_best_f_scores",
    "tag_calibration_error",
    "tag_counts",
    "tag_d_prime",
    "tag_f_scores",
    "tag_label_ranks",
    "tag_roc_auc",
]
