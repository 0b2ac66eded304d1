"""Median filters over seconds are those of sed_scores_eval, scores and frames alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gold
import numpy as np
import pytest

import soundeval as se


def filtered(inputs: gold.Inputs, length: Any) -> se.Scores:
    return se.median_filter(
        inputs.scores, length, timestamps=inputs.timestamps, event_classes=inputs.event_classes
    )


@pytest.mark.parametrize("path", gold.CASES, ids=lambda path: path.stem)
@pytest.mark.parametrize("length", ["0.3", "1"])
def test_filtered_scores_of_synthetic_cases_are_equal(path: Path, length: str) -> None:
    case = gold.read_case(path)
    expected = case.results[f"medfilt.{length}"]
    actual = filtered(case.inputs, float(length))
    assert list(actual) == list(expected)
    for clip, its in expected.items():
        assert actual[clip].timestamps.tolist() == its["timestamps"], clip
        assert actual[clip].scores.tolist() == its["scores"], clip


@pytest.mark.parametrize("name", ["L0.064", "L0.2", "L0.48", "L1.0", "L2.0", "classwise"])
def test_filtered_scores_of_real_data_are_equal(name: str) -> None:
    inputs = gold.read_dcase2023().inputs
    with np.load(gold.shared("gold/sed_scores_eval/dcase2023_20clips_curves.npz")) as curves:
        length: Any = float(name.removeprefix("L")) if name != "classwise" else None
        if length is None:
            length = {c: 0.064 * (1 + i) for i, c in enumerate(inputs.event_classes)}
        keys = [key for key in curves.files if key.startswith(f"medfilt.{name}|")]
        assert keys, "no such filter"
        actual = filtered(inputs, length)
        for key in keys:
            _, clip, field = key.split("|")
            assert (getattr(actual[clip], field) == curves[key]).all(), key
