"""Segment-based counts that can be checked by hand, on the pure-Python twin.

Segments of one second, in frames of half a second::

    time (s)   0         1         2         3         4         5         6
    frames     | .7 | .2 | .1 | .3 | .5 | .4 | .9 | .9 | .1 | .1 | .1 | .8 |
    segments   |   .7    |   .3    |   .5    |   .9    |   .1    |   .8    |
    targets                             [======]                        [=]
    positive                            x         x                   x

These are the scores and targets of figure 1 of Ebbers et al., 2022.
"""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import EvaluationSet, evaluation_sets, segment_criteria

from soundeval import reference
from soundeval.reference.segment import boundaries

FRAMES = [0.7, 0.2, 0.1, 0.3, 0.5, 0.4, 0.9, 0.9, 0.1, 0.1, 0.1, 0.8]
EVENTS = [(2.9, 3.3, "a"), (5.6, 5.8, "a")]


def segment_statistics_of(scores, events, *, duration=None, edges=None, **criterion):
    """Count for class a in one clip, in frames of one second if not said otherwise."""
    edges = [float(second) for second in range(len(scores) + 1)] if edges is None else edges
    return reference.segment_statistics(
        {"x": [[score] for score in scores]},
        {"x": events},
        None if duration is None else {"x": duration},
        event_classes=["a"],
        timestamps=edges,
        **criterion,
    )["a"]


def test_drawing_of_the_paper() -> None:
    edges = [frame / 2 for frame in range(13)]
    its = segment_statistics_of(FRAMES, EVENTS, duration=6.0, edges=edges)
    assert its.thresholds == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, math.inf]
    assert its.tps == [3, 3, 3, 2, 2, 1, 0]
    assert its.fps == [3, 2, 1, 1, 0, 0, 0]
    assert its.tns == [0, 1, 2, 2, 3, 3, 3]
    assert (its.n_ref, its.n_negatives) == (3, 3)
    # Three segments, whatever the targets in them.
    assert its.t_ref == 3.0


def test_any_overlap_makes_a_segment_positive_and_touching_does_not() -> None:
    assert segment_statistics_of([0.5] * 4, [(1.0, 2.0, "a")], duration=4.0).n_ref == 1
    assert segment_statistics_of([0.5] * 4, [(0.999, 2.001, "a")], duration=4.0).n_ref == 3


def test_times_of_events_are_not_rounded() -> None:
    """0.1 + 0.2 is a little more than the boundary at 0.3."""
    tenths = {"duration": 1.0, "segment_length": 0.1}
    assert segment_statistics_of([0.5], [(0.1, 0.3, "a")], **tenths).n_ref == 2
    assert segment_statistics_of([0.5], [(0.1, 0.1 + 0.2, "a")], **tenths).n_ref == 3


def test_frame_edges_are_rounded() -> None:
    """The first frame ends a little after the first segment, but does not reach into the next."""
    its = segment_statistics_of([0.9, 0.2], [], edges=[0.0, 0.1 + 0.2, 0.6], segment_length=0.3)
    assert its.fps == [2, 1, 0]


def test_an_event_without_length_marks_the_segment_around_it() -> None:
    assert segment_statistics_of([0.5] * 3, [(1.5, 1.5, "a")], duration=3.0).n_ref == 1
    assert segment_statistics_of([0.5] * 3, [(1.0, 1.0, "a")], duration=3.0).n_ref == 0


def test_several_events_in_a_segment_count_once() -> None:
    events = [(0.1, 0.2, "a"), (0.3, 0.4, "a"), (0.3, 0.4, "a")]
    assert segment_statistics_of([0.5], events, duration=1.0).n_ref == 1


def test_events_beyond_the_duration_do_not_count() -> None:
    its = segment_statistics_of([0.5] * 9, [(1.5, 3.5, "a")], duration=2.5)
    # The last segment ends at 3 s.
    assert (its.n_ref, its.n_negatives) == (2, 1)


