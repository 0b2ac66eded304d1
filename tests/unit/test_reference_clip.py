"""Clip-based counts that can be checked by hand, on the pure-Python twin.

Six clips of one class (Ebbers et al., 2022, figure 1)::

    clip        1    2    3    4    5    6
    score      .7   .3   .5   .9   .1   .8
    positive              x    x         x

From the highest score down: a true positive at .9 and at .8, a false one at .7, a true one at .5,
false ones at .3 and .1.
"""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from strategies import EvaluationSet, evaluation_sets

from soundeval import reference

SCORES = [0.7, 0.3, 0.5, 0.9, 0.1, 0.8]
POSITIVE = [False, False, True, True, False, True]


def clip_statistics_of(scores, events):
    """Count for class a; scores are those of the frames, of one second, of each clip."""
    return reference.clip_statistics(
        {clip: [[score] for score in its] for clip, its in scores.items()},
        {clip: events.get(clip, []) for clip in scores},
        event_classes=["a"],
        timestamps={clip: [0.0, *range(1, len(its) + 1)] for clip, its in scores.items()},
    )["a"]


def test_drawing_of_the_paper() -> None:
    its = clip_statistics_of(
        {str(clip): [score] for clip, score in enumerate(SCORES)},
        {str(clip): [(0.0, 1.0, "a")] for clip, positive in enumerate(POSITIVE) if positive},
    )
    assert its.thresholds == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, math.inf]
    assert its.tps == [3, 3, 3, 2, 2, 1, 0]
    assert its.fps == [3, 2, 1, 1, 0, 0, 0]
    assert its.tns == [0, 1, 2, 2, 3, 3, 3]
    assert (its.n_ref, its.n_negatives, its.t_ref) == (3, 3, 3.0)


def test_a_clip_has_its_largest_score() -> None:
    its = clip_statistics_of({"x": [0.2, 0.9, 0.4]}, {"x": [(0.0, 1.0, "a")]})
    assert its.thresholds == [0.9, math.inf]


def test_a_clip_is_positive_once_wherever_its_events_are() -> None:
    events = {"x": [(0.0, 1.0, "a"), (0.5, 2.0, "a"), (90.0, 91.0, "a")], "y": [(8.0, 8.0, "a")]}
    its = clip_statistics_of({"x": [0.5], "y": [0.5], "z": [0.5]}, events)
    assert (its.n_ref, its.n_negatives) == (2, 1)
    assert (its.tps, its.fps) == ([2, 0], [1, 0])
    # Two clips of one second, whatever the events in them.
    assert its.t_ref == 2.0


def test_events_of_other_classes_do_not_count() -> None:
    its = clip_statistics_of({"x": [0.5]}, {"x": [(0.0, 1.0, "b")]})
    assert (its.n_ref, its.n_negatives) == (0, 1)


def test_a_clip_of_minus_infinity_is_never_detected() -> None:
    its = clip_statistics_of(
        {"x": [-math.inf] * 2, "y": [-math.inf, 0.5], "z": [-math.inf]}, {"x": [(0.0, 1.0, "a")]}
    )
    assert its.thresholds == [0.5, math.inf]
    assert (its.tps, its.fps, its.tns) == ([0, 0], [1, 0], [1, 2])
    assert (its.n_ref, its.n_negatives) == (1, 2)


def test_infinite_scores_have_a_point_of_their_own() -> None:
    its = clip_statistics_of({"x": [math.inf], "y": [0.5]}, {"x": [(0.0, 1.0, "a")]})
    assert its.thresholds == [0.5, math.inf, math.inf]
    assert (its.tps, its.fps) == ([1, 1, 0], [1, 0, 0])


@given(evaluation_set=evaluation_sets())
def test_clips_are_segments_as_long_as_all(evaluation_set: EvaluationSet) -> None:
    where = {"event_classes": evaluation_set.classes, "timestamps": evaluation_set.timestamps}
    clips = reference.clip_statistics(evaluation_set.clips, evaluation_set.events, **where)
    # Rounded edges of frames stay distinct: none of them is lost.
    segments = reference.segment_statistics(
        evaluation_set.clips,
        evaluation_set.events,
        dict.fromkeys(evaluation_set.clips, 1.0),
        segment_length=1e6,
        **where,
    )
    # Only their lengths differ.
    assert clips == {name: replace(its, t_ref=clips[name].t_ref) for name, its in segments.items()}
