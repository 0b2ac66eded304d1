r"""F-scores: at given decision thresholds, at every one, and at the best.

Per class and point, with counts from `Statistics`:

.. math::

    P = \frac{TP}{TP + FP}, \qquad R = \frac{TP}{N}, \qquad
    F_\beta = (1 + \beta^2) \frac{P R}{\beta^2 P + R}

N is the number of targets. The functions are methods of `Statistics`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from soundeval import _core, display
from soundeval.checks import fraction, positive
from soundeval.errors import checked
from soundeval.names import counted, listed
from soundeval.results import FlatDict, json_number, mean, origin_entries, read_only
from soundeval.thresholds import Thresholds, thresholds_by_class

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from soundeval.criteria import Criterion
    from soundeval.statistics import Statistics
    from soundeval.typing import ThresholdInput

__all__ = ["ClassFScore", "ClassFScoreCurve", "FScore", "FScoreCurve", "FScoreResult"]


@dataclass(frozen=True, slots=True)
class FScore:
    """Precision, recall and their weighted harmonic mean.

    Attributes
    ----------
    f_score, precision, recall : float
        Between 0 and 1.
    """

    f_score: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class ClassFScore:
    """Precision, recall and F-score of one class at one decision threshold.

    Attributes
    ----------
    f_score, precision, recall : float
        Between 0 and 1.
    threshold : float
        Frames with a score greater than this are active.
    tps, fps : int
        Found targets and false detections.
    n_ref : int
        Targets.
    """

    f_score: float
    precision: float
    recall: float
    threshold: float
    tps: int
    fps: int
    n_ref: int


@dataclass(frozen=True, slots=True, repr=False)
class FScoreResult:
    """F-scores of all classes, each at one decision threshold.

    Attributes
    ----------
    macro : FScore
        Means over classes, of each number separately.
    micro : FScore
        Of the counts summed over classes.
    per_class : dict of str to ClassFScore
        Numbers, threshold and counts of every class, in column order.
    beta : float
        Weight of recall.
    best : bool
        Whether the thresholds were chosen on these clips, by the highest F-score of each class.
    min_precision, min_recall : float
        Which precision and recall were asked for when they were chosen.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    n_clips : int
        Number of evaluated clips.
    excluded_classes : tuple of str
        Score columns that were left out because they have no target.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in, and for classes of which no
        threshold meets the constraints.

    See Also
    --------
    Statistics.f_score : At given thresholds.
    Statistics.best_f_score : At the best.
    """

    macro: FScore
    micro: FScore
    per_class: dict[str, ClassFScore] = field(hash=False)
    beta: float
    best: bool
    min_precision: float
    min_recall: float
    criterion: Criterion
    n_clips: int
    excluded_classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds of the classes, to be stored or applied to other clips."""
        metric = None
        if self.best:
            metric = (
                f"best_f_score(beta={self.beta}, min_precision={self.min_precision}, "
                f"min_recall={self.min_recall})"
            )
        return Thresholds(
            {name: score.threshold for name, score in self.per_class.items()},
            criterion=self.criterion,
            metric=metric,
        )

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            ``"macro_f_score"``, ``"micro_f_score"`` and ``"f_score/<class>"``, the same of
            `precision` and `recall`, ``"threshold/<class>"`` (infinite ones as text) and the counts
            of each class, then the parameters, criterion, ``"n_clips"``, and the lists
            ``"excluded_classes"`` and ``"notes"``.
        """
        flat: FlatDict = {}
        for name in ("f_score", "precision", "recall"):
            flat[f"macro_{name}"] = getattr(self.macro, name)
            flat[f"micro_{name}"] = getattr(self.micro, name)
        for name in ("f_score", "precision", "recall", "threshold", "tps", "fps", "n_ref"):
            for event_class, score in self.per_class.items():
                flat[f"{name}/{event_class}"] = json_number(getattr(score, name))
        return {
            **flat,
            "beta": self.beta,
            "best": self.best,
            "min_precision": self.min_precision,
            "min_recall": self.min_recall,
            **origin_entries(self),
        }

    def __repr__(self) -> str:
        """Return averages, settings in words, and one line for each class."""
        return display.table_as_text(self._table(), self)

    def _repr_html_(self) -> str:
        """Return the same as a table, for notebooks."""
        return display.table_as_html(self._table(), self)

    def _table(self) -> display.Table:
        name = f"F{display.number(self.beta)}"
        settings = "at the given thresholds"
        if self.best:
            settings = "at the best threshold of each class, chosen on these clips"
            limits = _limits_in_words(self.min_precision, self.min_recall)
            settings += f", with {limits}" if limits else ""
        return display.Table(
            title=f"{name}-score {self.macro.f_score:.4f} macro, {self.micro.f_score:.4f} micro",
            settings=settings,
            columns=(name, "precision", "recall", "threshold"),
            averages={
                "macro": (*display.fixed(*_numbers(self.macro)), ""),
                "micro": (*display.fixed(*_numbers(self.micro)), ""),
            },
            classes={
                event_class: (*display.fixed(*_numbers(score)), display.number(score.threshold))
                for event_class, score in self.per_class.items()
            },
        )


@dataclass(frozen=True, slots=True, eq=False)
class ClassFScoreCurve:
    """F-score of one class at every decision threshold.

    Attributes
    ----------
    f_score, precision, recall : float64 ndarray of shape (n_points,)
        One for each of `thresholds`.
    thresholds : float64 ndarray of shape (n_points,)
        Ascending, the last is ``inf``. Point i stands for the decision thresholds from
        ``thresholds[i - 1]`` (included) to ``thresholds[i]`` (excluded).
    """

    f_score: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    thresholds: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"ClassFScoreCurve({counted(len(self.thresholds), 'point')})"


@dataclass(frozen=True, slots=True, eq=False)
class FScoreCurve:
    """F-scores of all classes at every decision threshold.

    Attributes
    ----------
    per_class : dict of str to ClassFScoreCurve
        Curve of every class, in column order.
    beta : float
        Weight of recall.

    See Also
    --------
    Statistics.f_score_curve : Makes it.
    """

    per_class: dict[str, ClassFScoreCurve]
    beta: float

    def __repr__(self) -> str:
        """Return the size; the arrays are long."""
        return f"FScoreCurve({counted(len(self.per_class), 'class')}, beta={self.beta})"


def f_score_curve(self: Statistics, beta: float = 1.0) -> FScoreCurve:
    r"""Return F-score, precision and recall of every class at every decision threshold.

    .. math::

        F_\beta = (1 + \beta^2) \frac{P R}{\beta^2 P + R}

    Parameters
    ----------
    beta : float, default 1.0
        Weight of recall, greater than 0.

    Returns
    -------
    FScoreCurve
        Its ``per_class[name]`` has `f_score`, `precision`, `recall` and `thresholds`, in the order
        of the thresholds.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.2], [0.9], [0.4]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Segment(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> curve = stats.f_score_curve().per_class["Dog"]
    >>> curve.thresholds
    array([0.2, 0.4, 0.9, inf])
    >>> curve.f_score
    array([0.5       , 0.66666667, 1.        , 0.        ])
    """
    beta = positive("beta", beta)
    per_class = {}
    for name, counts in self.items():
        arrays = checked(_core.f_score_curve, counts.tps, counts.fps, counts.n_ref, beta)
        per_class[name] = ClassFScoreCurve(*read_only(arrays), counts.thresholds)
    return FScoreCurve(per_class, beta)


def f_score(self: Statistics, threshold: ThresholdInput, beta: float = 1.0) -> FScoreResult:
    r"""Return the F-score of every class at given decision thresholds, and its averages.

    .. math::

        P = \frac{TP}{TP + FP}, \qquad R = \frac{TP}{N}, \qquad
        F_\beta = (1 + \beta^2) \frac{P R}{\beta^2 P + R}

    (van Rijsbergen 1979; for sound events Mesaros et al. 2016).

    Parameters
    ----------
    threshold : float or mapping of str to float
        Decision threshold for all classes, or of each class: a dict, or the `Thresholds` that were
        chosen on other clips. Frames with a score greater than it are active.
    beta : float, default 1.0
        Weight of recall, greater than 0: with 2 it matters more than precision, with 0.5 less.

    Returns
    -------
    FScoreResult
        `macro` (means over classes), `micro` (of summed counts) and `per_class`.

    Raises
    ------
    InputError
        If thresholds are missing or NaN, or name what is no evaluated class.

    Notes
    -----
    Undefined cases:

    =======================  =================================================================
    a class without targets  error, or left out with ``missing_classes="exclude"``
    no detections            precision 1, recall 0, F-score 0 of the class; they enter the
                             macro average
    none of any class        precision 0 in the micro average
    no true positive         F-score 0
    =======================  =================================================================

    The macro F-score is the mean of the F-scores of classes, not that of the mean precision and
    recall.

    See Also
    --------
    best_f_score : At the best thresholds.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.2], [0.9], [0.4]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Segment(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> stats.f_score(0.3).per_class["Dog"]
    ClassFScore(f_score=0.6666666666666666, precision=0.5, recall=1.0, threshold=0.3, tps=1,
    fps=1, n_ref=1)
    >>> stats.f_score({"Dog": 0.5}).macro.f_score
    1.0
    """
    beta = positive("beta", beta)
    thresholds = thresholds_by_class(threshold, self.event_classes, self.excluded_classes)
    return _result(self, thresholds, beta)


def best_f_score(
    self: Statistics, beta: float = 1.0, min_precision: float = 0.0, min_recall: float = 0.0
) -> FScoreResult:
    r"""Return the highest F-score of every class over all decision thresholds, and its averages.

    .. math::

        \max_\theta \; F_\beta(\theta) \quad\text{where}\quad
        P(\theta) \ge P_{min}, \; R(\theta) \ge R_{min}

    The thresholds are chosen on the clips on which they are evaluated, so this is what a system
    could reach. For a fair number choose them on other clips: `thresholds` of the result go into
    `f_score` of the statistics of the test set.

    Parameters
    ----------
    beta : float, default 1.0
        Weight of recall, greater than 0.
    min_precision, min_recall : float, default 0.0
        Only thresholds with at least this precision and recall are chosen, between 0 and 1.

    Returns
    -------
    FScoreResult
        As `f_score` at the best thresholds; its `thresholds` can be stored and applied elsewhere.

    Notes
    -----
    A threshold lies halfway between two scores at which counts change. Of equally good ones it is
    the highest.

    Undefined cases:

    ================================  =======================================================
    no true positive at any           F-score 0 at the threshold ``inf``: nothing is detected
    threshold
    no threshold with a true          the same, and a note names the class
    positive meets the constraints
    ================================  =======================================================

    For others see `f_score`.

    References
    ----------
    J. Ebbers, R. Haeb-Umbach, R. Serizel, "Threshold independent evaluation of sound event
    detection scores", ICASSP 2022. https://doi.org/10.1109/ICASSP43922.2022.9747556

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> stats = se.statistics(
    ...     {"a": np.array([[0.25], [0.75], [0.5]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     se.Segment(),
    ...     timestamps=[0.0, 1.0, 2.0, 3.0],
    ...     event_classes=["Dog"],
    ... )
    >>> best = stats.best_f_score()
    >>> best
    F1-score 1.0000 macro, 1.0000 micro
    segments of 1 s
    at the best threshold of each class, chosen on these clips
    1 clip
                 F1  precision  recall  threshold
      macro  1.0000     1.0000  1.0000
      micro  1.0000     1.0000  1.0000
      Dog    1.0000     1.0000  1.0000      0.625
    >>> stats.f_score(best.thresholds).per_class == best.per_class
    True
    """
    beta = positive("beta", beta)
    min_precision = fraction("min_precision", min_precision)
    min_recall = fraction("min_recall", min_recall)
    thresholds = {}
    for name, counts in self.items():
        _, thresholds[name] = checked(
            _core.best_f_score,
            counts.thresholds,
            counts.tps,
            counts.fps,
            counts.n_ref,
            beta,
            min_precision,
            min_recall,
        )
    return _result(self, thresholds, beta, best=True, limits=(min_precision, min_recall))


def _result(
    stats: Statistics,
    thresholds: Mapping[str, float],
    beta: float,
    *,
    best: bool = False,
    limits: tuple[float, float] = (0.0, 0.0),
) -> FScoreResult:
    per_class = {}
    sums = np.zeros(3, dtype=np.int64)
    unmet = []
    for name, counts in stats.items():
        at = counts.at(thresholds[name])
        sums += (at.tps, at.fps, at.n_ref)
        score = _at_point(at.tps, at.fps, at.n_ref, beta)
        per_class[name] = ClassFScore(*_numbers(score), thresholds[name], at.tps, at.fps, at.n_ref)
        if at.tps == 0 and any(limits):
            unmet.append(name)
    tps, fps, n_ref = sums.tolist()
    micro = _at_point(tps, fps, n_ref, beta)
    if tps + fps == 0:
        micro = FScore(f_score=0.0, precision=0.0, recall=0.0)
    notes = list(stats.notes)
    if unmet:
        notes.append(
            f"no threshold with true positives has {_limits_in_words(*limits)} for "
            f"{counted(len(unmet), 'class')}: {listed(unmet)}"
        )
    return FScoreResult(
        macro=FScore(*map(mean, zip(*map(_numbers, per_class.values()), strict=True))),
        micro=micro,
        per_class=per_class,
        beta=beta,
        best=best,
        min_precision=limits[0],
        min_recall=limits[1],
        criterion=stats.criterion,
        n_clips=stats.n_clips,
        excluded_classes=stats.excluded_classes,
        notes=tuple(notes),
    )


def _at_point(tps: int, fps: int, n_ref: int, beta: float) -> FScore:
    """Return the numbers of one point, computed as those of curves are."""
    f_scores, precisions, recalls = checked(
        _core.f_score_curve,
        np.array([tps], dtype=np.int64),
        np.array([fps], dtype=np.int64),
        n_ref,
        beta,
    )
    return FScore(float(f_scores[0]), float(precisions[0]), float(recalls[0]))


def _limits_in_words(min_precision: float, min_recall: float) -> str:
    limits = (("a precision", min_precision), ("a recall", min_recall))
    return " and ".join(
        f"{name} of {display.number(limit)} or more" for name, limit in limits if limit > 0.0
    )


def _numbers(score: FScore | ClassFScore) -> tuple[float, float, float]:
    return score.f_score, score.precision, score.recall
