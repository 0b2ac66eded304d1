"""The ROC of clips and segments and its area, by hand and by scikit-learn."""

import json
import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from tagged_clips import figure_1, of_clips

import soundeval as se

INF = math.inf
FIGURE_1 = figure_1()


def test_the_curve_goes_from_nothing_to_everything():
    curve = FIGURE_1.roc_curve().per_class["Dog"]
    assert curve.fpr.tolist() == [0, 0, 0, 1 / 3, 1 / 3, 2 / 3, 1]
    assert curve.tpr.tolist() == [0, 1 / 3, 2 / 3, 2 / 3, 1, 1, 1]
    assert curve.thresholds.tolist() == [INF, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1]
    assert repr(curve) == "ClassROCCurve(7 points)"
    assert repr(FIGURE_1.roc_curve()) == "ROCCurve(1 class)"


def test_the_area_is_the_share_of_pairs_in_order():
    # Of 3 x 3 pairs only .5 (positive) and .7 (negative) are the wrong way round.
    assert FIGURE_1.auroc().value == pytest.approx(8 / 9, abs=1e-15)


def test_equal_scores_count_one_half():
    assert of_clips([0.5, 0.5], [1, 0]).auroc().value == 0.5
    assert of_clips([0.5, 0.5, 0.1, 0.9], [1, 0, 0, 0]).auroc().value == 0.5


def test_the_area_of_a_part_of_the_curve():
    # Up to 1/6 the rate is 2/3; up to 1/2 it is 2/3 for a third, then 1.
    assert FIGURE_1.auroc(1 / 6).value == pytest.approx(2 / 3, abs=1e-15)
    assert FIGURE_1.auroc(0.5).value == pytest.approx(2 * (2 / 9 + 1 / 6), abs=1e-15)
    # On the diagonal of a tie the curve is cut between points: a triangle of 1/4 x 1/4.
    tie = of_clips([0.5, 0.5], [1, 0])
    assert tie.auroc(0.25).value == 0.125
    assert tie.auroc(0.25, mcclish_correction=True).value == 0.5


def test_the_whole_area_needs_no_correction():
    whole = FIGURE_1.auroc().value
    for max_fpr in (None, 1, 1.0):
        for corrected in (False, True):
            assert FIGURE_1.auroc(max_fpr, corrected).value == pytest.approx(whole, abs=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_it_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n_clips, n_levels = int(rng.integers(2, 200)), int(rng.integers(1, 30))
    scores = rng.integers(0, n_levels, (n_clips, 3)) / n_levels
    targets = rng.random((n_clips, 3)) < rng.random(3)
    targets[0], targets[1] = True, False
    stats = of_clips(scores, targets)
    pairs = [(targets[:, k], scores[:, k]) for k in range(3)]
    expected = [roc_auc_score(*pair) for pair in pairs]
    assert list(stats.auroc().per_class.values()) == pytest.approx(expected, abs=1e-12)
    max_fpr = float(rng.uniform(0.01, 0.99))
    partial = stats.auroc(max_fpr, mcclish_correction=True).per_class
    expected = [roc_auc_score(*pair, max_fpr=max_fpr) for pair in pairs]
    assert list(partial.values()) == pytest.approx(expected, abs=1e-12)


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
    assert stats.auroc().value == pytest.approx(roc_auc_score(targets, scores), abs=1e-12)


def test_clips_without_a_score_rank_together_behind_all_others():
    stats = of_clips([0.9, -INF, 0.1, -INF], [1, 1, 0, 0])
    curve = stats.roc_curve().per_class["Dog"]
    assert curve.fpr.tolist() == [0, 0, 0.5, 1]
    assert curve.tpr.tolist() == [0, 0.5, 0.5, 1]
    assert curve.thresholds.tolist() == [INF, 0.9, 0.1, -INF]
    assert stats.auroc().value == of_clips([0.9, 0, 0.1, 0], [1, 1, 0, 0]).auroc().value == 0.625


def test_a_class_that_is_never_detected_is_no_better_than_chance():
    stats = of_clips([-INF, -INF, -INF], [1, 0, 0])
    assert stats.auroc().value == 0.5
    assert stats.auroc(0.1, mcclish_correction=True).value == 0.5


def test_a_class_without_negatives_has_no_area_and_a_note_says_so():
    stats = of_clips([[0.9, 0.1], [0.1, 0.9]], [[1, 1], [0, 1]])
    assert np.isnan(stats.roc_curve().per_class["Cat"].fpr).all()
    result = stats.auroc()
    assert result.per_class["Dog"] == 1.0
    assert math.isnan(result.per_class["Cat"])
    assert math.isnan(result.value)
    assert result.notes == (
        "undefined for 1 class without negatives, and so is the mean: 'Cat'; mean over the other "
        "1 class: 1.0000",
    )
    flat = result.to_dict()
    assert flat["auroc"] is None
    assert flat["auroc/Cat"] is None
    json.dumps(flat, allow_nan=False)
    assert "  Cat  nan" in repr(result).splitlines()
    assert "width:0.0%" in result._repr_html_()


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.1, INF, math.nan])
def test_a_false_positive_rate_is_above_0_and_at_most_1(max_fpr):
    with pytest.raises(se.InputError, match="max_fpr must be"):
        FIGURE_1.auroc(max_fpr)


def test_kinds_of_arguments():
    with pytest.raises(TypeError, match="max_fpr must be a number, got str"):
        FIGURE_1.auroc("0.1")
    with pytest.raises(TypeError, match="mcclish_correction must be True or False, got int"):
        FIGURE_1.auroc(0.1, mcclish_correction=1)


def test_the_result_can_be_read_and_stored():
    result = FIGURE_1.auroc(0.5, mcclish_correction=True)
    lines = repr(result).splitlines()
    assert lines[0].startswith("AUROC 0.")
    assert lines[1] == "whole clips"
    assert lines[2] == "up to a false positive rate of 0.5, with McClish's correction"
    flat = result.to_dict()
    assert json.loads(json.dumps(flat, allow_nan=False)) == flat
    assert (flat["auroc"], flat["max_fpr"], flat["mcclish_correction"]) == (result.value, 0.5, True)
    assert result == FIGURE_1.auroc(0.5, True)
    assert result != FIGURE_1.auroc(0.5)
