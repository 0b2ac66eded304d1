"""F-scores at given and at best thresholds, by hand."""

import json
import math

import numpy as np
import pytest
from tagged_clips import figure_1, of_clips, two_classes

import soundeval as se

INF = math.inf
FIGURE_1 = figure_1()
TWO = two_classes()


def test_at_a_threshold():
    dog = FIGURE_1.f_score(0.6).per_class["Dog"]
    assert (dog.tps, dog.fps, dog.n_ref, dog.threshold) == (2, 1, 3, 0.6)
    assert (dog.precision, dog.recall) == (2 / 3, 2 / 3)
    assert dog.f_score == pytest.approx(2 / 3, abs=1e-15)


@pytest.mark.parametrize("beta", [0.5, 1, 2.0])
def test_beta_is_the_weight_of_recall(beta):
    # At .8 precision is 1 and recall 1/3.
    dog = FIGURE_1.f_score(0.8, beta).per_class["Dog"]
    expected = (1 + beta**2) * (1 / 3) / (beta**2 + 1 / 3)
    assert dog.f_score == pytest.approx(expected, abs=1e-15)


def test_macro_is_the_mean_over_classes_and_micro_is_of_summed_counts():
    result = TWO.f_score(0.5)
    dog, cat = result.per_class["Dog"], result.per_class["Cat"]
    assert (dog.tps, dog.fps, dog.n_ref) == (1, 1, 2)
    assert (cat.tps, cat.fps, cat.n_ref) == (1, 0, 3)
    assert result.macro == se.FScore(0.5, 0.75, (1 / 2 + 1 / 3) / 2)
    assert result.micro == se.FScore(4 / 8, 2 / 3, 2 / 5)


def test_each_class_may_have_its_own_threshold():
    result = TWO.f_score({"Cat": 0.15, "Dog": 0.7})
    assert {name: (c.tps, c.fps) for name, c in result.per_class.items()} == {
        "Dog": (1, 0),
        "Cat": (1, 1),
    }
    assert list(result.per_class) == ["Dog", "Cat"]


def test_without_detections():
    result = TWO.f_score(INF)
    for score in (result.macro, result.per_class["Cat"]):
        assert (score.f_score, score.precision, score.recall) == (0.0, 1.0, 0.0)
    assert result.micro == se.FScore(0.0, 0.0, 0.0)


def test_with_false_detections_only():
    dog = of_clips([0.9, 0.1], [0, 1]).f_score(0.5).per_class["Dog"]
    assert (dog.f_score, dog.precision, dog.recall) == (0.0, 0.0, 0.0)


def test_the_curve_has_the_order_of_the_thresholds():
    curve = FIGURE_1.f_score_curve()
    dog = curve.per_class["Dog"]
    assert dog.thresholds.tolist() == [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, INF]
    assert dog.precision.tolist() == [3 / 6, 3 / 5, 3 / 4, 2 / 3, 1, 1, 1]
    assert dog.recall.tolist() == [1, 1, 1, 2 / 3, 2 / 3, 1 / 3, 0]
    expected = [6 / 9, 6 / 8, 6 / 7, 4 / 6, 4 / 5, 2 / 4, 0]
    assert dog.f_score.tolist() == pytest.approx(expected, abs=1e-15)
    assert repr(curve) == "FScoreCurve(1 class, beta=1.0)"
    assert repr(dog) == "ClassFScoreCurve(7 points)"
    with pytest.raises(ValueError, match="read-only"):
        dog.f_score[0] = 1.0


def test_the_best_threshold_lies_between_two_scores():
    best = FIGURE_1.best_f_score()
    dog = best.per_class["Dog"]
    assert (dog.tps, dog.fps, dog.threshold) == (3, 1, 0.4)
    assert dog.f_score == pytest.approx(6 / 7, abs=1e-15)


def test_beta_moves_the_best_threshold():
    assert FIGURE_1.best_f_score(beta=0.5).per_class["Dog"].threshold == 0.75
    assert FIGURE_1.best_f_score(beta=2.0).per_class["Dog"].threshold == 0.4


def test_of_equally_good_thresholds_the_highest_is_taken():
    # .8: P 1, R 1/2. .2: P 1/2, R 1. Both F 2/3.
    stats = of_clips([0.8, 0.6, 0.4, 0.2], [1, 0, 0, 1])
    assert stats.f_score(0.1).macro.f_score == stats.f_score(0.7).macro.f_score
    assert stats.best_f_score().per_class["Dog"].threshold == pytest.approx(0.7)


def test_constraints_are_met():
    best = FIGURE_1.best_f_score(min_precision=0.8).per_class["Dog"]
    assert (best.precision, best.recall) == (1.0, 2 / 3)
    best = TWO.best_f_score(min_recall=0.9)
    assert [c.recall for c in best.per_class.values()] == [1.0, 1.0]
    assert best.notes == ()


def test_constraints_that_no_threshold_meets_are_noted():
    best = FIGURE_1.best_f_score(min_precision=0.8, min_recall=0.9)
    dog = best.per_class["Dog"]
    assert (dog.f_score, dog.precision, dog.recall, dog.threshold) == (0.0, 1.0, 0.0, INF)
    assert best.notes == (
        "no threshold with true positives has a precision of 0.8 or more and a recall of 0.9 or "
        "more for 1 class: 'Dog'",
    )
    assert "note: no threshold" in repr(best)


