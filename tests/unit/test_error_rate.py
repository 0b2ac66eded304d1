"""Error rates at given and at best thresholds, by hand."""

import json
import math

import numpy as np
import pytest
from tagged_clips import figure_1, of_clips, two_classes

import soundeval as se

INF = math.inf
FIGURE_1 = figure_1()
TWO = two_classes()


def test_errors_are_insertions_and_deletions():
    dog = FIGURE_1.error_rate(0.6).per_class["Dog"]
    assert dog == se.ClassErrorRate(2 / 3, 1 / 3, 1 / 3, threshold=0.6, tps=2, fps=1, n_ref=3)


def test_macro_is_the_mean_over_classes_and_micro_is_of_summed_counts():
    result = TWO.error_rate(0.5)
    # Dog: one inserted, one deleted of two. Cat: two deleted of three.
    assert result.macro.error_rate == pytest.approx((1 + 2 / 3) / 2, abs=1e-15)
    assert result.macro.insertion_rate == 0.25
    assert result.micro == se.ErrorRate(4 / 5, 1 / 5, 3 / 5)


def test_there_is_no_upper_limit():
    assert of_clips([0.9, 0.8, 0.7, 0.1], [0, 0, 0, 1]).error_rate(0.5).macro.error_rate == 4.0


def test_without_detections_everything_is_deleted():
    result = TWO.error_rate(INF)
    for rate in (result.macro, result.micro):
        assert rate == se.ErrorRate(1.0, 0.0, 1.0)


def test_the_curve_has_the_order_of_the_thresholds():
    curve = FIGURE_1.error_rate_curve()
    dog = curve.per_class["Dog"]
    assert dog.thresholds.tolist() == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, INF]
    assert dog.insertion_rate.tolist() == [3 / 3, 2 / 3, 1 / 3, 1 / 3, 0, 0, 0]
    assert dog.deletion_rate.tolist() == [0, 0, 0, 1 / 3, 1 / 3, 2 / 3, 1]
    assert dog.error_rate.tolist() == [3 / 3, 2 / 3, 1 / 3, 2 / 3, 1 / 3, 2 / 3, 1]
    assert repr(curve) == "ErrorRateCurve(1 class)"
    assert repr(dog) == "ClassErrorRateCurve(7 points)"


def test_of_equally_good_thresholds_the_highest_is_taken():
    # One error at .5 and at .8.
    dog = FIGURE_1.best_error_rate().per_class["Dog"]
    assert (dog.error_rate, dog.threshold) == (1 / 3, 0.75)


def test_limits_do_what_they_say():
    dog = FIGURE_1.best_error_rate(max_deletion_rate=0.0).per_class["Dog"]
    assert (dog.error_rate, dog.deletion_rate, dog.threshold) == (1 / 3, 0.0, 0.4)
    dog = FIGURE_1.best_error_rate(max_insertion_rate=0).per_class["Dog"]
    assert (dog.error_rate, dog.insertion_rate, dog.threshold) == (1 / 3, 0.0, 0.75)
    # A limit is inclusive.
    dog = FIGURE_1.best_error_rate(1 / 3, 0.3).per_class["Dog"]
    assert (dog.insertion_rate, dog.deletion_rate) == (1 / 3, 0.0)


def test_limits_that_no_threshold_keeps_are_noted():
    best = FIGURE_1.best_error_rate(0.1, 0.1)
    assert best.per_class["Dog"].threshold == INF
    assert best.macro.error_rate == 1.0
    assert best.notes == (
        "no threshold has an insertion rate of 0.1 or less and a deletion rate of 0.1 or less for "
        "1 class: 'Dog'",
    )
    assert FIGURE_1.best_error_rate(max_insertion_rate=0.0).notes == ()


def test_a_system_may_be_worse_than_silence():
    best = of_clips([0.9, 0.8, 0.7, 0.1], [0, 0, 0, 1]).best_error_rate()
    assert best.per_class["Dog"].threshold == INF
    assert best.macro.error_rate == 1.0


def test_best_thresholds_give_the_same_counts_when_they_are_applied():
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores, targets = rng.integers(0, 9, (12, 2)) / 8, rng.random((12, 2)) < 0.4
        targets[0] = True
        stats = of_clips(scores, targets)
        best = stats.best_error_rate()
        assert stats.error_rate(best.thresholds).per_class == best.per_class
        curve = stats.error_rate_curve()
        for name in stats:
            assert best.per_class[name].error_rate == curve.per_class[name].error_rate.min()


def test_limits_are_checked():
    with pytest.raises(se.InputError, match="max_insertion_rate must be finite and 0 or more"):
        FIGURE_1.best_error_rate(max_insertion_rate=-1)
    with pytest.raises(TypeError, match="max_deletion_rate must be a number, got str"):
        FIGURE_1.best_error_rate(max_deletion_rate="0")


def test_the_result_can_be_read_and_stored():
    result = TWO.best_error_rate(max_deletion_rate=0.5)
    lines = repr(result).splitlines()
    assert lines[0] == "Error rate 0.4167 macro, 0.4000 micro"
    assert lines[1] == "whole clips"
    assert lines[2] == (
        "at the best threshold of each class, chosen on these clips, "
        "with a deletion rate of 0.5 or less"
    )
    assert lines[4] == "         error rate  insertions  deletions  threshold"
    assert lines[7] == "  Dog        0.5000      0.0000     0.5000       0.75"
    assert result._repr_html_().count("<tr") == 5
    flat = result.to_dict()
    assert json.loads(json.dumps(flat, allow_nan=False)) == flat
    assert flat["macro_error_rate"] == result.macro.error_rate
    assert flat["insertion_rate/Dog"] == 0.0
    assert (flat["max_insertion_rate"], flat["max_deletion_rate"]) == (None, 0.5)
    assert result == TWO.best_error_rate(max_deletion_rate=0.5)
    assert hash(result) == hash(TWO.best_error_rate(None, 0.5))
