"""Counts at every decision threshold, computed by hand."""

import math
import pickle

import numpy as np
import pytest

import soundeval as se

EDGES = np.arange(11.0)


def statistics(columns, events, classes=("Dog",), criterion=None, **arguments):
    return se.statistics(
        {"f": np.column_stack(columns)},
        {"f": events},
        criterion or se.Intersection(0.5, 0.5),
        timestamps=EDGES,
        event_classes=classes,
        **arguments,
    )


def column(**scores_by_frame):
    scores = np.full(10, 0.1)
    for name, score in scores_by_frame.items():
        scores[int(name[1:])] = score
    return scores


DOG = column(f1=0.9, f5=0.6)
EVENTS = [(1.0, 2.0, "Dog"), (8.0, 9.0, "Dog")]


def test_counts_change_at_scores_only():
    # .9 finds the first dog, .6 is a false positive; everything active (10 s) is one false positive
    # and finds nothing, because only 2 s of its 10 s are dog.
    dog = statistics([DOG], EVENTS)["Dog"]
    assert dog.name == "Dog"
    assert dog.thresholds.tolist() == [0.1, 0.6, 0.9, math.inf]
    assert dog.tps.tolist() == [0, 1, 1, 0]
    assert dog.fps.tolist() == [1, 1, 0, 0]
    assert dog.cts == {}
    assert (dog.n_ref, dog.t_ref) == (2, 2.0)


def test_types_are_as_documented():
    dog = statistics([DOG.astype(np.float32)], EVENTS)["Dog"]
    assert dog.thresholds.dtype == np.float64
    assert dog.tps.dtype == dog.fps.dtype == np.int64
    assert type(dog.n_ref) is int
    assert type(dog.t_ref) is float


def test_points_at_which_nothing_changes_are_no_points():
    # A plateau and its slope belong to one detection; .3 widens it, but it stays a false positive.
    dog = statistics([column(f3=0.3, f4=0.5, f5=0.5, f6=0.4)], [(9.0, 10.0, "Dog")])["Dog"]
    assert dog.thresholds.tolist() == [0.5, math.inf]


def test_bb_070_touching_events_are_each_counted():
    # One detection over both: .5 + .5 = 1 of its second, and each event fully covered.
    stats = se.statistics(
        {"f": np.array([[0.9], [0.9], [0.1], [0.1]])},
        {"f": [(0.0, 0.5, "a"), (0.5, 1.0, "a")]},
        se.Intersection(0.5, 0.5),
        timestamps=[0.0, 0.5, 1.0, 5.0, 10.0],
        event_classes=["a"],
    )
    counts = stats["a"].at(0.5)
    assert (counts.tps, counts.fps, counts.fns, counts.n_ref) == (2, 0, 0, 2)


@pytest.mark.parametrize(
    ("threshold", "tps", "fps"),
    [
        (-math.inf, 0, 1),
        (0.0, 0, 1),
        (0.1, 1, 1),
        (0.5999, 1, 1),
        (0.6, 1, 0),
        (0.8999, 1, 0),
        (0.9, 0, 0),
        (math.inf, 0, 0),
    ],
)
def test_a_frame_is_active_where_its_score_is_greater(threshold, tps, fps):
    counts = statistics([DOG], EVENTS)["Dog"].at(threshold)
    assert counts == se.Counts(tps=tps, fps=fps, fns=2 - tps, n_ref=2, cts={})


def test_infinite_scores_count_below_every_finite_threshold():
    dog = statistics([column(f1=math.inf)], EVENTS)["Dog"]
    assert dog.at(1e300).tps == 1
    assert dog.at(math.inf).tps == 0


def test_a_threshold_is_a_number():
    dog = statistics([DOG], EVENTS)["Dog"]
    with pytest.raises(se.InputError, match="threshold must be a number, got nan"):
        dog.at(math.nan)
    with pytest.raises(TypeError, match="threshold must be a number, got str"):
        dog.at("0.5")


