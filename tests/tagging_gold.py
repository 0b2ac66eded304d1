"""Right values for tags: small cases, and AudioSet's clips with scores from a formula."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

import numpy as np
from gold import REPOSITORY, shared

OMAP_CASES = json.loads((REPOSITORY / "tests/golden/omap/cases.json").read_text())["cases"]

VARIANTS = {
    "code": {"normalization": "offdiag", "threshold": "ge"},
    "paper_ge": {"normalization": "all", "threshold": "ge"},
    "paper_strict": {"normalization": "all", "threshold": "gt"},
    "unnormalised": {"normalization": "none", "threshold": "ge"},
}
"""What the names of results in the cases mean."""


def arrays(case: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, scores and distances of a case."""
    return (
        np.array(case["target"], dtype=bool),
        np.array(case["scores"], dtype=case["dtype"]),
        np.array(case["D"]),
    )


@lru_cache(maxsize=1)
def audioset_distances() -> np.ndarray:
    """Return the published matrix of the 527 classes."""
    return np.load(shared("gold/audioset_distance_reference.npz"))["distance"]


@lru_cache(maxsize=1)
def audioset_labels() -> np.ndarray:
    """Return the labels of the 20,371 evaluation clips of AudioSet."""
    mids = np.load(shared("gold/audioset_distance_reference.npz"))["mids"].tolist()
    columns = {mid: k for k, mid in enumerate(mids)}
    text = shared("data/tagging/audioset_eval_segments.csv").read_text()
    clips = re.findall(r'^[^#].*"(.*)"', text, re.MULTILINE)
    labels = np.zeros((len(clips), len(mids)), dtype=bool)
    for row, clip in zip(labels, clips, strict=True):
        row[[columns[mid] for mid in clip.split(",")]] = True
    return labels


@lru_cache(maxsize=1)
def hashed_scores() -> np.ndarray:
    """Return scores for these clips from splitmix64, with many ties and near misses."""
    labels, distances = audioset_labels(), audioset_distances().astype(np.int64)
    nearest = np.stack([distances[clip].min(axis=0) for clip in labels])
    place = np.arange(labels.size, dtype=np.uint64).reshape(labels.shape)

    def hashed(j: int) -> np.ndarray:
        x = np.uint64(3) * place + np.uint64(7 * 2**40 + j)
        x += np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((x ^ (x >> np.uint64(31))) >> np.uint64(48)).astype(np.int64)

    near = np.where(labels, 0, np.maximum(0, 3 - nearest))
    value = hashed(0) + 3 * labels * hashed(1) + near * hashed(2)
    return (value / 2**19).astype(np.float32)


@lru_cache(maxsize=1)
def audioset_r() -> tuple[np.ndarray, np.ndarray]:
    """Return the original and the refined labels of the clips of AudioSet-R."""
    archive = np.load(shared("data/tagging/audioset_r_eval_labels.npz"))
    original, refined = (
        np.unpackbits(archive[name], axis=1)[:, :527].astype(bool)
        for name in ("original", "refined")
    )
    return original, refined


@lru_cache(maxsize=1)
def chime_home() -> tuple[np.ndarray, np.ndarray]:
    """Return labels and real scores (log-likelihood ratios) of CHiME-home."""
    gold = json.loads(shared("gold/tagging_metrics_gold.json").read_text())["chime_home"]
    tags = gold["tags"]
    labels: dict[str, list[str]] = {}
    for line in shared("data/tagging/chime_home_tagging_reference.tsv").read_text().splitlines():
        clip, _, names, *_ = line.split("\t")
        labels[clip] = [name for name in names.split(";") if name]
    scores: dict[str, dict[str, float]] = {}
    for line in shared("data/tagging/chime_home_tagging_scores.csv").read_text().splitlines():
        clip, tag, score = line.rsplit(",", 2)
        scores.setdefault(clip, {})[tag] = float(score)
    clips = sorted(labels)
    y_true = np.array([[tag in labels[clip] for tag in tags] for clip in clips])
    y_score = np.array([[scores[clip][tag] for tag in tags] for clip in clips])
    return y_true, y_score
