"""Detections at given thresholds, gaps and short events, and files of them, by hand."""

import math

import numpy as np
import pytest

import soundeval as se

FRAMES = {"timestamps": np.arange(7.0), "event_classes": ["Dog"]}


def dogs(scores, threshold, **arguments):
    """Return onsets and offsets in one clip of six seconds."""
    scores = np.asarray(scores, dtype=float)[:, np.newaxis]
    events = se.detect({"a": scores}, threshold, **FRAMES, **arguments)
    return [(onset, offset) for onset, offset, _ in events["a"]]


def test_runs_of_frames_above_the_threshold_are_events():
    #        0    1    2    3    4    5
    scores = [0.9, 0.2, 0.8, 0.8, 0.1, 0.7]
    assert dogs(scores, 0.5) == [(0.0, 1.0), (2.0, 4.0), (5.0, 6.0)]
    assert dogs(scores, 0.7) == [(0.0, 1.0), (2.0, 4.0)]  # equal is not above
    assert dogs(scores, math.inf) == []
    assert dogs(scores, -math.inf) == [(0.0, 6.0)]


def test_gaps_are_filled_before_short_events_are_dropped():
    scores = [0.9, 0.1, 0.9, 0.1, 0.1, 0.9]
    assert dogs(scores, 0.5, max_gap=1.0) == [(0.0, 3.0), (5.0, 6.0)]
    assert dogs(scores, 0.5, min_duration=2.0) == []
    assert dogs(scores, 0.5, max_gap=1.0, min_duration=2.0) == [(0.0, 3.0)]
    assert dogs(scores, 0.5, max_gap=2.0, min_duration=6.0) == [(0.0, 6.0)]


def test_events_are_sorted_by_time_then_label_and_silent_clips_stay():
    scores = {"b": np.array([[0.9, 0.9]]), "a": np.array([[0.1, 0.1]])}
    events = se.detect(scores, 0.5, timestamps=[0.0, 1.0], event_classes=["Dog", "Cat"])
    assert events == {"b": [(0.0, 1.0, "Cat"), (0.0, 1.0, "Dog")], "a": []}


def test_thresholds_are_of_all_classes_or_of_each():
    scores = {"a": np.array([[0.4, 0.4]])}
    frames = {"timestamps": [0.0, 1.0], "event_classes": ["Dog", "Cat"]}
    assert se.detect(scores, {"Dog": 0.3, "Cat": 0.5}, **frames) == {"a": [(0.0, 1.0, "Dog")]}
    best = se.Thresholds({"Dog": 0.5, "Cat": 0.3})
    assert se.detect(scores, best, **frames) == {"a": [(0.0, 1.0, "Cat")]}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"threshold": math.nan}, se.InputError, "threshold must be a number, got nan"),
        ({"threshold": {"Cat": 0.5}}, se.InputError, "no threshold for 1 class: 'Dog'"),
        ({"threshold": "0.5"}, TypeError, "number or a mapping"),
        ({"max_gap": -1.0}, se.InputError, "max_gap must be finite and 0 or more"),
        ({"min_duration": {"Dgo": 1.0}}, se.InputError, "min_duration names 1 class.*'Dog'"),
    ],
)
def test_wrong_arguments_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        se.detect({"a": np.zeros((6, 1))}, **{"threshold": 0.5, **arguments}, **FRAMES)


def test_a_nan_score_is_refused_with_its_place():
    scores = np.zeros((6, 1))
    scores[3] = math.nan
    with pytest.raises(se.InputError, match="clip 'a', class 'Dog' are NaN at frame 3"):
        se.detect({"a": scores}, 0.5, **FRAMES)


# -- lists of events ------------------------------------------------------------------------------


def test_touching_and_overlapping_events_have_no_gap():
    events = {"a": [(1.0, 2.0, "Dog"), (0.0, 1.0, "Dog"), (1.5, 3.0, "Dog"), (1.6, 1.7, "Dog")]}
    assert se.fill_gaps(events, 0.0) == {"a": [(0.0, 3.0, "Dog")]}


def test_classes_do_not_fill_each_others_gaps():
    events = {"a": [(0.0, 1.0, "Dog"), (1.0, 2.0, "Cat"), (2.0, 3.0, "Dog")]}
    assert se.fill_gaps(events, 0.5) == events
    assert se.fill_gaps(events, {"Dog": 1.0})["a"] == [(0.0, 3.0, "Dog"), (1.0, 2.0, "Cat")]


def test_limits_are_included_and_rounded():
    # 0.1 + 0.2 is a little more than 0.3.
    events = {"a": [(0.0, 0.3, "Dog"), (0.3 + (0.1 + 0.2), 1.0, "Dog")]}
    assert se.fill_gaps(events, 0.3) == {"a": [(0.0, 1.0, "Dog")]}
    assert len(se.fill_gaps(events, 0.3, time_decimals=17)["a"]) == 2
    short = {"a": [(1.1, 1.4, "Dog")]}  # 0.2999999999999998
    assert se.drop_short(short, 0.3) == short
    assert se.drop_short(short, 0.3, time_decimals=17) == {"a": []}


def test_a_wrong_event_is_named():
    with pytest.raises(se.InputError, match=r"events of clip 'a', event 0.*onset 2.0 after"):
        se.fill_gaps({"a": [(2.0, 1.0, "Dog")]}, 0.5)


def test_events_read_back_equal(tmp_path):
    events = {"b": [], "a": [(0.1 + 0.2, 1 / 3, "Dog bark"), (0.0, 5e-324, "Tür")]}
    se.write_events(events, tmp_path / "events.tsv")
    read = se.read_ground_truth(tmp_path / "events.tsv")
    assert read == {"a": sorted(events["a"]), "b": []}
    assert list(tmp_path.iterdir()) == [tmp_path / "events.tsv"]


@pytest.mark.parametrize("name", ["a.wav", "a\tb", " a", ""])
def test_names_that_would_not_read_back_are_refused(tmp_path, name):
    with pytest.raises(se.InputError):
        se.write_events({name: []}, tmp_path / "events.tsv")
    with pytest.raises(se.InputError):
        se.write_events({"a": [(0.0, 1.0, name if name != "a.wav" else "\n")]}, tmp_path / "x.tsv")
    assert list(tmp_path.iterdir()) == []