def test_float32_scores_are_compared_as_what_they_are():
    dog = statistics([column(f1=0.3).astype(np.float32)], EVENTS)["Dog"]
    assert float(np.float32(0.3)) > 0.3
    assert dog.at(0.3).tps == 1
    assert dog.at(float(np.float32(0.3))).tps == 0


def test_cross_triggers_are_counted_by_other_class():
    # Dog fires at .8 on the cat: not relevant, and all of it inside the cat.
    events = [*EVENTS, (5.0, 6.0, "Cat")]
    stats = statistics(
        [column(f1=0.9, f5=0.8), column(f5=0.9)],
        events,
        ["Dog", "Cat"],
        se.Intersection(0.5, 0.5, 0.3),
    )
    assert stats["Dog"].at(0.5) == se.Counts(tps=1, fps=1, fns=1, n_ref=2, cts={"Cat": 1})
    assert stats["Dog"].cts["Cat"].tolist()[-2:] == [0, 0]
    assert stats["Cat"].at(0.5).cts == {"Dog": 0}


def test_statistics_are_a_mapping_in_column_order():
    events = [*EVENTS, (5.0, 6.0, "Cat")]
    stats = statistics([DOG, DOG], events, ["Dog", "Cat"])
    assert list(stats) == ["Dog", "Cat"]
    assert stats.event_classes == ("Dog", "Cat")
    assert len(stats) == 2
    assert "Cat" in stats
    assert "Owl" not in stats
    assert stats.get("Owl") is None
    with pytest.raises(KeyError, match="'dog' is no evaluated class; did you mean 'Dog'"):
        stats["dog"]
    assert stats.clip_ids == ["f"]
    assert stats.criterion == se.Intersection(0.5, 0.5)
    assert stats.audio_durations is None
    assert repr(stats).startswith("Statistics(1 clip, 2 classes, Intersection(")


def test_counts_are_computed_once_and_read_only():
    stats = statistics([DOG], EVENTS)
    assert stats["Dog"] is stats["Dog"]
    with pytest.raises(ValueError, match="read-only"):
        stats["Dog"].tps[0] = 5
    with pytest.raises(AttributeError):
        stats["Dog"].n_ref = 5
    assert repr(stats["Dog"]) == "ClassStatistics('Dog', 4 points, n_ref=2, t_ref=2.0)"


def test_t_ref_is_correctly_rounded():
    # 0.1 + 0.2 + ... in any order; plain sums depend on it.
    lengths = [0.1, 0.2, 0.3, 1e-17, 0.7]
    events = [(0.0, length, "Dog") for length in lengths]
    for order in (events, events[::-1]):
        assert statistics([DOG], order)["Dog"].t_ref == math.fsum(lengths)


def test_numbers_and_lengths_of_targets_are_there_for_all_classes_at_once():
    stats = statistics([DOG, DOG], [*EVENTS, (2.5, 4.0, "Cat")], ("Dog", "Cat"))
    assert stats.n_ref == {"Dog": 2, "Cat": 1}
    assert stats.t_ref == {"Dog": 2.0, "Cat": 1.5}
    assert stats.n_ref == {name: counts.n_ref for name, counts in stats.items()}


def test_durations_given_to_statistics_are_used_by_psds():
    stats = statistics([DOG], EVENTS, audio_durations={"f": 36.0})
    assert stats.psds().value == 0.5
    assert stats.psds({"f": 36.0}) == stats.psds()
    # Half the audio, twice the rate; 200 per hour is beyond the limit as before.
    assert stats.psds({"f": 18.0}).dataset_duration == 18.0
    assert stats.psd_roc().efpr.tolist()[-1] == 100.0


