"""The PSDS of small data sets, computed by hand."""

import json
import math

import numpy as np
import pytest

import soundeval as se

# 36 s of audio: one false positive is 100 per hour, the limit of the area.
EDGES = np.arange(37.0)
DOG = [(0.0, 1.0, "Dog"), (2.0, 3.0, "Dog")]


def frames(**scores_by_frame):
    """Return 36 frames of score 0.1, but for those given as f<number>=score."""
    column = np.full(36, 0.1)
    for name, score in scores_by_frame.items():
        column[int(name[1:])] = score
    return column


DOG_SCORES = frames(f0=0.995, f2=0.999, f5=0.997)


def psds(columns, events, classes, durations=36.0, **arguments):
    arguments = {"dtc_threshold": 0.5, "gtc_threshold": 0.5, **arguments}
    return se.psds(
        {"f": np.column_stack(columns)},
        {"f": events},
        {"f": durations},
        timestamps=EDGES,
        event_classes=classes,
        **arguments,
    )


def test_bb_018_one_class_only():
    # Above .997 one of two events is found at 0 per hour; the other only at 100 per hour.
    result = psds([DOG_SCORES], DOG, ["Dog"])
    assert result.value == 0.5
    assert float(result) == 0.5
    assert result.per_class == {"Dog": 0.5}


def test_bb_043_scores_close_to_1_are_told_apart():
    # Dog as above, Cat perfect: the mean of 1/2 and 1 everywhere below 100 per hour.
    events = [*DOG, (30.0, 31.0, "Cat")]
    result = psds([DOG_SCORES, frames(f30=0.9)], events, ["Dog", "Cat"])
    assert result.value == 0.75
    assert result.per_class == {"Dog": 0.5, "Cat": 1.0}


def test_alpha_st_takes_the_spread_over_classes_off():
    # Mean 3/4 and population standard deviation 1/4.
    events = [*DOG, (30.0, 31.0, "Cat")]
    result = psds([DOG_SCORES, frames(f30=0.9)], events, ["Dog", "Cat"], alpha_st=1.0)
    assert result.value == 0.5


def test_max_efpr_is_where_the_area_ends():
    # TPR 1/2 up to 100 per hour and 1 from there to 200.
    assert psds([DOG_SCORES], DOG, ["Dog"], max_efpr=200.0).value == 0.75


def test_units_of_time_are_the_same_rate():
    per_hour = psds([DOG_SCORES], DOG, ["Dog"], max_efpr=3600.0 / 18.0)
    for unit, factor in (("minute", 60.0), ("second", 3600.0)):
        result = psds(
            [DOG_SCORES], DOG, ["Dog"], max_efpr=3600.0 / 18.0 / factor, unit_of_time=unit
        )
        assert result.value == pytest.approx(per_hour.value, rel=1e-12)
        assert result.unit_of_time == unit


def test_cross_triggers_cost_effective_false_positives():
    # The Dog system fires at .8 on the Cat of 2 s, a false positive and a cross trigger, and at .7
    # on the second dog. eFPR = 1/36 s + alpha_ct * (1 cross trigger / 2 s of cats) = 0.0277 + 0.5
    # per s.
    events = [(0.0, 1.0, "Dog"), (2.0, 3.0, "Dog"), (10.0, 12.0, "Cat")]
    dog = frames(f0=0.9, f10=0.8, f11=0.8, f2=0.7)
    result = psds(
        [dog, frames(f10=0.9, f11=0.9)],
        events,
        ["Dog", "Cat"],
        cttc_threshold=0.5,
        alpha_ct=1.0,
        unit_of_time="second",
        max_efpr=1.0,
    )
    efpr = 1.0 / 36.0 + 1.0 / 2.0
    assert result.curve.per_class["Dog"].efpr.tolist() == [0.0, efpr]
    assert result.per_class["Dog"] == pytest.approx(0.5 * efpr + 1.0 * (1.0 - efpr))
    assert result.per_class["Cat"] == 1.0


def test_with_one_class_there_are_no_cross_triggers():
    result = psds([DOG_SCORES], DOG, ["Dog"], cttc_threshold=0.3, alpha_ct=1.0)
    assert result.value == 0.5


def test_a_class_that_is_never_detected_scores_0():
    column = np.full(36, -np.inf)
    result = psds([column, DOG_SCORES], [*DOG, (5.0, 6.0, "Cat")], ["Cat", "Dog"])
    assert result.per_class == {"Cat": 0.0, "Dog": 0.5}
    assert result.value == 0.25


