"""Reading a folder of score files: soundeval against pandas, every value compared.

    python benches/python/bench_read.py [--workload desed] [--rounds 3]

pandas is timed as most code calls it, and with ``float_precision="round_trip"``, which reads every
number as it was written; soundeval's values must equal those bit by bit.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import Any

import common
import numpy as np
import pandas as pd
import workloads

import soundeval as se


def with_pandas(folder: Path, **options: Any) -> dict[str, Any]:
    return {
        path.stem: pd.read_csv(path, sep="\t", **options) for path in sorted(folder.glob("*.tsv"))
    }


def largest_difference(scores: se.Scores, frames: dict[str, Any]) -> float:
    common.require(set(scores) == set(frames), "both read the same clips")
    return max(
        float(np.abs(clip.scores - frames[name][list(scores.event_classes)].to_numpy()).max())
        for name, clip in scores.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="desed", choices=list(workloads.PRESETS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    common.start("Reading score files")
    work = workloads.make(arguments.workload)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = work.write_scores(folder)
        print(f"\n{work.describe()}; {size / 1e6:.0f} MB in {len(work.scores)} files")
        times, values = common.alternate(
            {
                "soundeval": lambda: se.read_scores(folder),
                "default": lambda: with_pandas(folder),
                "exact": lambda: with_pandas(folder, float_precision="round_trip"),
            },
            arguments.rounds,
        )
    scores = values["soundeval"]
    exact = largest_difference(scores, values["exact"])
    common.require(exact == 0.0, "soundeval reads every value as it was written")
    default = largest_difference(scores, values["default"])
    for label, key, claim in (
        ("soundeval.read_scores", "soundeval", ""),
        ("pandas.read_csv", "default", f"largest difference {default:.0e}"),
        ("pandas.read_csv, round_trip", "exact", "equal values"),
    ):
        speed = size / 1e6 / statistics.median(times[key])
        common.row(label, times[key], work.n_frame_classes, f"{speed:,.0f} MB/s  {claim}")
    print(f"    soundeval is faster by {common.ratio(times['default'], times['soundeval'])},")
    print(f"    than round_trip by {common.ratio(times['exact'], times['soundeval'])}")


if __name__ == "__main__":
    main()
