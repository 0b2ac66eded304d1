"""What the benches share: fair timing, peak memory of a child process, and honest printing."""

from __future__ import annotations

import gc
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import soundeval as se
from soundeval import _core

CPU_LIMIT_SECONDS = 60.0


PEERS = ("sed_scores_eval", "psds_eval")


def peers() -> list[str]:
    """Return the other evaluators that are installed."""
    return [name for name in PEERS if find_spec(name)]


def start(title: str, *, compared: tuple[str, ...] = ()) -> None:
    """Print what is measured on what; refuse figures that would be worth nothing."""
    if _core.build_profile != "release":
        sys.exit(
            f"soundeval._core is a {_core.build_profile} build, several times slower than what is "
            "shipped. Build it with `maturin develop --release` and try again."
        )
    import numpy as np

    print(f"\n{title}\n{'=' * len(title)}")
    print(f"soundeval {se.__version__}, NumPy {np.__version__}, Python {platform.python_version()}")
    print(f"{_processor()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for name in compared:
        if name not in peers():
            print(f"{name} is not installed: going on without it")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def cpu_seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU time of this process (all threads) over one call, and the call's value."""
    gc.collect()
    before = time.process_time()
    value = function()
    return time.process_time() - before, value


def alternate(
    functions: dict[str, Callable[[], Any]], rounds: int
) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Time the functions in turn, round after round, so that a busy minute hits all of them.

    Returns the CPU seconds of every round and the value of the last, by name. The first call of
    each is a warm-up that is not counted, unless it takes longer than a warm-up is worth.
    """
    times: dict[str, list[float]] = {name: [] for name in functions}
    values: dict[str, Any] = {}
    for name, function in functions.items():
        seconds, values[name] = cpu_seconds(function)
        if seconds > 5.0:
            times[name].append(seconds)
    for _ in range(rounds):
        for name, function in functions.items():
            # One call of something that takes minutes is enough to compare with.
            if sum(times[name]) < CPU_LIMIT_SECONDS:
                seconds, values[name] = cpu_seconds(function)
                times[name].append(seconds)
    return times, values


def ratio(slow: list[float], fast: list[float]) -> str:
    """Say how many times faster: median of the ratios round by round, with smallest and largest."""
    ratios = sorted(a / b for a, b in zip(slow, fast, strict=False))
    if len(ratios) == 1:
        return f"{ratios[0]:,.3g}x"
    return f"{statistics.median(ratios):,.3g}x [{ratios[0]:,.3g} to {ratios[-1]:,.3g}]"


def seconds(value: float) -> str:
    """Write a duration with three digits."""
    return f"{value:.3g} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def row(label: str, times: list[float], n: int, extra: str = "", unit: str = "fc") -> None:
    """Print one line: label, median CPU time, nanoseconds per frame and class, and a remark.

    They may be per something else, if `n` counts that and `unit` names it.
    """
    middle = statistics.median(times)
    print(f"  {label:<34}{seconds(middle):>10}{middle / n * 1e9:>12,.1f} ns/{unit}   {extra}")


def memory_of_child(script: str, *arguments: str) -> dict[str, float]:
    """Run a script in a fresh process and return the JSON object that its last line holds.

    The child is started by this process before it loads anything large, and reports its own peak:
    on Linux a child inherits the `ru_maxrss` of the process it was started from.
    """
    done = subprocess.run(
        [sys.executable, script, *arguments], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        return {}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def resident(*, peak: bool) -> float:
    """Return the resident memory of this process in MB, now or at its peak."""
    status = Path("/proc/self/status")
    if status.exists():
        key = "VmHWM:" if peak else "VmRSS:"
        line = next(line for line in status.read_text().splitlines() if line.startswith(key))
        return int(line.split()[1]) / 1024
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (2**20 if sys.platform == "darwin" else 1024)


def reset_peak() -> None:
    """Let the peak start again from the present size, where the system can do that."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def require(agrees: bool, claim: str) -> str:
    """Stop the bench if two programs disagree: a faster wrong answer is no figure."""
    if not agrees:
        sys.exit(f"DISAGREEMENT: {claim}")
    return claim
