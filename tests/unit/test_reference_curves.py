r"""Curves and numbers that can be checked by hand, on the pure-Python twin.

Six units (Ebbers et al., 2022, figure 1), in the order of their scores::

    score            .9     .8     .7     .5     .3     .1
    positive          x      x             x

    TP, FP just below 1, 0   2, 0   2, 1   3, 1   3, 2   3, 3
    precision         1      1     2/3    3/4    3/5    1/2
    recall           1/3    2/3    2/3     1      1      1
    false positive    0      0     1/3    1/3    2/3     1       rate
    F-score          1/2    4/5    2/3    6/7    3/4    2/3
    error rate       2/3    1/3    2/3    1/3    2/3     1
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import scored_units

from soundeval import reference
from soundeval.reference import ClassStatistics
from soundeval.reference.class_statistics import Unit, count_units

SCORES = [0.7, 0.3, 0.5, 0.9, 0.1, 0.8]
POSITIVE = [False, False, True, True, False, True]


def counted(scores, positive) -> ClassStatistics:
    units = [Unit(score + 0.0, bool(its)) for score, its in zip(scores, positive, strict=True)]
    return count_units(units)


def event_based(thresholds, tps, fps, *, n_ref) -> ClassStatistics:
    return ClassStatistics([*thresholds, math.inf], [*tps, 0], [*fps, 0], {}, n_ref, 1.0)


A = counted(SCORES, POSITIVE)
NEVER = event_based([], [], [], n_ref=2)
NO_TARGETS = event_based([0.5], [0], [1], n_ref=0)


# Precision and recall ---------------------------------------------------------------------------


def test_precision_recall_curve() -> None:
    curve = reference.precision_recall_curve({"a": A})["a"]
    assert curve.recall == [0.0, 1 / 3, 2 / 3, 2 / 3, 1.0, 1.0, 1.0]
    assert curve.precision == [1.0, 1.0, 2 / 3, 1.0, 1 / 2, 3 / 5, 3 / 4]
    assert curve.thresholds == [math.inf, 0.9, 0.7, 0.8, 0.1, 0.3, 0.5]


def test_average_precision() -> None:
    result = reference.average_precision({"a": A})
    assert result.value == pytest.approx(2 / 3 * 1 + 1 / 3 * 3 / 4)


def test_where_recall_falls_again_the_curve_is_in_order_of_recall() -> None:
    its = event_based([0.1, 0.4, 0.6], [1, 2, 1], [9, 2, 0], n_ref=2)
    curve = reference.precision_recall_curve({"a": its})["a"]
    assert curve.recall == [0.0, 0.5, 0.5, 1.0]
    assert curve.precision == [1.0, 0.1, 1.0, 0.5]
    assert curve.thresholds == [math.inf, 0.1, 0.6, 0.4]
    assert reference.average_precision({"a": its}).value == 0.5 * 1.0 + 0.5 * 0.5


def test_targets_never_found_add_nothing_to_the_average_precision() -> None:
    its = event_based([0.5], [1], [0], n_ref=4)
    assert reference.average_precision({"a": its, "b": NEVER}).per_class == {"a": 0.25, "b": 0.0}
    assert reference.average_precision({"a": its, "b": NEVER}).value == 0.125


# ROC --------------------------------------------------------------------------------------------


def test_roc_curve() -> None:
    curve = reference.roc_curve({"a": A})["a"]
    assert curve.fpr == [0.0, 0.0, 0.0, 1 / 3, 1 / 3, 2 / 3, 1.0]
    assert curve.tpr == [0.0, 1 / 3, 2 / 3, 2 / 3, 1.0, 1.0, 1.0]
    assert curve.thresholds == [math.inf, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1]


def test_area_under_the_roc() -> None:
    assert reference.auroc({"a": A}).value == pytest.approx(8 / 9)
    assert reference.auroc({"a": A}, max_fpr=1.0).value == pytest.approx(8 / 9)
    # Up to one half: a third of 2/3, and a sixth of 1.
    assert reference.auroc({"a": A}, max_fpr=0.5).value == pytest.approx(7 / 18 / 0.5)
    corrected = reference.auroc({"a": A}, max_fpr=0.5, mcclish_correction=True).value
    assert corrected == pytest.approx((1 + (7 / 18 - 1 / 8) / (1 / 2 - 1 / 8)) / 2)


def test_ties_are_a_straight_line_also_where_it_is_cut() -> None:
    tied = counted([0.5, 0.5, 0.5], [True, False, False])
    assert reference.auroc({"a": tied}).value == 0.5
    assert reference.auroc({"a": tied}, max_fpr=0.25).value == 0.125
    assert reference.auroc({"a": tied}, max_fpr=0.25, mcclish_correction=True).value == 0.5


def test_units_without_score_rank_below_all_others() -> None:
    its = counted([0.5, -math.inf, -math.inf, -math.inf], [True, True, False, False])
    curve = reference.roc_curve({"a": its})["a"]
    assert curve.thresholds == [math.inf, 0.5, -math.inf]
    assert (curve.fpr, curve.tpr) == ([0.0, 0.0, 1.0], [0.0, 0.5, 1.0])
    assert reference.auroc({"a": its}).value == 0.75
    # No threshold finds the second positive, so precision has nothing to say about it.
    assert reference.average_precision({"a": its}).value == 0.5


def test_events_have_no_roc() -> None:
    with pytest.raises(ValueError, match="no negatives"):
        reference.roc_curve({"a": NEVER})


@pytest.mark.parametrize("positive", [True, False])
def test_without_positives_or_negatives_the_area_is_undefined(positive: bool) -> None:
    its = counted([0.5, 0.6], [positive, positive])
    for settings in ({}, {"max_fpr": 0.1}):
        result = reference.auroc({"a": A, "b": its}, **settings)
        assert math.isnan(result.per_class["b"])
        assert math.isnan(result.value)
        assert not math.isnan(result.per_class["a"])


@given(units=scored_units)
def test_area_is_the_probability_of_the_right_order(units: list[tuple[float, bool]]) -> None:
    positive = [score for score, its in units if its]
    negative = [score for score, its in units if not its]
    assume(positive and negative)
    right = [(p > n) + (p == n) / 2 for p in positive for n in negative]
    found = reference.auroc({"a": counted(*zip(*units, strict=True))}).value
    assert found == pytest.approx(sum(right) / len(right))


@given(units=scored_units)
def test_average_precision_is_the_mean_of_the_precision_at_each_target(
    units: list[tuple[float, bool]],
) -> None:
    positive = [score for score, its in units if its]
    assume(positive)
    precisions = [
        sum(p >= score for p in positive) / sum(s >= score for s, _ in units)
        for score in positive
        if score > -math.inf
    ]
    found = reference.average_precision({"a": counted(*zip(*units, strict=True))}).value
    assert found == pytest.approx(sum(precisions) / len(positive))


@given(
    scores=st.lists(st.sampled_from([0.0, 0.25, 0.5]) | st.floats(-9.0, 9.0), min_size=2),
    data=st.data(),
    max_fpr=st.none() | st.sampled_from([0.1, 0.5, 1.0]) | st.floats(0.01, 1.0),
)
def test_areas_are_those_of_scikit_learn(scores, data: st.DataObject, max_fpr) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    positive = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    assume(len(set(positive)) == 2)
    its = {"a": counted(scores, positive)}
    area = reference.auroc(its, max_fpr=max_fpr, mcclish_correction=True).value
    expected = metrics.roc_auc_score(positive, scores, max_fpr=max_fpr)
    assert area == pytest.approx(expected, rel=1e-12, abs=1e-12)
    expected = metrics.average_precision_score(positive, scores)
    assert reference.average_precision(its).value == pytest.approx(expected, rel=1e-12)


# F-score ----------------------------------------------------------------------------------------


def test_f_score_at_a_threshold() -> None:
    its = reference.f_score({"a": A}, 0.6).per_class["a"]
    assert (its.f_score, its.precision, its.recall) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert (its.threshold, its.tps, its.fps, its.n_ref) == (0.6, 2, 1, 3)
    # A score that equals the threshold is not above it.
    assert reference.f_score({"a": A}, 0.5).per_class["a"].tps == 2
    assert reference.f_score({"a": A}, 0.499).per_class["a"].tps == 3


def test_best_f_score() -> None:
    its = reference.best_f_score({"a": A}).per_class["a"]
    assert (its.f_score, its.threshold, its.tps, its.fps) == (6 / 7, 0.4, 3, 1)
    assert reference.best_f_score({"a": A}, beta=0.1).per_class["a"].threshold == 0.75
    precise = reference.best_f_score({"a": A}, min_precision=0.9).per_class["a"]
    assert (precise.f_score, precise.threshold) == (0.8, 0.75)
    assert reference.best_f_score({"a": A}, min_recall=0.9).per_class["a"] == its


def test_best_f_score_is_at_the_highest_of_equal_thresholds() -> None:
    """One of two targets and nothing else, or both and as many false positives: 2/3 each time."""
    its = event_based([0.2, 0.5, 0.75], [2, 2, 1], [4, 2, 0], n_ref=2)
    best = reference.best_f_score({"a": its}).per_class["a"]
    assert (best.f_score, best.threshold, best.tps) == (2 / 3, 0.625, 1)


def test_macro_and_micro() -> None:
    result = reference.f_score({"a": A, "b": NEVER}, {"a": 0.4, "b": 0.9})
    assert result.per_class["b"].f_score == 0.0
    assert result.per_class["b"].precision == 1.0
    assert result.macro == reference.FScore((6 / 7 + 0) / 2, (3 / 4 + 1) / 2, (1 + 0) / 2)
    # 3 true and 1 false positive, 5 targets.
    assert result.micro == reference.FScore(2 * 3 / (4 + 5), 3 / 4, 3 / 5)


def test_without_any_detection_macro_precision_is_one_and_micro_is_zero() -> None:
    result = reference.f_score({"a": A, "b": NEVER}, 1.0)
    assert result.macro == reference.FScore(0.0, 1.0, 0.0)
    assert result.micro == reference.FScore(0.0, 0.0, 0.0)


def test_without_targets_f_scores_and_error_rates_are_undefined() -> None:
    for result in (
        reference.f_score({"a": NO_TARGETS}, 0.1),
        reference.best_f_score({"a": NO_TARGETS}),
    ):
        assert math.isnan(result.macro.f_score)
        assert math.isnan(result.micro.recall)
    assert result.per_class["a"].threshold == math.inf
    assert math.isnan(reference.average_precision({"a": NO_TARGETS}).value)
    assert math.isnan(reference.error_rate({"a": NO_TARGETS}, 0.1).macro.error_rate)
    best = reference.best_error_rate({"a": NO_TARGETS}).per_class["a"]
    assert (math.isnan(best.error_rate), best.threshold) == (True, math.inf)


def test_nothing_is_detected_where_requirements_are_out_of_reach() -> None:
    its = event_based([0.2, 0.5], [1, 1], [8, 3], n_ref=2)
    best = reference.best_f_score({"a": its}, min_recall=0.6).per_class["a"]
    assert (best.f_score, best.precision, best.recall, best.threshold) == (0.0, 1.0, 0.0, math.inf)
    best = reference.best_f_score({"a": its}, min_precision=0.3, min_recall=0.1).per_class["a"]
    assert best.threshold == math.inf


# Error rate -------------------------------------------------------------------------------------


def test_error_rate_at_a_threshold() -> None:
    its = reference.error_rate({"a": A}, 0.2).per_class["a"]
    assert (its.error_rate, its.insertion_rate, its.deletion_rate) == (2 / 3, 2 / 3, 0.0)
    assert reference.error_rate({"a": A}, 1.0).macro.error_rate == 1.0


def test_best_error_rate_is_at_the_highest_of_equal_thresholds() -> None:
    its = reference.best_error_rate({"a": A}).per_class["a"]
    assert (its.error_rate, its.threshold) == (1 / 3, 0.75)


def test_limits_of_error_rates_are_inclusive() -> None:
    def threshold(**limits):
        return reference.best_error_rate({"a": A}, **limits).per_class["a"].threshold

    assert threshold(max_insertion_rate=0.0, max_deletion_rate=1 / 3) == 0.75
    assert threshold(max_deletion_rate=0.0) == 0.4
    assert threshold(max_insertion_rate=0.1, max_deletion_rate=0.1) == math.inf


def test_micro_error_rate_is_that_of_the_summed_counts() -> None:
    result = reference.error_rate({"a": A, "b": NEVER}, 0.4)
    assert result.macro.error_rate == (1 / 3 + 1) / 2
    assert result.micro == reference.ErrorRate(3 / 5, 1 / 5, 2 / 5)


# Thresholds -------------------------------------------------------------------------------------


def best_threshold(*scores: float) -> float:
    """Return the best threshold if a target has the first score, and others have lower ones."""
    its = counted(scores, [True] + [False] * (len(scores) - 1))
    threshold = reference.best_f_score({"a": its}).per_class["a"].threshold
    again = reference.f_score({"a": its}, threshold).per_class["a"]
    assert (again.tps, again.fps) == (1, 0)
    return threshold


def test_a_threshold_lies_in_the_middle() -> None:
    assert best_threshold(0.75, 0.25, 0.1) == 0.5
    assert best_threshold(-1.0, -3.0) == -2.0


def test_a_threshold_lies_below_the_lowest_score() -> None:
    assert best_threshold(0.75) == math.nextafter(0.75, 0.0)
    assert best_threshold(0.75, -math.inf) == math.nextafter(0.75, 0.0)
    assert best_threshold(-1e308) < -1e308


def test_between_neighbouring_numbers_there_is_no_middle() -> None:
    """Halves are rounded to even: up, in the second case, to a score that is to be detected."""
    one, two, three = 1.0, math.nextafter(1.0, 2.0), math.nextafter(math.nextafter(1.0, 2.0), 2.0)
    assert (one + two) / 2 == one
    assert (two + three) / 2 == three
    assert best_threshold(two, one) == one
    assert best_threshold(three, two) == two


def test_thresholds_next_to_infinity() -> None:
    assert best_threshold(math.inf, 0.5) == 0.5
    assert best_threshold(math.inf) == np.finfo(float).max
    # The sum of these two is not a number any more.
    assert best_threshold(1.7e308, 1e308) == 1e308
    assert best_threshold(-1e308, -1.7e308) == -1.7e308


@given(units=scored_units)
def test_every_reported_threshold_has_its_counts(units: list[tuple[float, bool]]) -> None:
    its = counted([score for score, _ in units], [positive for _, positive in units])
    for point in range(len(its.thresholds)):
        assert its.point(its.threshold_for(point)) == point


@given(
    units=st.lists(scored_units, min_size=1, max_size=3),
    beta=st.sampled_from([0.5, 1.0, 2.0]),
    min_precision=st.sampled_from([0.0, 0.5, 1.0]),
    min_recall=st.sampled_from([0.0, 0.5, 1.0]),
    limit=st.sampled_from([None, 0.0, 0.5, 1.0]),
)
def test_no_threshold_is_better_than_the_best(
    units, beta: float, min_precision: float, min_recall: float, limit: float | None
) -> None:
    statistics = {
        str(number): counted([score for score, _ in its], [positive for _, positive in its])
        for number, its in enumerate(units)
    }
    assume(all(its.n_ref for its in statistics.values()))
    requirements = {"min_precision": min_precision, "min_recall": min_recall}
    best = reference.best_f_score(statistics, beta=beta, **requirements)
    least = reference.best_error_rate(statistics, max_insertion_rate=limit)
    at_best = {name: its.threshold for name, its in best.per_class.items()}
    at_least = {name: its.threshold for name, its in least.per_class.items()}
    assert reference.f_score(statistics, at_best, beta=beta) == best
    assert reference.error_rate(statistics, at_least) == least
    for threshold in {score for its in units for score, _ in its}:
        for name, its in reference.f_score(statistics, threshold, beta=beta).per_class.items():
            if its.precision >= min_precision and its.recall >= min_recall:
                assert its.f_score <= best.per_class[name].f_score
        for name, its in reference.error_rate(statistics, threshold).per_class.items():
            if limit is None or its.insertion_rate <= limit:
                assert its.error_rate >= least.per_class[name].error_rate
