"""Statistics of detections that come as lists of events: one operating point, without scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soundeval.counting import new_store
from soundeval.criteria import check_criterion
from soundeval.errors import checked
from soundeval.event_lists import classes_without_targets, join_event_lists
from soundeval.joining import Policies
from soundeval.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soundeval.criteria import Criterion
    from soundeval.typing import (
        DurationsInput,
        ExtraClips,
        GroundTruthInput,
        MissingClasses,
        MissingGroundTruth,
        UnknownLabels,
        ZeroLength,
    )

__all__ = ["detection_statistics"]


def detection_statistics(
    detections: GroundTruthInput,
    ground_truth: GroundTruthInput,
    criterion: Criterion,
    *,
    audio_durations: DurationsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
) -> Statistics:
    r"""Return the exact counts of every class for detections that are lists of events.

    Every detection has the score 1, so there is one operating point, at every decision threshold
    below 1: ``stats.f_score(0.5)``, ``stats.error_rate(0.5)``, ``stats["Dog"].at(0.5)``.

    Parameters
    ----------
    detections : path, mapping or table
        Detected events: dict of clip id to list of ``(onset, offset, label)`` in seconds, or the
        path of a TSV file or a table with the columns ``filename``, ``onset``, ``offset``,
        ``event_label``. Clips that it does not name have no detections.
    ground_truth : path, mapping or table
        Reference events, in the same kinds.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    audio_durations : path, mapping or table, optional
        Duration of every clip in seconds: dict, or the path of a TSV file or a table with the
        columns ``filename``, ``duration``. If given, its clips are those that are evaluated;
        otherwise it is those of the detections and the ground truth together. Needed for rates per
        unit of time. `Segment` cuts the clips by it, and a `Clip` is as long.
    event_classes : sequence of str, optional
        Evaluated classes. Default: all labels of the detections and the ground truth, sorted.
    extra_clips : {"raise", "ignore"}, default "raise"
        Clips of the detections or the ground truth that the durations do not name.
    missing_ground_truth : {"raise", "no_events"}, default "raise"
        Evaluated clips that the ground truth does not name.
    missing_classes : {"raise", "exclude"}, default "raise"
        Classes without any reference event, also if they have detections. "exclude" leaves them out
        of everything.
    unknown_labels : {"raise", "ignore"}, default "raise"
        Labels of the detections or the ground truth that are not in `event_classes`.
    zero_length : {"raise", "drop", "keep"}, default "raise"
        Detections and reference events with onset equal to offset. An onset after the offset is
        always an error.

    Returns
    -------
    Statistics
        A mapping from class to `ClassStatistics`, with the points 1 and ``inf``.

    Raises
    ------
    InputError
        If content is wrong or does not fit together. One message lists all clips and labels that do
        not fit.
    TypeError
        If an argument is of a wrong kind.

    Notes
    -----
    Detections of one class may touch, overlap, nest or repeat. `Collar` and `Intersection` count
    each of them on its own:

    .. math::

        \text{Collar:}\quad TP &= \max_{M \text{ matching of hits}} |M|, \qquad FP = |D| - TP \\
        \text{Intersection:}\quad
            R &= \{d \in D : \textstyle\sum_{g \in G} |d \cap g| \ge \rho_{DTC} |d|\}, \\
            TP &= |\{g \in G : \textstyle\sum_{d \in R} |d \cap g| \ge \rho_{GTC} |g|\}|,
            \qquad FP = |D \setminus R|

    (Mesaros et al. 2016, Bilen et al. 2020), so a second in which two relevant detections overlap
    counts twice for a target. For `Segment` and `Clip` they merge. A detection that is relevant but
    finds no target is neither true nor false.

    Without durations a clip of `Segment` ends with its last detection or reference event. Counts
    do not depend on the order of clips and events or on the number of threads, and are those of
    `statistics` at a threshold where scores give the same detections.

    The time is :math:`O(n \log n)` in the number of events, and linear in the pairs that are near
    each other (`Collar`) or overlap (`Intersection`).

    See Also
    --------
    match : The matched pairs, the misses and the false alarms themselves.
    statistics : The same for scores, at every threshold.

    Examples
    --------
    A dog barks twice and is detected once, and something else is taken for it:

    >>> import soundeval as se
    >>> stats = se.detection_statistics(
    ...     {"a": [(0.9, 2.1, "Dog"), (7.0, 8.0, "Dog")]},
    ...     {"a": [(1.0, 2.0, "Dog"), (4.0, 5.0, "Dog")]},
    ...     se.Collar(onset_collar=0.2),
    ... )
    >>> stats["Dog"].at(0.5)
    Counts(tps=1, fps=1, fns=1, n_ref=2, cts={})
    >>> stats.f_score(0.5).macro.f_score
    0.5
    """
    criterion = check_criterion(criterion)
    policies = Policies(
        extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
    )
    lists = join_event_lists(
        detections, ground_truth, audio_durations, event_classes, criterion, policies
    )
    store = new_store(criterion, lists.event_classes)
    checked(
        store.extend_with_events,
        lists.clip_ids,
        lists.detections,
        lists.targets,
        lists.core_durations,
    )
    excluded = classes_without_targets(lists.event_classes, store.n_ref(), missing_classes)
    return Statistics(store, criterion, excluded, lists.durations, lists.notes)
