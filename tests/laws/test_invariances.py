"""What may change in an evaluation set without changing a bit: every criterion, every change.

Counts, thresholds and everything made of them are compared with ``==``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from implementations import Fast
from strategies import (
    EvaluationSet,
    collar_criteria,
    evaluation_sets,
    intersection_criteria,
    segment_criteria,
)

import soundeval as se

# Sets are drawn without regard for what is plausible, such as durations that end before events.
pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")

# There are many combinations, each with the same code below it.
few = settings(max_examples=settings().max_examples // 4)

CRITERIA: dict[str, st.SearchStrategy[Any]] = {
    "intersection": intersection_criteria().map(lambda its: se.Intersection(**its)),
    "collar": collar_criteria().map(lambda its: se.Collar(**its)),
    "segment": segment_criteria().map(lambda its: se.Segment(**its)),
    "clip": st.just(se.Clip()),
}


def statistics(inputs: EvaluationSet, criterion: Any) -> se.Statistics:
    # Durations are unrelated to the scores; segments are cut by them.
    return Fast().of_criterion(inputs, criterion, audio_durations=inputs.durations)


def contents(stats: se.Statistics) -> dict[str, Any]:
    """Return everything that statistics hold, and the numbers made of it, by class."""
    beta2, errors = stats.best_f_score(beta=2.0), stats.best_error_rate()
    precision = stats.average_precision()
    return {
        name: (
            its.thresholds.tolist(),
            its.tps.tolist(),
            its.fps.tolist(),
            {other: cts.tolist() for other, cts in sorted(its.cts.items())},
            its.n_ref,
            its.t_ref,
            beta2.per_class[name],
            errors.per_class[name],
            float(precision.per_class[name]),
        )
        for name, its in sorted(stats.items())
    }


# -- the changes ----------------------------------------------------------------------------------


def order_of_clips(inputs: EvaluationSet, data: st.DataObject) -> EvaluationSet:
    return inputs.with_clips(data.draw(st.permutations(list(inputs.clips))))


def order_of_classes(inputs: EvaluationSet, data: st.DataObject) -> EvaluationSet:
    return inputs.with_classes(data.draw(st.permutations(inputs.classes)))


def order_of_events(inputs: EvaluationSet, data: st.DataObject) -> EvaluationSet:
    events = {clip: data.draw(st.permutations(its)) for clip, its in inputs.events.items()}
    return replace(inputs, events=events)


def wider_floats(inputs: EvaluationSet, data: st.DataObject) -> EvaluationSet:
    return inputs.with_scores(lambda scores: scores.astype(np.float64))


def layout_of_arrays(inputs: EvaluationSet, data: st.DataObject) -> EvaluationSet:
    def strided(scores: np.ndarray) -> np.ndarray:
        room = np.full((2 * len(scores), 3 * scores.shape[1]), 7, scores.dtype)
        room[1::2, 2::3] = scores
        return room[1::2, 2::3]

    def read_only(scores: np.ndarray) -> np.ndarray:
        copy = scores.copy()
        copy.flags.writeable = False
        return copy

    layouts = [
        strided,
        read_only,
        np.asfortranarray,
        lambda scores: scores[::-1].copy()[::-1],
        lambda scores: scores.astype(scores.dtype.newbyteorder()),
    ]
    return inputs.with_scores(data.draw(st.sampled_from(layouts)))


CHANGES: dict[str, Callable[[EvaluationSet, st.DataObject], EvaluationSet]] = {
    its.__name__: its
    for its in (order_of_clips, order_of_classes, order_of_events, wider_floats, layout_of_arrays)
}


# -- the matrix -----------------------------------------------------------------------------------


def draw_situation(kind: str, data: st.DataObject) -> tuple[EvaluationSet, Any, dict[str, Any]]:
    """Draw a set of which all classes have targets, and a criterion; count them."""
    drawn = data.draw(evaluation_sets(min_clips=1, some_events=True, zero_length=True))
    inputs = drawn.with_classes(drawn.classes_with_events())
    criterion = data.draw(CRITERIA[kind])
    try:
        return inputs, criterion, contents(statistics(inputs, criterion))
    except se.InputError:
        # All events of a class lie behind the last segment, or on a boundary without length.
        assert kind == "segment"
        assume(False)
        raise


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", CRITERIA)
@few
@given(data=st.data())
def test_nothing_depends_on(kind: str, change: str, data: st.DataObject) -> None:
    inputs, criterion, before = draw_situation(kind, data)
    assert contents(statistics(CHANGES[change](inputs, data), criterion)) == before


@pytest.mark.parametrize("kind", CRITERIA)
@few
@given(data=st.data())
def test_nothing_depends_on_the_number_of_threads(kind: str, data: st.DataObject) -> None:
    inputs, criterion, before = draw_situation(kind, data)
    try:
        for n_threads in (1, 3):
            se.set_num_threads(n_threads)
            assert contents(statistics(inputs, criterion)) == before
    finally:
        se.set_num_threads(2)


@pytest.mark.parametrize("kind", CRITERIA)
@few
@given(data=st.data())
def test_any_split_merges_to_the_whole(kind: str, data: st.DataObject) -> None:
    inputs, criterion, before = draw_situation(kind, data)
    parts = [se.Accumulator(criterion, inputs.classes) for _ in range(data.draw(st.integers(1, 3)))]
    for clip in data.draw(st.permutations(list(inputs.clips))):
        data.draw(st.sampled_from(parts)).update(
            clip,
            inputs.clips[clip],
            inputs.timestamps[clip],
            inputs.events[clip],
            duration=inputs.durations[clip],
            zero_length="keep",
        )
    merged, *others = data.draw(st.permutations(parts))
    for other in others:
        merged.merge(se.Accumulator.from_bytes(other.to_bytes()))
    assert contents(merged.statistics()) == before


@pytest.mark.parametrize("kind", CRITERIA)
@few
@given(data=st.data())
def test_only_the_order_of_scores_matters(kind: str, data: st.DataObject) -> None:
    """Scores become their ranks: thresholds become ranks too, and no count changes."""
    inputs, criterion, before = draw_situation(kind, data)
    scores = np.concatenate([its.ravel() for its in inputs.clips.values()]).astype(np.float64)
    distinct = np.unique(scores[scores > -np.inf])

    def rank(scores: np.ndarray) -> np.ndarray:
        ranks = np.searchsorted(distinct, scores) + 0.25
        return np.where(scores == -np.inf, -np.inf, ranks)

    after = contents(statistics(inputs.with_scores(rank), criterion))
    for name, (thresholds, *counts) in before.items():
        assert after[name][0][:-1] == rank(np.array(thresholds[:-1])).tolist()
        assert list(after[name][1:6]) == counts[:5]


@pytest.mark.parametrize("kind", CRITERIA)
@few
@given(data=st.data())
def test_twice_the_clips_have_twice_the_counts(kind: str, data: st.DataObject) -> None:
    inputs, criterion, before = draw_situation(kind, data)

    def twice(its: dict[str, Any]) -> dict[str, Any]:
        return its | {f"{clip}-again": value for clip, value in its.items()}

    doubled = EvaluationSet(
        twice(inputs.clips),
        twice(inputs.timestamps),
        twice(inputs.events),
        twice(inputs.durations),
        inputs.classes,
    )
    after = contents(statistics(doubled, criterion))
    for name, (thresholds, tps, fps, cts, n_ref, t_ref, best, *_, ap) in before.items():
        assert after[name][0] == thresholds
        assert after[name][1] == [2 * n for n in tps]
        assert after[name][2] == [2 * n for n in fps]
        assert after[name][3] == {other: [2 * n for n in its] for other, its in cts.items()}
        assert after[name][4:6] == (2 * n_ref, 2 * t_ref)
        # Doubling is exact in binary floating point, so the rates are the same to the last bit.
        assert after[name][6].f_score == best.f_score
        assert after[name][-1] == ap
