"""Detections at a threshold are the event lists of sed_scores_eval."""

from pathlib import Path

import gold
import pytest

import soundeval as se


@pytest.mark.parametrize("path", gold.CASES, ids=lambda path: path.stem)
def test_detections_are_equal(path: Path) -> None:
    case = gold.read_case(path)
    (name,) = (key for key in case.results if key.startswith("events.t"))
    inputs = case.inputs
    detected = se.detect(
        inputs.scores,
        float(name.removeprefix("events.t")),
        timestamps=inputs.timestamps,
        event_classes=inputs.event_classes,
    )
    expected = case.results[name]
    assert {
        clip: [list(event) for event in events] for clip, events in detected.items()
    } == expected