def test_without_the_envelope_more_false_positives_can_mean_fewer_found_events():
    # Below .997 the two dogs merge with what lies between them, and neither is found.
    column = frames(f0=0.999, f2=0.999, f1=0.998)
    column[3:8] = 0.998
    oracle = psds([column], DOG, ["Dog"], max_efpr=200.0)
    every = psds([column], DOG, ["Dog"], max_efpr=200.0, oracle=False)
    assert oracle.value == 1.0
    assert every.value == 0.5
    assert not every.oracle


def test_the_order_of_clips_and_events_changes_nothing():
    rng = np.random.default_rng(0)
    clips = [f"clip{i}" for i in range(6)]
    scores = {clip: rng.random((10, 2)).astype(np.float32) for clip in clips}
    truth = {clip: [(1.0, 3.0, "A"), (5.0, 6.0, "A"), (2.0, 8.0, "B")] for clip in clips}
    durations = dict.fromkeys(clips, 10.0)
    arguments = {
        "dtc_threshold": 0.1,
        "gtc_threshold": 0.1,
        "timestamps": np.arange(11.0),
        "event_classes": ["A", "B"],
        "max_efpr": 3600.0,
        "alpha_st": 1.0,
    }
    result = se.psds(scores, truth, durations, **arguments)
    backwards = se.psds(
        dict(reversed(scores.items())),
        {clip: events[::-1] for clip, events in reversed(truth.items())},
        dict(reversed(durations.items())),
        **arguments,
    )
    assert result == backwards
    assert hash(result) == hash(backwards)


# -- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cttc_threshold": 0.3}, "alpha_ct=0 gives them no weight"),
        ({"alpha_ct": 0.5}, r"alpha_ct=0\.5 weights cross triggers, but no cttc_threshold"),
        ({"alpha_ct": -0.1}, "alpha_ct must be between 0 and 1"),
        ({"alpha_ct": 1.1, "cttc_threshold": 0.3}, "alpha_ct must be between 0 and 1"),
        ({"alpha_st": -1}, "alpha_st must be finite and 0 or more"),
        ({"alpha_st": math.inf}, "alpha_st must be finite"),
        ({"alpha_st": math.nan}, "alpha_st must be a number, got nan"),
        ({"max_efpr": 0.0}, "max_efpr must be finite and greater than 0"),
        ({"max_efpr": math.inf}, "max_efpr must be finite"),
        ({"max_efpr": None}, "without an end"),
        ({"unit_of_time": "hours"}, "unit_of_time must be one of 'second', 'minute', 'hour'"),
        ({"dtc_threshold": 1.5}, "dtc_threshold must be between 0 and 1, got 1.5"),
        ({"gtc_threshold": -0.5}, "gtc_threshold must be between 0 and 1"),
        ({"cttc_threshold": 2, "alpha_ct": 1}, "cttc_threshold must be between 0 and 1"),
        ({"time_decimals": -1}, "time_decimals must be between 0 and 30"),
    ],
)
def test_arguments_out_of_range_are_named(arguments, message):
    with pytest.raises(se.InputError, match=message):
        psds([DOG_SCORES], DOG, ["Dog"], **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha_st": "1"}, "alpha_st must be a number, got str"),
        ({"alpha_ct": True}, "alpha_ct must be a number, got bool"),
        ({"dtc_threshold": None}, "dtc_threshold must be a number, got NoneType"),
        ({"time_decimals": 6.0}, "time_decimals must be a whole number, got float"),
        ({"oracle": "no"}, "oracle must be True or False"),
    ],
)
def test_arguments_of_another_kind_are_type_errors(arguments, message):
    with pytest.raises(TypeError, match=message):
        psds([DOG_SCORES], DOG, ["Dog"], **arguments)


def test_arguments_are_checked_before_the_scores_are_read():
    with pytest.raises(se.InputError, match="max_efpr"):
        se.psds("no such folder", {}, {}, dtc_threshold=0.5, gtc_threshold=0.5, max_efpr=-1)


def test_durations_are_needed():
    with pytest.raises(se.InputError, match="need the durations"):
        se.psds({"f": DOG_SCORES}, {"f": DOG}, None, dtc_threshold=0.5, gtc_threshold=0.5)


def test_numpy_numbers_are_numbers():
    result = psds(
        [DOG_SCORES],
        DOG,
        ["Dog"],
        dtc_threshold=np.float64(0.5),
        alpha_st=np.float32(0.0),
        max_efpr=np.int64(100),
        time_decimals=np.int32(6),
    )
    assert result.value == 0.5
    assert json.loads(json.dumps(result.to_dict()))["max_efpr"] == 100.0
