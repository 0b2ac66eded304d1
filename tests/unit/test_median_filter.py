"""Median filters by hand: what they remove, what they keep, and what they refuse."""

import math

import numpy as np
import pytest

import soundeval as se
from soundeval import reference

NEVER = -math.inf


def seconds(scores, length, timestamps=None):
    """Filter one class over seconds; return edges and scores."""
    edges = np.arange(len(scores) + 1.0) if timestamps is None else timestamps
    array = np.asarray(scores, dtype=float)[:, np.newaxis]
    its = se.median_filter({"a": array}, length, timestamps=edges, event_classes=["Dog"])["a"]
    return its.timestamps.tolist(), its.scores[:, 0].tolist()


def frames(scores, size, **arguments):
    """Filter one class over frames."""
    array = np.asarray(scores, dtype=float)[:, np.newaxis]
    its = se.median_filter_frames(
        {"a": array},
        size,
        timestamps=np.arange(len(scores) + 1.0),
        event_classes=["Dog"],
        **arguments,
    )["a"]
    return its.scores[:, 0].tolist()


def test_a_click_is_gone_a_gap_is_filled_and_a_step_stays():
    assert seconds([0.1, 0.9, 0.1, 0.1, 0.1], 3.0) == ([0.0, 5.0], [0.1])
    assert seconds([0.9, 0.9, 0.1, 0.9, 0.9], 3.0) == ([0.0, 5.0], [0.9])
    assert seconds([0.1, 0.1, 0.1, 0.9, 0.9, 0.9], 3.0) == ([0.0, 3.0, 6.0], [0.1, 0.9])


def test_frames_of_any_length_count_by_their_length():
    # A bark of 1.5 s in frames of 0.5 and 1 s outlives a window of 2 s, one of 1 s does not.
    edges = [0.0, 3.0, 3.5, 4.5, 8.0]
    assert seconds([0.1, 0.9, 0.9, 0.1], 2.0, edges) == ([0.0, 3.0, 4.5, 8.0], [0.1, 0.9, 0.1])
    edges = [0.0, 3.0, 3.5, 4.0, 8.0]
    assert seconds([0.1, 0.9, 0.9, 0.1], 3.0, edges) == ([0.0, 8.0], [0.1])


def test_a_length_of_zero_leaves_everything_as_it_is():
    array = np.array([[0.5], [0.5]], dtype=np.float32)
    edges = np.array([0.0, 1 / 3, 2 / 3])
    its = se.median_filter({"a": array}, 0.0, timestamps=edges, event_classes=["Dog"])["a"]
    assert its.scores is array
    assert (its.timestamps == edges).all()


def test_lengths_can_be_of_each_class_and_frames_are_shared():
    scores = {"a": np.array([[0.1, 0.1], [0.9, 0.9], [0.1, 0.1]])}
    its = se.median_filter(
        scores,
        {"Cat": 3.0, "Dog": 0.0},
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=["Dog", "Cat"],
    )["a"]
    assert its.timestamps.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert its.scores.tolist() == [[0.1, 0.1], [0.9, 0.1], [0.1, 0.1]]


def test_a_median_that_left_the_window_is_kept_while_half_is_below_and_half_above():
    # At 3 s the window holds a second of 0.125 and one of 0.5, between which 0.25 is a median. The
    # value is that of sed_scores_eval.
    scores = [0.25, 0.25, 0.125, 0.5, 0.5, 0.125, 0.125]
    expected = ([0.0, 3.0, 5.0, 7.0], [0.25, 0.5, 0.125])
    assert seconds(scores, 2.0) == expected
    rows, times = reference.median_filter([[score] for score in scores], np.arange(8.0), [2.0])
    assert (times, [row[0] for row in rows]) == expected


def test_a_window_of_twice_the_clip_sees_mostly_nothing():
    assert seconds([0.9, 0.9], 4.0) == ([0.0, 2.0], [NEVER])
    assert seconds([0.9, 0.9], 3.9) == ([0.0, 2.0], [0.9])


def test_infinite_scores_are_scores():
    assert seconds([math.inf] * 3 + [NEVER] * 3, 1.0) == ([0.0, 3.0], [math.inf])
    assert frames([math.inf, NEVER, math.inf], 3) == [math.inf] * 3


def test_of_an_even_number_of_frames_the_upper_middle_one_is_taken():
    assert frames([0.1, 0.2, 0.9, 0.4], 2) == [0.1, 0.2, 0.9, 0.9]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("reflect", [0.9, 0.1, 0.1, 0.2]),  # 0.9 0.9 0.1, ..., 0.1 0.2 0.2
        ("nearest", [0.9, 0.1, 0.1, 0.2]),
        ("mirror", [0.1, 0.1, 0.1, 0.1]),  # 0.1 0.9 0.1, ..., 0.1 0.2 0.1
        ("wrap", [0.2, 0.1, 0.1, 0.2]),  # 0.2 0.9 0.1, ..., 0.1 0.2 0.9
        ("constant", [0.1, 0.1, 0.1, 0.1]),  # 0.0 0.9 0.1, ..., 0.1 0.2 0.0
    ],
)
def test_beyond_the_ends_modes_say_what_there_is(mode, expected):
    assert frames([0.9, 0.1, 0.1, 0.2], 3, mode=mode) == expected


@pytest.mark.parametrize(
    ("length", "error", "message"),
    [
        (-1.0, se.InputError, "length must be finite and 0 or more, got -1.0"),
        (math.inf, se.InputError, "length must be finite"),
        (math.nan, se.InputError, "length must be a number, got nan"),
        ("1", TypeError, "length must be a number, got str"),
        ({"Dgo": 1.0}, se.InputError, "no value for 1 class: 'Dog'.*did you mean 'Dog'"),
    ],
)
def test_wrong_lengths_are_named(length, error, message):
    with pytest.raises(error, match=message):
        seconds([0.5], length)


@pytest.mark.parametrize(
    ("size", "arguments", "error", "message"),
    [
        (0, {}, se.InputError, "n_frames must be between 1 and"),
        (1.5, {}, TypeError, "n_frames must be a whole number"),
        (3, {"mode": "mirrored"}, se.InputError, "mode must be one of 'reflect'"),
        (3, {"cval": math.nan}, se.InputError, "cval must be a number"),
    ],
)
def test_wrong_sizes_and_modes_are_named(size, arguments, error, message):
    with pytest.raises(error, match=message):
        frames([0.5], size, **arguments)


def test_a_nan_score_is_refused_with_its_place():
    for filtered in (seconds, frames):
        with pytest.raises(se.InputError, match="clip 'a', class 'Dog' are NaN at frame 1"):
            filtered([0.5, math.nan], 1)


def test_filtered_scores_go_where_scores_go():
    scores = {"a": np.array([[0.9], [0.9], [0.1], [0.9], [0.9]])}
    filtered = se.median_filter(scores, 3.0, timestamps=np.arange(6.0), event_classes=["Dog"])
    assert se.detect(filtered, 0.5) == {"a": [(0.0, 5.0, "Dog")]}
