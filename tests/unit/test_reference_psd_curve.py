"""PSD-ROC and PSDS that can be checked by hand, on the pure-Python twin.

Two classes in one hour of audio, so that false positives are rates already::

    tpr a                              tpr b
    1   .                   .          1   .
        .              _____.__            .
        .             |     .              .________
    1/2 ._____________|     .          1/2 |        .
        .                   .              |        .
    0   .___________________.__        0   .__________________
        0   1   2   3   4   5 efpr         0   1   2   3   4   5
"""

from __future__ import annotations

import math

import pytest

from soundeval import reference
from soundeval.reference import ClassStatistics

HOUR = 3600.0


def class_statistics(thresholds, tps, fps, *, n_ref, cts=None, t_ref=1.0) -> ClassStatistics:
    return ClassStatistics(thresholds, tps, fps, cts or {}, n_ref, t_ref)


A = class_statistics([0.1, 0.4, 0.6, math.inf], [2, 1, 1, 0], [3, 2, 0, 0], n_ref=2)
B = class_statistics([0.2, 0.5, 0.9, math.inf], [0, 1, 0, 0], [4, 1, 0, 0], n_ref=2)


def test_single_class_curves() -> None:
    curves = reference.psd_roc({"a": A, "b": B}, HOUR, max_efpr=5.0).per_class
    assert curves["a"] == reference.ClassPSDROC([0.5, 1.0], [0.0, 3.0], [0.6, 0.1])
    assert curves["b"] == reference.ClassPSDROC([0.0, 0.5], [0.0, 1.0], [math.inf, 0.5])


def test_without_oracle_worse_points_stay_and_the_lowest_threshold_is_reported() -> None:
    curves = reference.psd_roc({"a": A, "b": B}, HOUR, max_efpr=5.0, oracle=False).per_class
    assert curves["a"] == reference.ClassPSDROC([0.5, 0.5, 1.0], [0.0, 2.0, 3.0], [0.6, 0.4, 0.1])
    assert curves["b"] == reference.ClassPSDROC([0.0, 0.5, 0.0], [0.0, 1.0, 4.0], [0.9, 0.5, 0.2])


def test_curve_of_all_classes() -> None:
    curve = reference.psd_roc({"a": A, "b": B}, HOUR, max_efpr=5.0)
    assert curve.efpr == [0.0, 1.0, 3.0, 5.0]
    assert curve.etpr == [0.25, 0.5, 0.75, 0.75]


def test_spread_between_classes_costs() -> None:
    curve = reference.psd_roc({"a": A, "b": B}, HOUR, max_efpr=5.0, alpha_st=1.0)
    assert curve.etpr == [0.0, 0.5, 0.5, 0.5]


def test_the_mean_less_the_spread_is_not_made_monotone_and_not_negative() -> None:
    perfect = class_statistics([0.5, math.inf], [1, 0], [1, 0], n_ref=1)
    nothing = class_statistics([math.inf], [0], [0], n_ref=1)
    classes = {"a": perfect, "b": nothing, "c": nothing}
    curve = reference.psd_roc(classes, HOUR, alpha_st=2.0)
    assert curve.etpr == [0.0, 0.0, 0.0]
    # From 0 to 1 in one class of two: the mean is a half, and so is the deviation.
    late = class_statistics([0.5, 0.7, math.inf], [4, 2, 0], [1, 0, 0], n_ref=4)
    early = class_statistics([0.7, math.inf], [1, 0], [0, 0], n_ref=2)
    curve = reference.psd_roc({"a": late, "b": early}, HOUR, alpha_st=2.0)
    assert curve.etpr == [0.5, 0.25, 0.25]


def test_points_at_the_largest_rate_belong_and_the_end_is_always_added() -> None:
    curve = reference.psd_roc({"a": A}, HOUR, max_efpr=3.0)
    assert curve.per_class["a"].efpr == [0.0, 3.0]
    assert curve.efpr == [0.0, 3.0, 3.0]
    assert curve.etpr == [0.5, 1.0, 1.0]
    assert reference.psd_roc({"a": A}, HOUR, max_efpr=2.9).efpr == [0.0, 2.9]


def test_without_a_largest_rate_all_points_stay_and_none_is_added() -> None:
    curve = reference.psd_roc({"a": A}, HOUR, max_efpr=None)
    assert curve.efpr == [0.0, 3.0]


def test_cross_triggers_are_rated_by_the_length_of_the_targets_they_hit() -> None:
    """Half an hour of b and a quarter of c: 2 and 4 cross triggers per hour, 3 on average."""
    nothing = {"thresholds": [math.inf], "tps": [0], "fps": [0], "n_ref": 1}
    classes = {
        "a": class_statistics(
            [0.5, math.inf], [1, 0], [1, 0], n_ref=1, cts={"b": [1, 0], "c": [1, 0]}
        ),
        "b": class_statistics(**nothing, cts={"a": [0], "c": [0]}, t_ref=1800.0),
        "c": class_statistics(**nothing, cts={"a": [0], "b": [0]}, t_ref=900.0),
    }
    curve = reference.psd_roc(classes, HOUR, alpha_ct=0.5)
    assert curve.per_class["a"].efpr == pytest.approx([0.0, 1 + 0.5 * 3], rel=1e-15)
    assert reference.psd_roc(classes, HOUR).per_class["a"].efpr == [0.0, 1.0]


@pytest.mark.parametrize(("unit", "rate"), [("hour", 3.0), ("minute", 0.05), ("second", 3 / 3600)])
def test_units_of_time(unit: str, rate: float) -> None:
    curve = reference.psd_roc({"a": A}, HOUR, unit_of_time=unit, max_efpr=10.0)
    assert curve.per_class["a"].efpr[-1] == pytest.approx(rate, rel=1e-15)


def test_psds_is_the_area_up_to_the_largest_rate() -> None:
    result = reference.psds_from_statistics({"a": A, "b": B}, HOUR, max_efpr=5.0)
    assert result.per_class == {"a": (3 * 0.5 + 2 * 1.0) / 5, "b": 4 * 0.5 / 5}
    assert result.value == pytest.approx((0.25 + 2 * 0.5 + 2 * 0.75) / 5, rel=1e-15)


def test_psds_of_a_perfect_and_of_a_silent_system() -> None:
    found = class_statistics([0.5, math.inf], [3, 0], [0, 0], n_ref=3)
    silent = class_statistics([math.inf], [0], [0], n_ref=3)
    assert reference.psds_from_statistics({"a": found}, HOUR).value == 1.0
    assert reference.psds_from_statistics({"a": silent}, HOUR).value == 0.0
