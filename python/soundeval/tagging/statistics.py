r"""The hub: counts of every class at every threshold that matters, from one sort per class.

Recall rises only where the threshold passes a positive, so the points of a class are the distinct
scores of its positives. Average precision, the area under the ROC and the best F are exact at
these points, however many negatives lie between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.errors import checked
from soundeval.names import counted, did_you_mean, listed
from soundeval.results import read_only
from soundeval.tagging.inputs import TaggingInput, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.averages import Average, NoPositive
    from soundeval.tagging.f_score import BestFScore
    from soundeval.tagging.inputs import TagsInput

__all__ = ["ClassTaggingStatistics", "TaggingStatistics", "statistics"]

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClassTaggingStatistics:
    """Counts of one class at the scores of its positives, the highest first.

    Attributes
    ----------
    thresholds : float64 ndarray of shape (n_points,)
        Distinct scores of positives, descending. A clip is tagged where its score is at least the
        threshold.
    tps, fps : float64 ndarray of shape (n_points,)
        Positives and negatives that are tagged; whole numbers unless clips have weights.
    fps_above : float64 ndarray of shape (n_points,)
        Negatives with a score greater than the threshold: the difference to `fps` is tied with
        positives, and the ROC is a slope there instead of a step.
    n_positives, n_negatives : float
        All positives and negatives.
    """

    thresholds: _Floats
    tps: _Floats
    fps_above: _Floats
    fps: _Floats
    n_positives: float
    n_negatives: float

    @property
    def precision(self) -> _Floats:
        """Share of positives among the tagged, at each threshold."""
        return self.tps / (self.tps + self.fps)

    @property
    def recall(self) -> _Floats:
        """Share of the positives that are tagged, at each threshold."""
        return self.tps / self.n_positives

    def roc_curve(self) -> tuple[_Floats, _Floats]:
        """Return false and true positive rates from (0, 0) to (1, 1).

        The curve is straight between its points; those on a straight line are left out.
        """
        if not (self.n_positives and self.n_negatives):
            return np.full(2, math.nan), np.full(2, math.nan)
        before = np.concatenate([[0.0], self.tps[:-1]])
        fps = np.column_stack([self.fps_above, self.fps]).ravel()
        tps = np.column_stack([before, self.tps]).ravel()
        fps = np.concatenate([[0.0], fps, [self.n_negatives]]) / self.n_negatives
        tps = np.concatenate([[0.0], tps, [self.n_positives]]) / self.n_positives
        return fps, tps

    def __repr__(self) -> str:
        """Return the sizes; the arrays are long."""
        return (
            f"ClassTaggingStatistics({self.n_positives:g} positives, {self.n_negatives:g} "
            f"negatives, {counted(len(self.thresholds), 'threshold')})"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TaggingStatistics(Mapping[str, ClassTaggingStatistics]):
    """Statistics of all classes: a mapping of class name to `ClassTaggingStatistics`.

    Attributes
    ----------
    class_names : tuple of str
        Columns of the tables, or "0", "1", ...
    n_clips : int
        Number of clips.
    """

    _data: TaggingInput
    _classes: dict[str, ClassTaggingStatistics] = field(hash=False)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes in the order of columns."""
        return self._data.class_names

    @property
    def n_clips(self) -> int:
        """Number of clips."""
        return len(self._data.labels)

    @property
    def classes_without_positives(self) -> tuple[str, ...]:
        """Classes that have no average precision, and are left out of means."""
        return tuple(name for name, one in self.items() if not one.n_positives)

    def __getitem__(self, name: str) -> ClassTaggingStatistics:
        """Return the counts of one class."""
        try:
            return self._classes[name]
        except KeyError:
            raise KeyError(f"no class {name!r}{did_you_mean(str(name), self._classes)}") from None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of classes."""
        return iter(self._classes)

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self._classes)

    def average_precision(
        self, *, average: Average = "macro", no_positive: NoPositive = "nan"
    ) -> float | _Floats:
        """Return average precision; see `soundeval.tagging.average_precision`."""
        from soundeval.tagging.average_precision import averaged_precision

        return averaged_precision(self._data, average, no_positive, self._precisions)

    def roc_auc(
        self, *, average: Average = "macro", max_fpr: float | None = None
    ) -> float | _Floats:
        """Return the area under the ROC; see `soundeval.tagging.roc_auc`."""
        from soundeval.tagging.roc import averaged_area

        return averaged_area(self._data, average, max_fpr, "nan")

    def best_f_score(self, *, beta: float = 1.0) -> BestFScore:
        """Return the best F of every class; see `soundeval.tagging.best_f_score`."""
        from soundeval.tagging.f_score import best_of

        return best_of(self._data, beta)

    def f_score(
        self, threshold: ArrayLike = 0.5, *, beta: float = 1.0, average: Average = "macro"
    ) -> float | _Floats:
        """Return F at a threshold; see `soundeval.tagging.f_score`."""
        from soundeval.tagging.f_score import averaged_f

        return averaged_f(self._data, threshold, beta, average, math.nan)

    def _precisions(self) -> tuple[_Floats, _Floats]:
        """Return average precision and positives of every class."""
        values = np.full(len(self), math.nan)
        for i, one in enumerate(self.values()):
            if one.n_positives:
                gained = np.diff(one.tps, prepend=0.0)
                # Added one after the other, as the compiled core does it.
                values[i] = np.cumsum(gained * one.precision)[-1] / one.n_positives
        return values, np.array([one.n_positives for one in self.values()])

    def __repr__(self) -> str:
        """Return the sizes, and what has no positives."""
        missing = self.classes_without_positives
        note = f"; without positives: {listed(missing)}" if missing else ""
        return (
            f"TaggingStatistics({counted(self.n_clips, 'clip')}, "
            f"{counted(len(self), 'class')}{note})"
        )


def statistics(
    y_true: TagsInput,
    y_score: TagsInput,
    *,
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> TaggingStatistics:
    """Count true and false positives of every class at every threshold that matters.

    Parameters
    ----------
    y_true : array-like or table of shape (n_clips, n_classes)
        0 and 1, or bools.
    y_score : array-like or table of shape (n_clips, n_classes)
        Finite scores: bool, integers, float16, float32 or float64, used as exactly as they come.
    sample_weight : array-like of shape (n_clips,), optional
        What each clip counts, 1 by default.
    mask : array-like of bool of shape (n_clips, n_classes), optional
        True where the label is known, by default everywhere.
    labels : sequence of int or str, optional
        Columns to look at, all by default.

    Returns
    -------
    TaggingStatistics
        Mapping of class name to counts, with the metrics as methods.

    Raises
    ------
    InputError
        If shapes differ, labels are not 0 or 1, or scores are NaN or infinite.

    Notes
    -----
    Cost: O(p log p + n log p) for a class with p positives among n clips, and memory for its
    points only.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> y_true = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    >>> y_score = np.array([[0.9, 0.2], [0.8, 0.6], [0.7, 0.1], [0.1, 0.3]])
    >>> statistics = se.tagging.statistics(y_true, y_score)
    >>> statistics["0"].thresholds, statistics["0"].tps, statistics["0"].fps
    (array([0.9, 0.7]), array([1., 2.]), array([0., 1.]))
    >>> round(statistics.average_precision(), 4)
    0.7917
    """
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask, labels=labels)
    starts, columns, positives, negatives = checked(
        _core.tagging_points, data.scores, data.labels, data.weights
    )
    columns = list(read_only(tuple(columns)))
    classes = {}
    for i, name in enumerate(data.class_names):
        part = slice(starts[i], starts[i + 1])
        thresholds, tps, fps_above, fps = (column[part] for column in columns)
        classes[name] = ClassTaggingStatistics(
            thresholds, tps, fps_above, fps, float(positives[i]), float(negatives[i])
        )
    return TaggingStatistics(data, classes)
