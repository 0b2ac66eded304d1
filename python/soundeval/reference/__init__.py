"""The pure-Python twins: every number once more, in the most obvious way.

These functions have the names and arguments of the fast ones and none of their tricks: they loop
over every distinct score, list the events, match and count, with plain integers and floats. They
are there to be read, and to be compared with: use them to check a definition, not to evaluate a
system. They trust their input; unlike the fast ones they do not search it for mistakes. They import
nothing but the standard library and, to hold arrays, NumPy.

Differences from the fast functions: criteria are given by their parameters, ``event_classes`` and
``timestamps`` are always needed, and results hold lists.
"""

from .detection import detections
from .intersection import ClassStatistics, statistics
from .psd_curve import PSDROC, ClassPSDROC, class_psd_roc, psd_roc
from .psd_score import PSDS, psds, psds_from_statistics
from .tsv import ScoreSet, read_durations, read_ground_truth, read_scores

__all__ = [
    "PSDROC",
    "PSDS",
    "ClassPSDROC",
    "ClassStatistics",
    "ScoreSet",
    "class_psd_roc",
    "detections",
    "psd_roc",
    "psds",
    "psds_from_statistics",
    "read_durations",
    "read_ground_truth",
    "read_scores",
    "statistics",
]
