"""Tagging metrics: cases to do by hand, undefined values, what scikit-learn says, and mistakes."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics as sk

import soundeval as se

tagging = se.tagging

# Four clips, two classes. Class 0 in order of scores: + - + -; class 1: + - - +.
Y_TRUE = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
Y_SCORE = np.array([[0.9, 0.2], [0.8, 0.6], [0.7, 0.1], [0.1, 0.3]])


@pytest.fixture(scope="module", params=[0, 1])
def random(request):
    """Labels and scores with ties, every class with positives and negatives."""
    rng = np.random.default_rng(request.param)
    y_true = rng.random((60, 5)) < 0.3
    y_true[0], y_true[1] = True, False
    return y_true, rng.integers(0, 25, (60, 5)) / 25


def test_average_precision_by_hand():
    values = tagging.average_precision(Y_TRUE, Y_SCORE, average=None)
    np.testing.assert_allclose(values, [(1 + 2 / 3) / 2, (1 + 2 / 4) / 2], rtol=1e-15)


def test_area_by_hand():
    np.testing.assert_array_equal(tagging.roc_auc(Y_TRUE, Y_SCORE, average=None), [0.75, 0.5])


def test_equal_scores_are_one_threshold():
    assert tagging.average_precision([1, 0, 0, 1], [0.5] * 4) == 0.5
    assert tagging.roc_auc([1, 0, 0, 1], [0.5] * 4) == 0.5


def test_the_hub_has_counts_at_the_scores_of_positives():
    statistics = tagging.statistics(Y_TRUE, Y_SCORE)
    one = statistics["1"]
    assert one.thresholds.tolist() == [0.6, 0.1]
    assert one.tps.tolist() == [1, 2]
    assert one.fps.tolist() == one.fps_above.tolist() == [0, 2]
    assert one.precision.tolist() == [1, 0.5]
    assert one.recall.tolist() == [0.5, 1]
    assert (one.n_positives, one.n_negatives) == (2, 2)
    assert list(statistics) == ["0", "1"]
    assert repr(statistics) == "TaggingStatistics(4 clips, 2 classes)"
    assert repr(one) == "ClassTaggingStatistics(2 positives, 2 negatives, 2 thresholds)"
    with pytest.raises(KeyError, match="no class '7'"):
        statistics["7"]


def test_the_hub_gives_the_same_numbers_as_the_functions(random):
    statistics = tagging.statistics(*random)
    for average in ("macro", "micro", "weighted", "samples", None):
        one = statistics.average_precision(average=average)
        np.testing.assert_array_equal(one, tagging.average_precision(*random, average=average))
    assert statistics.roc_auc() == tagging.roc_auc(*random)
    assert statistics.f_score(0.4) == tagging.f_score(*random, 0.4)
    assert statistics.best_f_score().value == tagging.best_f_score(*random).value


def test_the_roc_of_the_hub_has_the_area(random):
    statistics = tagging.statistics(*random)
    areas = [np.trapezoid(*one.roc_curve()[::-1]) for one in statistics.values()]
    np.testing.assert_allclose(areas, statistics.roc_auc(average=None), rtol=1e-14)
    without = tagging.statistics([0, 0], [0.1, 0.2])["0"].roc_curve()
    assert np.isnan(without).all()


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None])
@pytest.mark.parametrize("weigh", [False, True])
def test_scikit_learn_agrees_on_average_precision(random, average, weigh):
    y_true, y_score = random
    weights = np.random.default_rng(5).random(60) if weigh else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = sk.average_precision_score(
            y_true, y_score, average=average, sample_weight=weights
        )
    options = {"average": average, "sample_weight": weights, "unlabeled": "zero"}
    value = tagging.average_precision(y_true, y_score, **options)
    np.testing.assert_allclose(value, expected, rtol=1e-12)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("weigh", [False, True])
def test_scikit_learn_agrees_on_the_area(random, average, weigh):
    weights = np.random.default_rng(5).random(60) if weigh else None
    expected = sk.roc_auc_score(*random, average=average, sample_weight=weights)
    value = tagging.roc_auc(*random, average=average, sample_weight=weights)
    np.testing.assert_allclose(value, expected, rtol=1e-12)


@pytest.mark.parametrize("max_fpr", [0.05, 0.1, 0.5, 1.0])
def test_scikit_learn_agrees_on_partial_areas(random, max_fpr):
    y_true, y_score = random
    values = tagging.roc_auc(y_true, y_score, average=None, max_fpr=max_fpr)
    for k, value in enumerate(values):
        expected = sk.roc_auc_score(y_true[:, k], y_score[:, k], max_fpr=max_fpr)
        assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_scikit_learn_agrees_on_f(random, average, beta):
    y_true, y_score = random
    expected = sk.fbeta_score(y_true, y_score >= 0.4, beta=beta, average=average, zero_division=0.0)
    options = {"average": average, "beta": beta, "zero_division": 0.0}
    value = tagging.f_score(y_true, y_score, 0.4, **options)
    np.testing.assert_allclose(value, expected, rtol=1e-12)


def test_scikit_learn_agrees_on_the_ranking_of_labels(random):
    y_true, y_score = random
    y_true = y_true[y_true.any(axis=1)]
    y_score = y_score[: len(y_true)]
    lrap = sk.label_ranking_average_precision_score(y_true, y_score)
    assert tagging.average_precision(y_true, y_score, average="samples") == pytest.approx(lrap)
    n_labels = y_true.sum(axis=1)
    expected = sk.label_ranking_average_precision_score(y_true, y_score, sample_weight=n_labels)
    assert tagging.lwlrap(y_true, y_score) == pytest.approx(expected, rel=1e-12)


def test_scikit_learn_agrees_on_brier_and_accuracy(random):
    y_true, y_score = random
    expected = [
        sk.brier_score_loss(t, s, pos_label=True) for t, s in zip(y_true.T, y_score.T, strict=True)
    ]
    np.testing.assert_allclose(tagging.brier_score(y_true, y_score, average=None), expected)
    expected = sk.accuracy_score(y_true, y_score >= 0.5)
    assert tagging.accuracy(y_true, y_score, average="samples") == pytest.approx(expected)
    expected = 1 - sk.hamming_loss(y_true, y_score >= 0.5)
    assert tagging.accuracy(y_true, y_score) == pytest.approx(expected)
    assert tagging.accuracy(y_true, y_score, average="micro") == pytest.approx(expected)


def test_best_f_and_its_threshold_on_other_data(random):
    best = tagging.best_f_score(*random)
    again = tagging.f_score(*random, best.thresholds, average=None)
    np.testing.assert_array_equal(again, best.f_score)
    for threshold in np.unique(random[1]):
        assert (tagging.f_score(*random, threshold, average=None) <= best.f_score).all()
    assert best.per_class["2"] == best.f_score[2]
    assert float(best) == best.value == best.to_dict()["best_f_score"]
    assert repr(best).startswith("BestFScore(0.")


UNDEFINED = [[0, 1], [0, 1], [0, 1]]
SCORES = [[0.9, 0.2], [0.8, 0.3], [0.1, 0.4]]


def test_classes_without_positives_or_negatives():
    """The table of undefined values."""
    values = tagging.average_precision(UNDEFINED, SCORES, average=None)
    np.testing.assert_array_equal(values, [math.nan, 1.0])
    assert tagging.average_precision(UNDEFINED, SCORES) == 1.0
    assert tagging.average_precision(UNDEFINED, SCORES, average="weighted") == 1.0
    assert tagging.average_precision(UNDEFINED, SCORES, no_positive="zero") == 0.5
    assert np.isnan(tagging.roc_auc(UNDEFINED, SCORES, average=None)).all()
    assert math.isnan(tagging.roc_auc(UNDEFINED, SCORES))
    assert math.isnan(tagging.d_prime(UNDEFINED, SCORES))
    best = tagging.best_f_score(UNDEFINED, SCORES)
    np.testing.assert_array_equal(best.thresholds, [math.nan, 0.2])
    np.testing.assert_array_equal(
        tagging.f_score(UNDEFINED, SCORES, [0.95, 0.95], average=None), [math.nan, 0.0]
    )
    np.testing.assert_array_equal(
        tagging.f_score(UNDEFINED, SCORES, [0.5, 0.0], average=None), [0.0, 1.0]
    )
    assert tagging.statistics(UNDEFINED, SCORES).classes_without_positives == ("0",)
    with pytest.raises(se.InputError, match=r"1 result of classes without positives .*: '0'"):
        tagging.average_precision(UNDEFINED, SCORES, no_positive="error")
    with pytest.raises(se.InputError, match="2 results of classes without positives"):
        tagging.roc_auc(UNDEFINED, SCORES, undefined="error")


def test_clips_without_labels():
    y_true, y_score = [[1, 0], [0, 0]], [[0.9, 0.1], [0.2, 0.3]]
    for policy, expected in (("nan", 1.0), ("zero", 0.5), ("one", 1.0)):
        options = {"average": "samples", "unlabeled": policy}
        assert tagging.average_precision(y_true, y_score, **options) == expected
        assert tagging.hit_at_k(y_true, y_score, unlabeled=policy) == expected
    assert tagging.precision_at_k(y_true, y_score) == 0.5
    assert tagging.lwlrap(y_true, y_score) == 1.0
    assert math.isnan(tagging.lwlrap([[0, 0]], [[0.1, 0.2]]))
    with pytest.raises(se.InputError, match="clips without labels cannot be computed: '1'"):
        tagging.recall_at_k(y_true, y_score, unlabeled="error")


def test_d_prime_of_perfect_and_reversed_scores():
    assert tagging.d_prime([1, 0], [0.9, 0.1]) == math.inf
    assert tagging.d_prime([1, 0], [0.1, 0.9]) == -math.inf
    assert tagging.d_prime([1, 0], [0.5, 0.5]) == 0.0
    assert tagging.d_prime(Y_TRUE, Y_SCORE, average=None)[1] == 0.0


def test_ties_across_the_border_of_the_first_k_are_no_hits():
    assert tagging.hit_at_k([[1, 0, 0]], [[0.5, 0.5, 0.1]], 1) == 0.0
    assert tagging.hit_at_k([[1, 0, 0]], [[0.5, 0.5, 0.1]], 2) == 1.0


def test_padding_is_added_once_and_keeps_absent_classes_defined():
    expected = sk.average_precision_score(
        np.vstack([UNDEFINED, np.ones((5, 2), int)]), np.vstack([SCORES, np.ones((5, 2))])
    )
    assert tagging.padded_cmap(UNDEFINED, SCORES) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float16, np.float64])
def test_labels_of_any_type(dtype):
    assert tagging.average_precision(Y_TRUE.astype(dtype), Y_SCORE) == 0.7916666666666666


def test_scores_are_used_in_the_precision_they_have():
    close = np.array([0.1, np.nextafter(0.1, 1)])
    assert tagging.roc_auc([0, 1], close) == 1.0
    assert tagging.roc_auc([0, 1], close.astype(np.float32)) == 0.5
    assert tagging.roc_auc([0, 1], np.array([1, 2**53], np.int64)) == 1.0
    assert tagging.roc_auc([0, 1], np.array([False, True])) == 1.0
    with pytest.raises(se.InputError, match="integers beyond 2"):
        tagging.roc_auc([0, 1], np.array([2**60, 2**60 + 1]))
    # In single precision 0.35 is smaller than 0.35.
    assert tagging.accuracy([0], np.array([0.35], np.float32), 0.35) == 1.0


def test_any_layout_of_memory():
    fortran, strided = np.asfortranarray(Y_SCORE), np.repeat(Y_SCORE, 2, axis=1)[:, ::2]
    for scores in (fortran, strided, Y_SCORE[::-1][::-1], Y_SCORE.astype(">f8")):
        assert tagging.average_precision(Y_TRUE, scores) == 0.7916666666666666


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
def test_tables_bring_names(table):
    frame = table({"Dog": Y_TRUE[:, 0], "Cat": Y_TRUE[:, 1]})
    scores = table({"Dog": Y_SCORE[:, 0], "Cat": Y_SCORE[:, 1]})
    statistics = tagging.statistics(frame, scores, labels=["Cat"])
    assert list(statistics) == ["Cat"]
    with pytest.raises(se.InputError, match="did you mean 'Cat'"):
        tagging.statistics(frame, scores, labels=["cat"])
    with pytest.raises(se.InputError, match="same columns in the same order"):
        tagging.statistics(frame, table({"Cat": Y_SCORE[:, 0], "Dog": Y_SCORE[:, 1]}))


def test_some_of_the_classes():
    assert tagging.average_precision(Y_TRUE, Y_SCORE, labels=[1]) == 0.75
    for wrong in ([2], [-1], [], [0, 0]):
        with pytest.raises(se.InputError, match="labels must"):
            tagging.average_precision(Y_TRUE, Y_SCORE, labels=wrong)


def test_unknown_labels_count_neither_way():
    mask = np.array([[1, 1], [0, 1], [1, 1], [1, 1]], bool)
    without = [0, 2, 3]
    values = tagging.average_precision(Y_TRUE, Y_SCORE, mask=mask, average=None)
    assert values[0] == tagging.average_precision(Y_TRUE[without, 0], Y_SCORE[without, 0])
    assert values[1] == 0.75
    scores = Y_SCORE.copy()
    scores[1, 0] = math.nan
    again = tagging.average_precision(Y_TRUE, scores, mask=mask, average=None)
    np.testing.assert_array_equal(values, again)
    assert tagging.accuracy(Y_TRUE, scores, mask=mask, average=None)[0] == 1.0


MISTAKES = [
    ([[1, 0]], [[0.1, math.nan]], {}, r"clip 0, class 1 .* is NaN"),
    ([[1, 0]], [[0.1, math.inf]], {}, r"clip 0, class 1 .* is inf"),
    ([[1, 2]], [[0.1, 0.2]], {}, r"0 and 1, got 2 for clip 0, class 1"),
    ([[1, 0.5]], [[0.1, 0.2]], {}, r"got 0.5 .*y_true >= 0.5"),
    ([[1, math.nan]], [[0.1, 0.2]], {}, r"got nan .*mask"),
    ([["a", "b"]], [[0.1, 0.2]], {}, "0 and 1, or bools"),
    ([[1, 0]], [["a", "b"]], {}, "must hold numbers"),
    ([[1, 0]], [[0.1, 0.2, 0.3]], {}, r"same shape .*\(1, 2\) and \(1, 3\)"),
    ([[[1]]], [[0.1]], {}, "shape"),
    (np.zeros((0, 2)), np.zeros((0, 2)), {}, "at least one clip"),
    ([[1, 0]], [[0.1, 0.2]], {"sample_weight": [1, 2]}, "each of the 1 clips"),
    ([[1, 0]], [[0.1, 0.2]], {"sample_weight": [-1]}, "0 or more, got -1.0 for clip 0"),
    ([[1, 0]], [[0.1, 0.2]], {"mask": [[1]]}, r"shape of y_true, \(1, 2\)"),
    ([[1, 0]], [[0.1, 0.2]], {"mask": [[1, 2]]}, "mask must hold bools"),
    ([[1, 0]], [[0.1, 0.2]], {"average": "mean"}, "average must be one of 'macro'"),
    ([[1, 0]], [[0.1, 0.2]], {"no_positive": "drop"}, "must be one of 'nan', 'zero', 'error'"),
]


@pytest.mark.parametrize(("y_true", "y_score", "options", "message"), MISTAKES)
def test_mistakes_are_said_in_a_sentence(y_true, y_score, options, message):
    with pytest.raises(se.InputError, match=message):
        tagging.average_precision(y_true, y_score, **options)


def test_mistakes_of_single_functions():
    with pytest.raises(se.InputError, match=r"probabilities between 0 and 1 here, got 2.0"):
        tagging.padded_cmap([[1]], [[2.0]])
    with pytest.raises(se.InputError, match="k must be between 1 and 2"):
        tagging.hit_at_k(Y_TRUE, Y_SCORE, 3)
    with pytest.raises(se.InputError, match="threshold of class '0' is NaN"):
        tagging.f_score(Y_TRUE, Y_SCORE, [math.nan, 0.5])
    with pytest.raises(se.InputError, match="one for each of the 2 classes"):
        tagging.f_score(Y_TRUE, Y_SCORE, [0.5, 0.5, 0.5])
    with pytest.raises(se.InputError, match="max_fpr"):
        tagging.roc_auc(Y_TRUE, Y_SCORE, max_fpr=0.0)
    with pytest.raises(se.InputError, match=r"clip 0, class 1 .* is nan"):
        tagging.lwlrap([[1, 0]], [[0.1, math.nan]])


def test_calibration_by_hand():
    # Two bins: (0.2, 0.4) with one positive of two, and 0.9 with one of one.
    value = tagging.calibration_error([1, 0, 1], [0.2, 0.4, 0.9], n_bins=2)
    assert value == pytest.approx((abs(1 - 0.6) + abs(1 - 0.9)) / 3)
    # A border belongs to the bin below it.
    assert tagging.calibration_error([1, 0], [0.5, 0.4], n_bins=2) == pytest.approx(0.05)
