"""What holds for every tagging metric: every metric times every invariance, and its twin."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import soundeval as se
from soundeval import reference

tagging = se.tagging

RATIOS = 1e-12
"""The same fractions may be worked out in another order."""


@dataclass(frozen=True)
class Tags:
    """What goes into a tagging metric; every clip has a label, as OmAP wants it."""

    y_true: np.ndarray
    y_score: np.ndarray
    distances: np.ndarray
    weights: np.ndarray | None = None
    mask: np.ndarray | None = None

    @property
    def options(self):
        return {"sample_weight": self.weights, "mask": self.mask}

    def twin_labels(self):
        """Return labels as the twin takes them."""
        known = np.ones(self.y_true.shape, bool) if self.mask is None else self.mask
        return [
            [int(label) if k else None for label, k in zip(*rows, strict=True)]
            for rows in zip(self.y_true, known, strict=True)
        ]


@st.composite
def tags(draw, weighted=False, masked=False):
    """Draw labels and scores with many ties, and a matrix of distances, sometimes with synonyms."""
    n_clips, n_classes = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    rows = st.lists(st.booleans(), min_size=n_classes, max_size=n_classes).filter(any)
    y_true = np.array(draw(st.lists(rows, min_size=n_clips, max_size=n_clips)))
    # Sixteenths are exact in half precision, and few enough to be equal often.
    sixteenth = st.integers(0, draw(st.sampled_from([3, 16]))).map(lambda i: i / 16)
    scores = st.lists(sixteenth, min_size=y_true.size, max_size=y_true.size)
    y_score = np.array(draw(scores)).reshape(y_true.shape)
    upper = np.triu(
        np.array(
            draw(st.lists(st.integers(0, 5), min_size=n_classes**2, max_size=n_classes**2))
        ).reshape(n_classes, n_classes),
        1,
    )
    weights = mask = None
    if weighted:
        numbers = st.lists(st.integers(0, 3), min_size=n_clips, max_size=n_clips)
        weights = np.array(draw(numbers), float)
    if masked:
        flags = st.lists(st.booleans(), min_size=y_true.size, max_size=y_true.size)
        mask = np.array(draw(flags)).reshape(y_true.shape)
        # A clip without a known label would have no distances: its first one is known.
        mask[np.arange(n_clips), y_true.argmax(axis=1)] = True
    return Tags(y_true, y_score, upper + upper.T, weights, mask)


def per_class_f(t):
    return tagging.f_score(t.y_true, t.y_score, 0.25, average=None, **t.options)


def best_f(t):
    return tagging.best_f_score(t.y_true, t.y_score, **t.options).f_score


def oap(t):
    return tagging.omap(t.y_true, t.y_score, t.distances, **t.options).oap.T


def by_class(function, **parameters):
    return lambda t: function(t.y_true, t.y_score, average=None, **parameters, **t.options)


def single(function, **parameters):
    return lambda t: function(t.y_true, t.y_score, **parameters, **t.options)


BY_CLASS = {
    "average_precision": by_class(tagging.average_precision),
    "roc_auc": by_class(tagging.roc_auc),
    "partial_roc_auc": by_class(tagging.roc_auc, max_fpr=0.3),
    "d_prime": by_class(tagging.d_prime),
    "lwlrap": by_class(tagging.lwlrap),
    "padded_cmap": by_class(tagging.padded_cmap),
    "f_score": per_class_f,
    "best_f_score": best_f,
    "accuracy": by_class(tagging.accuracy, threshold=0.25),
    "calibration_error": by_class(tagging.calibration_error),
    "brier_score": by_class(tagging.brier_score),
    "omap": oap,
}
SINGLE = {
    "mAP": single(tagging.average_precision),
    "mAP_micro": single(tagging.average_precision, average="micro"),
    "mAP_weighted": single(tagging.average_precision, average="weighted"),
    "AP_of_clips": single(tagging.average_precision, average="samples"),
    "mAUC": single(tagging.roc_auc),
    "d_prime_per_class": single(tagging.d_prime, convention="per_class"),
    "lwlrap_overall": single(tagging.lwlrap),
    "hit_at_k": single(tagging.hit_at_k),
    "precision_at_k": single(tagging.precision_at_k),
    "recall_at_k": single(tagging.recall_at_k),
    "f_micro": single(tagging.f_score, threshold=0.25, average="micro"),
    "f_weighted": single(tagging.f_score, threshold=0.25, average="weighted"),
    "f_of_clips": single(tagging.f_score, threshold=0.25, average="samples"),
    "exact_clips": single(tagging.accuracy, threshold=0.25, average="samples"),
    "ece_micro": single(tagging.calibration_error, average="micro"),
    "omap_mean": lambda t: tagging.omap(t.y_true, t.y_score, t.distances, **t.options).value,
}
METRICS = {**BY_CLASS, **SINGLE}

# There are many combinations, each with the same code below it.
few = settings(max_examples=settings().max_examples // 10)

every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)

# Their values are means of scores, or of scores above a limit that has a meaning.
OF_VALUES = {
    *("padded_cmap", "f_score", "f_micro", "f_weighted", "f_of_clips", "accuracy"),
    *("exact_clips", "calibration_error", "ece_micro", "brier_score"),
}
OF_ORDER = {name: metric for name, metric in METRICS.items() if name not in OF_VALUES}


def close(one, other):
    np.testing.assert_allclose(one, other, rtol=RATIOS, atol=RATIOS)


@every_metric
@few
@given(tags(), st.randoms(use_true_random=False))
def test_the_order_of_clips_does_not_matter(metric, t, random):
    order = list(range(len(t.y_true)))
    random.shuffle(order)
    shuffled = replace(t, y_true=t.y_true[order], y_score=t.y_score[order])
    np.testing.assert_array_equal(metric(shuffled), metric(t))


@every_metric
@few
@given(tags(), st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_matter(metric, t, random):
    order = list(range(t.y_true.shape[1]))
    random.shuffle(order)
    shuffled = replace(
        t,
        y_true=t.y_true[:, order],
        y_score=t.y_score[:, order],
        distances=t.distances[np.ix_(order, order)],
    )
    before, after = metric(t), metric(shuffled)
    # Each result is on its class; means are the same.
    close(after, before if np.ndim(before) == 0 else before[order])


@pytest.mark.parametrize("metric", OF_ORDER.values(), ids=OF_ORDER)
@few
@given(tags(), st.sampled_from([np.exp, lambda s: 100 * s - 7, lambda s: np.log(s + 0.01)]))
def test_a_map_that_keeps_the_order_of_scores_changes_nothing(metric, t, transform):
    np.testing.assert_array_equal(metric(replace(t, y_score=transform(t.y_score))), metric(t))


@pytest.mark.parametrize(
    "metric",
    [m for n, m in METRICS.items() if n != "padded_cmap"],
    ids=[n for n in METRICS if n != "padded_cmap"],
)
@few
@given(tags(), st.integers(2, 3))
def test_every_clip_several_times_changes_nothing(metric, t, times):
    repeated = replace(
        t, y_true=np.tile(t.y_true, (times, 1)), y_score=np.tile(t.y_score, (times, 1))
    )
    close(metric(repeated), metric(t))


@every_metric
@few
@given(tags(weighted=True))
def test_a_weight_is_a_number_of_clips(metric, t):
    counts = t.weights.astype(int)
    assume(counts.any())
    repeated = replace(
        t,
        y_true=np.repeat(t.y_true, counts, axis=0),
        y_score=np.repeat(t.y_score, counts, axis=0),
        weights=None,
    )
    close(metric(t), metric(repeated))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@every_metric
@few
@given(tags())
def test_the_type_of_scores_does_not_matter_where_they_are_exact(metric, dtype, t):
    np.testing.assert_array_equal(metric(replace(t, y_score=t.y_score.astype(dtype))), metric(t))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float32])
@every_metric
@few
@given(tags())
def test_the_type_of_labels_does_not_matter(metric, dtype, t):
    np.testing.assert_array_equal(metric(replace(t, y_true=t.y_true.astype(dtype))), metric(t))


@every_metric
@few
@given(tags())
def test_any_number_of_threads_gives_the_same_bits(metric, t):
    from soundeval._core import num_threads

    before = num_threads()
    results = []
    for n in (1, 3):
        se.set_num_threads(n)
        results.append(metric(t))
    se.set_num_threads(before)
    np.testing.assert_array_equal(*results)


TWINS = pytest.mark.parametrize("kind", [{}, {"weighted": True}, {"masked": True}], ids=str)


@TWINS
@given(st.data())
def test_the_twin_agrees_on_every_number_of_a_class(kind, data):
    t = data.draw(tags(**kind))
    labels, scores, weights = t.twin_labels(), t.y_score.tolist(), t.weights
    n_classes = t.y_true.shape[1]
    close(
        BY_CLASS["average_precision"](t), reference.tag_average_precision(labels, scores, weights)
    )
    areas = reference.tag_roc_auc(labels, scores, weights)
    close(BY_CLASS["roc_auc"](t), areas)
    close(BY_CLASS["d_prime"](t), [reference.tag_d_prime(float(a)) for a in BY_CLASS["roc_auc"](t)])
    part = reference.tag_roc_auc(labels, scores, weights, 0.3)
    close(BY_CLASS["partial_roc_auc"](t), part)
    close(per_class_f(t), reference.tag_f_scores(labels, scores, [0.25] * n_classes, weights))
    best = tagging.best_f_score(t.y_true, t.y_score, **t.options)
    twin = reference.tag_best_f_scores(labels, scores, weights)
    close(best.f_score, [f for f, _ in twin])
    close(SINGLE["lwlrap_overall"](t), reference.lwlrap(labels, scores, weights))


@TWINS
@given(st.data())
def test_the_twin_agrees_on_counts_to_the_last_one(kind, data):
    t = data.draw(tags(**kind))
    statistics = tagging.statistics(t.y_true, t.y_score, **t.options)
    for k, one in enumerate(statistics.values()):
        counts = reference.tag_counts(t.twin_labels(), t.y_score.tolist(), k, t.weights)
        at = {threshold: (tps, fps) for threshold, tps, fps in counts}
        found = zip(one.thresholds, one.tps, one.fps, strict=True)
        for threshold, tps, fps in found:
            assert (tps, fps) == at[threshold]
        # The others change no recall.
        recalls = {tps for tps, _ in at.values()} - {0.0}
        assert recalls == set(one.tps.tolist())


@given(tags(masked=True))
def test_the_twin_agrees_on_the_rank_of_every_label(t):
    from soundeval import _core

    labels = np.where(t.mask, t.y_true, 2).astype(np.uint8)
    columns = [c.tolist() for c in _core.tagging_ranked_labels(t.y_score, labels)]
    rows = list(zip(*columns, strict=True))
    assert rows == reference.tag_label_ranks(t.twin_labels(), t.y_score.tolist())


@given(tags())
def test_the_twin_agrees_on_calibration(t):
    values = tagging.calibration_error(t.y_true, t.y_score, n_bins=5, average=None)
    twin = [
        reference.tag_calibration_error(labels, scores, 5)
        for labels, scores in zip(t.y_true.T.tolist(), t.y_score.T.tolist(), strict=True)
    ]
    close(values, twin)


@TWINS
@pytest.mark.parametrize("normalization", ["offdiag", "all", "none"])
@pytest.mark.parametrize("threshold", ["ge", "gt"])
@given(st.data())
def test_the_twin_agrees_on_oap_at_every_level(kind, normalization, threshold, data):
    t = data.draw(tags(**kind))
    options = {"normalization": normalization, "threshold": threshold, **t.options}
    result = tagging.omap(t.y_true, t.y_score, t.distances, **options)
    for level, values in zip(result.levels, result.oap, strict=True):
        twin = reference.ontology_aware_average_precision(
            t.twin_labels(),
            t.y_score.tolist(),
            t.distances.tolist(),
            level,
            normalization=normalization,
            strict=threshold == "gt",
            weights=t.weights,
        )
        close(values, twin)


@pytest.mark.parametrize("unlabeled", ["max", "zero", "one"])
@given(tags(), st.integers(1, 3))
def test_the_twin_agrees_on_clips_without_labels(unlabeled, t, n):
    y_true = np.vstack([t.y_true, np.zeros((n, t.y_true.shape[1]), bool)])
    y_score = np.vstack([t.y_score, np.full((n, t.y_true.shape[1]), 0.25)])
    result = tagging.omap(y_true, y_score, t.distances, unlabeled=unlabeled)
    twin = reference.omap(
        y_true.astype(int).tolist(), y_score.tolist(), t.distances.tolist(), unlabeled=unlabeled
    )
    close(result.value, twin)


@given(tags())
def test_without_normalisation_forgiving_more_never_lowers_oap(t):
    result = tagging.omap(t.y_true, t.y_score, t.distances, normalization="none")
    steps = np.diff(result.oap, axis=0)
    assert (steps[~np.isnan(steps)] >= 0).all()
    last = result.oap[-1]
    assert (last[~np.isnan(last)] == 1).all()


@given(
    tags(),
    st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    st.sampled_from(["clip", "batch"]),
    st.sampled_from(["zero", "other"]),
)
def test_the_twin_agrees_on_obce_weights(t, beta, normalize, target_distance):
    options = {"normalize": normalize, "target_distance": target_distance}
    weights = se.ontology.obce_weights(t.y_true, t.distances, beta, **options)
    twin = reference.obce_weights(
        t.y_true.astype(int).tolist(), t.distances.tolist(), beta, **options
    )
    close(weights, twin)


EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=14)


@given(EDGES)
def test_the_twin_agrees_on_distances(edges):
    edges = [(str(a), str(b)) for a, b in edges if a != b]
    assume(edges)
    ontology = se.ontology.Ontology.from_edges(edges)
    hops = np.array(reference.hop_distances(edges, ontology.ids))
    if np.isinf(hops).any():
        with pytest.raises(se.InputError, match="no path"):
            ontology.distance_matrix()
        hops[np.isinf(hops)] = hops[np.isfinite(hops)].max() + 1
    np.testing.assert_array_equal(ontology.distance_matrix(unreachable="farthest"), hops)


@given(st.lists(st.tuples(st.booleans(), st.floats(-1e300, 1e300)), min_size=1, max_size=40))
def test_any_finite_double_is_ranked_as_it_is(pairs):
    y_true, y_score = np.array(pairs).T
    twin = reference.tag_average_precision([[int(y)] for y in y_true], [[s] for s in y_score])
    value = tagging.average_precision(y_true, y_score, average=None)
    close(value, twin)
    assert math.isnan(value[0]) == (not y_true.any())
