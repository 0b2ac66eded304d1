r"""What became of every detection and every reference event: for the inspection of errors.

The rules are those by which `detection_statistics` counts, so the numbers of rows are its counts.
Substitutions are an addition for `Collar`: what is left over of all classes is matched once more,
now whatever the class.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from soundeval import _core
from soundeval.checks import choice
from soundeval.criteria import Clip, Criterion, Segment, check_criterion
from soundeval.errors import checked
from soundeval.event_lists import EventLists, classes_without_targets, join_event_lists
from soundeval.ground_truth import FlatEvents
from soundeval.joining import Policies
from soundeval.matches import CrossTrigger, FalseAlarm, MatchedPair, Matches, Miss, Substitution
from soundeval.rows import Column, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from soundeval.typing import (
        DurationsInput,
        ExtraClips,
        GroundTruthInput,
        MissingClassesOfMatch,
        MissingGroundTruth,
        UnknownLabels,
        ZeroLength,
    )

__all__ = ["match"]


def match(
    detections: GroundTruthInput,
    ground_truth: GroundTruthInput,
    criterion: Criterion,
    *,
    audio_durations: DurationsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClassesOfMatch = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
) -> Matches:
    r"""Match detections with reference events, and return every match and every error.

    Parameters
    ----------
    detections, ground_truth, criterion, audio_durations, event_classes
        See `detection_statistics`.
    extra_clips, missing_ground_truth, unknown_labels, zero_length
        See `detection_statistics`.
    missing_classes : {"raise", "exclude", "keep"}, default "raise"
        Classes without any reference event. "exclude" leaves them out of everything, "keep" shows
        their detections as false alarms, which count over all classes and have no rate of their
        own.

    Returns
    -------
    Matches
        Rows of pairs, false alarms, misses, cross triggers and substitutions, with filters, counts,
        F-scores and error rates.

    Raises
    ------
    InputError
        If content is wrong or does not fit together.
    TypeError
        If an argument is of a wrong kind.

    Notes
    -----
    With `Collar` the pairs are those of one maximum matching of hits,

    .. math::

        M \in \arg\max_{M \text{ matching}} |M|,

    found by the algorithm of Hopcroft and Karp (1973) in a fixed order. Which of several largest
    matchings is taken, and so distances and substitutions, depends on the order in which the events
    of a clip are listed; counts do not. The order is that of sed_eval, and so is the rule of
    substitutions: missed reference events, in their order, take the first false alarm that they
    are hit by, whatever the class.

    With `Segment` and `Clip` rows are units of time, and detections of a class merge.

    References
    ----------
    A. Mesaros, T. Heittola, T. Virtanen, "Metrics for polyphonic sound event detection", Applied
    Sciences 6(6), 2016. https://doi.org/10.3390/app6060162

    J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs",
    SIAM Journal on Computing 2(4), 1973. https://doi.org/10.1137/0202019

    See Also
    --------
    detection_statistics : Only the counts, as `Statistics`.

    Examples
    --------
    A dog is found a little early, and a cat taken for a dog:

    >>> import soundeval as se
    >>> matches = se.match(
    ...     {"a": [(0.75, 2.0, "Dog"), (4.0, 5.0, "Dog")]},
    ...     {"a": [(1.0, 2.0, "Dog"), (4.0, 5.0, "Cat")]},
    ...     se.Collar(onset_collar=0.25),
    ... )
    >>> matches
    Matches: 1 of 2 targets found, 1 false alarm
    onset within 0.25 s, offset within 0.2 s or 20 % of the length
    1 substitution
    1 clip
           found  missed  false  mean onset  mean offset
      all      1       1      1     -0.250s      +0.000s
      Cat      0       1      0
      Dog      1       0      1     -0.250s      +0.000s
    >>> matches.false_alarms[0]
    FalseAlarm(clip='a', event_class='Dog', onset=4.0, offset=5.0)
    >>> matches.substitutions[0].reference_class
    'Cat'
    >>> matches.overall_error_rate().error_rate
    0.5
    """
    criterion = check_criterion(criterion)
    choice("missing_classes", missing_classes, ("raise", "exclude", "keep"))
    policy = "exclude" if missing_classes == "keep" else missing_classes
    policies = Policies(extra_clips, missing_ground_truth, policy, unknown_labels, zero_length)
    lists = join_event_lists(
        detections, ground_truth, audio_durations, event_classes, criterion, policies
    )
    is_unit_based = isinstance(criterion, (Segment, Clip))
    excluded: tuple[str, ...] = ()
    if not is_unit_based:
        n_ref = np.bincount(lists.targets.classes, minlength=len(lists.event_classes))
        excluded = classes_without_targets(lists.event_classes, n_ref.tolist(), policy)
        if excluded and missing_classes == "exclude":
            lists = _without_detections_of(lists, excluded)
    tables = checked(
        _core.match_events,
        criterion._core,
        len(lists.event_classes),
        lists.clip_ids,
        lists.detections,
        lists.targets,
        lists.core_durations,
    )
    clips, classes = tables[1][:2]
    n_ref = np.bincount(classes, minlength=len(lists.event_classes))
    if is_unit_based:
        excluded = classes_without_targets(lists.event_classes, n_ref.tolist(), policy)
    if missing_classes == "keep":
        excluded = ()
    return _matches(criterion, lists, tables, excluded, n_ref.tolist(), (clips, classes))


def _matches(
    criterion: Criterion,
    lists: EventLists,
    tables: Any,
    excluded: tuple[str, ...],
    n_ref: list[int],
    target_codes: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> Matches:
    detected, target, (found, found_target), false, missed, crossed, substituted, n_units = tables
    clip_names, class_names = tuple(lists.clip_ids), lists.event_classes
    kept = tuple(name for name in class_names if name not in excluded)

    def events(table: Any, rows: Any) -> dict[str, Column]:
        clips, classes, onsets, offsets = (column[rows] for column in table)
        return {
            "clip": Column(clips, clip_names),
            "event_class": Column(classes, class_names),
            "onset": Column(onsets),
            "offset": Column(offsets),
        }

    def side_by_side(rows: Any, target_rows: Any) -> tuple[dict[str, Column], dict[str, Column]]:
        clips, classes, *detection = (column[rows] for column in detected)
        _, target_classes, *reference = (column[target_rows] for column in target)
        labels = {
            "clip": Column(clips, clip_names),
            "event_class": Column(classes, class_names),
            "reference_class": Column(target_classes, class_names),
        }
        times = {
            "detection_onset": Column(detection[0]),
            "detection_offset": Column(detection[1]),
            "reference_onset": Column(reference[0]),
            "reference_offset": Column(reference[1]),
            "onset_distance": Column(detection[0] - reference[0]),
            "offset_distance": Column(detection[1] - reference[1]),
        }
        return labels, times

    labels, times = side_by_side(found, found_target)
    del labels["reference_class"]
    shared = np.minimum(times["detection_offset"].values, times["reference_offset"].values)
    shared = shared - np.maximum(times["detection_onset"].values, times["reference_onset"].values)
    times["shared"] = Column(np.maximum(shared, 0.0))
    triggers = events(detected, crossed[0])
    other = Column(crossed[1], class_names)
    labels_of_substitutions, times_of_substitutions = side_by_side(*substituted)
    matches = Matches(
        pairs=Rows(MatchedPair, {**labels, **times}),
        false_alarms=Rows(FalseAlarm, events(detected, false)),
        misses=Rows(Miss, events(target, missed)),
        cross_triggers=Rows(
            CrossTrigger,
            {
                "clip": triggers["clip"],
                "event_class": triggers["event_class"],
                "other_class": other,
                "onset": triggers["onset"],
                "offset": triggers["offset"],
            },
        ),
        substitutions=Rows(Substitution, {**labels_of_substitutions, **times_of_substitutions}),
        n_ref={name: n for name, n in zip(class_names, n_ref, strict=True) if name in kept},
        criterion=criterion,
        event_classes=kept,
        excluded_classes=excluded,
        clip_ids=clip_names,
        notes=lists.notes,
        _target_codes=target_codes,
        _n_units=(
            dict(zip(clip_names, n_units.tolist(), strict=True))
            if isinstance(criterion, (Segment, Clip))
            else None
        ),
    )
    if excluded:
        # Events of these classes were left out before; their units are found with all others.
        matches = replace(matches, false_alarms=matches.false_alarms.of_class(*kept))
    return matches


def _without_detections_of(lists: EventLists, excluded: tuple[str, ...]) -> EventLists:
    """Leave out the detections of some classes."""
    left_out = {lists.event_classes.index(name) for name in excluded}
    counts, onsets, offsets, classes = lists.detections
    is_kept = np.array([index not in left_out for index in classes], dtype=bool)
    clips = np.repeat(np.arange(len(counts)), counts)[is_kept]
    kept = FlatEvents(
        np.bincount(clips, minlength=len(counts)).tolist(),
        np.asarray(onsets, dtype=np.float64)[is_kept].tolist(),
        np.asarray(offsets, dtype=np.float64)[is_kept].tolist(),
        np.asarray(classes, dtype=np.int64)[is_kept].tolist(),
    )
    return replace(lists, detections=kept)
