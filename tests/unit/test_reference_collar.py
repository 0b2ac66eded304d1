"""Collar-based counts that can be checked by hand, on the pure-Python twin.

::

    time (s)   0    1    2    3    4    5    6    7    8    9
    score      | .3 | .4 | .5 | .6 | .7 | .6 | .5 | .4 | .3 |
    target               [======== target ========]

    below .7                       [ d  ]                        onset 2 s late
    below .6                  [----- d ------]                   1 s late, 1 s early: fits
    below .5             [---------- d -----------]              fits
    below .4        [--------------- d ----------------]         fits
    below .3   [-------------------- d ---------------------]    onset 2 s early

With collars of one second, the counts change as follows when the threshold falls below a score
(Ebbers et al., 2022, figure 2): .7: one false positive; .6: a true positive instead; .5 and .4:
nothing; .3: the false positive is back.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import EvaluationSet, collar_criteria, evaluation_sets

from soundeval import reference
from soundeval.reference.class_statistics import Counts
from soundeval.reference.collar import count_matches, fits

SCORES = [0.3, 0.4, 0.5, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3]
ONE_SECOND = {"onset_collar": 1.0, "offset_collar": 1.0, "offset_collar_rate": 0.0}


def collar_statistics_of(scores, events, **criterion):
    """Count for class a in one clip, in frames of one second."""
    return reference.collar_statistics(
        {"x": [[score] for score in scores]},
        {"x": events},
        event_classes=["a"],
        timestamps=[float(second) for second in range(len(scores) + 1)],
        **criterion,
    )["a"]


def test_drawing_of_the_paper() -> None:
    its = collar_statistics_of(SCORES, [(2.0, 7.0, "a")], **ONE_SECOND)
    assert its.thresholds == [0.3, 0.6, 0.7, math.inf]
    assert its.tps == [0, 1, 0, 0]
    assert its.fps == [1, 0, 1, 0]
    assert (its.n_ref, its.t_ref) == (1, 5.0)
    assert its.cts == {}
    assert its.tns is its.n_negatives is None


def test_what_is_found_can_be_lost_again_at_lower_thresholds() -> None:
    """Recall does not grow as the threshold falls, unlike with segments and clips."""
    its = collar_statistics_of([0.2, 0.9, 0.2], [(1.0, 2.0, "a")], onset_collar=0.5)
    assert (its.thresholds, its.tps) == ([0.2, 0.9, math.inf], [0, 1, 0])


def test_counts_of_two_clips_are_added_threshold_by_threshold() -> None:
    its = reference.collar_statistics(
        {clip: [[score] for score in SCORES] for clip in ("x", "empty")},
        {"x": [(2.0, 7.0, "a")], "empty": []},
        event_classes=["a"],
        timestamps=[float(second) for second in range(10)],
        **ONE_SECOND,
    )["a"]
    assert its.thresholds == [0.3, 0.6, 0.7, math.inf]
    assert its.tps == [0, 1, 0, 0]
    assert its.fps == [2, 1, 2, 0]


def test_a_target_is_found_once_and_a_detection_finds_one() -> None:
    assert count_matches([(0.0, 1.0), (0.1, 1.1)], [(0.0, 1.0)]) == Counts(1, 1, {})
    assert count_matches([(0.0, 1.0)], [(0.0, 1.0), (0.1, 1.1)]) == Counts(1, 0, {})
    assert count_matches([(0.0, 1.0)] * 2, [(0.0, 1.0)] * 3) == Counts(2, 0, {})


def test_as_many_pairs_as_possible() -> None:
    """Whoever gives the first detection the first target it fits finds one target fewer.

    ::

        targets         [======== g =========]
                          [======== h =========]
        detections       [======== d =========]        fits both
                        [======== e =========]         fits g alone
    """
    targets = [(0.0, 3.0), (0.3, 3.3)]
    detected = [(0.15, 3.15), (-0.1, 2.9)]
    collars = {"onset_collar": 0.2, "offset_collar": 0.2, "offset_collar_rate": 0.0}
    assert [[fits(d, g, **collars) for g in targets] for d in detected] == [
        [True, True],
        [True, False],
    ]
    assert count_matches(detected, targets, **collars) == Counts(2, 0, {})


def test_the_offset_collar_grows_with_the_target() -> None:
    assert fits((0.0, 12.0), (0.0, 10.0))
    assert not fits((0.0, 12.1), (0.0, 10.0))
    # It is the length of the target that counts, not that of the detection.
    assert not fits((0.0, 10.0), (0.0, 12.6))
    assert fits((0.0, 0.3), (0.0, 0.1))
    assert not fits((0.0, 1.3), (0.0, 1.0), offset_collar_rate=0.1)


def test_without_offset_collar_offsets_do_not_matter() -> None:
    assert fits((0.2, 0.3), (0.0, 99.0), offset_collar=None)
    assert not fits((0.3, 99.0), (0.0, 99.0), offset_collar=None)
    its = collar_statistics_of(SCORES, [(2.0, 99.0, "a")], onset_collar=1.0, offset_collar=None)
    assert its.tps == [0, 1, 0, 0]


def test_limits_are_inclusive_and_rounded_to_microseconds() -> None:
    # In binary floating point, 0.3 is more than 0.2 away from 0.1.
    assert 0.1 + 0.2 - 0.1 > 0.2
    onset = {"onset_collar": 0.2, "offset_collar": None}
    assert fits((0.1 + 0.2, 1.0), (0.1, 1.0), **onset)
    assert not fits((0.1 + 0.2, 1.0), (0.1, 1.0), **onset, time_decimals=20)
    assert fits((0.3000004, 1.0), (0.1, 1.0), **onset)
    assert not fits((0.3000006, 1.0), (0.1, 1.0), **onset)


def test_touching_and_nested_targets_are_targets_of_their_own() -> None:
    events = [(0.0, 1.0, "a"), (1.0, 2.0, "a"), (0.2, 0.8, "a"), (0.0, 1.0, "a")]
    assert collar_statistics_of([0.1, 0.9], events).n_ref == 4


def test_targets_beyond_the_scores_count_as_targets() -> None:
    its = collar_statistics_of([0.1, 0.9], [(1.0, 2.0, "a"), (7.0, 8.0, "a")])
    assert (its.n_ref, max(its.tps)) == (2, 1)


def test_frames_of_minus_infinity_split_detections() -> None:
    its = collar_statistics_of([0.5, -math.inf, 0.5], [(0.0, 1.0, "a"), (2.0, 3.0, "a")])
    assert (its.thresholds, its.tps, its.fps) == ([0.5, math.inf], [2, 0], [0, 0])


def test_a_class_of_minus_infinity_is_never_detected() -> None:
    its = collar_statistics_of([-math.inf] * 3, [(0.0, 1.0, "a")])
    assert (its.thresholds, its.tps, its.fps, its.n_ref) == ([math.inf], [0], [0], 1)


bipartite = st.lists(st.lists(st.integers(0, 3), unique=True), max_size=4)


@given(partners=bipartite)
def test_matching_is_one_to_one_and_of_allowed_pairs(partners: list[list[int]]) -> None:
    matched = reference.maximum_matching(partners)
    assert len(set(matched.values())) == len(matched)
    assert all(target in partners[detection] for target, detection in matched.items())


@given(partners=bipartite)
def test_no_matching_is_larger(partners: list[list[int]]) -> None:
    """Every way of giving each detection a target of its own, or none, is tried."""
    largest = max(
        sum(target in its for target, its in zip(targets, partners, strict=True))
        # 4 and more are targets that nobody may have.
        for targets in itertools.permutations(range(4 + len(partners)), len(partners))
    )
    assert len(reference.maximum_matching(partners)) == largest


@given(data=st.data(), evaluation_set=evaluation_sets(max_clips=2, zero_length=True))
def test_every_point_says_what_is_counted_there(
    data: st.DataObject, evaluation_set: EvaluationSet
) -> None:
    """Statistics and a count at one threshold agree, on both sides of every listed score."""
    criterion = data.draw(collar_criteria())
    statistics = reference.collar_statistics(
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
                    counts = count_matches(
                        reference.detections(
                            [float(s) for s in scores[:, column]],
                            [float(edge) for edge in evaluation_set.timestamps[clip]],
                            threshold,
                        ),
                        [e[:2] for e in evaluation_set.events[clip] if e[2] == name],
                        **criterion,
                    )
                    tps += counts.tps
                    fps += counts.fps
                assert (its.tps[point], its.fps[point]) == (tps, fps)
        assert (its.tps[-1], its.fps[-1]) == (0, 0)


@given(data=st.data(), evaluation_set=evaluation_sets(min_clips=1, max_clips=1, max_classes=1))
def test_larger_collars_find_no_less(data: st.DataObject, evaluation_set: EvaluationSet) -> None:
    criterion = data.draw(collar_criteria())
    larger = criterion | {"onset_collar": criterion["onset_collar"] + 1.0}
    if data.draw(st.booleans()):
        larger["offset_collar"] = None
    (clip,) = evaluation_set.clips
    targets = [event[:2] for event in evaluation_set.events[clip]]
    scores = [float(score) for score in evaluation_set.clips[clip][:, 0]]
    edges = [float(edge) for edge in evaluation_set.timestamps[clip]]
    for threshold in scores:
        detected = reference.detections(scores, edges, threshold)
        one, other = (count_matches(detected, targets, **c) for c in (criterion, larger))
        assert one.tps <= other.tps
        assert one.tps + one.fps == other.tps + other.fps == len(detected)


@pytest.mark.parametrize("offset_collar", [0.2, None])
def test_a_detection_that_equals_its_target_is_right(offset_collar: float | None) -> None:
    criterion = {"onset_collar": 0.0, "offset_collar_rate": 0.0, "offset_collar": offset_collar}
    assert count_matches([(0.5, 1.5)], [(0.5, 1.5)], **criterion) == Counts(1, 0, {})
