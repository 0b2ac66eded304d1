"""Precision against recall and average precision, by hand and by scikit-learn."""

import json
import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score
from tagged_clips import figure_1, of_clips

import soundeval as se

INF = math.inf
FIGURE_1 = figure_1()


def test_the_counts_of_figure_1():
    dog = FIGURE_1["Dog"]
    assert dog.thresholds.tolist() == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, INF]
    assert dog.tps.tolist() == [3, 3, 3, 2, 2, 1, 0]
    assert dog.fps.tolist() == [3, 2, 1, 1, 0, 0, 0]


def test_the_curve_is_sorted_by_recall_then_precision():
    curve = FIGURE_1.precision_recall_curve().per_class["Dog"]
    assert curve.recall.tolist() == [0, 1 / 3, 2 / 3, 2 / 3, 1, 1, 1]
    assert curve.precision.tolist() == [1, 1, 2 / 3, 1, 3 / 6, 3 / 5, 3 / 4]
    assert curve.thresholds.tolist() == [INF, 0.9, 0.7, 0.8, 0.1, 0.3, 0.5]
    assert repr(curve) == "ClassPrecisionRecallCurve(7 points)"
    assert repr(FIGURE_1.precision_recall_curve()) == "PrecisionRecallCurve(1 class)"


def test_average_precision_takes_the_best_precision_at_each_recall():
    # Recall rises to 1/3, 2/3 and 1, at best with precision 1, 1 and 3/4.
    assert FIGURE_1.average_precision().value == pytest.approx(11 / 12, abs=1e-15)


def test_events_that_merge_lower_the_recall_again():
    # At .9 and .8 two dogs are found; at .2 all is one detection, of neither.
    stats = se.statistics(
        {"a": np.array([[0.9], [0.2], [0.8]])},
        {"a": [(0.0, 1.0, "Dog"), (2.0, 3.0, "Dog")]},
        se.Collar(),
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=["Dog"],
    )
    curve = stats.precision_recall_curve().per_class["Dog"]
    assert curve.recall.tolist() == [0, 0, 0.5, 1]
    assert curve.precision.tolist() == [0, 1, 1, 1]
    assert curve.thresholds.tolist() == [0.2, INF, 0.9, 0.8]
    assert stats.average_precision().value == 1.0


def test_targets_without_a_score_are_not_found():
    assert of_clips([0.9, -INF], [1, 1]).average_precision().value == 0.5
    assert of_clips([-INF, -INF], [1, 0]).average_precision().value == 0.0


def test_without_negatives_nothing_can_be_false():
    assert of_clips([0.9, 0.5], [1, 1]).average_precision().value == 1.0


def test_the_value_is_the_mean_over_classes():
    result = of_clips([[0.9, 0.1], [0.1, 0.9]], [[1, 1], [0, 0]]).average_precision()
    assert result.per_class == {"Dog": 1.0, "Cat": 0.5}
    assert result.value == result.macro == float(result) == 0.75


@pytest.mark.parametrize("seed", range(20))
def test_it_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n_clips, n_levels = int(rng.integers(2, 200)), int(rng.integers(1, 30))
    scores = rng.integers(0, n_levels, (n_clips, 3)) / n_levels
    targets = rng.random((n_clips, 3)) < rng.random(3)
    targets[0] = True
    per_class = of_clips(scores, targets).average_precision().per_class
    expected = [average_precision_score(targets[:, k], scores[:, k]) for k in range(3)]
    assert list(per_class.values()) == pytest.approx(expected, abs=1e-12)


def test_segments_equal_scikit_learn():
    rng = np.random.default_rng(1)
    scores, targets = rng.integers(0, 10, 300) / 10, rng.random(300) < 0.3
    stats = se.statistics(
        {"a": scores[:, None]},
        {"a": [(float(k), k + 1.0, "Dog") for k in np.flatnonzero(targets)]},
        se.Segment(1.0),
        timestamps=np.arange(301.0),
        event_classes=["Dog"],
    )
    expected = average_precision_score(targets, scores)
    assert stats.average_precision().value == pytest.approx(expected, abs=1e-12)


def test_the_result_can_be_read_and_stored():
    stats = of_clips(
        [[0.9, 0.1, 0.1], [0.1, 0.9, 0.1]],
        [[1, 1, 0], [0, 0, 0]],
        missing_classes="exclude",
    )
    result = stats.average_precision()
    assert repr(result).splitlines() == [
        "Average precision 0.7500",
        "whole clips",
        "2 clips",
        "  Dog  1.0000",
        "  Cat  0.5000",
        "note: 1 class without reference events excluded: 'Owl'",
    ]
    assert result._repr_html_().count("<tr") == 3
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == {
        "average_precision": 0.75,
        "average_precision/Dog": 1.0,
        "average_precision/Cat": 0.5,
        "criterion": "clip",
        "n_clips": 2,
        "excluded_classes": ["Owl"],
        "notes": [],
    }
    assert result == stats.average_precision()
    assert hash(result) == hash(stats.average_precision())
    with pytest.raises(ValueError, match="read-only"):
        result.curve.per_class["Dog"].recall[0] = 2.0
