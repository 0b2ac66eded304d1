"""Run every bench with settings that end within ten minutes on two processors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUNS = (
    ("bench_psds.py", "--workload", "desed", "--rounds", "5"),
    ("bench_psds.py", "--workload", "dcase-long", "--rounds", "2", "--no-memory"),
    ("bench_counts.py", "--workload", "desed", "--rounds", "2"),
    ("bench_counts.py", "--workload", "noise"),
    ("bench_counts.py", "--workload", "ramp"),
    ("bench_counts.py", "--workload", "saw"),
    ("bench_counts.py", "--workload", "ties"),
    ("bench_criteria.py", "--clips", "200", "--rounds", "1"),
    ("bench_events.py",),
    ("bench_tagging.py", "--rounds", "1"),
    ("bench_read.py",),
    ("bench_growth.py",),
    ("bench_memory.py",),
)


def main() -> int:
    here = Path(__file__).parent
    failed = []
    for script, *arguments in RUNS:
        done = subprocess.run(
            [sys.executable, str(here / script), *arguments, *sys.argv[1:]], check=False
        )
        if done.returncode != 0:
            failed.append(" ".join([script, *arguments]))
    for name in failed:
        print(f"FAILED: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
