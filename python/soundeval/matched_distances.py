r"""How far detections are from the events that they find, at every decision threshold.

A positive distance is a detection that is late. `match` tells the same of lists of detections, pair
by pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from soundeval import _core
from soundeval.class_statistics import point_of
from soundeval.counting import JoinedScores
from soundeval.criteria import Collar
from soundeval.errors import checked
from soundeval.joining import Policies
from soundeval.names import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from soundeval.typing import (
        DurationsInput,
        ExtraClips,
        GroundTruthInput,
        MissingClasses,
        MissingGroundTruth,
        ScoresInput,
        TimestampsInput,
        UnknownLabels,
        ZeroLength,
    )

__all__ = ["ClassMatchedDistances", "DistanceSums", "MatchedDistances", "matched_distances"]


class DistanceSums(NamedTuple):
    """Matched pairs at one decision threshold, and the sums of their distances in seconds."""

    n_matched: int
    onset_distance_sum: float
    offset_distance_sum: float

    @property
    def onset_distance_mean(self) -> float:
        """Mean of detection minus reference at the onset; NaN without pairs."""
        return self.onset_distance_sum / self.n_matched if self.n_matched else math.nan

    @property
    def offset_distance_mean(self) -> float:
        """Mean of detection minus reference at the offset; NaN without pairs."""
        return self.offset_distance_sum / self.n_matched if self.n_matched else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class ClassMatchedDistances:
    """Matched pairs of one class at all decision thresholds, and the sums of their distances.

    Point i holds for thresholds from ``thresholds[i - 1]`` up to below ``thresholds[i]``.

    Attributes
    ----------
    thresholds : float64 ndarray of shape (n_points,)
        Scores at which pairs or sums change, ascending; the last is ``inf``, where there are none.
    n_matched : int64 ndarray of shape (n_points,)
        Matched pairs: the true positives.
    onset_distance_sums, offset_distance_sums : float64 ndarray of shape (n_points,)
        Sums of detection minus reference in seconds, correctly rounded.
    """

    thresholds: NDArray[np.float64]
    n_matched: NDArray[np.int64]
    onset_distance_sums: NDArray[np.float64]
    offset_distance_sums: NDArray[np.float64]

    def at(self, threshold: float) -> DistanceSums:
        """Return pairs and sums at a decision threshold.

        Parameters
        ----------
        threshold : float
            Frames with a score *greater* than this are active.

        Returns
        -------
        DistanceSums
            Those of the first point whose threshold is greater.

        Raises
        ------
        InputError
            If `threshold` is NaN.
        """
        point = point_of(self.thresholds, threshold)
        return DistanceSums(
            int(self.n_matched[point]),
            float(self.onset_distance_sums[point]),
            float(self.offset_distance_sums[point]),
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MatchedDistances(Mapping[str, ClassMatchedDistances]):
    """A read-only mapping from class to `ClassMatchedDistances`. Made by `matched_distances`.

    Attributes
    ----------
    per_class : dict of str to ClassMatchedDistances
        The classes, in column order.
    criterion : Collar
        When a detection counts.
    n_clips : int
        Number of evaluated clips.
    excluded_classes : tuple of str
        Classes that were left out because they have no reference event.
    notes : tuple of str
        One sentence for everything that a policy left out or filled in.
    """

    per_class: dict[str, ClassMatchedDistances]
    criterion: Collar
    n_clips: int
    excluded_classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, event_class: str) -> ClassMatchedDistances:
        """Return the distances of a class."""
        return self.per_class[event_class]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the evaluated classes, in column order."""
        return iter(self.per_class)

    def __len__(self) -> int:
        """Return the number of evaluated classes."""
        return len(self.per_class)

    def __repr__(self) -> str:
        """Return the sizes and the criterion."""
        return (
            f"MatchedDistances({counted(self.n_clips, 'clip')}, {counted(len(self), 'class')}, "
            f"{self.criterion!r})"
        )


def matched_distances(
    scores: ScoresInput,
    ground_truth: GroundTruthInput,
    criterion: Collar,
    *,
    audio_durations: DurationsInput | None = None,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
    progress: bool | None = None,
) -> MatchedDistances:
    r"""Return how far matched detections are from their reference events, at every threshold.

    With the matching M of detections i and reference events j at a threshold,

    .. math::

        d_\text{on} = \sum_{(i, j) \in M} (t_{\text{on}, i} - t_{\text{on}, j}), \qquad
        d_\text{off} = \sum_{(i, j) \in M} (t_{\text{off}, i} - t_{\text{off}, j}).

    Parameters
    ----------
    scores, ground_truth
        See `statistics`.
    criterion : Collar
        When a detection counts.
    audio_durations, timestamps, event_classes, progress
        See `statistics`. Durations only say which clips there are.
    extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
        See `statistics`.

    Returns
    -------
    MatchedDistances
        For each class the sums at all thresholds.

    Raises
    ------
    InputError
        As `statistics`.
    TypeError
        If `criterion` is no `Collar`, and as `statistics`.

    Notes
    -----
    Which of several largest matchings is taken matters here. At each threshold it is that of
    Hopcroft and Karp (1973) as Eppstein wrote it down, with detections and reference events of a
    class in order of time, whatever was matched at other thresholds. Their number is that of the
    true positives of `Statistics`.

    Sums are exact before they are rounded once, so they do not depend on the order of clips.

    References
    ----------
    J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs",
    SIAM Journal on Computing 2(4), 1973. https://doi.org/10.1137/0202019

    See Also
    --------
    match : Every pair of given detections.

    Examples
    --------
    With a lower threshold the detection begins earlier:

    >>> import numpy as np
    >>> import soundeval as se
    >>> distances = se.matched_distances(
    ...     {"a": np.array([[0.1], [0.5], [0.75], [0.75], [0.1]])},
    ...     {"a": [(1.5, 4.0, "Dog")]},
    ...     se.Collar(onset_collar=0.5),
    ...     timestamps=np.arange(6.0),
    ...     event_classes=["Dog"],
    ... )
    >>> distances["Dog"].at(0.6)
    DistanceSums(n_matched=1, onset_distance_sum=0.5, offset_distance_sum=0.0)
    >>> distances["Dog"].at(0.3).onset_distance_mean
    -0.5
    """
    if not isinstance(criterion, Collar):
        raise TypeError(f"criterion must be a Collar, got {type(criterion).__name__}")
    policies = Policies(
        extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
    )
    joined = JoinedScores(
        scores,
        ground_truth,
        policies,
        audio_durations=audio_durations,
        timestamps=timestamps,
        event_classes=event_classes,
        progress=progress,
    )
    classes = joined.event_classes
    n_ref = np.zeros(len(classes), np.int64)
    batches = []
    for batch, events in joined.batches():
        n_ref += np.bincount(np.asarray(events.classes, np.int64), minlength=len(classes))
        batches.append(checked(_core.pair_changes, list(classes), *batch, events, criterion._core))
    excluded = joined.join.excluded_classes(n_ref.tolist())
    joined.join.warn_of_wrong_units()
    per_class = {}
    for name, changes in zip(classes, zip(*batches, strict=True), strict=True):
        if name not in excluded:
            score, onset, offset, comes = map(np.concatenate, zip(*changes, strict=True))
            per_class[name] = ClassMatchedDistances(
                *_core.cumulated_distances(score, onset, offset, comes)
            )
    return MatchedDistances(per_class, criterion, len(joined.seen), excluded, joined.join.notes())
