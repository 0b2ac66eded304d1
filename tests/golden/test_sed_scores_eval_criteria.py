"""Collars, segments, clips, and all curves and numbers are those of sed_scores_eval.

Differences, and where each is tested on both sides:

======================= ============================== ================================= ==========
what                    sed_scores_eval                soundeval                         test
======================= ============================== ================================= ==========
segment without frames  has score 0.0                  is never detected                 NO_SCORE
unit of -inf            has a point at -inf            is never detected                 NO_SCORE
best threshold of the   -inf                           the next number below the lowest  LOWEST
lowest score                                           score
best threshold next to  halfway to a score at which    halfway to the next score at      BETWEEN
                        nothing changes, if it keeps   which something changes
                        that
partial AUROC           raises without negatives, and  NaN without negatives, the AUROC  RAISES
                        where max_fpr reaches 1        at max_fpr=1
class of -inf alone     raises                         never detected: F 0, ER 1         RAISES
limits of error rates   turned round, or raises        mean what they say                LIMITS
error rate with         raises                         as with any criterion             RAISES
intersections
======================= ============================== ================================= ==========

AUROC of sed_scores_eval under numpy < 2.3 is wrong in ways of its own; the values here are those of
numpy 2.4.6, which are right.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import gold
import numpy as np
import pytest

PREFIXES = ("collar.", "segment.", "clip.", "inter.")

cases = pytest.mark.parametrize("path", gold.CASES, ids=lambda path: path.stem)


def with_scores_for_all(inputs: gold.Inputs, segment_length: float | None = None) -> gold.Inputs:
    """Change the input so that no unit is without a score, as sed_scores_eval takes it (NO_SCORE).

    Scores of -inf become ``lowest``, lower than all others: what stands at -inf there is found at
    ``lowest`` here. Segments that no frame meets get a frame of 0.0, between which and the others
    a frame of ``lowest`` fills up the last segment that has a score anyway.
    """
    lowest = lowest_score(inputs)
    scores, timestamps = {}, {}
    for clip, its in inputs.scores.items():
        rows, edges = list(np.where(np.isneginf(its), lowest, its)), list(inputs.timestamps[clip])
        if segment_length is not None:
            first = math.floor(edges[0] / segment_length) * segment_length
            last = math.ceil(edges[-1] / segment_length) * segment_length
            nothing = np.zeros(its.shape[1])
            if first < edges[0]:
                rows, edges = [nothing + lowest, *rows], [first, *edges]
            if first > 0.0:
                rows, edges = [nothing, *rows], [0.0, *edges]
            if last > edges[-1]:
                rows, edges = [*rows, nothing + lowest], [*edges, last]
            rows, edges = [*rows, nothing], [*edges, last + 100.0]
        scores[clip], timestamps[clip] = np.array(rows), edges
    return replace(inputs, scores=scores, timestamps=timestamps)


def lowest_score(inputs: gold.Inputs) -> float:
    """Return a number below all scores but -inf."""
    return min(float(its[np.isfinite(its)].min()) for its in inputs.scores.values()) - 1.0


def with_lowest(expected: Any, inputs: gold.Inputs) -> Any:
    """Put ``lowest`` for the scores of -inf in expected points (not in best thresholds)."""
    return np.where(np.isneginf(expected), lowest_score(inputs), expected)


def assert_best_thresholds_match(
    actual: Mapping[str, Any], statistics: Mapping[str, Any], expected: Mapping[str, float]
) -> None:
    """Compare reported thresholds: they may differ in where they lie between two scores."""
    for name, threshold in expected.items():
        its, found = statistics[name], actual[name].threshold
        point = np.searchsorted(its.thresholds, found, side="right")
        if threshold == math.inf:
            assert found == math.inf
        elif threshold == -math.inf:  # LOWEST
            assert found == np.nextafter(its.thresholds[0], -math.inf)
        elif found != threshold:  # BETWEEN
            assert np.searchsorted(its.thresholds, threshold, side="right") == point
            assert its.thresholds[point - 1] < threshold < its.thresholds[point]
        # Whatever it is, it has the counts that are reported for it.
        point = min(point, len(its.thresholds) - 1)
        assert (its.tps[point], its.fps[point]) == (actual[name].tps, actual[name].fps)


def assert_point_by_point(
    rates: Callable[[dict[str, float]], Any],
    expected: Mapping[str, Mapping[str, Any]],
    fields: tuple[str, ...],
) -> None:
    """Compare rates just below every score of expected curves."""
    # Without a frame above -inf the other package has no point at all.
    classes = list(expected)
    expected = {name: its for name, its in expected.items() if len(its["scores"])}
    for point in range(max(len(its["scores"]) for its in expected.values())):
        at = {name: min(point, len(its["scores"]) - 1) for name, its in expected.items()}
        below = dict.fromkeys(classes, math.inf)
        for name, position in at.items():
            below[name] = float(np.nextafter(expected[name]["scores"][position], -math.inf))
        found = rates(below)
        for name, position in at.items():
            for field, values in zip(fields, expected[name].values(), strict=False):
                value = getattr(found.per_class[name], field)
                assert value == pytest.approx(values[position], rel=gold.RATIOS), (name, field)


def compare(
    implementation: Any,
    statistics: Mapping[str, Any],
    call: str,
    settings: dict[str, Any],
    expected: Any,
) -> None:
    """Do what an entry stands for, and compare with what it says."""
    if call == "stats":
        gold.assert_statistics_match(statistics, expected)
    elif call == "f_score":
        result = implementation.f_score(statistics, **settings)
        gold.assert_rates_match(result, expected, gold.F_SCORES)
    elif call == "best_f_score":
        result = implementation.best_f_score(statistics, **settings)
        gold.assert_rates_match(result, expected, gold.F_SCORES)
        assert_best_thresholds_match(result.per_class, statistics, expected[3])
    elif call == "error_rate":
        result = implementation.error_rate(statistics, **settings)
        gold.assert_rates_match(result, expected, gold.ERROR_RATES)
    elif call == "best_error_rate":
        result = implementation.best_error_rate(statistics, **settings)
        gold.assert_rates_match(result, expected, gold.ERROR_RATES)
        assert_best_thresholds_match(result.per_class, statistics, expected[3])
    elif call == "average_precision":
        gold.assert_values_match(implementation.average_precision(statistics), expected)
    elif call == "auroc":
        gold.assert_values_match(implementation.auroc(statistics, **settings), expected)
    elif call == "precision_recall_curve":
        curves = implementation.precision_recall_curve(statistics)
        gold.assert_curves_match(curves, expected, ("recall", "precision"))
    elif call == "roc_curve":
        gold.assert_curves_match(implementation.roc_curve(statistics), expected, ("fpr", "tpr"))
    elif call == "f_score_curve":
        rates = functools.partial(implementation.f_score, statistics)
        assert_point_by_point(rates, expected, gold.F_SCORES)
    elif call == "error_rate_curve":
        rates = functools.partial(implementation.error_rate, statistics)
        assert_point_by_point(rates, expected, gold.ERROR_RATES)
    else:
        pytest.fail(f"no such call: {call}")


# Synthetic cases ----------------------------------------------------------------------------------

ENTRIES: dict[str, tuple[str, dict[str, Any]]] = {
    "stats": ("stats", {}),
    "stats.durations_none": ("stats", {}),
    "fscore.t0.5": ("f_score", {"threshold": 0.5}),
    "best_fscore": ("best_f_score", {}),
    "best_error_rate": ("best_error_rate", {}),
    "pr_curve(p,r,scores)": ("precision_recall_curve", {}),
    "fscore_curve(f,p,r,scores)": ("f_score_curve", {}),
    "average_precision": ("average_precision", {}),
    "auroc": ("auroc", {}),
    "auroc.max_fpr0.2": ("auroc", {"max_fpr": 0.2}),
    "roc_curve(tpr,fpr,scores)": ("roc_curve", {}),
}
"""What the names of the synthetic results end with."""

COLUMNS = {
    "pr_curve(p,r,scores)": ("precision", "recall", "scores"),
    "fscore_curve(f,p,r,scores)": ("f_score", "precision", "recall", "scores"),
    "roc_curve(tpr,fpr,scores)": ("tpr", "fpr", "scores"),
}


def test_every_result_of_the_synthetic_cases_is_compared() -> None:
    """With collars, segments and clips; test_sed_scores_eval.py has the rest of intersections."""
    criteria = [*gold.COLLARS, *gold.SEGMENT_LENGTHS, "clip"]
    known = {f"{criterion}.{entry}" for criterion in criteria for entry in ENTRIES}
    for path in gold.CASES:
        names = {name for name in gold.read_case(path).results if name.startswith(PREFIXES[:3])}
        assert names
        assert names <= known


def compare_case(
    implementation: Any, case: gold.Gold, criterion: str, statistics: Mapping[str, Any]
) -> int:
    """Compare all results of one criterion; return how many."""
    compared = 0
    for entry, (call, settings) in ENTRIES.items():
        expected = case.results.get(f"{criterion}.{entry}")
        if expected is None or entry == "stats.durations_none":
            continue
        compared += 1
        if "raises" in expected:
            compare_raising(implementation, case, criterion, call, settings, statistics)
            continue
        if entry in COLUMNS:
            expected = {
                name: dict(zip(COLUMNS[entry], columns, strict=True))
                for name, columns in expected.items()
            }
        if not criterion.startswith(("collar", "inter")):
            expected = with_points_moved(call, expected, case.inputs)
        compare(implementation, statistics, call, settings, expected)
    return compared


def with_points_moved(call: str, expected: Any, inputs: gold.Inputs) -> Any:
    """Look for what stands at -inf where the changed input has it (NO_SCORE)."""
    if call == "stats":
        return {
            name: [with_lowest(scores, inputs), counts]
            for name, (scores, counts) in expected.items()
        }
    if call.endswith("curve"):
        return {
            name: its | {"scores": with_lowest(its["scores"], inputs)}
            for name, its in expected.items()
        }
    return expected


def compare_raising(
    implementation: Any,
    case: gold.Gold,
    criterion: str,
    call: str,
    settings: dict[str, Any],
    statistics: Mapping[str, Any],
) -> None:
    """Check what soundeval says where the other package raises (RAISES)."""
    if case.name == "case_13":
        # All scores of class b are -inf: it is never detected.
        result = getattr(implementation, call)(statistics, **settings).per_class["b"]
        if call.endswith("f_score"):
            assert (result.f_score, result.precision, result.recall) == (0.0, 1.0, 0.0)
        else:
            assert (result.error_rate, result.insertion_rate) == (1.0, 0.0)
        if call.startswith("best"):
            assert result.threshold == math.inf
    else:
        # A class without negatives.
        assert (case.name, call) in {("case_16", "auroc"), ("case_27", "auroc")}
        result = implementation.auroc(statistics, **settings)
        assert math.isnan(result.value)
        for name, its in statistics.items():
            assert math.isnan(result.per_class[name]) == (its.n_negatives == 0)


@pytest.mark.parametrize("criterion", gold.COLLARS)
@cases
def test_collars_of_synthetic_cases(implementation, path: Path, criterion: str) -> None:
    case = gold.read_case(path)
    statistics = implementation.collar_statistics(case.inputs, **gold.COLLARS[criterion])
    assert compare_case(implementation, case, criterion, statistics) in {4, 6}


@pytest.mark.parametrize("criterion", gold.CRITERIA)
@cases
def test_intersections_of_synthetic_cases(implementation, path: Path, criterion: str) -> None:
    case = gold.read_case(path)
    statistics = implementation.statistics(case.inputs, **gold.CRITERIA[criterion])
    assert compare_case(implementation, case, criterion, statistics) == 3


@pytest.mark.parametrize("criterion", gold.SEGMENT_LENGTHS)
@cases
def test_segments_of_synthetic_cases(implementation, path: Path, criterion: str) -> None:
    case = gold.read_case(path)
    length = gold.SEGMENT_LENGTHS[criterion]
    inputs = with_scores_for_all(case.inputs, length)
    statistics = implementation.segment_statistics(inputs, segment_length=length)
    assert compare_case(implementation, case, criterion, statistics) in {5, 7}


@cases
def test_clips_of_synthetic_cases(implementation, path: Path) -> None:
    case = gold.read_case(path)
    statistics = implementation.clip_statistics(with_scores_for_all(case.inputs))
    assert compare_case(implementation, case, "clip", statistics) == 4


@cases
def test_segments_without_durations(implementation, path: Path) -> None:
    case = gold.read_case(path)
    statistics = implementation.segment_statistics(
        case.inputs, segment_length=1.0, with_durations=False
    )
    expected = case.results["segment.L1.stats.durations_none"]
    assert_same_but_for_units_without_score(statistics, expected)


@pytest.mark.parametrize("criterion", [*gold.SEGMENT_LENGTHS, "clip"])
@cases
def test_units_without_a_score_are_never_detected(implementation, path, criterion: str) -> None:
    """The other side of NO_SCORE: the input as it is."""
    case = gold.read_case(path)
    if criterion == "clip":
        statistics = implementation.clip_statistics(case.inputs)
    else:
        length = gold.SEGMENT_LENGTHS[criterion]
        statistics = implementation.segment_statistics(case.inputs, segment_length=length)
    assert_same_but_for_units_without_score(statistics, case.results[f"{criterion}.stats"])
    without = any(
        (its.tps[0], its.fps[0]) != (its.n_ref, its.n_negatives) for its in statistics.values()
    )
    assert without == ((path.stem, criterion) in UNITS_WITHOUT_SCORE)


UNITS_WITHOUT_SCORE = {
    ("case_13", "segment.L1"),
    ("case_13", "segment.L0.25"),
    ("case_13", "clip"),
    ("case_24", "segment.L0.25"),
    ("case_25", "segment.L1"),
    ("case_25", "segment.L0.25"),
    ("case_28", "segment.L1"),
    ("case_28", "segment.L0.25"),
}
"""Scores of -inf (13, 24); segments beyond the scores, or before them (25, 28)."""


def assert_same_but_for_units_without_score(
    statistics: Mapping[str, Any], expected: dict[str, Any]
) -> None:
    """Compare counts, from which units without score are taken where the other package has them.

    It has them at all scores up to 0.0 (segments without frames) or at -inf. No case has both.
    """
    assert list(statistics) == list(expected)
    for name, (scores, counts) in expected.items():
        its = statistics[name]
        assert (its.n_ref, its.n_negatives) == (counts["n_ref"], counts["tns"][-1])
        without = (its.n_ref - its.tps[0], its.n_negatives - its.fps[0])
        limit = -math.inf if -math.inf in scores else 0.0
        points = gold.points_of(its.thresholds, scores)
        there = np.asarray(scores) <= limit
        np.testing.assert_array_equal(
            np.asarray(its.tps)[points] + without[0] * there, counts["tps"]
        )
        np.testing.assert_array_equal(
            np.asarray(its.fps)[points] + without[1] * there, counts["fps"]
        )
        np.testing.assert_array_equal(np.asarray(its.tns) + its.fps, its.n_negatives)
        assert -math.inf not in its.thresholds


# Real data ----------------------------------------------------------------------------------------

COLLAR_0_2 = ("collar", "c0.2")
THRESHOLDS = {  # collar.fscore.tdict
    "Alarm_bell_ringing": 0.1,
    "Blender": 0.18,
    "Cat": 0.26,
    "Dishes": 0.34,
    "Dog": 0.42,
    "Electric_shaver_toothbrush": 0.5,
    "Frying": 0.58,
    "Running_water": 0.66,
    "Speech": 0.74,
    "Vacuum_cleaner": 0.82,
}

REAL: dict[str, tuple[tuple[str, str], str, dict[str, Any]]] = {
    "collar.fscore.t0.5.plain": (COLLAR_0_2, "f_score", {"threshold": 0.5}),
    "collar.fscore.tdict": (COLLAR_0_2, "f_score", {"threshold": THRESHOLDS}),
    "collar.fscore.tinf": (COLLAR_0_2, "f_score", {"threshold": math.inf}),
    "collar.fscore.t-inf": (COLLAR_0_2, "f_score", {"threshold": -math.inf}),
    "collar.fscore.t0.0": (COLLAR_0_2, "f_score", {"threshold": 0.0}),
    "collar.fscore.t1.0": (COLLAR_0_2, "f_score", {"threshold": 1.0}),
    "collar.best_fscore.minp0.5": (COLLAR_0_2, "best_f_score", {"min_precision": 0.5}),
    "collar.best_fscore.minr0.3": (COLLAR_0_2, "best_f_score", {"min_recall": 0.3}),
    "collar.best_fscore.minp0.9_minr0.3": (
        COLLAR_0_2,
        "best_f_score",
        {"min_precision": 0.9, "min_recall": 0.3},
    ),
    "collar.best_fscore.c2_r0.5": (("collar", "c2_r0.5"), "best_f_score", {}),
    "collar.error_rate.t0.5": (COLLAR_0_2, "error_rate", {"threshold": 0.5}),
    "collar.best_error_rate": (COLLAR_0_2, "best_error_rate", {}),
    "collar.pr": (COLLAR_0_2, "precision_recall_curve", {}),
    "collar.fcurve": (COLLAR_0_2, "f_score_curve", {}),
    "collar.ercurve": (COLLAR_0_2, "error_rate_curve", {}),
    "clip.best_fscore": (("clip", ""), "best_f_score", {}),
    "clip.average_precision": (("clip", ""), "average_precision", {}),
    "clip.auroc": (("clip", ""), "auroc", {}),
    "clip.auroc.STABLE": (("clip", ""), "auroc", {}),
    "clip.error_rate.t0.5": (("clip", ""), "error_rate", {"threshold": 0.5}),
    "clip.best_error_rate": (("clip", ""), "best_error_rate", {}),
    "clstats": (("clip", ""), "stats", {}),
    "segment.L1.0.fscore.t0.5.durations_none": (
        ("segment without durations", "L1.0"),
        "f_score",
        {"threshold": 0.5},
    ),
    "inter.best_error_rate": (("inter", "d0.5"), "best_error_rate", {}),
    "inter.pr.d0.5": (("inter", "d0.5"), "precision_recall_curve", {}),
}
"""Name of a result of the real data to criterion, call and settings."""

for beta in (0.5, 1.0, 2.0):
    REAL[f"collar.best_fscore.b{beta}"] = (COLLAR_0_2, "best_f_score", {"beta": beta})
    for name in gold.DCASE_SHARES:
        REAL[f"inter.best_fscore.{name}.b{beta}"] = (
            ("inter", name),
            "best_f_score",
            {"beta": beta},
        )
for threshold in (0.1, 0.5, 0.9):
    settings = {"threshold": threshold}
    REAL[f"collar.fscore.t{threshold}"] = (COLLAR_0_2, "f_score", settings)
    REAL[f"clip.fscore.t{threshold}"] = (("clip", ""), "f_score", settings)
    for name in gold.DCASE_SHARES:
        REAL[f"inter.fscore.{name}.t{threshold}"] = (("inter", name), "f_score", settings)
for name in gold.DCASE_COLLARS:
    REAL[f"cstats.{name}"] = (("collar", name), "stats", {})
for name in gold.DCASE_SEGMENT_LENGTHS:
    segment = ("segment", name)
    REAL[f"sstats.{name}"] = (segment, "stats", {})
    REAL[f"segment.{name}.average_precision"] = (segment, "average_precision", {})
    REAL[f"segment.{name}.roc"] = (segment, "roc_curve", {})
    REAL[f"segment.{name}.pr"] = (segment, "precision_recall_curve", {})
    REAL[f"segment.{name}.error_rate.t0.5"] = (segment, "error_rate", {"threshold": 0.5})
    REAL[f"segment.{name}.best_error_rate"] = (segment, "best_error_rate", {})
    for threshold in (0.1, 0.5, 0.9):
        its = (segment, "f_score", {"threshold": threshold})
        REAL[f"segment.{name}.fscore.t{threshold}"] = its
    for beta in (1.0, 2.0):
        REAL[f"segment.{name}.best_fscore.b{beta}"] = (segment, "best_f_score", {"beta": beta})
    for suffix, settings in {
        "": {},
        ".STABLE": {},
        ".max_fpr0.1": {"max_fpr": 0.1},
        ".max_fpr0.1.STABLE": {"max_fpr": 0.1},
        ".max_fpr0.1.mcclish": {"max_fpr": 0.1, "mcclish_correction": True},
        ".max_fpr0.5": {"max_fpr": 0.5},
    }.items():
        REAL[f"segment.{name}.auroc{suffix}"] = (segment, "auroc", settings)

NOT_REPRODUCED = {
    "clip.auroc.max_fpr0.1",
    "collar.best_error_rate.maxdel0.9(BUGGY)",
    "collar.best_error_rate.maxins0.2(BUGGY)",
    "inter.error_rate",
    "segment.L0.2.auroc.max_fpr1(raises)",
    "segment.L1.0.auroc.max_fpr1(raises)",
}
"""Results that have a test of their own: LIMITS and RAISES."""


@functools.cache
def counted(implementation: Any, criterion: str, name: str) -> Mapping[str, Any]:
    """Count the real data, once: the twin takes its time."""
    inputs = gold.read_dcase2023().inputs
    if criterion == "collar":
        return implementation.collar_statistics(inputs, **gold.DCASE_COLLARS[name])
    if criterion == "inter":
        return implementation.statistics(inputs, **gold.DCASE_SHARES[name])
    if criterion == "clip":
        return implementation.clip_statistics(inputs)
    return implementation.segment_statistics(
        inputs,
        segment_length=gold.DCASE_SEGMENT_LENGTHS[name],
        with_durations="without" not in criterion,
    )


def test_every_result_of_the_real_data_is_compared(dcase2023) -> None:
    names = {
        name
        for name in dcase2023.results
        if name.startswith((*PREFIXES, "cstats", "sstats", "clstats"))
    }
    assert names == REAL.keys() | NOT_REPRODUCED


@pytest.mark.parametrize("name", REAL)
def test_real_data(implementation, dcase2023, name: str) -> None:
    criterion, call, settings = REAL[name]
    statistics = counted(implementation, *criterion)
    compare(implementation, statistics, call, settings, dcase2023.results[name])


def test_headline_numbers(implementation) -> None:
    """The values people know, once more in plain sight."""
    collar = counted(implementation, "collar", "c0.2")
    segment = counted(implementation, "segment", "L1.0")
    at_half = implementation.f_score(collar, 0.5)
    assert at_half.macro.f_score == pytest.approx(0.4469730324993483, rel=1e-12)
    assert at_half.micro.f_score == pytest.approx(0.5593869731800767, rel=1e-12)
    best = implementation.best_f_score(collar)
    assert best.macro.f_score == pytest.approx(0.6987642403431877, rel=1e-12)
    at_half = implementation.f_score(segment, 0.5)
    assert at_half.macro.f_score == pytest.approx(0.7085713683573123, rel=1e-12)
    precision = implementation.average_precision(segment)
    assert precision.value == pytest.approx(0.8634473517134964, rel=1e-12)
    assert implementation.auroc(segment).value == pytest.approx(0.968612300196968, rel=1e-12)
    partial = implementation.auroc(segment, max_fpr=0.1)
    assert partial.value == pytest.approx(0.7928647700314096, rel=1e-12)


@pytest.mark.parametrize("name", gold.DCASE_SEGMENT_LENGTHS)
def test_partial_auroc_up_to_the_end_is_the_auroc(implementation, dcase2023, name: str) -> None:
    """RAISES."""
    assert "raises" in dcase2023.results[f"segment.{name}.auroc.max_fpr1(raises)"]
    statistics = counted(implementation, "segment", name)
    whole = implementation.auroc(statistics).per_class
    for correction in (False, True):
        partial = implementation.auroc(statistics, max_fpr=1.0, mcclish_correction=correction)
        assert partial.per_class == pytest.approx(whole, rel=gold.RATIOS)


def test_partial_auroc_without_negatives(implementation, dcase2023) -> None:
    """RAISES: there is speech in every clip."""
    assert "raises" in dcase2023.results["clip.auroc.max_fpr0.1"]
    result = implementation.auroc(counted(implementation, "clip", ""), max_fpr=0.1)
    assert [name for name, value in result.per_class.items() if math.isnan(value)] == ["Speech"]
    assert math.isnan(result.value)


def test_error_rate_with_intersections(implementation, dcase2023) -> None:
    """RAISES: what the best threshold was computed from can be asked for there."""
    assert "raises" in dcase2023.results["inter.error_rate"]
    statistics = counted(implementation, "inter", "d0.5")
    best = implementation.best_error_rate(statistics)
    thresholds = {name: its.threshold for name, its in best.per_class.items()}
    again = implementation.error_rate(statistics, thresholds)
    assert again.macro.error_rate == best.macro.error_rate


def test_limits_of_error_rates(implementation, dcase2023) -> None:
    """LIMITS: the other package keeps what breaks the limit, or raises."""
    statistics = counted(implementation, "collar", "c0.2")
    _, insertion_rates, *_ = dcase2023.results["collar.best_error_rate.maxins0.2(BUGGY)"]
    assert "raises" in dcase2023.results["collar.best_error_rate.maxdel0.9(BUGGY)"]
    limited = implementation.best_error_rate(statistics, max_insertion_rate=0.2)
    complete = implementation.best_error_rate(statistics, max_deletion_rate=0.9)
    for name, its in statistics.items():
        assert insertion_rates[name] > 0.2
        tps, fps = np.asarray(its.tps), np.asarray(its.fps)
        for best, allowed in [
            (limited.per_class[name], fps / its.n_ref <= 0.2),
            (complete.per_class[name], (its.n_ref - tps) / its.n_ref <= 0.9),
        ]:
            assert allowed.any()
            errors = (fps + its.n_ref - tps)[allowed]
            assert best.error_rate == errors.min() / its.n_ref
            assert best.tps == tps[allowed][np.flatnonzero(errors == errors.min())[-1]]
