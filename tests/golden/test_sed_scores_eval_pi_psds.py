"""PSDS with the best median filter at each point is that of sed_scores_eval, and so are its curves.

Where a class is -inf alone sed_scores_eval raises; here it is never detected.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gold
import numpy as np
import pytest

import soundeval as se

SCENARIO_1 = {"dtc_threshold": 0.7, "gtc_threshold": 0.7}
SCENARIO_2 = {"dtc_threshold": 0.1, "gtc_threshold": 0.1, "cttc_threshold": 0.3, "alpha_ct": 0.5}
SETTINGS: dict[str, dict[str, Any]] = {
    "pipsds.s1_st1": {**SCENARIO_1, "alpha_st": 1.0},
    "pipsds.s1_st0": SCENARIO_1,
    "pipsds.s2_st1": {**SCENARIO_2, "alpha_st": 1.0},
}
REAL_LENGTHS = [0.0, 0.064, 0.2, 0.48, 1.0, 2.0]


def pi_psds(inputs: gold.Inputs, **settings: Any) -> se.VariantPSDSResult:
    return se.pi_psds(
        inputs.scores,
        inputs.ground_truth,
        inputs.audio_durations,
        timestamps=inputs.timestamps,
        event_classes=inputs.event_classes,
        zero_length="keep",
        **settings,
    )


def assert_matches(actual: Any, value: float, per_class: Any, curve: Any, rocs: Any) -> None:
    expected = {
        "psds": value,
        "single_class_psds": per_class,
        "psd_roc": curve,
        "single_class_psd_rocs": {name: roc[:3] for name, roc in rocs.items()},
    }
    gold.assert_psds_match(actual, expected)
    for name, (*_, variants) in rocs.items():
        assert actual.curve.per_class[name].variants.tolist() == variants, name


@pytest.mark.parametrize("name", SETTINGS)
def test_real_data_are_equal_point_by_point_and_filter_by_filter(name: str) -> None:
    real = gold.read_dcase2023()
    expected = (
        real.results[name]["return"] if "return" in real.results[name] else real.results[name]
    )
    actual = pi_psds(real.inputs, filter_lengths=REAL_LENGTHS, **SETTINGS[name])
    assert_matches(
        actual,
        expected["pipsds"],
        expected["single_class_pipsds"],
        expected["pi_psd_roc"],
        {
            clip: [roc["tpr"], roc["efpr"], roc["scores"], roc["filter_idx"]]
            for clip, roc in expected["single_class_pi_psd_rocs"].items()
        },
    )
    alone = [result.value for result in actual.per_variant.values()]
    assert alone == pytest.approx(expected["psds_per_filter_from_psd_rocs"], rel=1e-12)
    for result, per_class in zip(
        actual.per_variant.values(), expected["single_class_psds_per_filter"], strict=True
    ):
        assert result.per_class == pytest.approx(per_class, rel=1e-12)


def test_lengths_by_class_are_filters_too() -> None:
    real = gold.read_dcase2023()
    expected = real.results["psds.medfilt_classwise.s1_st1"]
    expected = expected.get("return", expected)
    lengths = {name: 0.064 * (1 + i) for i, name in enumerate(real.inputs.event_classes)}
    actual = pi_psds(real.inputs, filter_lengths=[lengths], alpha_st=1.0, **SCENARIO_1)
    assert actual.per_class == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("path", gold.CASES, ids=lambda path: path.stem)
def test_synthetic_cases_are_equal(path: Path) -> None:
    case = gold.read_case(path)
    expected = case.results["pipsds.[0,.3,1].d5_g5.alpha_st1(max_efpr=2000/hour)"]
    actual = pi_psds(
        case.inputs,
        filter_lengths=[0.0, 0.3, 1.0],
        dtc_threshold=0.5,
        gtc_threshold=0.5,
        alpha_st=1.0,
        max_efpr=2000.0,
    )
    if "raises" in expected:
        assert min(actual.per_class.values()) == 0.0
        return
    value, per_class, (etpr, efpr), rocs = expected
    assert_matches(actual, value, per_class, {"etpr": np.array(etpr), "efpr": efpr}, rocs)
