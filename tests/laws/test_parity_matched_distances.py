"""Distances at all thresholds are those of the twin, for any scores; pairs are true positives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from implementations import Fast, Twin
from strategies import EvaluationSet, collar_criteria, evaluation_sets

# Sets are drawn without regard for what is plausible, such as events beyond the scores.
pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")

some_sets = evaluation_sets(min_clips=1, max_classes=2, some_events=True, zero_length=True)
NAMES = ("thresholds", "n_matched", "onset_distance_sums", "offset_distance_sums")


@given(some_sets, collar_criteria())
def test_distances_equal_the_twin(drawn: EvaluationSet, collars: dict[str, Any]) -> None:
    inputs = drawn.with_classes(drawn.classes_with_events())
    found = Fast().collar_distances(inputs, **collars)
    expected = Twin().collar_distances(inputs, **collars)
    assert list(found) == list(expected)
    for event_class, its in expected.items():
        for name in NAMES:
            actual = getattr(found[event_class], name)
            np.testing.assert_array_equal(actual, getattr(its, name), name)


@given(some_sets, collar_criteria(), st.data())
def test_pairs_are_true_positives_in_any_order_of_clips(
    drawn: EvaluationSet, collars: dict[str, Any], data: st.DataObject
) -> None:
    inputs = drawn.with_classes(drawn.classes_with_events())
    found = Fast().collar_distances(inputs, **collars)
    shuffled = inputs.with_clips(data.draw(st.permutations(list(inputs.clips))))
    shuffled = replace(
        shuffled,
        events={c: data.draw(st.permutations(its)) for c, its in shuffled.events.items()},
    )
    again = Fast().collar_distances(shuffled, **collars)
    stats = Fast().collar_statistics(inputs, **collars)
    for event_class, its in found.items():
        for name in NAMES:
            np.testing.assert_array_equal(getattr(again[event_class], name), getattr(its, name))
        for threshold in (*its.thresholds, *stats[event_class].thresholds, -np.inf):
            assert its.at(threshold).n_matched == stats[event_class].at(threshold).tps
