"""OmAP and OBCE weights: by hand, policies, undefined values, mistakes and pictures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import soundeval as se

PATH = np.abs(np.subtract.outer(range(3), range(3)))
Y_TRUE = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
Y_SCORE = np.array([[0.9, 0.8, 0.2], [0.8, 0.1, 0.6], [0.7, 0.3, 0.1]])


def omap(y_true=Y_TRUE, y_score=Y_SCORE, distances=PATH, **options):
    return se.tagging.omap(y_true, y_score, distances, **options)


def test_a_false_positive_costs_its_distance_to_the_nearest_label():
    # Class 0: before its positive come a clip of class 1 and one of class 2, at distances 1 and 2.
    result = omap(normalization="none")
    np.testing.assert_array_equal(result.oap[:, 0], [1 / 4, 1 / 3, 1])
    # The mean distance of different classes is 8 / 6; those beyond 1 have 4 / 6.
    result = omap()
    np.testing.assert_allclose(result.oap[:, 0], [1 / (1 + 9 / 4), 1 / (1 + 3), 1], rtol=1e-15)
    result = omap(normalization="all")
    np.testing.assert_allclose(result.oap[:, 0], [1 / (1 + 27 / 8), 1 / (1 + 9 / 2), 1], rtol=1e-15)


def test_the_greatest_level_is_one_by_construction():
    assert omap().per_level[2.0] == 1.0


def test_levels_can_be_chosen():
    result = omap(levels=[0, 1])
    assert result.levels == (0.0, 1.0)
    assert result.value == pytest.approx(np.mean(omap().oap[:2]))
    assert math.isnan(omap(levels=[1]).omap0)


def test_equal_distances_give_average_precision():
    ones = 1 - np.eye(3)
    rng = np.random.default_rng(0)
    y_true = np.eye(3, dtype=int)[rng.integers(0, 3, 50)]
    y_score = rng.integers(0, 20, (50, 3))
    for normalization in ("offdiag", "none"):
        result = omap(y_true, y_score, ones, normalization=normalization)
        assert result.omap0 == pytest.approx(se.tagging.average_precision(y_true, y_score))


def test_classes_without_positives():
    y_true, y_score = Y_TRUE[:2], Y_SCORE[:2]
    result = omap(y_true, y_score)
    assert np.isnan(result.oap[:, 0]).all()
    assert result.classes_without_positives == ("0",)
    assert math.isnan(result.per_class["0"])
    assert "1 class without positives, left out: '0'" in repr(result)
    zero = omap(y_true, y_score, no_positive="zero")
    assert zero.value == pytest.approx(result.value * 2 / 3)
    assert "counted as 0" in repr(zero)
    with pytest.raises(se.InputError, match="without positives cannot be computed: '0'"):
        omap(y_true, y_score, no_positive="error")


def test_clips_without_labels():
    y_true = np.vstack([Y_TRUE, [0, 0, 0]])
    y_score = np.vstack([Y_SCORE, [1.0, 1.0, 1.0]])
    with pytest.raises(se.InputError, match=r'1 of the clips have no label, clip 3 .*"max"'):
        omap(y_true, y_score)
    np.testing.assert_array_equal(omap(y_true, y_score, unlabeled="zero").oap, omap().oap)
    farthest = omap(y_true, y_score, unlabeled="max", normalization="none")
    np.testing.assert_array_equal(farthest.oap[:, 0], [1 / 6, 1 / 5, 1])
    one = omap(y_true, y_score, unlabeled="one", normalization="none")
    np.testing.assert_array_equal(one.oap[:, 0], [1 / 5, 1 / 4, 1 / 2])
    assert "1 clip without labels, unlabeled='one'" in repr(one)
    assert one.n_unlabeled == 1


def test_a_label_that_is_not_evaluated_still_counts():
    result = omap(labels=[0])
    np.testing.assert_array_equal(result.oap, omap().oap[:, :1])
    assert result.class_names == ("0",)


def test_synonyms_cost_nothing():
    synonyms = np.array([[0, 0, 2], [0, 0, 2], [2, 2, 0]])
    np.testing.assert_array_equal(
        omap(distances=synonyms, normalization="none").oap[:, 0], [1 / 3, 1 / 3, 1]
    )


def test_distances_may_be_fractions():
    result = omap(distances=PATH * 0.75, normalization="none")
    assert result.levels == (0.0, 1.0)
    np.testing.assert_allclose(result.oap[:, 0], [1 / 3.25, 1 / 2.5], rtol=1e-15)


def test_the_result_as_a_dict():
    flat = omap().to_dict()
    assert flat["omap"] == omap().value == float(omap()) == omap().macro
    assert flat["omap/level_2"] == 1.0
    assert flat["normalization"] == "offdiag"
    assert flat["omap/0"] == pytest.approx(omap().per_class["0"])


MISTAKES = [
    ({"distances": PATH[:2]}, r"each of the 3 classes, got the shape \(2, 3\)"),
    ({"distances": PATH + 1}, "zeros on the diagonal, got 1 from class 0 to class 0"),
    ({"distances": np.triu(PATH)}, "symmetric"),
    ({"distances": np.where(PATH == 2, math.inf, PATH)}, "finite"),
    ({"levels": []}, "levels must be numbers"),
    ({"levels": [0, 0]}, "each once"),
    ({"normalization": "mean"}, "normalization must be one of 'offdiag', 'all', 'none'"),
    ({"unlabeled": "drop"}, "unlabeled must be one of"),
    ({"threshold": ">"}, "threshold must be one of 'ge', 'gt'"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_mistakes_are_said_in_a_sentence(options, message):
    with pytest.raises(se.InputError, match=message):
        omap(**options)


def test_obce_weights_by_hand():
    weights = se.ontology.obce_weights([[1, 0, 0], [0, 0, 0]], PATH)
    np.testing.assert_allclose(weights, [[1.2, 0.6, 1.2], [1, 1, 1]], rtol=1e-15)
    np.testing.assert_array_equal(se.ontology.obce_weights(Y_TRUE, PATH, 0), np.ones((3, 3)))
    np.testing.assert_allclose(se.ontology.obce_weights(Y_TRUE, PATH, 2).mean(axis=1), 1.0)
    weights = se.ontology.obce_weights([[1, 0, 1], [0, 0, 0]], PATH, normalize="batch")
    assert weights.mean() == pytest.approx(1.0)
    for wrong, message in ((-1.0, "beta"), (math.nan, "beta")):
        with pytest.raises(se.InputError, match=message):
            se.ontology.obce_weights(Y_TRUE, PATH, wrong)
    with pytest.raises(se.InputError, match="each of the 3 classes"):
        se.ontology.obce_weights(Y_TRUE, PATH[:2, :2])


def test_pictures_show_what_results_hold():
    import matplotlib.pyplot as plt

    good, bad = omap(y_score=Y_TRUE), omap()
    ax = se.tagging.plot_omap({"good": good, "bad": bad}, title="two systems")
    assert ax.lines[1].get_ydata().tolist() == list(bad.per_level.values())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        f"good  {good.value:.3f}",
        f"bad  {bad.value:.3f}",
    ]
    plt.close(ax.figure)
    above, below = se.tagging.plot_omap_comparison(bad, good, names=("bad", "good"))
    heights = [bar.get_height() for bar in below.patches]
    np.testing.assert_allclose(
        heights, np.subtract(*[list(r.per_level.values()) for r in (good, bad)])
    )
    plt.close(above.figure)
    with pytest.raises(se.InputError, match="same levels"):
        se.tagging.plot_omap({"a": good, "b": omap(levels=[0])})
    with pytest.raises(se.InputError, match="two different names"):
        se.tagging.plot_omap_comparison(bad, good, names=("a", "a"))
