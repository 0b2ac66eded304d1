"""Counts of detections that come as lists of events, and what became of every one of them.

There is one operating point. Detections of one class may touch, overlap and repeat: with
intersections and collars each counts on its own, in segments and clips they merge.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .arithmetic import rounded
from .class_statistics import ClassStatistics, Unit, add_clips, count_units, targets_of
from .collar import count_matches, fits
from .detection import Event
from .intersection import count, is_covered, overlap
from .matching_in_order import hits_in_order, matching_in_order
from .segment import boundaries, meet

Events = Mapping[str, Sequence[Event]]
"""Events by clip; clips that are not named have none."""


@dataclass
class Matches:
    """What became of all detections and targets.

    Attributes
    ----------
    pairs : list of (clip, detection, target)
        Events that go together, each an (onset, offset, label).
    false_alarms, misses : list of (clip, event)
    cross_triggers : list of (clip, detection, other class)
    substitutions : list of (clip, detection, target)
    """

    pairs: list[tuple[str, Event, Event]] = field(default_factory=list)
    false_alarms: list[tuple[str, Event]] = field(default_factory=list)
    misses: list[tuple[str, Event]] = field(default_factory=list)
    cross_triggers: list[tuple[str, Event, str]] = field(default_factory=list)
    substitutions: list[tuple[str, Event, Event]] = field(default_factory=list)


def lengths(events: Events, clips: Sequence[str], name: str) -> list[float]:
    """Return the lengths of all events of a class."""
    return [off - on for clip in clips for on, off in targets_of(events.get(clip, []), name)]


def detection_collar_statistics(
    detected: Events,
    ground_truth: Events,
    clips: Sequence[str],
    *,
    event_classes: Sequence[str],
    onset_collar: float = 0.2,
    offset_collar: float | None = 0.2,
    offset_collar_rate: float = 0.2,
    time_decimals: int = 6,
) -> dict[str, ClassStatistics]:
    """Count detections with collars; every detection has the score 1.

    Parameters
    ----------
    detected, ground_truth : mapping of clip id to sequence of (onset, offset, label)
        Seconds.
    clips : sequence of str
        Evaluated clips.
    event_classes : sequence of str
        Evaluated classes.
    onset_collar, offset_collar, offset_collar_rate, time_decimals
        See :func:`soundeval.reference.collar_statistics`.

    Returns
    -------
    dict of str to ClassStatistics

    Examples
    --------
    >>> its = detection_collar_statistics(
    ...     {"x": [(0.0, 1.0, "a"), (0.2, 1.1, "a")]}, {"x": [(0.1, 1.0, "a")]}, ["x"],
    ...     event_classes=["a"])["a"]
    >>> its.thresholds, its.tps, its.fps
    ([1.0, inf], [1, 0], [1, 0])
    """
    per_class = {}
    for name in event_classes:
        counts = [
            {
                1.0: count_matches(
                    targets_of(detected.get(clip, []), name),
                    targets_of(ground_truth.get(clip, []), name),
                    onset_collar=onset_collar,
                    offset_collar=offset_collar,
                    offset_collar_rate=offset_collar_rate,
                    time_decimals=time_decimals,
                )
            }
            for clip in clips
        ]
        per_class[name] = add_clips(counts, lengths(ground_truth, clips, name))
    return per_class


def detection_intersection_statistics(
    detected: Events,
    ground_truth: Events,
    clips: Sequence[str],
    *,
    event_classes: Sequence[str],
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    time_decimals: int = 6,
) -> dict[str, ClassStatistics]:
    """Count detections with intersections; every detection has the score 1.

    Parameters
    ----------
    detected, ground_truth, clips, event_classes
        See :func:`detection_collar_statistics`.
    dtc_threshold, gtc_threshold, cttc_threshold, time_decimals
        See :func:`soundeval.reference.statistics`.

    Returns
    -------
    dict of str to ClassStatistics

    Examples
    --------
    >>> its = detection_intersection_statistics(
    ...     {"x": [(0.0, 1.0, "a"), (4.0, 5.0, "a")]}, {"x": [(0.0, 1.5, "a")]}, ["x"],
    ...     event_classes=["a"], dtc_threshold=0.5, gtc_threshold=0.5)["a"]
    >>> its.thresholds, its.tps, its.fps
    ([1.0, inf], [1, 0], [1, 0])
    """
    per_class = {}
    for name in event_classes:
        others = [other for other in event_classes if other != name]
        counts = [
            {
                1.0: count(
                    targets_of(detected.get(clip, []), name),
                    targets_of(ground_truth.get(clip, []), name),
                    {other: targets_of(ground_truth.get(clip, []), other) for other in others},
                    dtc_threshold=dtc_threshold,
                    gtc_threshold=gtc_threshold,
                    cttc_threshold=cttc_threshold,
                    time_decimals=time_decimals,
                )
            }
            for clip in clips
        ]
        per_class[name] = add_clips(
            counts,
            lengths(ground_truth, clips, name),
            [] if cttc_threshold is None else others,
        )
    return per_class


def detection_segment_statistics(
    detected: Events,
    ground_truth: Events,
    clips: Sequence[str],
    audio_durations: Mapping[str, float] | None = None,
    *,
    event_classes: Sequence[str],
    segment_length: float = 1.0,
    time_decimals: int = 6,
) -> dict[str, ClassStatistics]:
    """Count segments that detections meet, whose times are rounded as edges of frames are.

    Parameters
    ----------
    detected, ground_truth, clips, event_classes
        See :func:`detection_collar_statistics`.
    audio_durations : mapping of clip id to float, optional
        Seconds. Without them, a clip ends with its last detection or target.
    segment_length, time_decimals
        See :func:`soundeval.reference.segment_statistics`.

    Returns
    -------
    dict of str to ClassStatistics

    Examples
    --------
    >>> its = detection_segment_statistics(
    ...     {"x": [(0.5, 1.2, "a"), (0.8, 1.5, "a")]}, {"x": [(1.0, 3.0, "a")]}, ["x"],
    ...     event_classes=["a"])["a"]
    >>> its.thresholds, its.tps, its.fps, its.n_ref, its.n_negatives
    ([1.0, inf], [1, 0], [1, 0], 2, 1)
    """
    units: dict[str, list[Unit]] = {name: [] for name in event_classes}
    for clip in clips:
        found = [
            (rounded(onset, time_decimals), rounded(offset, time_decimals), label)
            for onset, offset, label in detected.get(clip, [])
            if label in event_classes
        ]
        wanted = [event for event in ground_truth.get(clip, []) if event[2] in event_classes]
        if audio_durations is None:
            duration = max([0.0, *(offset for _, offset, _ in [*found, *wanted])])
        else:
            duration = audio_durations[clip]
        for segment in pairwise(boundaries(duration, segment_length, time_decimals)):
            for name in event_classes:
                is_detected = any(meet(event, segment) for event in targets_of(found, name))
                units[name].append(
                    Unit(
                        score=1.0 if is_detected else -math.inf,
                        positive=any(meet(event, segment) for event in targets_of(wanted, name)),
                        length=segment_length,
                    )
                )
    return {name: count_units(units[name]) for name in event_classes}


def detection_clip_statistics(
    detected: Events,
    ground_truth: Events,
    clips: Sequence[str],
    audio_durations: Mapping[str, float] | None = None,
    *,
    event_classes: Sequence[str],
) -> dict[str, ClassStatistics]:
    """Count clips that have detections.

    Parameters
    ----------
    detected, ground_truth, clips, event_classes
        See :func:`detection_collar_statistics`.
    audio_durations : mapping of clip id to float, optional
        Seconds. Without them, a clip ends with its last detection or target.

    Returns
    -------
    dict of str to ClassStatistics

    Examples
    --------
    >>> its = detection_clip_statistics(
    ...     {"x": [(0.5, 1.2, "a")]}, {"x": [(1.0, 3.0, "a")], "y": []}, ["x", "y"],
    ...     event_classes=["a"])["a"]
    >>> its.thresholds, its.tps, its.fps, its.n_ref, its.n_negatives
    ([1.0, inf], [1, 0], [0, 0], 1, 1)
    """
    units: dict[str, list[Unit]] = {name: [] for name in event_classes}
    for clip in clips:
        both = [*detected.get(clip, []), *ground_truth.get(clip, [])]
        end = max([0.0, *(offset for _, offset, label in both if label in event_classes)])
        for name in event_classes:
            is_detected = bool(targets_of(detected.get(clip, []), name))
            units[name].append(
                Unit(
                    score=1.0 if is_detected else -math.inf,
                    positive=bool(targets_of(ground_truth.get(clip, []), name)),
                    length=end if audio_durations is None else audio_durations[clip],
                )
            )
    return {name: count_units(units[name]) for name in event_classes}


def match_collar(
    detected: Events,
    ground_truth: Events,
    clips: Sequence[str],
    *,
    onset_collar: float = 0.2,
    offset_collar: float | None = 0.2,
    offset_collar_rate: float = 0.2,
    time_decimals: int = 6,
) -> Matches:
    """Match detections and targets with collars, then what is left over whatever its class.

    Parameters
    ----------
    detected, ground_truth, clips
        See :func:`detection_collar_statistics`; all labels are evaluated.
    onset_collar, offset_collar, offset_collar_rate, time_decimals
        See :func:`soundeval.reference.collar_statistics`.

    Returns
    -------
    Matches
        In the order of clips, then of targets as they are listed.

    Examples
    --------
    >>> its = match_collar(
    ...     {"x": [(0.1, 1.0, "a"), (4.0, 5.0, "a")]}, {"x": [(0.0, 1.0, "a"), (4.0, 5.0, "b")]},
    ...     ["x"])
    >>> its.pairs
    [('x', (0.1, 1.0, 'a'), (0.0, 1.0, 'a'))]
    >>> its.substitutions
    [('x', (4.0, 5.0, 'a'), (4.0, 5.0, 'b'))]
    """
    its = Matches()
    for clip in clips:
        found, wanted = list(detected.get(clip, [])), list(ground_truth.get(clip, []))

        def hits(detection: Event, target: Event) -> bool:
            return fits(
                detection[:2],
                target[:2],
                onset_collar=onset_collar,
                offset_collar=offset_collar,
                offset_collar_rate=offset_collar_rate,
                time_decimals=time_decimals,
            )

        # All classes at once: hits never link two classes.
        by_target = [
            [d for d in range(len(found)) if found[d][2] == target[2] and hits(found[d], target)]
            for target in wanted
        ]
        detection_of = matching_in_order(hits_in_order(by_target))
        free = [d for d in range(len(found)) if d not in detection_of.values()]
        its.false_alarms += [(clip, found[d]) for d in free]
        for t, target in enumerate(wanted):
            if t in detection_of:
                its.pairs.append((clip, found[detection_of[t]], target))
                continue
            its.misses.append((clip, target))
            fitting = [d for d in free if hits(found[d], target)]
            if fitting:
                free.remove(fitting[0])
                its.substitutions.append((clip, found[fitting[0]], target))
    return its


def match_intersection(
    detected: Events,
    ground_truth: Events,
    clips: Sequence[str],
    *,
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    time_decimals: int = 6,
) -> Matches:
    """Match relevant detections with the found targets that they overlap.

    Parameters
    ----------
    detected, ground_truth, clips
        See :func:`match_collar`.
    dtc_threshold, gtc_threshold, cttc_threshold, time_decimals
        See :func:`soundeval.reference.statistics`.

    Returns
    -------
    Matches
        In the order of clips, then of classes, then of time; without substitutions.

    Examples
    --------
    >>> its = match_intersection(
    ...     {"x": [(0.0, 1.0, "a"), (4.0, 5.0, "a")]}, {"x": [(0.0, 1.5, "a"), (4.0, 5.0, "b")]},
    ...     ["x"], dtc_threshold=0.5, gtc_threshold=0.5, cttc_threshold=0.5)
    >>> its.pairs
    [('x', (0.0, 1.0, 'a'), (0.0, 1.5, 'a'))]
    >>> its.cross_triggers
    [('x', (4.0, 5.0, 'a'), 'b')]
    """
    its = Matches()
    for clip in clips:
        found, wanted = detected.get(clip, []), ground_truth.get(clip, [])
        for name in sorted({label for _, _, label in [*found, *wanted]}):
            targets, own = targets_of(wanted, name), targets_of(found, name)
            relevant = [d for d in own if is_covered(d, targets, dtc_threshold, time_decimals)]
            for detection in own:
                if is_covered(detection, targets, dtc_threshold, time_decimals):
                    continue
                its.false_alarms.append((clip, (*detection, name)))
                if cttc_threshold is None:
                    continue
                for other in sorted({label for _, _, label in wanted} - {name}):
                    others = targets_of(wanted, other)
                    if is_covered(detection, others, cttc_threshold, time_decimals):
                        its.cross_triggers.append((clip, (*detection, name), other))
            for target in targets:
                if not (own and is_covered(target, relevant, gtc_threshold, time_decimals)):
                    its.misses.append((clip, (*target, name)))
                    continue
                its.pairs += [
                    (clip, (*detection, name), (*target, name))
                    for detection in relevant
                    if meet(detection, target)
                ]
    return its


def distance_sums(its: Matches, name: str) -> tuple[float, float]:
    """Return the summed distances of onsets and offsets of a class, detection minus target.

    Examples
    --------
    >>> its = Matches(pairs=[("x", (0.5, 1.0, "a"), (0.0, 1.25, "a"))])
    >>> distance_sums(its, "a")
    (0.5, -0.25)
    """
    own = [(d, t) for _, d, t in its.pairs if t[2] == name]
    return math.fsum(d[0] - t[0] for d, t in own), math.fsum(d[1] - t[1] for d, t in own)


def shared_seconds(its: Matches) -> list[float]:
    """Return the seconds that every pair shares.

    Examples
    --------
    >>> shared_seconds(Matches(pairs=[("x", (0.5, 1.0, "a"), (0.0, 0.75, "a"))]))
    [0.25]
    """
    return [overlap(detection[:2], target[:2]) for _, detection, target in its.pairs]
