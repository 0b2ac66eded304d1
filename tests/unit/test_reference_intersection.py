"""Intersection-based counts that can be checked by hand, on the pure-Python twin.

::

    time (s)   0    1    2    3    4    5    6    7    8    9
    score      | .3 | .3 | .4 | .5 | .6 | .7 | .8 | .7 | .6 |
    target               [========= a ========]
    other class                                [=== b ===]

    below .8                                   [d ]              1 of 1 s in b
    below .7                              [---- d ----]          1 of 3 s in a, 2 of 3 s in b
    below .6                         [-------- d ---------]      2 of 5 s in a, 2 of 5 s in b
    below .5                    [----------- d -----------]      3 of 6 s in a: relevant
    below .4               [------------- d --------------]      4 of 7 s in a: relevant
    below .3     [------------------ d -------------------]      4 of 9 s in a

With half of everything asked for, the counts change as follows when the threshold falls below a
score (Ebbers et al., 2022, figure 3): .8: one false positive, which is a cross trigger for b; .7:
nothing; .6: no cross trigger any more; .5: a true positive instead of the false one; .4: nothing;
.3: the false positive is back, and the true positive lost.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import EvaluationSet, evaluation_sets, intersection_criteria

from soundeval import reference
from soundeval.reference.intersection import Counts, count, rounded

SCORES = [0.3, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.7, 0.6]
EDGES = [float(second) for second in range(10)]
EVENTS = [(2.0, 6.0, "a"), (6.0, 8.0, "b")]
HALF = {"dtc_threshold": 0.5, "gtc_threshold": 0.5, "cttc_threshold": 0.5}


def statistics_of(scores, events, *, edges=None, classes=("a", "b"), **criterion):
    """Count for class a in one clip; the other classes have no detection."""
    matrix = [[score] + [-math.inf] * (len(classes) - 1) for score in scores]
    edges = [float(second) for second in range(len(scores) + 1)] if edges is None else edges
    return reference.statistics(
        {"x": matrix}, {"x": events}, event_classes=list(classes), timestamps=edges, **criterion
    )["a"]


def test_drawing_of_the_paper() -> None:
    its = statistics_of(SCORES, EVENTS, **HALF)
    assert its.thresholds == [0.3, 0.5, 0.6, 0.8, math.inf]
    assert its.tps == [0, 1, 0, 0, 0]
    assert its.fps == [1, 0, 1, 1, 0]
    assert its.cts == {"b": [0, 0, 0, 1, 0]}
    assert (its.n_ref, its.t_ref) == (1, 4.0)


def test_without_cross_trigger_criterion_points_are_fewer() -> None:
    its = statistics_of(SCORES, EVENTS, dtc_threshold=0.5, gtc_threshold=0.5)
    assert its.thresholds == [0.3, 0.5, 0.8, math.inf]
    assert its.fps == [1, 0, 1, 0]
    assert its.cts == {}


def test_counts_of_two_clips_are_added_threshold_by_threshold() -> None:
    matrix = [[score, -math.inf] for score in SCORES]
    its = reference.statistics(
        {"x": matrix, "empty": matrix},
        {"x": EVENTS, "empty": []},
        event_classes=["a", "b"],
        timestamps={"x": EDGES, "empty": EDGES},
        **HALF,
    )["a"]
    assert its.thresholds == [0.3, 0.5, 0.6, 0.8, math.inf]
    assert its.fps == [2, 1, 2, 2, 0]
    assert its.cts == {"b": [0, 0, 0, 1, 0]}


def test_one_detection_can_find_several_targets_and_several_detections_one() -> None:
    targets = [(0.0, 2.0), (3.0, 5.0)]
    assert count([(0.0, 5.0)], targets, {}, dtc_threshold=0.7, gtc_threshold=0.7).tps == 2
    pieces = [(0.0, 1.0), (1.5, 2.0)]
    assert count(pieces, [(0.0, 2.0)], {}, dtc_threshold=0.7, gtc_threshold=0.7) == Counts(1, 0, {})


def test_only_relevant_detections_help_a_target() -> None:
    """The second detection covers half the target, but mostly something else."""
    detected = [(0.0, 1.0), (2.0, 9.0)]
    both = count(detected, [(0.0, 4.0)], {}, dtc_threshold=0.0, gtc_threshold=0.5)
    strict = count(detected, [(0.0, 4.0)], {}, dtc_threshold=0.5, gtc_threshold=0.5)
    assert (both, strict) == (Counts(1, 0, {}), Counts(0, 1, {}))


def test_touching_targets_stay_two_and_add_up_for_a_detection() -> None:
    touching = [(0.0, 2.0), (2.0, 4.0)]
    assert count([(0.0, 4.0)], touching, {}, dtc_threshold=1.0, gtc_threshold=1.0).tps == 2
    # No target alone holds 70 % of the detection, both together do.
    assert count([(1.0, 3.0)], touching, {}, dtc_threshold=0.7, gtc_threshold=0.5).tps == 2


def test_time_in_nested_targets_counts_twice_for_a_detection() -> None:
    """One second of four lies in both targets, one in the outer alone: 3 of 4 s, not 2 of 4 s."""
    nested = [(0.0, 2.0), (0.5, 1.5)]
    assert count([(0.0, 4.0)], nested, {}, dtc_threshold=0.75, gtc_threshold=1.0).fps == 0
    assert count([(0.0, 4.0)], nested, {}, dtc_threshold=0.76, gtc_threshold=1.0).fps == 1


def test_duplicate_targets_are_found_twice() -> None:
    its = statistics_of([0.9], [(0.0, 1.0, "a")] * 2, dtc_threshold=1.0, gtc_threshold=1.0)
    assert (its.tps, its.n_ref, its.t_ref) == ([2, 0], 2, 2.0)


def test_a_false_positive_can_be_a_cross_trigger_for_several_classes() -> None:
    others = {"b": [(0.0, 1.0)], "c": [(0.5, 2.0)], "d": []}
    assert count([(0.0, 1.0)], [], others, **HALF) == Counts(0, 1, {"b": 1, "c": 1, "d": 0})


def test_a_relevant_detection_is_no_cross_trigger() -> None:
    counts = count([(0.0, 1.0)], [(0.0, 1.0)], {"b": [(0.0, 1.0)]}, **HALF)
    assert counts == Counts(1, 0, {"b": 0})


def test_without_a_required_share_any_class_of_the_clip_is_triggered() -> None:
    """But no class that has no event in the clip."""
    anything = {"dtc_threshold": 0.5, "gtc_threshold": 0.5, "cttc_threshold": 0.0}
    others = {"b": [(8.0, 9.0)], "c": []}
    assert count([(0.0, 1.0)], [], others, **anything) == Counts(0, 1, {"b": 1, "c": 0})


@pytest.mark.parametrize("gtc_threshold", [0.0, 0.5])
def test_nothing_is_found_without_detections(gtc_threshold: float) -> None:
    """A target that needs no cover is found with the first detection, and not before."""
    its = statistics_of(
        [0.2, 0.9], [(5.0, 5.0, "a")], dtc_threshold=0.5, gtc_threshold=gtc_threshold
    )
    assert its.thresholds == [0.9, math.inf]
    assert its.tps == [1, 0]
    assert its.fps == [1, 0]


def test_limits_are_inclusive_and_rounded_to_microseconds() -> None:
    # Two thirds of the detection lie in the target; in binary floating point it is a little less.
    detected, targets = [(0.1, 0.7)], [(0.3, 0.9)]
    assert 0.7 - 0.3 < 0.4 / 0.6 * (0.7 - 0.1)
    two_thirds = {"dtc_threshold": 0.4 / 0.6, "gtc_threshold": 0.5}
    assert count(detected, targets, {}, **two_thirds).tps == 1
    assert count(detected, targets, {}, **two_thirds, time_decimals=30).tps == 0
    assert count(detected, [(0.300001, 0.9)], {}, **two_thirds).tps == 0


def test_frames_of_minus_infinity_split_events_at_every_threshold() -> None:
    scores = [0.5, -math.inf, 0.5]
    assert reference.detections(scores, [0.0, 1.0, 2.0, 3.0], -1e300) == [(0.0, 1.0), (2.0, 3.0)]
    assert reference.detections(scores, [0.0, 1.0, 2.0, 3.0], -math.inf) == [(0.0, 1.0), (2.0, 3.0)]


def test_zeros_of_both_signs_are_one_score() -> None:
    its = statistics_of([0.0, -0.0, -1.0], [(0.0, 2.0, "a")], dtc_threshold=1.0, gtc_threshold=1.0)
    assert its.thresholds == [-1.0, 0.0, math.inf]
    assert math.copysign(1.0, its.thresholds[1]) == 1.0


def test_infinite_scores_have_a_point_of_their_own() -> None:
    its = statistics_of(
        [0.2, math.inf, 0.2], [(1.0, 2.0, "a")], dtc_threshold=0.5, gtc_threshold=0.5
    )
    assert its.thresholds == [0.2, math.inf, math.inf]
    assert its.tps == [0, 1, 0]


def test_targets_beyond_the_scores_count_as_targets() -> None:
    events = [(1.0, 4.0, "a"), (7.0, 8.0, "a")]
    its = statistics_of([0.1, 0.9], events, dtc_threshold=0.5, gtc_threshold=0.5)
    assert (its.n_ref, its.t_ref, max(its.tps)) == (2, 4.0, 0)


def test_scores_do_not_have_to_begin_at_zero_or_be_regular() -> None:
    its = statistics_of(
        [0.9, 0.1, 0.9],
        [(10.0, 10.5, "a")],
        edges=[10.0, 10.5, 12.0, 12.001],
        dtc_threshold=0.5,
        gtc_threshold=0.5,
    )
    assert (its.tps, its.fps) == ([0, 1, 0], [1, 1, 0])


@given(seconds=st.floats(-1e4, 1e4), decimals=st.integers(0, 15))
def test_rounding_is_that_of_numpy(seconds: float, decimals: int) -> None:
    assert rounded(seconds, decimals) == np.round(seconds, decimals)


@given(data=st.data(), evaluation_set=evaluation_sets(max_clips=2, zero_length=True))
def test_every_point_says_what_is_counted_there(
    data: st.DataObject, evaluation_set: EvaluationSet
) -> None:
    """Statistics and a count at one threshold agree, on both sides of every listed score."""
    criterion = data.draw(intersection_criteria())
    statistics = reference.statistics(
        evaluation_set.clips,
        evaluation_set.events,
        event_classes=evaluation_set.classes,
        timestamps=evaluation_set.timestamps,
        **criterion,
    )
    for column, (name, its) in enumerate(statistics.items()):
        assert its.thresholds == sorted(its.thresholds)
        for point, score in enumerate(its.thresholds):
            below = its.thresholds[point - 1] if point else -math.inf
            for threshold in {below, float(np.nextafter(score, -math.inf))}:
                if not below <= threshold < score:
                    continue
                tps = fps = 0
                for clip, scores in evaluation_set.clips.items():
                    targets = {
                        label: sorted(e[:2] for e in evaluation_set.events[clip] if e[2] == label)
                        for label in evaluation_set.classes
                    }
                    counts = count(
                        reference.detections(
                            [float(s) for s in scores[:, column]],
                            [float(edge) for edge in evaluation_set.timestamps[clip]],
                            threshold,
                        ),
                        targets.pop(name),
                        targets,
                        **criterion,
                    )
                    tps += counts.tps
                    fps += counts.fps
                assert (its.tps[point], its.fps[point]) == (tps, fps)
        assert (its.tps[-1], its.fps[-1]) == (0, 0)
