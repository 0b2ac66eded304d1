"""Counts, curves and PSDS are those of sed_scores_eval, on synthetic and on real data."""

from __future__ import annotations

from pathlib import Path

import gold
import pytest


@pytest.mark.parametrize("criterion", gold.CRITERIA)
@pytest.mark.parametrize("path", gold.CASES, ids=lambda path: path.stem)
def test_counts_of_synthetic_cases(implementation, path: Path, criterion: str) -> None:
    case = gold.read_case(path)
    statistics = implementation.statistics(case.inputs, **gold.CRITERIA[criterion])
    gold.assert_statistics_match(statistics, case.results[f"{criterion}.stats"])


@pytest.mark.parametrize("oracle", [True, False], ids=["oracle", "no-oracle"])
@pytest.mark.parametrize("alpha_st", [0, 1])
@pytest.mark.parametrize("criterion", gold.CRITERIA)
@pytest.mark.parametrize("path", gold.CASES, ids=lambda path: path.stem)
def test_psds_of_synthetic_cases(
    implementation, path: Path, criterion: str, alpha_st: int, oracle: bool
) -> None:
    case = gold.read_case(path)
    suffix = "" if oracle else ".non_oracle"
    expected = case.results[f"{criterion}.psds.alpha_st{alpha_st}{suffix}(max_efpr=2000/hour)"]
    result = implementation.psds(
        case.inputs,
        **gold.CRITERIA[criterion],
        alpha_ct=0.0 if gold.CRITERIA[criterion]["cttc_threshold"] is None else 0.5,
        alpha_st=float(alpha_st),
        max_efpr=2000.0,
        oracle=oracle,
    )
    if path.stem == "case_13":
        # The other package raises: all scores of class b are -inf, so nothing is ever detected.
        assert "raises" in expected
        assert result.per_class["b"] == 0.0
    else:
        gold.assert_psds_match(result, expected)


def test_every_synthetic_case_is_there() -> None:
    assert len(gold.CASES) == 20


@pytest.fixture(scope="session", params=list(gold.DCASE_CRITERIA))
def counted(request, implementation, dcase2023):
    """Statistics of the real data for each criterion, counted once: the twin takes its time."""
    criterion = gold.DCASE_CRITERIA[request.param]
    return request.param, implementation.statistics(dcase2023.inputs, **criterion)


def test_counts_of_real_data(counted, dcase2023) -> None:
    name, statistics = counted
    gold.assert_statistics_match(statistics, dcase2023.results[f"istats.{name}"])


@pytest.mark.parametrize("counted", ["s1", "s2"], indirect=True)
def test_psds_of_real_data(counted, implementation, dcase2023) -> None:
    name, statistics = counted
    for result, settings in gold.DCASE_SETTINGS.items():
        if result.startswith(f"psds.{name}_"):
            psds = implementation.psds_from_statistics(statistics, dcase2023.inputs, **settings)
            gold.assert_psds_match(psds, dcase2023.results[result])


@pytest.mark.parametrize("counted", ["s1", "s2"], indirect=True)
def test_headline_numbers(counted, implementation, dcase2023) -> None:
    """The values people know, once more in plain sight."""
    name, statistics = counted
    settings = {"s1": {"alpha_st": 1.0}, "s2": {"alpha_ct": 0.5, "alpha_st": 1.0}}[name]
    psds = implementation.psds_from_statistics(statistics, dcase2023.inputs, **settings)
    expected = {"s1": 0.2697432829693092, "s2": 0.5810546313412599}[name]
    assert psds.value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("counted", ["s1"], indirect=True)
def test_curve_of_real_data_without_largest_rate(counted, implementation, dcase2023) -> None:
    _, statistics = counted
    expected = dcase2023.results["psd_roc.max_efpr_none"]
    curve = implementation.psd_roc(statistics, dcase2023.inputs, max_efpr=None)
    assert len(curve.efpr) == expected["n_points"]
    assert curve.efpr[-1] == expected["efpr_last"]
    assert curve.etpr[-1] == pytest.approx(expected["etpr_last"], rel=1e-12)