def test_durations_are_needed_for_rates():
    stats = statistics([DOG], EVENTS)
    for method in (stats.psds, stats.psd_roc):
        with pytest.raises(se.InputError, match="need the durations of the clips"):
            method()
        with pytest.raises(se.InputError, match="'g'"):
            method({"f": 10.0, "g": 10.0})
        with pytest.raises(se.InputError, match="1 scored clip without audio duration: 'f'"):
            method({})


def test_psd_roc_without_a_limit_keeps_every_point():
    # Per 36 s: nothing false finds one of two dogs; below .6 there is one false positive.
    roc = statistics([DOG], EVENTS).psd_roc({"f": 36.0}, max_efpr=None)
    dog = roc.per_class["Dog"]
    assert dog.tpr.tolist() == [0.5]
    assert dog.efpr.tolist() == [0.0]
    assert dog.thresholds.tolist() == [0.9]
    every = statistics([DOG], EVENTS).psd_roc({"f": 36.0}, max_efpr=None, oracle=False)
    assert every.per_class["Dog"].efpr.tolist() == [0.0, 100.0]
    assert every.per_class["Dog"].tpr.tolist() == [0.5, 0.5]
    assert every.max_efpr is None


def test_psd_roc_ends_at_its_limit():
    roc = statistics([DOG], EVENTS).psd_roc({"f": 36.0}, max_efpr=50.0)
    assert roc.efpr.tolist() == [0.0, 50.0]
    assert roc.etpr.tolist() == [0.5, 0.5]


def test_statistics_with_cross_triggers_may_leave_them_unweighted():
    stats = statistics([DOG], EVENTS, criterion=se.Intersection(0.5, 0.5, 0.3))
    assert stats.psds({"f": 36.0}).value == 0.5
    with pytest.raises(se.InputError, match="no cttc_threshold"):
        statistics([DOG], EVENTS).psds({"f": 36.0}, alpha_ct=0.5)


def test_criteria_are_values():
    criterion = se.Intersection(dtc_threshold=1, gtc_threshold=0)
    assert criterion == se.Intersection(1.0, 0.0)
    assert hash(criterion) == hash(se.Intersection(1.0, 0.0))
    assert se.Intersection() == se.Intersection(0.7, 0.7, None, 6)
    with pytest.raises(AttributeError):
        criterion.dtc_threshold = 0.5


def test_a_set_of_class_names_has_no_order_and_is_refused():
    with pytest.raises(TypeError, match="a set has no order"):
        statistics([DOG, DOG], EVENTS, {"Dog", "Cat"})


def test_a_clip_that_comes_twice_in_a_stream_is_an_error():
    clips = [("f", DOG[:, None], EDGES), ("f", DOG[:, None], EDGES)]
    with pytest.raises(se.InputError, match="clip 'f' comes twice"):
        se.statistics(iter(clips), {"f": EVENTS}, se.Intersection(), event_classes=["Dog"])


def test_statistics_travel_by_pickle():
    stats = statistics([DOG], EVENTS, audio_durations={"f": 10.0})
    copy = pickle.loads(pickle.dumps(stats))
    assert repr(copy) == repr(stats)
    assert copy.psds().to_dict() == stats.psds().to_dict()
    assert copy["Dog"].tps.tolist() == stats["Dog"].tps.tolist()


def test_decimals_beyond_the_exact_powers_of_ten_round_as_numpy_does():
    # 10^23 is no double; NumPy multiplies ten by ten, and so do we.
    edges = [0.6051160638502886, 1.5450627205143248, 2.4731134461789166]
    event = (0.6051160638502886, 4.341110828507545, "Dog")
    criterion = se.Intersection(0.7, 0.5, time_decimals=23)
    stats = se.statistics(
        {"f": np.zeros((2, 1))}, {"f": [event]}, criterion, timestamps=edges, event_classes=["Dog"]
    )
    length, shared = event[1] - event[0], edges[2] - edges[0]
    found = np.round(shared, 23) >= np.round(0.5 * length, 23)
    assert stats["Dog"].tps[0] == int(found)
