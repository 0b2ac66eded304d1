"""Counts at every threshold: soundeval against sed_scores_eval, every single count compared.

PSDS reads its curve only at low false positive rates, and is 0 on hopeless scores. This bench takes
all counts of all classes at all thresholds instead, and so has something to compare on white noise,
ramps, saws and ties as well.

    python benches/python/bench_counts.py [--workload desed] [--rounds 3]
"""

from __future__ import annotations

import argparse
from typing import Any

import common
import numpy as np
import workloads

import soundeval as se

CRITERIA = {
    "PSDS1": se.Intersection(dtc_threshold=0.7, gtc_threshold=0.7),
    "PSDS2": se.Intersection(dtc_threshold=0.1, gtc_threshold=0.1, cttc_threshold=0.3),
}


def ours(scores: Any, work: workloads.Workload, criterion: se.Intersection) -> Any:
    statistics = se.statistics(scores, work.ground_truth, criterion)
    # Counts of a class are made when they are asked for.
    return {name: statistics[name] for name in statistics}


def theirs(frames: Any, work: workloads.Workload, criterion: se.Intersection) -> Any:
    from sed_scores_eval import intersection_based

    return intersection_based.accumulated_intermediate_statistics(
        frames,
        work.ground_truth,
        dtc_threshold=criterion.dtc_threshold,
        gtc_threshold=criterion.gtc_threshold,
        cttc_threshold=criterion.cttc_threshold,
    )[0]


def compare(counts: Any, other: Any) -> str:
    """Require equal counts at every threshold of either, and say how many were compared.

    A point of either program stands for the thresholds up to its score, so the counts of one at a
    point of the other are those of its first point that is not below.
    """
    compared = 0
    for name, (points, found) in other.items():
        mine = counts[name]
        at = np.searchsorted(mine.thresholds, points)
        back = np.searchsorted(points, mine.thresholds)
        pairs = [(mine.tps, found["tps"]), (mine.fps, found["fps"])]
        pairs += [(mine.cts[o], found["cts"][o]) for o in mine.cts]
        for a, b in pairs:
            equal = np.array_equal(a[at], b) and np.array_equal(a, b[back])
            common.require(equal, f"counts of {name}")
            compared += len(points) + len(mine.thresholds)
    return f"{compared:,} counts equal"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="desed", choices=list(workloads.PRESETS))
    parser.add_argument("--clips", type=int, help="number of clips, in place of the workload's own")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    common.start("Counts at every threshold", compared=("sed_scores_eval",))
    changes = {"clips": arguments.clips} if arguments.clips else {}
    work = workloads.make(arguments.workload, seed=arguments.seed, **changes)
    print(f"\n{work.describe()}; {arguments.threads} thread(s)")
    scores = work.arrays()
    frames = work.frames() if "sed_scores_eval" in common.peers() else None
    for name, criterion in CRITERIA.items():
        functions = {"ours": lambda criterion=criterion: ours(scores, work, criterion)}
        if frames is not None:
            functions["theirs"] = lambda criterion=criterion: theirs(frames, work, criterion)
        times, values = common.alternate(functions, arguments.rounds)
        print()
        common.row(f"{name} soundeval", times["ours"], work.n_frame_classes)
        if "theirs" in times:
            claim = compare(values["ours"], values["theirs"])
            common.row(f"{name} sed_scores_eval", times["theirs"], work.n_frame_classes, claim)
            print(f"    soundeval is faster by {common.ratio(times['theirs'], times['ours'])}")


if __name__ == "__main__":
    main()
