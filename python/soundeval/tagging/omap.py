r"""Ontology-aware mean average precision (OmAP).

Liu, Kong, Liu, Mei, Liu, Li, Plumbley, Wang, "Ontology-aware Learning and Evaluation for Audio
Tagging", ICASSP 2023.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.checks import choice
from soundeval.errors import InputError, checked
from soundeval.names import counted, listed
from soundeval.results import FlatDict, json_number
from soundeval.tagging.averages import macro, undefined_as
from soundeval.tagging.inputs import chosen_columns, distance_matrix, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.averages import NoPositive
    from soundeval.tagging.inputs import TagsInput

__all__ = ["OmapResult", "omap"]

_Floats = NDArray[np.float64]
Normalization: TypeAlias = Literal["offdiag", "all", "none"]
Unlabeled: TypeAlias = Literal["error", "max", "zero", "one"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OmapResult:
    """OmAP, and what it is made of.

    Attributes
    ----------
    value : float
        The mean over levels of `per_level`: OmAP.
    levels : tuple of float
        The levels: false positives at a distance of at most this are forgiven.
    oap : float64 ndarray of shape (n_levels, n_classes)
        Ontology-aware average precision of every class at every level.
    class_names : tuple of str
        Names of the classes.
    n_positives : float64 ndarray of shape (n_classes,)
        Positives of every class; whole numbers unless clips have weights.
    n_unlabeled : int
        Clips without labels.
    normalization, unlabeled, no_positive : str
        How it was computed.
    """

    value: float
    levels: tuple[float, ...]
    oap: _Floats
    class_names: tuple[str, ...]
    n_positives: _Floats = field(repr=False)
    n_unlabeled: int
    normalization: str
    unlabeled: str
    no_positive: str

    @property
    def per_level(self) -> dict[float, float]:
        """Mean over classes at each level; NaN classes are left out."""
        return {level: macro(row) for level, row in zip(self.levels, self.oap, strict=True)}

    @property
    def per_class(self) -> dict[str, float]:
        """Mean over levels of each class; NaN for classes without positives."""
        means = [math.fsum(column) / len(column) for column in self.oap.T.tolist()]
        return dict(zip(self.class_names, means, strict=True))

    @property
    def omap0(self) -> float:
        """OmAP at level 0, where nothing is forgiven; NaN if it was not among the levels.

        It is not mAP: false positives still cost their distance.
        """
        return self.per_level.get(0.0, math.nan)

    @property
    def macro(self) -> float:
        """Mean over classes: `value`."""
        return self.value

    @property
    def classes_without_positives(self) -> tuple[str, ...]:
        """Classes that have no average precision."""
        return tuple(self.class_names[i] for i in np.flatnonzero(self.n_positives == 0))

    def __float__(self) -> float:
        """Return OmAP."""
        return self.value

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold.

        Returns
        -------
        dict
            ``"omap"``, ``"omap0"``, ``"omap/level_<level>"``, ``"omap/<class>"`` (the mean over
            levels), then the settings and counts.
        """
        return {
            "omap": json_number(self.value),
            "omap0": json_number(self.omap0),
            **{f"omap/level_{k:g}": json_number(v) for k, v in self.per_level.items()},
            **{f"omap/{name}": json_number(value) for name, value in self.per_class.items()},
            "normalization": self.normalization,
            "unlabeled": self.unlabeled,
            "no_positive": self.no_positive,
            "n_unlabeled": self.n_unlabeled,
            "classes_without_positives": list(self.classes_without_positives),
        }

    def __repr__(self) -> str:
        """Return OmAP, its levels and what was left out."""
        levels = " ".join(f"{level:g}: {value:.3f}" for level, value in self.per_level.items())
        lines = [
            f"OmAP {self.value:.4f}, mean of {counted(len(self.levels), 'level')} and "
            f"{counted(len(self.class_names), 'class')}; OmAP0 {self.omap0:.4f}",
            f"  by level  {levels}",
        ]
        missing = self.classes_without_positives
        if missing:
            said = {"nan": "left out", "zero": "counted as 0"}[self.no_positive]
            lines.append(
                f"  {counted(len(missing), 'class')} without positives, {said}: {listed(missing)}"
            )
        if self.n_unlabeled:
            lines.append(
                f"  {counted(self.n_unlabeled, 'clip')} without labels, unlabeled="
                f"{self.unlabeled!r}"
            )
        return "\n".join(lines)


