"""Ordinary tagging metrics against scikit-learn, torchmetrics and plain loops."""

from __future__ import annotations

import json

import numpy as np
import pytest
from gold import shared
from tagging_gold import audioset_labels, audioset_r, chime_home, hashed_scores

import soundeval as se

tagging = se.tagging


def same(value):
    return pytest.approx(value, rel=0, abs=1e-12)


@pytest.fixture(scope="module")
def gold():
    return json.loads(shared("gold/tagging_metrics_gold.json").read_text())


@pytest.fixture(scope="module", params=["chime_home", "audioset_eval_hash7"])
def data(request, gold):
    """Labels, scores, probabilities, threshold and right values."""
    metrics = gold[request.param]["metrics"]
    if request.param == "chime_home":
        y_true, y_score = chime_home()
        probabilities = 1 / (1 + np.exp(-np.clip(y_score / 100, -30, 30)))
        return y_true, y_score, probabilities, 0.0, metrics
    return audioset_labels(), hashed_scores(), hashed_scores(), 0.35, metrics


def test_size(data):
    y_true, _, _, _, gold = data
    assert y_true.shape == (gold["n"], gold["c"])
    assert y_true.sum(axis=0).tolist() == gold["positives"]


def test_average_precision(data):
    y_true, y_score, _, _, gold = data
    values = tagging.average_precision(y_true, y_score, average=None)
    np.testing.assert_allclose(values, gold["ap"], rtol=0, atol=1e-12)
    for average, name in (
        ("macro", "map_over_classes_with_positives"),
        ("micro", "map_micro"),
        ("weighted", "map_weighted"),
    ):
        value = tagging.average_precision(y_true, y_score, average=average)
        assert value == same(gold[name])


def test_area_under_the_roc_and_d_prime(data):
    y_true, y_score, _, _, gold = data
    values = tagging.roc_auc(y_true, y_score, average=None)
    np.testing.assert_allclose(values, gold["auc"], rtol=0, atol=1e-12)
    assert tagging.roc_auc(y_true, y_score) == same(gold["mauc"])
    assert tagging.d_prime(y_true, y_score) == same(gold["d_prime_of_mean_auc"])
    by_class = tagging.d_prime(y_true, y_score, convention="per_class")
    assert by_class == same(gold["mean_of_d_prime"])


def test_ranking_of_labels(data):
    y_true, y_score, _, _, gold = data
    assert tagging.lwlrap(y_true, y_score) == same(gold["lwlrap"])
    by_clip = tagging.average_precision(y_true, y_score, average="samples")
    assert by_clip == same(gold["lrap_labelled_rows"])
    for k in (1, 3):
        assert tagging.hit_at_k(y_true, y_score, k) == same(gold[f"top{k}_any_hit_labelled"])
        assert tagging.precision_at_k(y_true, y_score, k) == same(gold[f"precision_at_{k}"])
        assert tagging.recall_at_k(y_true, y_score, k) == same(gold[f"recall_at_{k}_labelled"])


def test_f_score(data):
    y_true, y_score, _, threshold, gold = data
    for average in ("macro", "micro", "weighted"):
        value = tagging.f_score(y_true, y_score, threshold, average=average)
        assert value == same(gold[f"f1_{average}"])


def test_padded_cmap_and_calibration(data):
    y_true, _, probabilities, _, gold = data
    assert tagging.padded_cmap(y_true, probabilities) == same(gold["padded_cmap5"])
    assert tagging.brier_score(y_true, probabilities) == same(gold["brier_mean"])
    # These came from a computation in single precision, hence a few 1e-9.
    errors = tagging.calibration_error(y_true, probabilities, average=None)
    np.testing.assert_allclose(errors, gold["ece15_per_class"], rtol=0, atol=2e-7)
    pooled = tagging.calibration_error(y_true, probabilities, average="micro")
    assert pooled == pytest.approx(gold["ece15_pooled"], rel=0, abs=2e-7)


def test_two_annotations_of_the_same_clips(gold):
    original, refined = audioset_r()
    right = gold["audioset_r_vs_original"]
    for average in ("macro", "micro"):
        value = tagging.f_score(original, refined, average=average, zero_division=0)
        assert value == same(right[f"f1_{average}"])
    value = tagging.f_score(original, refined, average="samples", zero_division=0)
    assert value == same(right["f1_samples"])
    assert tagging.average_precision(original, refined, no_positive="zero") == same(right["map"])
