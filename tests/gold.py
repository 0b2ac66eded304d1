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

COLLARS = {
    "collar.c0.2_r0.2": {"onset_collar": 0.2, "offset_collar": 0.2, "offset_collar_rate": 0.2},
    "collar.c0.1_r0": {"onset_collar": 0.1, "offset_collar": 0.1, "offset_collar_rate": 0.0},
    "collar.on0.5_off0.3_r1": {
        "onset_collar": 0.5,
        "offset_collar": 0.3,
        "offset_collar_rate": 1.0,
    },
}
"""Parameters of the collar criterion behind the names of the synthetic results."""

DCASE_COLLARS = {
    "c0.2": {"onset_collar": 0.2, "offset_collar": 0.2, "offset_collar_rate": 0.2},
    "c0.5_r0": {"onset_collar": 0.5, "offset_collar": 0.5, "offset_collar_rate": 0.0},
    "c2_r0.5": {"onset_collar": 2.0, "offset_collar": 2.0, "offset_collar_rate": 0.5},
}
"""The same for the real data."""

DCASE_SHARES = {
    f"d{share}": {"dtc_threshold": share, "gtc_threshold": share} for share in (0.1, 0.5, 0.7)
}
"""Intersections of the real data behind F-scores and error rates: without cross triggers."""

SEGMENT_LENGTHS = {"segment.L1": 1.0, "segment.L0.25": 0.25}
DCASE_SEGMENT_LENGTHS = {"L1.0": 1.0, "L0.2": 0.2}

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

RATIOS = 1e-12
"""Tolerance of numbers made of counts: the same fraction may be worked out in another order."""


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
    """Read the 20 real clips and all results: numbers, and curves as ``name -> class -> field``.

    Counts (``istats``, ``cstats``, ``sstats``, ``clstats``) are put as in the synthetic cases.
    """
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
    results |= {name: its for name, its in gold["results"].items() if "raises" in its}
    with np.load(shared("gold/sed_scores_eval/dcase2023_20clips_curves.npz")) as arrays:
        for key in arrays:
            name, label, *fields = key.split("|")
            if name.startswith("medfilt"):
                continue
            its: dict[str, Any] = results.setdefault(name, {}).setdefault(label, {})
            for field in fields[:-1]:
                its = its.setdefault(field, {})
            its[fields[-1]] = arrays[key]
    for name, its in gold["results"].items():
        if isinstance(its, dict) and "scalars" in its:
            results[name] = {
                label: [results[name][label].pop("scores"), results[name][label] | scalars]
                for label, scalars in its["scalars"].items()
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
        if "t_ref" in counts:
            assert its.t_ref == pytest.approx(counts["t_ref"], rel=SUMS_OF_TIMES)
        if len(counts["tps"]) == 0:
            # No frame above -inf: the other package has a score and no counts for it.
            assert list(its.thresholds) == [math.inf]
            assert (list(its.tps), list(its.fps)) == ([0], [0])
            continue

        assert set(its.thresholds) <= set(scores), f"{name}: a threshold that nothing changes at"
        points = points_of(its.thresholds, scores)
        for field in ("tps", "fps", "tns"):
            if field in counts:
                found = np.asarray(getattr(its, field))[points]
                np.testing.assert_array_equal(found, counts[field], f"{name}: {field}")
        if "tns" in counts:
            assert its.n_negatives == counts["tns"][-1]
        # Cross triggers are one array of zeros, or left out, where not asked for.
        if isinstance(counts.get("cts"), dict) and counts["cts"]:
            assert list(its.cts) == list(counts["cts"])
            for other, cts in counts["cts"].items():
                np.testing.assert_array_equal(
                    np.asarray(its.cts[other])[points], cts, f"{name}: cross triggers for {other}"
                )


def points_of(thresholds: Any, scores: Any) -> np.ndarray:
    """Return at which of the thresholds, ascending, stands what holds just below a score."""
    # These are the counts of the first threshold not smaller than the score.
    return np.searchsorted(thresholds, scores, side="left")


def assert_curves_match(
    actual: Mapping[str, Any], expected: dict[str, dict[str, Any]], fields: tuple[str, str]
) -> None:
    """Compare curves at every point of the expected ones; both are sorted by these fields."""
    assert list(actual) == list(expected)
    for name, its in expected.items():
        columns = [np.asarray(getattr(actual[name], field)) for field in fields]
        assert list(zip(*columns, strict=True)) == sorted(zip(*columns, strict=True))
        thresholds = np.asarray(actual[name].thresholds)
        if len(its["scores"]) == 0:
            # No frame above -inf: the other package has no point at all.
            assert list(thresholds) == [math.inf]
            continue
        ascending = np.argsort(thresholds, kind="stable")
        points = ascending[points_of(thresholds[ascending], its["scores"])]
        for field, column in zip(fields, columns, strict=True):
            np.testing.assert_allclose(
                column[points], its[field], rtol=RATIOS, err_msg=f"{name}: {field}"
            )


def assert_values_match(actual: Any, expected: dict[str, float]) -> None:
    """Compare one number per class, and their mean."""
    per_class = {name: value for name, value in expected.items() if name != "mean"}
    assert list(actual.per_class) == list(per_class)
    assert actual.per_class == pytest.approx(per_class, rel=RATIOS, nan_ok=True)
    if "mean" in expected:
        assert actual.value == pytest.approx(expected["mean"], rel=RATIOS, nan_ok=True)


F_SCORES = ("f_score", "precision", "recall")
ERROR_RATES = ("error_rate", "insertion_rate", "deletion_rate")


def assert_rates_match(actual: Any, expected: list[Any], fields: tuple[str, ...]) -> None:
    """Compare F-scores or error rates of the classes and their averages, and counts if there."""
    for field, its in zip(fields, expected, strict=False):
        found = {name: getattr(one, field) for name, one in actual.per_class.items()}
        found["macro_average"] = getattr(actual.macro, field)
        if "micro_average" in its:
            found["micro_average"] = getattr(actual.micro, field)
        assert list(found) == list(its)
        assert found == pytest.approx(its, rel=RATIOS), field
    further = expected[len(fields) :]
    if further and isinstance(further[-1][next(iter(actual.per_class))], dict):
        for name, counts in further[-1].items():
            its = actual.per_class[name]
            found = (its.tps, its.fps, its.n_ref)
            assert found == (counts["tps"], counts["fps"], counts["n_ref"])


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