def omap(
    y_true: TagsInput,
    y_score: TagsInput,
    distances: ArrayLike,
    *,
    levels: Sequence[float] | None = None,
    normalization: Normalization = "offdiag",
    no_positive: NoPositive = "nan",
    unlabeled: Unlabeled = "error",
    threshold: Literal["ge", "gt"] = "ge",
    sample_weight: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    labels: Sequence[int] | Sequence[str] | None = None,
) -> OmapResult:
    r"""Return ontology-aware mean average precision (Liu et al., ICASSP 2023, equations 1 to 6).

    Average precision in which a false positive costs its distance to the nearest label of its
    clip, and nothing up to a distance :math:`\lambda`; averaged over classes and over levels
    :math:`\lambda = 0, 1, \dots, D_m`:

    .. math::

        P = \frac{TP}{TP + \sum_{FP} W_{n,c}}, \qquad
        W_{n,c} = \frac{1}{\mu} \min_{k \in L_n} D^{(\lambda)}_{c,k}, \qquad
        D^{(\lambda)}_{i,j} = \begin{cases} D_{i,j} & D_{i,j} > \lambda \\ 0 & \text{else}
        \end{cases}

    with :math:`\mu` the mean of :math:`D^{(\lambda)}`.

    Parameters
    ----------
    y_true : array-like or table of shape (n_clips, n_classes)
        0 and 1, or bools.
    y_score : array-like or table of shape (n_clips, n_classes)
        Finite scores; only their order within a class matters.
    distances : array-like of shape (n_classes, n_classes)
        Distances of classes, as from `soundeval.ontology.Ontology.distance_matrix`: symmetric, 0 on
        the diagonal. With `labels`, those of all columns.
    levels : sequence of float, optional
        Levels to average over, by default 0, 1, ... up to the greatest whole distance.
    normalization : {"offdiag", "all", "none"}, default "offdiag"
        What the mean :math:`\mu` is taken over: pairs of different classes, as in the published
        code and in the numbers of the paper; all entries, as the paper says; or 1 instead of it.
    no_positive : {"nan", "zero", "error"}, default "nan"
        What a class without positives has. NaN is left out of means; the published code has 0.
    unlabeled : {"error", "max", "zero", "one"}, default "error"
        What a false positive in a clip without labels costs: the greatest distance, nothing (as
        without the clip), or 1 at every level.
    threshold : {"ge", "gt"}, default "ge"
        Whether a score at the threshold is tagged. The paper writes ``>``, with the thresholds at
        the scores, so that the set of all clips is no operating point; the published code has
        ``>=``.
    sample_weight, mask, labels
        As in `average_precision`. A masked label is no label of its clip.

    Returns
    -------
    OmapResult
        OmAP, by level and by class.

    Raises
    ------
    InputError
        If clips have no labels and `unlabeled` does not say what they cost, if distances are no
        symmetric matrix that fits, and as in `average_precision`.

    Notes
    -----
    *What the number does.* At the level :math:`D_m` everything is forgiven: it is 1 by
    construction for every class with a positive. On AudioSet, levels of 16 and more say little, and
    random scores get an OmAP of 0.315 (0.007 at level 0). So OmAP is on another scale than mAP, and
    `omap0` is not mAP either. Report levels with it.

    The paper divides the sum over :math:`D_m + 1` levels by :math:`D_m`; its numbers, and these,
    are means over :math:`D_m + 1`.

    Undefined: a class without positives, see `no_positive`; NaN if no class has any.

    All levels come from one pass over the scores, and with whole distances all sums are exact.
    Memory: the counts of negatives by score of a positive and distance, for one class per thread.

    See Also
    --------
    plot_omap, plot_omap_comparison : Pictures of it.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> path = np.abs(np.subtract.outer(range(3), range(3)))
    >>> y_true = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> y_score = [[0.9, 0.8, 0.2], [0.8, 0.1, 0.6], [0.7, 0.3, 0.1]]
    >>> se.tagging.omap(y_true, y_score, path)
    OmAP 0.8397, mean of 3 levels and 3 classes; OmAP0 0.7692
      by level  0: 0.769 1: 0.750 2: 1.000
    """
    choice("normalization", normalization, ("offdiag", "all", "none"))
    choice("no_positive", no_positive, ("nan", "zero", "error"))
    choice("unlabeled", unlabeled, ("error", "max", "zero", "one"))
    choice("threshold", threshold, ("ge", "gt"))
    # All columns at first: a clip may have labels that are not evaluated, and they count.
    data = tagging_input(y_true, y_score, sample_weight=sample_weight, mask=mask)
    matrix = distance_matrix(distances, len(data.class_names))
    levels = tuple(map(float, _levels(matrix) if levels is None else levels))
    if not levels or any(math.isnan(level) for level in levels) or len({*levels}) < len(levels):
        raise InputError(f"levels must be numbers, at least one and each once, got {levels}")
    oap, positives, n_unlabeled = checked(
        _core.tagging_oap,
        data.scores,
        data.labels,
        data.weights,
        matrix,
        levels,
        normalization,
        unlabeled,
        threshold == "gt",
    )
    names = data.class_names
    if labels is not None:
        places = chosen_columns(names, labels)
        oap, positives, names = oap[:, places], positives[places], tuple(names[i] for i in places)
    undefined_as(
        oap[0],
        no_positive,
        what="classes without positives",
        names=names,
        allowed=("nan", "zero", "error"),
    )
    if no_positive == "zero":
        oap = np.where(np.isnan(oap), 0.0, oap)
    oap.flags.writeable = False
    value = macro(np.array([macro(row) for row in oap]))
    return OmapResult(
        value, levels, oap, names, positives, n_unlabeled, normalization, unlabeled, no_positive
    )


def _levels(matrix: _Floats) -> range:
    # A matrix that is not finite is refused by the core, with its place.
    greatest = matrix.max(initial=0.0)
    return range(int(greatest) + 1) if math.isfinite(greatest) else range(1)
