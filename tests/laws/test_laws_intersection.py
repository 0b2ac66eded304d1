"""What may change in an evaluation set without changing the counts, on both implementations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from implementations import IMPLEMENTATIONS, Fast, Twin
from strategies import (
    GRID,
    EvaluationSet,
    evaluation_sets,
    intersection_criteria,
    psds_settings,
)

# Sets are drawn without regard for what is plausible, such as events that begin within the audio.
pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")

both = pytest.mark.parametrize(
    "implementation", IMPLEMENTATIONS.values(), ids=list(IMPLEMENTATIONS)
)


@st.composite
def situations(draw: st.DrawFn, *, tenths: bool = False, **limits):
    """Draw a set of which all classes have events, a criterion, and settings of the PSDS."""
    drawn = draw(evaluation_sets(min_clips=1, some_events=True, **limits))
    kept = drawn.with_classes(drawn.classes_with_events())
    cross_triggers = len(kept.classes) > 1 and draw(st.booleans())
    criterion = draw(intersection_criteria(tenths=tenths, cross_triggers=cross_triggers))
    return kept, criterion, draw(psds_settings(cross_triggers=cross_triggers))


def counts_of(statistics) -> dict:
    """All counts as plain lists, thresholds apart."""
    return {
        name: (
            list(its.tps),
            list(its.fps),
            {o: list(cts) for o, cts in its.cts.items()},
            its.n_ref,
        )
        for name, its in statistics.items()
    }


def thresholds_of(statistics) -> dict:
    return {name: list(its.thresholds) for name, its in statistics.items()}


@both
@given(situation=situations())
def test_a_monotone_transform_of_the_scores_changes_no_count(implementation, situation) -> None:
    evaluation_set, criterion, settings = situation
    scores = np.concatenate([s.ravel() for s in evaluation_set.clips.values()])
    distinct = np.unique(scores[scores > -np.inf].astype(np.float64))

    def rank(scores: np.ndarray) -> np.ndarray:
        # Ranks around 0, a quarter aside. Infinity becomes finite, -inf stays what it is.
        ranks = np.searchsorted(distinct, scores) - len(distinct) // 2 + 0.25
        return np.where(scores == -np.inf, -np.inf, ranks)

    transformed = evaluation_set.with_scores(rank)
    before = implementation.statistics(evaluation_set, **criterion)
    after = implementation.statistics(transformed, **criterion)
    assert counts_of(after) == counts_of(before)
    for name, thresholds in thresholds_of(before).items():
        assert thresholds_of(after)[name][:-1] == list(rank(np.array(thresholds[:-1])))
    one = implementation.psds(evaluation_set, **criterion, **settings)
    other = implementation.psds(transformed, **criterion, **settings)
    assert (one.value, one.per_class) == (other.value, other.per_class)


@both
@given(situation=situations(), data=st.data())
def test_the_order_of_clips_and_events_changes_nothing(implementation, situation, data) -> None:
    evaluation_set, criterion, settings = situation
    shuffled = evaluation_set.with_clips(data.draw(st.permutations(list(evaluation_set.clips))))
    shuffled = replace(
        shuffled,
        events={
            clip: data.draw(st.permutations(events)) for clip, events in shuffled.events.items()
        },
    )
    before = implementation.statistics(evaluation_set, **criterion)
    after = implementation.statistics(shuffled, **criterion)
    assert counts_of(after) == counts_of(before)
    assert thresholds_of(after) == thresholds_of(before)
    assert {n: s.t_ref for n, s in after.items()} == {n: s.t_ref for n, s in before.items()}
    one = implementation.psds(evaluation_set, **criterion, **settings)
    other = implementation.psds(shuffled, **criterion, **settings)
    assert (one.value, one.per_class) == (other.value, other.per_class)


@both
@given(situation=situations())
def test_doubling_the_data_set_changes_no_ratio(implementation, situation) -> None:
    evaluation_set, criterion, settings = situation

    def twice(its: dict) -> dict:
        return its | {f"{clip}-again": value for clip, value in its.items()}

    doubled = EvaluationSet(
        twice(evaluation_set.clips),
        twice(evaluation_set.timestamps),
        twice(evaluation_set.events),
        twice(evaluation_set.durations),
        evaluation_set.classes,
    )
    before = implementation.statistics(evaluation_set, **criterion)
    after = implementation.statistics(doubled, **criterion)
    assert thresholds_of(after) == thresholds_of(before)
    for name, its in before.items():
        assert list(after[name].tps) == [2 * n for n in its.tps]
        assert list(after[name].fps) == [2 * n for n in its.fps]
        assert after[name].n_ref == 2 * its.n_ref
        assert after[name].t_ref == 2 * its.t_ref
    one = implementation.psds(evaluation_set, **criterion, **settings)
    other = implementation.psds(doubled, **criterion, **settings)
    # Doubling is exact in binary floating point, so the rates are the same to the last bit.
    assert (one.value, one.per_class) == (other.value, other.per_class)


@both
@given(situation=situations(dtype=np.float32))
def test_float32_scores_equal_their_float64_values(implementation, situation) -> None:
    evaluation_set, criterion, settings = situation
    wide = evaluation_set.with_scores(lambda scores: scores.astype(np.float64))
    before = implementation.statistics(evaluation_set, **criterion)
    after = implementation.statistics(wide, **criterion)
    assert counts_of(after) == counts_of(before)
    assert thresholds_of(after) == thresholds_of(before)
    one = implementation.psds(evaluation_set, **criterion, **settings)
    other = implementation.psds(wide, **criterion, **settings)
    assert (one.value, one.per_class) == (other.value, other.per_class)


@both
@given(situation=situations(on_grid=True, tenths=True), seconds=st.integers(1, 3600))
def test_shifting_all_times_changes_no_count(implementation, situation, seconds) -> None:
    """Holds where times are far from the limits of the criterion or exactly on them."""
    evaluation_set, criterion, _ = situation

    def later(time: float) -> float:
        return (round(time * GRID) + seconds * GRID) / GRID

    shifted = replace(
        evaluation_set,
        timestamps={
            clip: np.array([later(edge) for edge in edges])
            for clip, edges in evaluation_set.timestamps.items()
        },
        events={
            clip: [(later(on), later(off), label) for on, off, label in events]
            for clip, events in evaluation_set.events.items()
        },
    )
    before = implementation.statistics(evaluation_set, **criterion)
    after = implementation.statistics(shifted, **criterion)
    assert counts_of(after) == counts_of(before)
    assert thresholds_of(after) == thresholds_of(before)


@both
@given(situation=situations(), data=st.data())
def test_the_order_of_classes_changes_no_count(implementation, situation, data) -> None:
    evaluation_set, criterion, settings = situation
    order = data.draw(st.permutations(evaluation_set.classes))
    permuted = evaluation_set.with_classes(order)
    before = implementation.statistics(evaluation_set, **criterion)
    after = implementation.statistics(permuted, **criterion)
    assert list(after) == order
    assert counts_of(after) == counts_of(before)
    assert thresholds_of(after) == thresholds_of(before)
    one = implementation.psds(evaluation_set, **criterion, **settings)
    other = implementation.psds(permuted, **criterion, **settings)
    # Sums over classes have another order, which shows in the last digits.
    assert other.value == pytest.approx(one.value, rel=1e-9, abs=1e-9)


@both
@given(situation=situations(), data=st.data())
def test_scores_of_minus_infinity_alone_detect_nothing(implementation, situation, data) -> None:
    evaluation_set, criterion, settings = situation
    silent = data.draw(st.sampled_from(evaluation_set.classes))
    column = evaluation_set.classes.index(silent)

    def silenced(scores: np.ndarray) -> np.ndarray:
        changed = scores.copy()
        changed[:, column] = -np.inf
        return changed

    evaluation_set = evaluation_set.with_scores(silenced)
    its = implementation.statistics(evaluation_set, **criterion)[silent]
    assert list(its.thresholds) == [np.inf]
    assert (list(its.tps), list(its.fps)) == ([0], [0])
    assert all(list(cts) == [0] for cts in its.cts.values())
    assert implementation.psds(evaluation_set, **criterion, **settings).per_class[silent] == 0.0


def test_both_implementations_are_tested() -> None:
    assert [type(its) for its in IMPLEMENTATIONS.values()] == [Twin, Fast]
