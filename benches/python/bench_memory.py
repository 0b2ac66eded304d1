"""Peak memory of PSDS scenario 2 on many classes: 500 clips x 250 frames x 407 classes.

    python benches/python/bench_memory.py [--clips 500]

The child process makes the scores, notes its size, evaluates, and reports its peak. What the
evaluation needs must stay well below what the scores take.
"""

from __future__ import annotations

import argparse
import json

import common
import workloads

import soundeval as se


def child(clips: int) -> None:
    work = workloads.make("audioset", clips=clips)
    scores = work.arrays()
    size = sum(array.nbytes for array in work.scores.values()) / 2**20
    common.reset_peak()
    loaded = common.resident(peak=False)
    seconds, result = common.cpu_seconds(
        lambda: se.psds(scores, work.ground_truth, work.durations, **se.scenarios.PSDS2)
    )
    peak = common.resident(peak=True)
    report = {"size": size, "loaded": loaded, "peak": peak, "seconds": seconds}
    print(json.dumps({**report, "value": result.value, "n": work.n_frame_classes}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    if arguments.child:
        return child(arguments.clips)
    common.start("Memory with 407 classes")
    found = common.memory_of_child(
        __file__,
        "--child",
        "--clips",
        str(arguments.clips),
        "--threads",
        str(arguments.threads),
    )
    common.require(bool(found), "the child process ended well")
    extra = found["peak"] - found["loaded"]
    print(f"\n{arguments.clips} clips x 250 frames x 407 classes, PSDS2 = {found['value']:.6f}")
    print(f"  scores                            {found['size']:>8.0f} MB")
    print(f"  peak above the loaded scores      {extra:>8.0f} MB = {extra / found['size']:.2f} x")
    print(f"  peak of the process               {found['peak']:>8.0f} MB")
    common.row("time", [found["seconds"]], int(found["n"]))


if __name__ == "__main__":
    main()
