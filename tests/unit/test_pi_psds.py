"""PSDS over variants of a system, by hand."""

import copy
import json
import pickle

import numpy as np
import pytest

import soundeval as se

EDGES = np.arange(13.0)
TRUTH = {"a": [(0.0, 1.0, "Dog"), (2.0, 3.0, "Dog")]}
SHARES = {"dtc_threshold": 0.7, "gtc_threshold": 0.7}


def scores_of(active):
    """One clip of 12 s in which some frames have a score above 0."""
    scores = np.zeros((12, 1))
    scores[list(active), 0] = list(active.values())
    return {"a": scores}


def stats_of(active, criterion=None, durations=None, classes=("Dog",)):
    return se.statistics(
        scores_of(active),
        TRUTH,
        criterion or se.Intersection(**SHARES),
        audio_durations=durations or {"a": 36.0},
        timestamps=EDGES,
        event_classes=list(classes),
    )


# Both dogs after one false alarm (100 per hour), or one dog and no more.
QUICK, CALM = stats_of({6: 0.9, 0: 0.8, 2: 0.7}), stats_of({2: 0.8})
OTHER = stats_of({2: 0.8}, se.Intersection(0.5, 0.5))


def test_each_point_is_of_the_variant_that_finds_most_there():
    result = se.psds_of_variants({"quick": QUICK, "calm": CALM}, max_efpr=200.0)
    dog = result.curve.per_class["Dog"]
    assert dog.efpr.tolist() == [0.0, 100.0]
    assert dog.tpr.tolist() == [0.5, 1.0]
    assert dog.thresholds.tolist() == [0.8, 0.7]
    assert [result.variant_names[v] for v in dog.variants] == ["calm", "quick"]
    assert result.value == 0.75
    assert [alone.value for alone in result.per_variant.values()] == [0.5, 0.5]


def test_of_equal_variants_the_last_is_named():
    result = se.psds_of_variants([CALM, CALM, QUICK])
    assert result.variant_names == ("0", "1", "2")
    assert result.curve.per_class["Dog"].variants[0] == 1


def test_one_variant_is_the_psds():
    result = se.psds_of_variants([QUICK], max_efpr=200.0)
    alone = QUICK.psds(max_efpr=200.0)
    assert (result.value, result.per_class) == (alone.value, alone.per_class)
    assert (result.curve.etpr == alone.curve.etpr).all()


def test_a_filter_removes_false_alarms_and_another_keeps_short_events():
    # A click, and a bark of three seconds and one of a second.
    scores = scores_of({9: 0.9, 2: 0.8, 3: 0.8, 4: 0.8, 0: 0.7})
    truth = {"a": [(0.0, 1.0, "Dog"), (2.0, 5.0, "Dog")]}
    result = se.pi_psds(
        scores,
        truth,
        {"a": 36.0},
        filter_lengths=[0.0, 3.0],
        timestamps=EDGES,
        event_classes=["Dog"],
        max_efpr=200.0,
        **SHARES,
    )
    assert result.variant_names == ("0 s", "3 s")
    dog = result.curve.per_class["Dog"]
    assert dog.tpr.tolist() == [0.5, 1.0]
    assert dog.variants.tolist() == [1, 0]
    assert result.value >= max(alone.value for alone in result.per_variant.values())


def test_results_are_flat_readable_and_survive_pickling():
    result = se.psds_of_variants({"quick": QUICK, "calm": CALM}, max_efpr=200.0)
    flat = json.loads(json.dumps(result.to_dict()))
    assert flat["psds"] == 0.75
    assert flat["psds_of/calm"] == 0.5
    assert flat["variant_names"] == ["quick", "calm"]
    assert "best of 2 variants at each point; 'quick' alone has 0.5000" in repr(result)
    assert "<table" in result._repr_html_()
    assert pickle.loads(pickle.dumps(result)) == result == copy.deepcopy(result)


def test_curves_can_be_drawn():
    result = se.psds_of_variants([QUICK, CALM])
    assert se.plot.plot_psd_roc(result) is not None


# -- operating points -----------------------------------------------------------------------------


def test_operating_points_are_approximate_and_say_so():
    careful, false = [(2.0, 3.0, "Dog")], [(6.0, 7.0, "Dog")]
    points = [{"a": careful}, {"a": [(0.0, 1.0, "Dog"), *careful, *false]}]
    result = se.psds_from_detections(points, TRUTH, {"a": 36.0}, max_efpr=200.0, **SHARES)
    assert result.value == 0.75
    assert result.approximate
    assert repr(result).startswith("Approximate PSDS 0.7500")
    assert "lower bound" in result.notes[-1]


def test_points_may_know_other_classes_than_the_truth():
    points = [{"a": [(2.0, 3.0, "Dog")]}, {"a": [(0.0, 1.0, "Cat")]}]
    with pytest.raises(se.InputError, match="no event in the ground truth"):
        se.psds_from_detections(points, TRUTH, {"a": 36.0}, **SHARES)
    result = se.psds_from_detections(
        points, TRUTH, {"a": 36.0}, missing_classes="exclude", **SHARES
    )
    assert result.excluded_classes == ("Cat",)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ((2.0, 3.0), "operating point 0 of clip 'a', event 0: expected"),
        ((2.0, 3.0, 7), "label must be text"),
        (None, "event 0"),
    ],
)
def test_a_malformed_detection_is_named(event, message):
    with pytest.raises(se.InputError, match=message):
        se.psds_from_detections([{"a": [event]}], TRUTH, {"a": 36.0}, **SHARES)


# -- what does not fit ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variants", "error", "message"),
    [
        ([], se.InputError, "there are no variants"),
        (QUICK, TypeError, "sequence of Statistics or a mapping"),
        ([QUICK, 3], TypeError, "variant '1' must be Statistics, got int"),
        (
            [QUICK, OTHER],
            se.InputError,
            "different criteria",
        ),
        ([stats_of({2: 0.8}, se.Collar())], se.InputError, "made with Collar"),
    ],
)
def test_variants_that_do_not_fit_are_named(variants, error, message):
    with pytest.raises(error, match=message):
        se.psds_of_variants(variants)


def test_variants_of_other_clips_are_named():
    other = se.statistics(
        {"b": np.zeros((2, 1))},
        {"b": [(0.0, 1.0, "Dog")]},
        se.Intersection(**SHARES),
        audio_durations={"b": 36.0},
        timestamps=[0.0, 1.0, 2.0],
        event_classes=["Dog"],
    )
    with pytest.raises(se.InputError, match="'0' and '1' have different clips: 'a', 'b'"):
        se.psds_of_variants([QUICK, other])


@pytest.mark.parametrize(
    ("lengths", "error", "message"),
    [
        ([], se.InputError, "filter_lengths is empty"),
        (0.5, TypeError, "filter_lengths must be a sequence"),
        ([-1.0], se.InputError, "length must be finite and 0 or more"),
        ([{"Cat": 1.0}], se.InputError, "no value for 1 class: 'Dog'"),
    ],
)
def test_wrong_lengths_are_named(lengths, error, message):
    with pytest.raises(error, match=message):
        se.pi_psds(
            scores_of({0: 0.5}),
            TRUTH,
            {"a": 36.0},
            filter_lengths=lengths,
            timestamps=EDGES,
            event_classes=["Dog"],
            **SHARES,
        )