def test_a_class_that_is_never_found():
    best = of_clips([0.9, -INF], [0, 1]).best_f_score()
    assert best.per_class["Dog"].threshold == INF
    assert best.macro == se.FScore(0.0, 1.0, 0.0)
    assert best.notes == ()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_best_thresholds_give_the_same_counts_when_they_are_applied(dtype):
    # Neighbouring numbers leave no room between them.
    close = [np.nextafter(dtype(0.3), dtype(1)), dtype(0.3), np.nextafter(dtype(0.3), dtype(0))]
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = rng.choice(np.array([*close, -INF, INF, 0.0, np.finfo(dtype).max], dtype), 12)
        targets = rng.random(12) < 0.5
        targets[0] = True
        stats = of_clips(scores, targets)
        for best in (stats.best_f_score(), stats.best_f_score(2.0, min_precision=0.3)):
            assert stats.f_score(best.thresholds, best.beta).per_class == best.per_class


def test_best_is_best_over_all_points():
    rng = np.random.default_rng(1)
    for _ in range(50):
        scores, targets = rng.integers(0, 9, (12, 2)) / 8, rng.random((12, 2)) < 0.4
        targets[0] = True
        stats = of_clips(scores, targets)
        curve, best = stats.f_score_curve(), stats.best_f_score()
        for name in stats:
            assert best.per_class[name].f_score == curve.per_class[name].f_score.max()


def test_numbers_of_a_threshold_are_those_of_the_curve():
    curve = FIGURE_1.f_score_curve(0.7).per_class["Dog"]
    for point, threshold in enumerate([0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9]):
        dog = FIGURE_1.f_score(threshold, 0.7).per_class["Dog"]
        assert (dog.f_score, dog.precision, dog.recall) == (
            curve.f_score[point],
            curve.precision[point],
            curve.recall[point],
        )


@pytest.mark.parametrize("method", ["f_score", "best_f_score", "f_score_curve"])
def test_arguments_are_checked(method):
    threshold = (0.5,) if method == "f_score" else ()
    for beta in (0.0, -1.0, INF):
        with pytest.raises(se.InputError, match="beta must be finite and greater than 0"):
            getattr(FIGURE_1, method)(*threshold, beta=beta)
    with pytest.raises(TypeError, match="beta must be a number, got str"):
        getattr(FIGURE_1, method)(*threshold, beta="1")


def test_constraints_are_fractions():
    with pytest.raises(se.InputError, match="min_precision must be between 0 and 1, got 2"):
        FIGURE_1.best_f_score(min_precision=2)
    with pytest.raises(se.InputError, match=r"min_recall must be between 0 and 1, got -0\.1"):
        FIGURE_1.best_f_score(min_recall=-0.1)


def test_the_result_is_a_small_table():
    result = TWO.f_score({"Dog": 0.5, "Cat": INF}, beta=2)
    assert repr(result).splitlines() == [
        "F2-score 0.2500 macro, 0.2273 micro",
        "whole clips",
        "at the given thresholds",
        "4 clips",
        "             F2  precision  recall  threshold",
        "  macro  0.2500     0.7500  0.2500",
        "  micro  0.2273     0.5000  0.2000",
        "  Dog    0.5000     0.5000  0.5000        0.5",
        "  Cat    0.0000     1.0000  0.0000        inf",
    ]
    html = result._repr_html_()
    assert html.count("<tr") == 5
    assert "F2-score 0.2500 macro" in html
    best = "at the best threshold of each class, chosen on these clips"
    assert repr(TWO.best_f_score()).splitlines()[2] == best
    assert (
        repr(TWO.best_f_score(1, 0.1)).splitlines()[2] == f"{best}, with a precision of 0.1 or more"
    )


def test_the_result_is_a_flat_dict_too():
    result = TWO.f_score({"Dog": 0.5, "Cat": INF})
    flat = result.to_dict()
    assert json.loads(json.dumps(flat, allow_nan=False)) == flat
    assert flat["macro_f_score"] == result.macro.f_score
    assert flat["micro_precision"] == result.micro.precision
    assert flat["recall/Dog"] == 0.5
    assert flat["threshold/Dog"] == 0.5
    assert flat["threshold/Cat"] == "inf"
    assert (flat["tps/Dog"], flat["fps/Dog"], flat["n_ref/Cat"]) == (1, 1, 3)
    assert (flat["beta"], flat["best"], flat["criterion"], flat["n_clips"]) == (
        1.0,
        False,
        "clip",
        4,
    )


def test_results_are_values():
    result = TWO.best_f_score()
    assert result == TWO.best_f_score()
    assert hash(result) == hash(TWO.best_f_score())
    assert result != TWO.best_f_score(beta=2.0)
    with pytest.raises(AttributeError):
        result.beta = 2.0


def test_the_name_of_a_class_may_be_anything():
    stats = se.statistics(
        {"a": np.array([[0.9, 0.8]])},
        {"a": [(0.0, 1.0, "macro"), (0.0, 1.0, "<b>")]},
        se.Clip(),
        timestamps=[0.0, 1.0],
        event_classes=["macro", "<b>"],
    )
    result = stats.f_score(0.85)
    assert len(repr(result).splitlines()) == 9
    assert "&lt;b&gt;" in result._repr_html_()
    assert "<b>" not in result._repr_html_()
