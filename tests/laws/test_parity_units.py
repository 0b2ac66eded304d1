"""Accuracy and the error rate over all classes are those of the twin, for any scores."""

from typing import Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import soundeval as se
from soundeval import reference

THRESHOLDS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]) | st.floats(allow_nan=False)


# Durations are drawn without regard to events, so some begin after the end.
@pytest.mark.filterwarnings("ignore::soundeval.InputWarning")
@given(
    strategies.evaluation_sets(min_clips=1, some_events=True, zero_length=True),
    strategies.segment_criteria() | st.none(),
    THRESHOLDS,
    st.booleans(),
)
def test_errors_over_all_classes_are_those_of_the_twin(
    inputs: Any, segment: Any, threshold: float, with_durations: bool
) -> None:
    classes = inputs.classes_with_events()
    inputs = inputs.with_classes(classes)
    durations = inputs.durations if with_durations and segment is not None else None
    criterion = se.Clip() if segment is None else se.Segment(**segment)
    try:
        stats = se.statistics(
            inputs.clips,
            inputs.events,
            criterion,
            audio_durations=durations,
            timestamps=inputs.timestamps,
            event_classes=classes,
            zero_length="keep",
        )
    except se.InputError:
        # All events of a class lie behind the last segment, or on a boundary without length.
        return
    rate = stats.overall_error_rate(threshold)
    expected = reference.overall_errors(
        inputs.clips,
        inputs.events,
        threshold,
        durations,
        segment_length=None if segment is None else criterion.segment_length,
        time_decimals=6 if segment is None else criterion.time_decimals,
        event_classes=classes,
        timestamps=inputs.timestamps,
    )
    assert (rate.substitutions, rate.deletions, rate.insertions, rate.n_ref) == (
        expected.substitutions,
        expected.deletions,
        expected.insertions,
        expected.n_ref,
    )
    twin = {name: stats[name] for name in classes}
    fast = stats.accuracy(threshold, factor=0.25)
    slow = reference.accuracy(twin, threshold, factor=0.25)
    for one, other in [
        (fast.macro, slow.macro),
        (fast.micro, slow.micro),
        *((fast.per_class[name], slow.per_class[name]) for name in classes),
    ]:
        for number in ("accuracy", "balanced_accuracy", "sensitivity", "specificity"):
            a, b = getattr(one, number), getattr(other, number)
            # Means over classes are summed in another order.
            assert a == pytest.approx(b, rel=1e-15, nan_ok=True)
