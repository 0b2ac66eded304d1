"""The fast functions equal their twins: counts exactly, the PSDS to the last digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import EvaluationSet, evaluation_sets, intersection_criteria, psds_settings

import soundeval as se
from soundeval import reference

# Sets are drawn without regard for what is plausible, such as events that begin within the audio.
pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")

ULPS = 4

some_sets = evaluation_sets(min_clips=1, some_events=True, zero_length=True)


def assert_same_statistics(actual, expected) -> None:
    """Compare every count at every threshold, exactly."""
    assert list(actual) == list(expected)
    for name, its in expected.items():
        np.testing.assert_array_equal(actual[name].thresholds, its.thresholds, f"thresholds {name}")
        np.testing.assert_array_equal(actual[name].tps, its.tps, f"tps of {name}")
        np.testing.assert_array_equal(actual[name].fps, its.fps, f"fps of {name}")
        assert set(actual[name].cts) == set(its.cts)
        for other, cts in its.cts.items():
            np.testing.assert_array_equal(actual[name].cts[other], cts, f"cts of {name}: {other}")
        assert actual[name].n_ref == its.n_ref
        assert actual[name].t_ref == its.t_ref


def assert_close(actual, expected) -> None:
    np.testing.assert_array_max_ulp(np.float64(actual), np.float64(expected), maxulp=ULPS)


@given(data=st.data(), evaluation_set=some_sets)
def test_statistics_equal_the_twin(data: st.DataObject, evaluation_set: EvaluationSet) -> None:
    criterion = data.draw(intersection_criteria())
    actual = se.statistics(
        evaluation_set.clips,
        evaluation_set.events,
        se.Intersection(**criterion),
        timestamps=evaluation_set.timestamps,
        event_classes=evaluation_set.classes,
        missing_classes="exclude",
        zero_length="keep",
    )
    # Classes without events are left out of everything, as if their columns were not there.
    there = evaluation_set.classes_with_events()
    kept = evaluation_set.with_classes(there)
    expected = reference.statistics(
        kept.clips,
        kept.events,
        event_classes=kept.classes,
        timestamps=kept.timestamps,
        **criterion,
    )
    assert_same_statistics(actual, expected)
    assert set(actual.excluded_classes) == set(evaluation_set.classes) - set(there)


@given(data=st.data(), evaluation_set=some_sets)
def test_look_up_equals_counting(data: st.DataObject, evaluation_set: EvaluationSet) -> None:
    """Counts looked up at any decision threshold are those of the events detected there."""
    kept = evaluation_set.with_classes(evaluation_set.classes_with_events())
    criterion = data.draw(intersection_criteria())
    in_use = {float(score) for scores in kept.clips.values() for score in scores.flat}
    threshold = data.draw(st.sampled_from(sorted(in_use)) | st.floats(allow_nan=False))
    name = data.draw(st.sampled_from(kept.classes))
    tps = fps = 0
    for clip, scores in kept.clips.items():
        targets = {
            label: sorted((on, off) for on, off, its in kept.events[clip] if its == label)
            for label in kept.classes
        }
        counts = reference.intersection.count(
            reference.detections(
                [float(score) for score in scores[:, kept.classes.index(name)]],
                [float(edge) for edge in kept.timestamps[clip]],
                threshold,
            ),
            targets.pop(name),
            targets,
            **criterion,
        )
        tps += counts.tps
        fps += counts.fps

    statistics = se.statistics(
        kept.clips,
        kept.events,
        se.Intersection(**criterion),
        timestamps=kept.timestamps,
        event_classes=kept.classes,
        zero_length="keep",
    )
    found = statistics[name].at(threshold)
    assert (found.tps, found.fps) == (tps, fps)


@given(data=st.data(), evaluation_set=some_sets)
def test_psds_equals_the_twin(data: st.DataObject, evaluation_set: EvaluationSet) -> None:
    kept = evaluation_set.with_classes(evaluation_set.classes_with_events())
    # With a single class there is nothing to be triggered across.
    cross_triggers = len(kept.classes) > 1 and data.draw(st.booleans())
    criterion = data.draw(intersection_criteria(cross_triggers=cross_triggers))
    settings = data.draw(psds_settings(cross_triggers=cross_triggers))
    where = {"event_classes": kept.classes, "timestamps": kept.timestamps}
    actual = se.psds(
        kept.clips,
        kept.events,
        kept.durations,
        **criterion,
        **settings,
        **where,
        zero_length="keep",
    )
    expected = reference.psds(
        kept.clips, kept.events, kept.durations, **criterion, **settings, **where
    )
    assert_close(actual.value, expected.value)
    assert list(actual.per_class) == kept.classes
    for name, roc in expected.curve.per_class.items():
        assert_close(actual.per_class[name], expected.per_class[name])
        np.testing.assert_array_equal(actual.curve.per_class[name].tpr, roc.tpr)
        assert_close(actual.curve.per_class[name].efpr, roc.efpr)
        np.testing.assert_array_equal(actual.curve.per_class[name].thresholds, roc.thresholds)
    assert_close(actual.curve.efpr, expected.curve.efpr)
    assert_close(actual.curve.etpr, expected.curve.etpr)
    assert actual.n_clips == len(kept.clips)


@given(data=st.data(), evaluation_set=evaluation_sets(some_events=True, min_clips=1))
def test_any_split_merges_to_the_whole(data: st.DataObject, evaluation_set: EvaluationSet) -> None:
    """Clips in any order, dealt to any number of accumulators, merged in any order."""
    kept = evaluation_set.with_classes(evaluation_set.classes_with_events())
    criterion = se.Intersection(**data.draw(intersection_criteria()))
    whole = se.statistics(
        kept.clips,
        kept.events,
        criterion,
        timestamps=kept.timestamps,
        event_classes=kept.classes,
    )
    parts = [se.Accumulator(criterion, kept.classes) for _ in range(data.draw(st.integers(1, 3)))]
    for clip in data.draw(st.permutations(list(kept.clips))):
        part = data.draw(st.sampled_from(parts))
        part.update(clip, kept.clips[clip], kept.timestamps[clip], kept.events[clip])
    merged, *others = data.draw(st.permutations(parts))
    for other in others:
        if data.draw(st.booleans()):
            other = se.Accumulator.from_bytes(other.to_bytes())
        merged.merge(other)

    assert len(merged) == len(kept.clips)
    assert set(merged.clip_ids) == set(kept.clips)
    assert_same_statistics(merged.statistics(), whole)
    alpha_ct = 0.0 if criterion.cttc_threshold is None else 0.5
    one = merged.statistics().psds(kept.durations, alpha_ct=alpha_ct, alpha_st=1.0)
    other = whole.psds(kept.durations, alpha_ct=alpha_ct, alpha_st=1.0)
    assert one.value == other.value
    assert one.per_class == other.per_class
