"""PSDS of both DCASE scenarios: soundeval against sed_scores_eval and psds_eval.

All programs run in this process, in turn, on the same values; times are process CPU seconds.
soundeval is timed on float32 arrays and on the very DataFrames that sed_scores_eval gets.
sed_scores_eval is exact, and must agree to 1e-12. psds_eval looks at fifty thresholds only (as the
challenge baselines use it) and wants lists of detections, whose making is not timed.

What must hold for psds_eval: without extra costs (alpha_st 0, alpha_ct 0) its value is the area
under a lower staircase, so it may not lie above the exact value by more than 1e-9. With alpha_st it
may lie on either side, because fewer points change mean and deviation alike; both are printed.

    python benches/python/bench_psds.py [--workload desed] [--rounds 5] [--threads 1]
"""

from __future__ import annotations

import argparse
import json
import warnings
from importlib.util import find_spec
from typing import Any

import common
import numpy as np
import workloads

import soundeval as se

SCENARIOS = {"PSDS1": se.scenarios.PSDS1, "PSDS2": se.scenarios.PSDS2}
EXACT = 1e-12
N_THRESHOLDS = 50


def sed_scores_eval(
    frames: dict[str, Any], work: workloads.Workload, settings: dict[str, Any]
) -> tuple[float, dict[str, float]]:
    from sed_scores_eval import intersection_based

    value, per_class, *_ = intersection_based.psds(
        frames, work.ground_truth, work.durations, **settings
    )
    return float(value), {name: float(x) for name, x in per_class.items()}


def detections(work: workloads.Workload) -> list[Any]:
    """Binarise at fifty thresholds: one DataFrame of detections per threshold."""
    import pandas as pd

    clips = np.array(list(work.scores))
    labels = np.array(work.event_classes)
    stacked = np.stack(list(work.scores.values()))
    tables = []
    for threshold in np.linspace(1 / (2 * N_THRESHOLDS), 1 - 1 / (2 * N_THRESHOLDS), N_THRESHOLDS):
        active = np.pad(stacked > threshold, ((0, 0), (1, 1), (0, 0))).astype(np.int8)
        change = np.diff(active, axis=1).transpose(0, 2, 1)
        clip, kind, onset = np.nonzero(change == 1)
        offset = np.nonzero(change == -1)[2]
        columns = {
            "filename": clips[clip],
            "onset": work.timestamps[onset],
            "offset": work.timestamps[offset],
            "event_label": labels[kind],
        }
        tables.append(pd.DataFrame(columns))
    return tables


def psds_eval(
    tables: list[Any], work: workloads.Workload, settings: dict[str, Any]
) -> tuple[float, float]:
    """Return the value with the scenario's settings and that without any extra cost."""
    import pandas as pd
    from psds_eval import PSDSEval

    rows = [(c, *event) for c, events in work.ground_truth.items() for event in events]
    truth = pd.DataFrame(rows, columns=["filename", "onset", "offset", "event_label"])
    metadata = pd.DataFrame({"filename": list(work.scores), "duration": work.timestamps[-1]})
    limits = {key: settings[key] for key in ("dtc_threshold", "gtc_threshold")}
    cttc = settings["cttc_threshold"] or 0.3
    evaluator = PSDSEval(**limits, cttc_threshold=cttc, ground_truth=truth, metadata=metadata)
    for table in tables:
        evaluator.add_operating_point(table)
    costs = {key: settings[key] for key in ("alpha_ct", "alpha_st", "max_efpr")}
    with_costs = float(evaluator.psds(**costs).value)
    return with_costs, float(evaluator.psds(0.0, 0.0, settings["max_efpr"]).value)


def largest_difference(ours: se.PSDSResult, theirs: tuple[float, dict[str, float]]) -> float:
    value, per_class = theirs
    return max(
        abs(ours.value - value), *(abs(ours.per_class[name] - x) for name, x in per_class.items())
    )


