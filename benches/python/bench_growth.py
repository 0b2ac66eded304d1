"""Cost per frame of one long recording against the same recording cut into pieces.

An algorithm linear in the number of frames pays the same for one day as for 24 recordings of one
hour: the scores are the same, and so are the events, cut where a border cuts them. Clips of ten
seconds are cheaper than either for another reason: most have no event of a class, and counting only
false alarms takes less than matching events. Both comparisons are printed.

    python benches/python/bench_growth.py [--hours 24] [--rounds 3]
"""

from __future__ import annotations

import argparse
import statistics

import common
import workloads

import soundeval as se

CRITERIA = {
    "PSDS1": se.Intersection(dtc_threshold=0.7, gtc_threshold=0.7),
    "PSDS2": se.Intersection(dtc_threshold=0.1, gtc_threshold=0.1, cttc_threshold=0.3),
}
STYLES = ("smooth", "noise", "ramp", "plateau")


def run(work: workloads.Workload, rounds: int) -> None:
    print(f"\n{work.describe()}")
    whole = f"one of {work.timestamps[-1] / 3600:g} h"
    pieces = {
        "clips of 10 s": work.cut(10.0),
        "pieces of 1 h": work.cut(3600.0),
        whole: work,
    }
    inputs = {key: (piece.arrays(), piece.ground_truth) for key, piece in pieces.items()}
    for name, criterion in CRITERIA.items():
        times, _ = common.alternate(
            {
                key: lambda pair=pair, criterion=criterion: se.statistics(*pair, criterion)
                for key, pair in inputs.items()
            },
            rounds,
        )
        for key, piece in pieces.items():
            remark = ""
            if key == whole:
                factors = [
                    statistics.median(a / b for a, b in zip(times[whole], other, strict=False))
                    for other in (times["pieces of 1 h"], times["clips of 10 s"])
                ]
                remark = f"{factors[0]:.2f}x that of an hour, {factors[1]:.2f}x that of 10 s"
            common.row(f"{name} counts, {key}", times[key], piece.n_frame_classes, remark)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0, help="2 or more")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--styles", nargs="+", default=STYLES, metavar="STYLE")
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    common.start("Growth with the length of a recording")
    for style in arguments.styles:
        n_frames = round(arguments.hours * 3600 / workloads.PRESETS["long"]["frame"])
        run(workloads.make("long", style=style, frames=n_frames), arguments.rounds)


if __name__ == "__main__":
    main()
