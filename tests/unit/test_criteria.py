"""Criteria are values, and what each of them counts can be done by hand."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

import soundeval as se

INF = math.inf


def statistics(scores, events, criterion, edges=None, **arguments):
    edges = np.arange(len(scores) + 1.0) if edges is None else edges
    return se.statistics(
        {"f": np.array(scores, dtype=float)[:, None]},
        {"f": [(onset, offset, "Dog") for onset, offset in events]},
        criterion,
        timestamps=edges,
        event_classes=["Dog"],
        **arguments,
    )


def counts(*arguments, **settings):
    dog = statistics(*arguments, **settings)["Dog"]
    return dog.thresholds.tolist(), dog.tps.tolist(), dog.fps.tolist()


# -- values ---------------------------------------------------------------------------------------

ALL = [
    se.Intersection(0.5, 0.25, 0.3),
    se.Collar(0.1, 0.2, 0.5, 4),
    se.Collar(offset_collar=None),
    se.Segment(0.5),
    se.Clip(),
]


@pytest.mark.parametrize("criterion", ALL, ids=repr)
def test_criteria_are_values(criterion):
    twin = copy.deepcopy(criterion)
    assert twin == criterion
    assert hash(twin) == hash(criterion)
    assert eval(repr(criterion), vars(se)) == criterion
    assert pickle.loads(pickle.dumps(criterion)) == criterion
    assert all(criterion != other for other in ALL if other is not criterion)
    for field in dataclasses.fields(criterion):
        with pytest.raises(AttributeError):
            setattr(criterion, field.name, 0.5)


@pytest.mark.parametrize("criterion", ALL, ids=repr)
def test_states_hold_the_criterion(criterion):
    acc = se.Accumulator(criterion, ["Dog"])
    acc.update("f", np.array([[0.5]]), [0.0, 0.5], [(0.0, 0.5, "Dog")])
    read = se.Accumulator.from_bytes(acc.to_bytes())
    assert read.criterion == criterion
    assert acc.statistics().criterion == criterion
    assert read.statistics()["Dog"].at(0.4).tps == 1


def test_defaults_are_those_of_the_literature():
    assert se.Collar() == se.Collar(0.2, 0.2, 0.2, 6)
    assert se.Segment() == se.Segment(1, 6)
    assert repr(se.Segment(1)) == "Segment(segment_length=1.0, time_decimals=6)"


def test_without_offset_collar_its_rate_has_no_meaning():
    assert se.Collar(offset_collar=None) == se.Collar(offset_collar=None, offset_collar_rate=0.5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: se.Collar(onset_collar=-0.1), "onset_collar must be finite and 0 or more"),
        (lambda: se.Collar(offset_collar=INF), "offset_collar must be finite and 0 or more"),
        (lambda: se.Collar(offset_collar_rate=-1), "offset_collar_rate must be finite"),
        (lambda: se.Collar(offset_collar=None, offset_collar_rate=-1), "offset_collar_rate"),
        (lambda: se.Collar(time_decimals=31), "time_decimals must be between 0 and 30"),
        (lambda: se.Segment(0.0), "segment_length must be finite and greater than 0"),
        (lambda: se.Segment(math.nan), "segment_length must be a number, got nan"),
        (lambda: se.Segment(0.001, 2), r"segment_length=0\.001 is 0 when it is rounded to 2"),
        (lambda: se.Segment(time_decimals=-1), "time_decimals must be between 0 and 30"),
    ],
)
def test_parameters_are_checked(make, message):
    with pytest.raises(se.InputError, match=message):
        make()


def test_a_class_is_no_criterion():
    with pytest.raises(TypeError, match=r"got type; call it: soundeval\.Clip\(\)"):
        statistics([0.5], [(0.0, 1.0)], se.Clip)
    with pytest.raises(TypeError, match="Intersection, Collar, Segment or Clip, got str"):
        se.Accumulator("clip", ["Dog"])


# -- collar ---------------------------------------------------------------------------------------

HILL = [0.3, 0.4, 0.5, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3]


def test_collar_on_a_hill_of_scores():
    # .7 is 4-5 s, too short; from .6 (3-6 s) to .4 (1-8 s) it is within 1 s of 2-7 s; .3 is too
    # long (Ebbers et al. 2022, Figure 2).
    expected = [0.3, 0.6, 0.7, INF], [0, 1, 0, 0], [1, 0, 1, 0]
    assert counts(HILL, [(2.0, 7.0)], se.Collar(1.0, 1.0)) == expected


def test_collars_are_inclusive_and_float_noise_does_not_count():
    scores, edges, events = [-INF, 0.5, -INF], [0.0, 0.7, 1.0, 2.0], [(0.9, 1.0)]
    assert 0.9 - 0.7 > 0.2
    assert counts(scores, events, se.Collar(), edges)[1] == [1, 0]
    assert counts(scores, events, se.Collar(0.199), edges)[1] == [0, 0]


def test_the_offset_collar_grows_with_the_reference_event():
    # 4 s of event, offset 0.8 s off: 20 % of 4 s.
    scores, edges = [0.5, -INF], [0.0, 3.2, 5.0]
    assert counts(scores, [(0.0, 4.0)], se.Collar(), edges)[1] == [1, 0]
    assert counts(scores, [(0.0, 4.0)], se.Collar(offset_collar_rate=0.19), edges)[1] == [0, 0]
    assert counts(scores, [(0.0, 4.0)], se.Collar(offset_collar=0.8), edges)[1] == [1, 0]


def test_onset_only_does_not_look_at_offsets():
    scores, edges = [0.5, -INF], [0.0, 0.1, 5.0]
    assert counts(scores, [(0.0, 4.0)], se.Collar(), edges)[1] == [0, 0]
    assert counts(scores, [(0.0, 4.0)], se.Collar(offset_collar=None), edges)[1] == [1, 0]


def test_one_detection_finds_one_reference_event_only():
    assert counts([0.5], [(0.0, 1.0), (0.1, 1.0)], se.Collar()) == ([0.5, INF], [1, 0], [0, 0])


def test_pairs_are_matched_not_assigned_greedily():
    # Detections begin at 2 s and 4 s, events at 3 s and 1 s, and 1 s is close enough. The first
    # detection could take either event, the second only that at 3 s.
    scores = [-INF, -INF, 0.5, -INF, 0.5, -INF]
    for events in ([(3.0, 4.0), (1.0, 2.0)], [(1.0, 2.0), (3.0, 4.0)]):
        assert counts(scores, events, se.Collar(1.0, None)) == ([0.5, INF], [2, 0], [0, 0])


def test_event_based_criteria_have_no_negatives():
    for criterion in (se.Collar(), se.Intersection()):
        dog = statistics(HILL, [(2.0, 7.0)], criterion)["Dog"]
        assert dog.n_negatives is None
        assert dog.tns is None
        assert dog.at(0.5).tns is None


# -- segment --------------------------------------------------------------------------------------


def test_any_overlap_makes_a_segment_positive():
    # Half a second of event in segments 0 and 1, of 2 s each.
    dog = statistics([0.1, 0.6, 0.7, 0.2, 0.3], [(1.5, 2.5)], se.Segment(2.0))["Dog"]
    assert dog.thresholds.tolist() == [0.3, 0.6, 0.7, INF]
    assert dog.tps.tolist() == [2, 2, 1, 0]
    assert dog.fps.tolist() == [1, 0, 0, 0]
    assert dog.tns.tolist() == [0, 1, 1, 1]
    assert (dog.n_ref, dog.n_negatives, dog.t_ref) == (2, 1, 4.0)
    assert repr(dog) == "ClassStatistics('Dog', 4 points, n_ref=2, t_ref=4.0, n_negatives=1)"
    assert dog.at(0.65) == se.Counts(tps=1, fps=0, fns=1, n_ref=2, cts={}, tns=1)
    assert repr(dog.at(0.65)) == "Counts(tps=1, fps=0, fns=1, n_ref=2, cts={}, tns=1)"
    with pytest.raises(ValueError, match="read-only"):
        dog.tns[0] = 5


def test_an_event_that_ends_at_a_boundary_does_not_reach_beyond():
    assert statistics([0.5, 0.5, 0.5], [(1.0, 2.0)], se.Segment())["Dog"].n_ref == 1


def test_the_score_of_a_segment_is_its_maximum():
    expected = [0.4, 0.9, INF], [1, 1, 0], [1, 0, 0]
    assert counts([0.1, 0.9, 0.4, 0.2], [(0.0, 1.0)], se.Segment(2.0)) == expected


def test_durations_say_how_many_segments_there_are():
    # 3 s of frames and 2.5 s of audio, in segments of 1 s and 0.5 s; without durations the end of
    # the last event counts if it is later.
    scores, events = [0.5, 0.5, 0.5], [(0.0, 1.0), (4.0, 5.0)]

    def units(criterion, **arguments):
        dog = statistics(scores, events, criterion, **arguments)["Dog"]
        return dog.n_ref, dog.n_negatives

    assert units(se.Segment()) == (2, 3)
    assert units(se.Segment(), audio_durations={"f": 2.5}) == (1, 2)
    assert units(se.Segment(0.5), audio_durations={"f": 2.5}) == (2, 3)
    assert units(se.Segment(), audio_durations={"f": 6}) == (2, 4)


def test_segments_without_frames_are_never_detected():
    # Audio of 4 s, frames for 2 s: not a score of 0, which would be above negative thresholds.
    dog = statistics([-2.0, -1.0], [(1.0, 4.0)], se.Segment(), audio_durations={"f": 4.0})["Dog"]
    assert dog.at(-INF) == se.Counts(tps=1, fps=1, fns=2, n_ref=3, cts={}, tns=0)


def test_accumulators_take_the_duration_of_each_clip():
    events = [(0.0, 1.0, "Dog"), (4.0, 5.0, "Dog")]
    acc = se.Accumulator(se.Segment(), ["Dog"])
    acc.update("f", np.full((3, 1), 0.5), [0, 1, 2, 3], events, duration=2.5)
    dog = acc.statistics()["Dog"]
    assert (dog.n_ref, dog.n_negatives) == (1, 2)
    with pytest.raises(se.InputError, match=r"come too late here: pass update\(\.\.\., duration="):
        acc.statistics(audio_durations={"f": 2.5})
    with pytest.raises(se.InputError, match="duration of clip 'g' must be finite and greater"):
        acc.update("g", np.full((3, 1), 0.5), [0, 1, 2, 3], [], duration=0.0)


def test_only_segments_depend_on_the_duration():
    for criterion in (se.Clip(), se.Collar(), se.Intersection()):
        with_duration, without = (se.Accumulator(criterion, ["Dog"]) for _ in range(2))
        clip = ("f", np.full((3, 1), 0.5), [0, 1, 2, 3], [(0.0, 1.0, "Dog")])
        with_duration.update(*clip, duration=9.0)
        without.update(*clip)
        assert with_duration.to_bytes() == without.to_bytes()


# -- clip -----------------------------------------------------------------------------------------


def test_clips_are_positive_or_negative_whatever_the_times():
    stats = se.statistics(
        {"a": np.array([[0.1], [0.8]]), "b": np.array([[0.6], [0.3]]), "c": np.array([[-INF]] * 2)},
        {"a": [(0.0, 0.1, "Dog"), (50.0, 60.0, "Dog")], "b": [], "c": [(0.0, 1.0, "Dog")]},
        se.Clip(),
        timestamps=[0.0, 1.0, 2.0],
        event_classes=["Dog"],
    )
    dog = stats["Dog"]
    assert dog.thresholds.tolist() == [0.6, 0.8, INF]
    assert dog.tps.tolist() == [1, 1, 0]
    assert dog.fps.tolist() == [1, 0, 0]
    assert (dog.n_ref, dog.n_negatives) == (2, 1)
    assert stats.n_ref == {"Dog": 2}
    assert stats.n_clips == 3


# -- which numbers exist --------------------------------------------------------------------------


def test_psds_needs_intersections():
    for criterion in (se.Collar(), se.Segment(), se.Clip()):
        stats = statistics(HILL, [(2.0, 7.0)], criterion, audio_durations={"f": 9.0})
        for method in (stats.psd_roc, stats.psds):
            with pytest.raises(se.InputError, match=f"were made with {type(criterion).__name__}"):
                method()


def test_roc_needs_negatives():
    for criterion in (se.Collar(), se.Intersection()):
        stats = statistics(HILL, [(2.0, 7.0)], criterion)
        for method in (stats.roc_curve, stats.auroc):
            with pytest.raises(se.InputError, match="needs true negatives"):
                method()
