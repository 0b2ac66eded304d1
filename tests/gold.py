"""Right values from elsewhere: where they lie, how they are written, how they are compared.

Two sets were written by sed_scores_eval 0.0.4 (see ``golden/sed_scores_eval/README.md``):

* synthetic cases, in ``golden/sed_scores_eval``, always there;
* real data of DCASE 2023 Task 4a, which is other people's and stays outside the repository. It is
  looked for in the directory ``SOUNDEVAL_SHARED``, else in ``../shared`` beside the repository.

Comparisons take results of any implementation (see ``implementations.py``).
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
CASES = sorted((REPOSITORY / "tests" / "golden" / "sed_scores_eval").glob("case_*.json"))

CRITERIA = {
    "inter.d5_g5_c3": {"dtc_threshold": 0.5, "gtc_threshold": 0.5, "cttc_threshold": 0.3},
    "inter.d7_g7": {"dtc_threshold": 0.7, "gtc_threshold": 0.7, "cttc_threshold": None},
    "inter.d1_g1_c3": {"dtc_threshold": 0.1, "gtc_threshold": 0.1, "cttc_threshold": 0.3},
}
"""Parameters of the intersection criterion behind the names of the synthetic results."""

DCASE_CRITERIA = {
    "s1": {"dtc_threshold": 0.7, "gtc_threshold": 0.7, "cttc_threshold": None},
    "s2": {"dtc_threshold": 0.1, "gtc_threshold": 0.1, "cttc_threshold": 0.3},
    "d5": {"dtc_threshold": 0.5, "gtc_threshold": 0.5, "cttc_threshold": 0.5},
}
"""The same for the real data: both scenarios of DCASE 2021 to 2024, and 0.5 throughout."""

DCASE_SETTINGS = {
    "psds.s1_st1": {"alpha_st": 1.0},
    "psds.s1_st0": {},
    "psds.s1_st1_3": {"alpha_st": 1 / 3},
    "psds.s1_st1_nonoracle": {"alpha_st": 1.0, "oracle": False},
    "psds.s1_st1_minute_max2": {"alpha_st": 1.0, "unit_of_time": "minute", "max_efpr": 2.0},
    "psds.s1_st0_max1000": {"max_efpr": 1000.0},
    "psds.s1_st0_second": {"unit_of_time": "second", "max_efpr": 0.05},
    "psds.s2_st1": {"alpha_ct": 0.5, "alpha_st": 1.0},
    "psds.s2_st0": {"alpha_ct": 0.5},
    "psds.s2_st1_nonoracle": {"alpha_ct": 0.5, "alpha_st": 1.0, "oracle": False},
}
"""Further parameters behind the names of the PSDS of the real data."""

SUMS_OF_TIMES = 1e-12
"""Relative tolerance where sums of event lengths enter: sed_scores_eval adds them in the order of
its input, soundeval rounds the exact sum."""


@dataclass(frozen=True)
class Inputs:
    """What goes into an evaluation."""

    scores: dict[str, np.ndarray]
    timestamps: dict[str, list[float]]
    ground_truth: dict[str, list[tuple[float, float, str]]]
    audio_durations: dict[str, float]
    event_classes: list[str]


@dataclass(frozen=True)
class Gold:
    """Inputs and the results another package gave for them."""

    name: str
    inputs: Inputs
    results: dict[str, Any]


def shared(relative: str) -> Path:
    """Return a path in the shared data, or skip the test (or fail, where they must be there)."""
    root = os.environ.get("SOUNDEVAL_SHARED")
    path = (Path(root) if root else REPOSITORY.parent / "shared") / relative
    if not path.exists():
        reason = f"no shared data {relative!r}: set SOUNDEVAL_SHARED to the directory that holds it"
        if os.environ.get("SOUNDEVAL_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def decoded(value: Any) -> Any:
    """Make floats of the strings that stand for numbers JSON cannot write."""
    if isinstance(value, dict):
        return {key: decoded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decoded(item) for item in value]
    return float(value) if value in ("inf", "-inf", "nan") else value


def read_case(path: Path) -> Gold:
    """Read one synthetic case."""
    case = decoded(json.loads(path.read_text()))
    return Gold(
        name=path.stem,
        inputs=Inputs(
            scores={clip: np.array(its["scores"]) for clip, its in case["inputs"].items()},
            timestamps={clip: its["timestamps"] for clip, its in case["inputs"].items()},
            ground_truth=as_events(case["ground_truth"]),
            audio_durations=case["audio_durations"],
            event_classes=case["classes"],
        ),
        results=case["outputs"],
    )


def read_dcase2023() -> Gold:
    """Read the 20 real clips; results are the ``psds.*`` and the ``istats.*`` entries."""
    data = shared("data/dcase2023_task4a/baseline2_run1_scores")
    gold = decoded(json.loads(shared("gold/sed_scores_eval/dcase2023_20clips.json").read_text()))
    scores, timestamps = {}, {}
    for clip in gold["inputs"]["clips"]:
        header, *rows = (data / f"{clip}.tsv").read_text().splitlines()
        assert header.split("\t")[2:] == gold["inputs"]["classes"]
        table = [[float(field) for field in row.split("\t")] for row in rows]
        scores[clip] = np.array(table)[:, 2:]
        timestamps[clip] = [row[0] for row in table] + [table[-1][1]]

    results = {name: its["return"] for name, its in gold["results"].items() if "return" in its}
    with np.load(shared("gold/sed_scores_eval/dcase2023_20clips_curves.npz")) as arrays:
        for name in ("istats.s1", "istats.s2", "istats.d5"):
            results[name] = {
                label: [
                    arrays[f"{name}|{label}|scores"],
                    {
                        "tps": arrays[f"{name}|{label}|tps"],
                        "fps": arrays[f"{name}|{label}|fps"],
                        "cts": {
                            key.rsplit("|", 1)[1]: arrays[key]
                            for key in arrays
                            if key.startswith(f"{name}|{label}|cts|")
                        },
                        "n_ref": scalars["n_ref"],
                        "t_ref": scalars["t_ref"],
                    },
                ]
                for label, scalars in gold["results"][name]["scalars"].items()
            }
    return Gold(
        name="dcase2023",
        inputs=Inputs(
            scores=scores,
            timestamps=timestamps,
            ground_truth=as_events(gold["inputs"]["ground_truth"]),
            audio_durations=gold["inputs"]["audio_durations"],
            event_classes=gold["inputs"]["classes"],
        ),
        results=results,
    )


def as_events(
    ground_truth: dict[str, list[list[Any]]],
) -> dict[str, list[tuple[float, float, str]]]:
    """Make tuples of the events."""
    return {clip: [tuple(event) for event in events] for clip, events in ground_truth.items()}


def assert_statistics_match(actual: Mapping[str, Any], expected: dict[str, Any]) -> None:
    """Compare counts at every point of the expected curve, by looking them up.

    A curve may have more points than another and say the same: sed_scores_eval keeps some at which
    nothing changes.
    """
    assert list(actual) == list(expected)
    for name, (scores, counts) in expected.items():
        its = actual[name]
        assert its.n_ref == counts["n_ref"]
        assert its.t_ref == pytest.approx(counts["t_ref"], rel=SUMS_OF_TIMES)
        if len(counts["tps"]) == 0:
            # No frame above -inf: the other package has a score and no counts for it.
            assert list(its.thresholds) == [math.inf]
            assert (list(its.tps), list(its.fps)) == ([0], [0])
            continue

        assert set(its.thresholds) <= set(scores), f"{name}: a threshold that nothing changes at"
        # Just below a score the counts are those of the first threshold not smaller than it.
        points = np.searchsorted(its.thresholds, scores, side="left")
        np.testing.assert_array_equal(np.asarray(its.tps)[points], counts["tps"], f"{name}: tps")
        np.testing.assert_array_equal(np.asarray(its.fps)[points], counts["fps"], f"{name}: fps")
        # Cross triggers are one array of zeros, or left out, where not asked for.
        if isinstance(counts["cts"], dict) and counts["cts"]:
            assert list(its.cts) == list(counts["cts"])
            for other, cts in counts["cts"].items():
                np.testing.assert_array_equal(
                    np.asarray(its.cts[other])[points], cts, f"{name}: cross triggers for {other}"
                )


def assert_psds_match(actual: Any, expected: dict[str, Any]) -> None:
    """Compare the score, the scores of the classes, and all curves with their thresholds."""
    assert actual.value == pytest.approx(expected["psds"], rel=SUMS_OF_TIMES)
    assert actual.per_class == pytest.approx(expected["single_class_psds"], rel=SUMS_OF_TIMES)
    curve = expected.get("psd_roc", expected)
    np.testing.assert_allclose(actual.curve.efpr, curve["efpr"], rtol=SUMS_OF_TIMES)
    np.testing.assert_allclose(actual.curve.etpr, curve["etpr"], rtol=SUMS_OF_TIMES, atol=1e-15)
    for name, its in expected.get("single_class_psd_rocs", {}).items():
        tpr, efpr, thresholds = its.values() if isinstance(its, dict) else its
        roc = actual.curve.per_class[name]
        np.testing.assert_array_equal(roc.tpr, tpr)
        np.testing.assert_allclose(roc.efpr, efpr, rtol=SUMS_OF_TIMES)
        np.testing.assert_array_equal(roc.thresholds, thresholds)
