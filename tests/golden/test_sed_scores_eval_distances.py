"""Distances of matched detections are those of sed_scores_eval at every score that it names.

Its sums are running sums, which keep rounding errors of the pairs that have gone; counts are equal.
"""

from __future__ import annotations

from pathlib import Path

import gold
import numpy as np
import pytest

ROUNDING = 1e-12

CASES = sorted((Path(__file__).parent / "sed_scores_eval").glob("case_*.json"))


@pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")
@pytest.mark.parametrize("criterion", gold.COLLARS)
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_distances_of_synthetic_cases(implementation, path, criterion):
    case = gold.read_case(path)
    found = implementation.collar_distances(case.inputs, **gold.COLLARS[criterion])
    n_points = 0
    for event_class, (scores, stats) in case.results[f"{criterion}.stats"].items():
        its = found[event_class]
        if not len(stats["tps"]):
            # A class that is -inf in all clips has no counts there, not even that of no detection.
            assert path.stem == "case_13"
            assert list(its.n_matched) == [0]
            continue
        # Counts there are those just below a score.
        points = np.searchsorted(its.thresholds, np.array(scores, np.float64), side="left")
        np.testing.assert_array_equal(np.take(its.n_matched, points), stats["tps"])
        for ours, theirs in (
            (its.onset_distance_sums, stats["onset_dist_sum"]),
            (its.offset_distance_sums, stats["offset_dist_sum"]),
        ):
            np.testing.assert_allclose(np.take(ours, points), theirs, rtol=0, atol=ROUNDING)
        n_points += len(scores)
    assert n_points > 0
