"""Collars, segments and clips: counts, curves and numbers are those of the twin, for any scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from implementations import Fast, Twin
from sklearn.metrics import average_precision_score, roc_auc_score
from strategies import EvaluationSet, collar_criteria, evaluation_sets, segment_criteria

import soundeval as se

# Sets are drawn without regard for what is plausible, such as durations that end before events.
pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")

FAST, TWIN = Fast(), Twin()
KINDS = ("collar", "segment", "clip")
kinds = pytest.mark.parametrize("kind", KINDS)
units = pytest.mark.parametrize("kind", ["segment", "clip"])

some_sets = evaluation_sets(min_clips=1, some_events=True, zero_length=True)


@st.composite
def situations(draw: st.DrawFn, kind: str) -> tuple[EvaluationSet, dict[str, Any]]:
    """Draw a set of which all classes have events, and the parameters of a criterion."""
    drawn = draw(some_sets)
    kept = drawn.with_classes(drawn.classes_with_events())
    if kind == "collar":
        return kept, draw(collar_criteria())
    if kind == "segment":
        return kept, draw(segment_criteria()) | {"with_durations": draw(st.booleans())}
    return kept, {}


def both_of(kind: str, situation: tuple[EvaluationSet, dict[str, Any]]) -> tuple[Any, Any]:
    """Return the statistics of the package and of its twin."""
    inputs, parameters = situation
    name = f"{kind}_statistics"
    try:
        fast = getattr(FAST, name)(inputs, **parameters)
    except se.InputError:
        # All events of a class lie behind the last segment, or on a boundary without length.
        assert kind == "segment"
        assume(False)
    return fast, getattr(TWIN, name)(inputs, **parameters)


def assert_equal(one: Any, other: Any, *names: str) -> None:
    for name in names:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)


@kinds
@given(data=st.data())
def test_counts_at_every_threshold(kind: str, data: st.DataObject) -> None:
    fast, slow = both_of(kind, data.draw(situations(kind)))
    assert list(fast) == list(slow)
    for name, its in slow.items():
        assert_equal(fast[name], its, "thresholds", "tps", "fps", "n_ref")
        if kind != "collar":
            assert_equal(fast[name], its, "n_negatives")


@kinds
@given(data=st.data())
def test_counts_at_any_threshold(kind: str, data: st.DataObject) -> None:
    fast, slow = both_of(kind, data.draw(situations(kind)))
    threshold = data.draw(st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(allow_nan=False))
    for name, its in slow.items():
        # The counts at a threshold are those at the lowest score above it.
        point = next(
            i
            for i, score in enumerate(its.thresholds)
            if score > threshold or i == len(its.thresholds) - 1
        )
        found = fast[name].at(threshold)
        assert (found.tps, found.fps) == (its.tps[point], its.fps[point])


@kinds
@given(data=st.data())
def test_precision_recall_curves(kind: str, data: st.DataObject) -> None:
    fast, slow = both_of(kind, data.draw(situations(kind)))
    curves = FAST.precision_recall_curve(fast)
    for name, curve in TWIN.precision_recall_curve(slow).items():
        assert_equal(curves[name], curve, "thresholds", "precision", "recall")
    one, other = FAST.average_precision(fast), TWIN.average_precision(slow)
    for name, number in other.per_class.items():
        assert float(one.per_class[name]) == pytest.approx(number, rel=1e-14, nan_ok=True)
    assert one.value == pytest.approx(other.value, rel=1e-14, nan_ok=True)


@kinds
@given(data=st.data(), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_f_scores(kind: str, data: st.DataObject, beta: float) -> None:
    fast, slow = both_of(kind, data.draw(situations(kind)))
    threshold = data.draw(st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(allow_nan=False))
    limits = st.sampled_from([0.0, 0.3, 0.5, 1.0])
    least = {"min_precision": data.draw(limits), "min_recall": data.draw(limits)}
    for one, other in [
        (FAST.f_score(fast, threshold, beta=beta), TWIN.f_score(slow, threshold, beta=beta)),
        (FAST.best_f_score(fast, beta=beta, **least), TWIN.best_f_score(slow, beta=beta, **least)),
    ]:
        for name, numbers in other.per_class.items():
            names = ("f_score", "precision", "recall", "threshold", "tps", "fps", "n_ref")
            assert_equal(one.per_class[name], numbers, *names)
        for average in ("macro", "micro"):
            for name in ("f_score", "precision", "recall"):
                a, b = (getattr(getattr(its, average), name) for its in (one, other))
                assert a == pytest.approx(b, rel=1e-14, nan_ok=True)


@kinds
@given(data=st.data())
def test_error_rates(kind: str, data: st.DataObject) -> None:
    fast, slow = both_of(kind, data.draw(situations(kind)))
    threshold = data.draw(st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(allow_nan=False))
    limits = st.none() | st.sampled_from([0.0, 0.5, 1.0])
    most = {"max_insertion_rate": data.draw(limits), "max_deletion_rate": data.draw(limits)}
    for one, other in [
        (FAST.error_rate(fast, threshold), TWIN.error_rate(slow, threshold)),
        (FAST.best_error_rate(fast, **most), TWIN.best_error_rate(slow, **most)),
    ]:
        for name, numbers in other.per_class.items():
            names = ("error_rate", "insertion_rate", "deletion_rate", "threshold", "tps", "fps")
            assert_equal(one.per_class[name], numbers, *names)
        for average in ("macro", "micro"):
            for name in ("error_rate", "insertion_rate", "deletion_rate"):
                a, b = (getattr(getattr(its, average), name) for its in (one, other))
                assert a == pytest.approx(b, rel=1e-14, nan_ok=True)


@units
@given(data=st.data())
def test_roc_curves(kind: str, data: st.DataObject) -> None:
    fast, slow = both_of(kind, data.draw(situations(kind)))
    curves = FAST.roc_curve(fast)
    for name, curve in TWIN.roc_curve(slow).items():
        assert_equal(curves[name], curve, "thresholds", "tpr", "fpr")
    settings = {"max_fpr": data.draw(st.none() | st.sampled_from([0.1, 0.5, 1.0]))}
    settings["mcclish_correction"] = data.draw(st.booleans())
    one, other = FAST.auroc(fast, **settings), TWIN.auroc(slow, **settings)
    for name, number in other.per_class.items():
        assert float(one.per_class[name]) == pytest.approx(number, rel=1e-13, nan_ok=True)
    assert one.value == pytest.approx(other.value, rel=1e-13, nan_ok=True)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]) | st.floats(0, 1), st.booleans()),
        min_size=2,
        max_size=30,
    ).filter(lambda units: len({positive for _, positive in units}) == 2)
)
@pytest.mark.parametrize("kind", ["segment", "clip"])
def test_areas_are_those_of_scikit_learn(kind: str, drawn: list[tuple[float, bool]]) -> None:
    """One unit of a second each: segments of one clip, or clips of one frame."""
    scores, positive = zip(*drawn, strict=True)
    n = len(drawn)
    if kind == "segment":
        matrix = {"a": np.array(scores)[:, None]}
        events = {"a": [(float(i), i + 1.0, "Dog") for i in range(n) if positive[i]]}
        edges, criterion = np.arange(n + 1.0), se.Segment(1.0)
    else:
        matrix = {f"clip{i}": np.array([[scores[i]]]) for i in range(n)}
        events = {f"clip{i}": [(0.0, 1.0, "Dog")] * positive[i] for i in range(n)}
        edges, criterion = np.array([0.0, 1.0]), se.Clip()
    stats = se.statistics(matrix, events, criterion, timestamps=edges, event_classes=["Dog"])
    assert stats.average_precision().value == pytest.approx(
        average_precision_score(positive, scores), abs=1e-12
    )
    assert stats.auroc().value == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)