def run(work: workloads.Workload, name: str, rounds: int) -> None:
    settings = dict(SCENARIOS[name])
    available, n = common.peers(), work.n_frame_classes
    scores = work.arrays()
    functions: dict[str, Any] = {
        "arrays": lambda: se.psds(scores, work.ground_truth, work.durations, **settings)
    }
    if find_spec("pandas"):
        frames = work.frames()
        functions["frames"] = lambda: se.psds(frames, work.ground_truth, work.durations, **settings)
    if "sed_scores_eval" in available:
        functions["sse"] = lambda: sed_scores_eval(frames, work, settings)
    times, values = common.alternate(functions, rounds)
    exact: se.PSDSResult = values["arrays"]
    print(f"\n{name} = {exact.value:.6f}")
    common.row("soundeval, float32 arrays", times["arrays"], n)
    if "frames" in times:
        common.require(
            values["frames"].value == exact.value, "DataFrames and arrays give the same number"
        )
        common.row("soundeval, DataFrames", times["frames"], n)
    if "sse" in times:
        difference = largest_difference(exact, values["sse"])
        claim = f"largest difference {difference:.0e}"
        common.require(difference <= EXACT, f"sed_scores_eval: {claim}, allowed {EXACT}")
        common.row("sed_scores_eval, DataFrames", times["sse"], n, claim)
        print(
            f"    soundeval is faster by {common.ratio(times['sse'], times['arrays'])} on arrays,"
        )
        print(f"    by {common.ratio(times['sse'], times['frames'])} on the same DataFrames")
    if "psds_eval" in available:
        compare_with_psds_eval(work, settings, exact, times["arrays"])


def compare_with_psds_eval(
    work: workloads.Workload, settings: dict[str, Any], exact: se.PSDSResult, ours: list[float]
) -> None:
    tables = detections(work)
    with warnings.catch_warnings():
        # It computes means over classes without a value, and uses pandas in a way that will go.
        warnings.simplefilter("ignore")
        seconds, (value, bare) = common.cpu_seconds(lambda: psds_eval(tables, work, settings))
    upper = se.psds(
        work.arrays(),
        work.ground_truth,
        work.durations,
        dtc_threshold=settings["dtc_threshold"],
        gtc_threshold=settings["gtc_threshold"],
        max_efpr=settings["max_efpr"],
    ).value
    claim = (
        f"with {N_THRESHOLDS} thresholds {value:.6f}; without costs {bare:.6f}, exact {upper:.6f}"
    )
    common.require(upper - 0.2 < bare <= upper + 1e-9, f"psds_eval {claim}")
    common.row("psds_eval, detections ready", [seconds], work.n_frame_classes, claim)
    print(f"    soundeval is faster by {common.ratio([seconds], ours)}, at every threshold")


def memory(workload: str, changes: dict[str, Any]) -> None:
    """Print what each program needs above the loaded data, each in a process of its own."""
    print("\npeak resident memory above the loaded data (a process each)")
    programs = ["soundeval", *(p for p in common.peers() if p == "sed_scores_eval")]
    for name in SCENARIOS:
        for program in programs:
            found = common.memory_of_child(
                __file__, "--child", program, name, workload, json.dumps(changes)
            )
            if found:
                print(f"  {name} {program:<30}{found['peak'] - found['loaded']:>8.0f} MB")


def child(program: str, scenario: str, workload: str, changes: str) -> None:
    work, settings = workloads.make(workload, **json.loads(changes)), dict(SCENARIOS[scenario])
    if program == "soundeval":
        scores = work.arrays()
        call = lambda: se.psds(scores, work.ground_truth, work.durations, **settings)  # noqa: E731
    else:
        from sed_scores_eval import intersection_based  # noqa: F401 - its import is not its need

        frames = work.frames()
        call = lambda: sed_scores_eval(frames, work, settings)  # noqa: E731
    common.reset_peak()
    loaded = common.resident(peak=False)
    call()
    print(json.dumps({"loaded": loaded, "peak": common.resident(peak=True)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="desed", choices=list(workloads.PRESETS))
    parser.add_argument("--clips", type=int, help="number of clips, in place of the workload's own")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--no-memory", action="store_true", help="leave the memory figures out")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    if arguments.child:
        return child(*arguments.child)
    common.start("PSDS against other evaluators", compared=common.PEERS)
    changes = {"seed": arguments.seed}
    if arguments.clips:
        changes["clips"] = arguments.clips
    if not arguments.no_memory:
        # First, while this process is small: see common.memory_of_child.
        memory(arguments.workload, changes)
    work = workloads.make(arguments.workload, **changes)
    print(f"\n{work.describe()}; {arguments.threads} thread(s)")
    for name in SCENARIOS:
        run(work, name, arguments.rounds)


if __name__ == "__main__":
    main()
