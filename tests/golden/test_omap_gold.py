"""OmAP and OBCE weights against three computations from elsewhere (see ``omap/README.md``)."""

from __future__ import annotations

import numpy as np
import pytest
from gold import shared
from tagging_gold import (
    OMAP_CASES,
    VARIANTS,
    arrays,
    audioset_distances,
    audioset_labels,
    audioset_r,
    hashed_scores,
)

import soundeval as se

EXACT = {"rtol": 0, "atol": 1e-12}
NAMES = [case["name"] for case in OMAP_CASES]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", OMAP_CASES, ids=NAMES)
def test_small_cases(case, variant):
    y_true, y_score, distances = arrays(case)
    options = {**VARIANTS[variant], "no_positive": "zero"}
    result = se.tagging.omap(y_true, y_score, distances, **options)
    np.testing.assert_allclose(result.oap, case["oap"][variant], **EXACT)
    aggregate = case["aggregate"][variant]
    assert result.value == pytest.approx(aggregate["omap_mean"], rel=0, abs=1e-12)
    assert result.omap0 == pytest.approx(aggregate["omap0"], rel=0, abs=1e-12)
    np.testing.assert_allclose(list(result.per_level.values()), aggregate["per_level"], **EXACT)


@pytest.mark.parametrize("case", [c for c in OMAP_CASES if c["edges"]], ids=lambda c: c["name"])
def test_distances_of_small_cases(case):
    ontology = se.ontology.Ontology.from_edges([tuple(edge) for edge in case["edges"]])
    matrix = ontology.distance_matrix(case["nodes"])
    np.testing.assert_array_equal(matrix, case["D"])


@pytest.mark.parametrize("case", OMAP_CASES, ids=NAMES)
def test_plain_average_precision_of_small_cases(case):
    y_true, y_score, _ = arrays(case)
    values = se.tagging.average_precision(y_true, y_score, average=None)
    expected = np.array(case["plain_ap"], dtype=float)
    np.testing.assert_allclose(np.nan_to_num(values), np.nan_to_num(expected), **EXACT)


@pytest.mark.parametrize("case", [c for c in OMAP_CASES if "obce" in c], ids=lambda c: c["name"])
def test_obce_weights_of_small_cases(case):
    y_true, _, distances = arrays(case)
    variants = {"paper": ("clip", "zero"), "code": ("batch", "other")}
    for beta, results in case["obce"].items():
        for name, (normalize, target) in variants.items():
            weights = se.ontology.obce_weights(
                y_true, distances, float(beta), normalize=normalize, target_distance=target
            )
            np.testing.assert_allclose(weights, results[name]["weights"], **EXACT)


def test_three_hundred_clips_of_audioset():
    gold = np.load(shared("gold/omap_audioset_n300.npz"))
    y_true = np.unpackbits(gold["target"], axis=1)[:, :527].astype(bool)
    distances = audioset_distances()
    for variant in ("code", "paper_ge", "paper_strict"):
        options = {**VARIANTS[variant], "no_positive": "zero"}
        result = se.tagging.omap(y_true, gold["scores"], distances, **options)
        np.testing.assert_allclose(result.oap, gold[f"oap_{variant}"], **EXACT)
    result = se.tagging.omap(y_true, gold["scores"], distances)
    assert result.value == pytest.approx(0.8854352730569257, rel=0, abs=1e-12)
    assert len(result.classes_without_positives) == 190
    np.testing.assert_array_equal(
        se.ontology.nearest_label_distances(y_true, distances), gold["min_distance"]
    )
    for beta in (0.5, 1.0, 2.0):
        paper = se.ontology.obce_weights(y_true[:16], distances, beta)
        np.testing.assert_allclose(paper, gold[f"obce_paper_beta{beta}"], **EXACT)
        code = se.ontology.obce_weights(
            y_true[:16], distances, beta, normalize="batch", target_distance="other"
        )
        np.testing.assert_allclose(code, gold[f"obce_code_beta{beta}"], **EXACT)


def test_all_evaluation_clips_of_audioset():
    gold = np.load(shared("gold/omap_fullscale.npz"))
    scores = hashed_scores()
    assert scores.sum(dtype=np.float64) == pytest.approx(float(gold["score_sum"]), rel=1e-15)
    result = se.tagging.omap(audioset_labels(), scores, audioset_distances())
    np.testing.assert_allclose(result.oap, gold["oap_hash7"], **EXACT)
    assert result.value == pytest.approx(0.8834287139013767, rel=0, abs=1e-12)
    assert result.omap0 == pytest.approx(0.7114152417582209, rel=0, abs=1e-12)


def test_two_annotations_of_the_same_clips():
    gold = np.load(shared("gold/omap_fullscale.npz"))
    original, refined = audioset_r()
    distances = audioset_distances()
    result = se.tagging.omap(original, refined, distances, no_positive="zero")
    np.testing.assert_allclose(result.oap, gold["oap_audioset_r_vs_original"], **EXACT)
    assert result.value == pytest.approx(0.7337601891145961, rel=0, abs=1e-12)
    result = se.tagging.omap(refined, original, distances, no_positive="zero")
    np.testing.assert_allclose(result.oap, gold["oap_original_vs_audioset_r"], **EXACT)


def test_random_scores_get_a_third_on_audioset():
    scores = np.random.default_rng(0).random(audioset_labels().shape, dtype=np.float32)
    result = se.tagging.omap(audioset_labels(), scores, audioset_distances())
    assert result.value == pytest.approx(0.315, abs=0.002)
    assert result.per_level[21.0] == 1.0