def test_the_number_of_segments_is_a_quotient_of_binary_numbers() -> None:
    assert len(boundaries(0.14, 0.02)) - 1 == len(boundaries(2.1, 0.3)) - 1 == 8
    assert boundaries(0.0, 1.0) == [0.0]


@pytest.mark.parametrize("sign", [1, -1])
def test_segments_without_frames_are_never_detected(sign: int) -> None:
    """Whether scores are positive or negative; they count as positive or negative all the same."""
    its = segment_statistics_of(
        [0.5 * sign, 0.4 * sign],
        [(0.2, 0.3, "a"), (5.5, 6.5, "a")],
        duration=8.0,
        edges=[2.0, 3.0, 4.5],
    )
    # Scores at 2 s (negative), 3 s and 4 s (negative); targets at 0 s, 5 s and 6 s.
    assert its.thresholds == [*sorted([0.5 * sign, 0.4 * sign]), math.inf]
    assert (its.n_ref, its.n_negatives) == (3, 5)
    assert max(its.tps) == 0
    assert its.fps[0] == 3
    assert its.tns[0] == 2


def test_frames_of_minus_infinity_are_never_detected() -> None:
    its = segment_statistics_of([-math.inf, 0.5, -math.inf], [(2.0, 3.0, "a")], duration=3.0)
    assert (its.thresholds, its.tps, its.fps) == ([0.5, math.inf], [0, 0], [1, 0])
    assert (its.n_ref, its.n_negatives) == (1, 2)


def test_without_durations_a_clip_ends_with_its_last_frame_or_event() -> None:
    def n_segments(events):
        its = segment_statistics_of([0.5] * 3, events)
        return its.n_ref + its.n_negatives

    assert n_segments([]) == 3
    assert n_segments([(1.0, 4.5, "a")]) == 5


def test_events_of_other_classes_make_a_clip_last_longer() -> None:
    per_class = reference.segment_statistics(
        {"x": [[0.5, 0.5]]},
        {"x": [(0.0, 3.0, "b"), (0.0, 9.0, "no column")]},
        event_classes=["a", "b"],
        timestamps=[0.0, 1.0],
    )
    assert (per_class["a"].n_ref, per_class["a"].n_negatives) == (0, 3)
    assert (per_class["b"].n_ref, per_class["b"].n_negatives) == (3, 0)


@given(
    data=st.data(),
    evaluation_set=evaluation_sets(min_clips=1, max_clips=2, max_classes=2, on_grid=True),
)
def test_segments_are_detected_where_detections_overlap_them(
    data: st.DataObject, evaluation_set: EvaluationSet
) -> None:
    """Scores of segments say the same as listing events and looking which segments they meet."""
    criterion = data.draw(segment_criteria()) | {"time_decimals": 6}
    durations = {clip: min(its, 30.0) for clip, its in evaluation_set.durations.items()}
    statistics = reference.segment_statistics(
        evaluation_set.clips,
        evaluation_set.events,
        durations,
        event_classes=evaluation_set.classes,
        timestamps=evaluation_set.timestamps,
        **criterion,
    )
    for column, (name, its) in enumerate(statistics.items()):
        for point in range(len(its.thresholds)):
            threshold = its.threshold_for(point)
            counts = {(detected, there): 0 for detected in (0, 1) for there in (0, 1)}
            for clip, scores in evaluation_set.clips.items():
                edges = [round(float(edge), 6) for edge in evaluation_set.timestamps[clip]]
                events = reference.detections(list(map(float, scores[:, column])), edges, threshold)
                targets = [event for event in evaluation_set.events[clip] if event[2] == name]
                ends = boundaries(durations[clip], criterion["segment_length"])
                for start, end in itertools.pairwise(ends):
                    detected = any(on < end and off > start for on, off in events)
                    there = any(on < end and off > start for on, off, _ in targets)
                    counts[detected, there] += 1
            assert (its.tps[point], its.fps[point]) == (counts[1, 1], counts[1, 0])
            assert its.tns[point] == counts[0, 0]
            assert its.n_ref == counts[1, 1] + counts[0, 1]
