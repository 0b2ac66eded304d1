"""How early or late found events are, at every threshold, by cases a reader can do by hand."""

import math

import numpy as np
import pytest

import soundeval as se

HILL = [0.3, 0.4, 0.5, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3]


def distances(scores, events, criterion, edges=None, **settings):
    """Return the distances of one class in one clip, with frames of a second."""
    edges = np.arange(len(scores) + 1.0) if edges is None else edges
    found = se.matched_distances(
        {"a": np.array(scores)[:, None]},
        {"a": [(*event, "Dog") for event in events]},
        criterion,
        timestamps=edges,
        event_classes=["Dog"],
        **settings,
    )
    return found["Dog"]


def test_a_detection_that_grows_gets_nearer_and_then_too_far():
    # 3-6 s from .6, 2-7 s from .5, 1-8 s from .4 on; 0-9 s, from .3 on, is too long for 2-7 s.
    dog = distances(HILL, [(2.0, 7.0)], se.Collar(1.0, 1.0))
    assert dog.thresholds.tolist() == [0.3, 0.4, 0.5, 0.6, math.inf]
    assert dog.n_matched.tolist() == [0, 1, 1, 1, 0]
    assert dog.onset_distance_sums.tolist() == [0.0, -1.0, 0.0, 1.0, 0.0]
    assert dog.offset_distance_sums.tolist() == [0.0, 1.0, 0.0, -1.0, 0.0]
    assert dog.at(0.55) == (1, 1.0, -1.0)
    assert dog.at(0.6).n_matched == 0
    assert math.isnan(dog.at(0.6).onset_distance_mean)


def test_onset_only_matches_any_end():
    dog = distances([0.5, 0.5, 0.5, 0.1], [(0.0, 1.0)], se.Collar(offset_collar=None))
    assert dog.at(0.2) == (1, 0.0, 2.0)


def test_each_of_two_detections_takes_its_first_free_event():
    # 1-2 s and 3-4 s both are within 1 s of 1-3 s and of 2-4 s.
    dog = distances([0, 0.5, 0, 0.5, 0], [(2.0, 4.0), (1.0, 3.0)], se.Collar(1.0, 1.0, 0.0))
    assert dog.at(0.3) == (2, 0.0 + 1.0, -1.0 + 0.0)


def test_sums_over_clips_do_not_depend_on_their_order():
    scores = {str(i): np.array([[0.0], [0.5], [0.0]]) for i in range(10)}
    events = {clip: [(1.1 + int(clip) / 100, 2.0, "Dog")] for clip in scores}

    def sums(clips):
        return se.matched_distances(
            {clip: scores[clip] for clip in clips},
            events,
            se.Collar(),
            timestamps=np.arange(4.0),
            event_classes=["Dog"],
        )["Dog"].at(0.0)

    expected = math.fsum(1.0 - event[0][0] for event in events.values())
    assert sums(list(scores)) == sums(list(scores)[::-1]) == (10, expected, 0.0)


def test_the_means_are_those_of_the_matches():
    edges = np.arange(10.0)
    dog = distances(HILL, [(2.2, 6.9)], se.Collar(1.0, 1.0))
    detected = se.detect(
        {"a": np.array(HILL)[:, None]}, 0.55, timestamps=edges, event_classes=["Dog"]
    )
    pairs = se.match(detected, {"a": [(2.2, 6.9, "Dog")]}, se.Collar(1.0, 1.0)).distances["Dog"]
    assert dog.at(0.55).onset_distance_mean == pairs.onset_distance_mean
    assert dog.at(0.55).offset_distance_mean == pairs.offset_distance_mean


def test_classes_without_events_are_left_out_on_request():
    inputs = {"a": np.array([[0.5, 0.5]])}, {"a": [(0.0, 1.0, "Dog")]}, se.Collar()
    frames = {"timestamps": np.arange(2.0), "event_classes": ["Dog", "Cat"]}
    with pytest.raises(se.InputError, match="Cat"):
        se.matched_distances(*inputs, **frames)
    found = se.matched_distances(*inputs, missing_classes="exclude", **frames)
    assert list(found) == ["Dog"]
    assert found.excluded_classes == ("Cat",)
    assert repr(found).startswith("MatchedDistances(1 clip, 1 class, Collar(")


def test_only_collars_have_distances():
    with pytest.raises(TypeError, match="criterion must be a Collar, got Segment"):
        distances(HILL, [(2.0, 7.0)], se.Segment())
    with pytest.raises(se.InputError, match="must be a number, got nan"):
        distances(HILL, [(2.0, 7.0)], se.Collar()).at(math.nan)
