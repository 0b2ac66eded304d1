"""Audio tagging at AudioSet's size against scikit-learn and torchmetrics, values compared first.

    mAP    mean average precision; scikit-learn class by class, as its users call it
    OmAP   all 22 levels of the AudioSet ontology, with the clips' labels drawn at random

One long class is sorted by numpy beside it, which is what its average precision is measured by.

    python benches/python/bench_tagging.py [--clips 20371] [--classes 527] [--long 10000000]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import common

import soundeval as se


def labels_and_scores(n_clips: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw about two labels for each clip, some classes often and most seldom, and noisy scores."""
    rng = np.random.default_rng(0)
    share = 1.0 / np.arange(1, n_classes + 1)
    labels = np.zeros((n_clips, n_classes), bool)
    for _ in range(2):
        labels[np.arange(n_clips), rng.choice(n_classes, n_clips, p=share / share.sum())] = True
    noise = rng.standard_normal(labels.shape, dtype=np.float32)
    return labels, np.float32(1.0) / (np.float32(1.0) + np.exp(3.0 - 3.0 * labels - noise))


def extra_mb(function: Callable[[], Any]) -> float | None:
    """Return how much memory a call takes at most above what there is, where the system tells."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text
        before = _kilobytes(status(), "VmRSS")
        function()
        return (_kilobytes(status(), "VmHWM") - before) / 1024
    except OSError:
        return None


def _kilobytes(status: str, name: str) -> int:
    return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1])


def audioset(n_clips: int, n_classes: int, rounds: int) -> None:
    """Compare mAP and OmAP on a set like AudioSet's evaluation set."""
    ontology = se.ontology.Ontology.audioset()
    classes = se.ontology.class_list("audioset").ids[:n_classes]
    distances = ontology.distance_matrix(classes)
    y_true, y_score = labels_and_scores(n_clips, n_classes)
    result = se.tagging.omap(y_true, y_score, distances)
    extra = extra_mb(lambda: se.tagging.omap(y_true, y_score, distances))
    functions: dict[str, Callable[[], Any]] = {
        "mAP": lambda: se.tagging.average_precision(y_true, y_score),
        "OmAP": lambda: se.tagging.omap(y_true, y_score, distances),
    }
    if find_spec("sklearn"):
        from sklearn.metrics import average_precision_score

        functions["sklearn"] = lambda: average_precision_score(y_true, y_score, average="macro")
    if find_spec("torchmetrics"):
        import torch
        from torchmetrics.functional.classification import multilabel_average_precision

        scores, truth = torch.from_numpy(y_score), torch.from_numpy(y_true.astype(np.int64))
        functions["torchmetrics"] = lambda: multilabel_average_precision(scores, truth, n_classes)
    times, values = common.alternate(functions, rounds)
    for name in ("sklearn", "torchmetrics"):
        if name in values:
            difference = abs(float(values[name]) - float(values["mAP"]))
            common.require(difference <= 1e-6, f"{name} differs by {difference:.0e}")
    n = n_clips * n_classes
    print(f"\n{n_clips} clips x {n_classes} classes, {len(result.levels)} levels")
    for name, its in times.items():
        common.row(name, its, n)
    print(f"    OmAP takes {common.ratio(times['OmAP'], times['mAP'])} the time of mAP")
    for name in ("sklearn", "torchmetrics"):
        if name in times:
            print(f"    mAP is faster than {name} by {common.ratio(times[name], times['mAP'])}")
    if extra is not None:
        print(f"    OmAP takes {extra:.0f} MB of memory above its arrays")


def one_long_class(n_scores: int, rounds: int) -> None:
    """Compare average precision of one class with sorting its scores."""
    y_true, y_score = labels_and_scores(n_scores, 1)
    y_true[:, 0] = np.random.default_rng(1).random(n_scores) < 0.01
    flat = y_score[:, 0].copy()
    functions = {
        "AP": lambda: se.tagging.average_precision(y_true, y_score),
        "sort": lambda: np.sort(flat),
    }
    times, _ = common.alternate(functions, rounds)
    print(f"\n{n_scores} scores of one class, 1 in 100 positive")
    for name, its in times.items():
        common.row(name, its, n_scores)
    print(f"    AP takes {common.ratio(times['AP'], times['sort'])} the time of numpy.sort")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=20371)
    parser.add_argument("--classes", type=int, default=527)
    parser.add_argument("--long", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    se.set_num_threads(1)
    common.start("Audio tagging", compared=())
    audioset(arguments.clips, arguments.classes, arguments.rounds)
    one_long_class(arguments.long, arguments.rounds)


if __name__ == "__main__":
    main()
