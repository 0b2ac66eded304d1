"""Detecting and then evaluating is evaluating at the threshold; and detections are the twin's."""

import dataclasses
from itertools import pairwise
from typing import Any

import numpy as np
import strategies
from hypothesis import given
from hypothesis import strategies as st

import soundeval as se
from soundeval import reference

THRESHOLDS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]) | st.floats(allow_nan=False)


def detected(inputs: Any, threshold: float, **arguments: Any) -> dict[str, Any]:
    return se.detect(
        inputs.clips,
        threshold,
        timestamps=inputs.timestamps,
        event_classes=inputs.classes,
        **arguments,
    )


@given(strategies.evaluation_sets(min_clips=1), THRESHOLDS)
def test_detections_are_those_of_the_twin(inputs: Any, threshold: float) -> None:
    expected = {
        clip: sorted(
            (onset, offset, name)
            for column, name in enumerate(inputs.classes)
            for onset, offset in reference.detections(
                [float(score) for score in scores[:, column]],
                [float(edge) for edge in inputs.timestamps[clip]],
                threshold,
            )
        )
        for clip, scores in inputs.clips.items()
    }
    assert detected(inputs, threshold) == expected


@given(
    strategies.evaluation_sets(min_clips=1, some_events=True),
    THRESHOLDS,
    st.sampled_from([se.Collar(), se.Collar(0.5, None), se.Segment(), se.Clip()])
    | strategies.intersection_criteria().map(lambda parameters: se.Intersection(**parameters)),
)
def test_detecting_then_counting_is_counting_at_the_threshold(
    inputs: Any, threshold: float, criterion: Any
) -> None:
    inputs = inputs.with_classes(inputs.classes_with_events())
    stats = se.statistics(
        inputs.clips,
        inputs.events,
        criterion,
        timestamps=inputs.timestamps,
        event_classes=inputs.classes,
    )
    counted = se.detection_statistics(
        detected(inputs, threshold), inputs.events, criterion, event_classes=inputs.classes
    )
    for name in inputs.classes:
        at, listed = stats[name].at(threshold), counted[name].at(0.5)
        if isinstance(criterion, se.Segment):
            # Without durations a clip ends with its frames, of which a list knows those detected.
            at = dataclasses.replace(at, tns=None)
            listed = dataclasses.replace(listed, tns=None)
        assert at == listed


@given(strategies.evaluation_sets(min_clips=1, zero_length=True), st.sampled_from([0.0, 0.1, 1.0]))
def test_filling_gaps_twice_changes_nothing_more(inputs: Any, limit: float) -> None:
    once = se.fill_gaps(inputs.events, limit)
    assert se.fill_gaps(once, limit) == once
    assert se.drop_short(once, 0.0) == once
    for clip, events in once.items():
        for name in inputs.classes:
            own = [event for event in events if event[2] == name]
            gaps = [after[0] - before[1] for before, after in pairwise(own)]
            assert all(np.round(gap, 6) > limit for gap in gaps)
            # Every event still lies in one.
            assert all(
                any(begin <= onset and offset <= end for begin, end, _ in own)
                for onset, offset, label in inputs.events[clip]
                if label == name
            )
