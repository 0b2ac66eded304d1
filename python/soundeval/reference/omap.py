r"""Ontology-aware average precision and the weights of the ontology-aware loss, by their equations.

Liu et al., "Ontology-aware Learning and Evaluation for Audio Tagging", ICASSP 2023.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence

from .tagging import Labels, Scores

Distances = Sequence[Sequence[float]]


def hop_distances(
    edges: Iterable[tuple[Hashable, Hashable]], nodes: Sequence[Hashable]
) -> list[list[float]]:
    """Return the numbers of links between nodes, infinite without a path (Floyd and Warshall)."""
    edges = list(edges)
    all_nodes = list(dict.fromkeys([*nodes, *(node for edge in edges for node in edge)]))
    hops = {a: {b: 0.0 if a == b else math.inf for b in all_nodes} for a in all_nodes}
    for a, b in edges:
        if a != b:
            hops[a][b] = hops[b][a] = 1.0
    for via in all_nodes:
        for a in all_nodes:
            for b in all_nodes:
                hops[a][b] = min(hops[a][b], hops[a][via] + hops[via][b])
    return [[hops[a][b] for b in nodes] for a in nodes]


def ontology_aware_average_precision(
    labels: Labels,
    scores: Scores,
    distances: Distances,
    level: float,
    *,
    normalization: str = "offdiag",
    unlabeled: str = "error",
    strict: bool = False,
    weights: Sequence[float] | None = None,
) -> list[float]:
    """Return OAP of every class at one level, NaN without positives (equations 1, 2, 4, 5, 6)."""
    n_classes = len(distances)
    clip_weights = [1.0] * len(labels) if weights is None else weights
    masked = [[d if d > level else 0.0 for d in row] for row in distances]
    entries = [
        masked[i][j]
        for i in range(n_classes)
        for j in range(n_classes)
        if normalization == "all" or i != j
    ]
    mean = math.fsum(entries) / len(entries) if entries and normalization != "none" else 1.0
    greatest = max(map(max, masked))
    values = []
    for k in range(n_classes):
        known = [n for n, row in enumerate(labels) if row[k] is not None and clip_weights[n] > 0]
        n_positives = sum(clip_weights[n] for n in known if labels[n][k] == 1)
        if not n_positives:
            values.append(math.nan)
            continue
        value, before = 0.0, 0.0
        thresholds = sorted({scores[n][k] for n in known}, reverse=True)
        for threshold in thresholds[:-1] if strict else thresholds:
            tps = cost = 0.0
            for n in known:
                if scores[n][k] < threshold:
                    continue
                if labels[n][k] == 1:
                    tps += clip_weights[n]
                    continue
                of_clip = [j for j in range(n_classes) if labels[n][j] == 1]
                if of_clip:
                    distance = min(masked[k][j] for j in of_clip)
                elif unlabeled == "one":
                    distance = mean if mean else 0.0
                    cost += clip_weights[n] * (0.0 if mean else 1.0)
                else:
                    distance = greatest if unlabeled == "max" else 0.0
                cost += clip_weights[n] * (distance / mean if mean else 0.0)
            if tps:
                value += (tps - before) / n_positives * (tps / (tps + cost))
            before = tps
        values.append(value)
    return values


def omap(
    labels: Labels,
    scores: Scores,
    distances: Distances,
    *,
    normalization: str = "offdiag",
    unlabeled: str = "error",
    strict: bool = False,
) -> float:
    """Return the mean of OAP over classes with positives and levels 0, 1, ... (equation 3)."""
    by_level = []
    for level in range(int(max(map(max, distances))) + 1):
        values = ontology_aware_average_precision(
            labels,
            scores,
            distances,
            level,
            normalization=normalization,
            unlabeled=unlabeled,
            strict=strict,
        )
        defined = [value for value in values if not math.isnan(value)]
        by_level.append(math.fsum(defined) / len(defined) if defined else math.nan)
    return math.fsum(by_level) / len(by_level)


def obce_weights(
    labels: Labels,
    distances: Distances,
    beta: float = 1.0,
    *,
    normalize: str = "clip",
    target_distance: str = "zero",
) -> list[list[float]]:
    """Return the weights of Algorithm 1; clips without labels have 1."""
    n_classes = len(distances)
    rows = []
    for row in labels:
        of_clip = [k for k in range(n_classes) if row[k] == 1]
        if not of_clip:
            rows.append([1.0] * n_classes)
            continue
        weights = []
        for c in range(n_classes):
            candidates = [distances[c][k] for k in of_clip]
            if target_distance == "other":
                candidates = [d for d in candidates if d > 0] or [0.0]
            weights.append(min(candidates) ** beta)
        greatest = max(weights)
        if greatest > 0:
            weights = [weight / greatest for weight in weights]
        for k in of_clip:
            weights[k] = 1.0
        if normalize == "clip":
            mean = math.fsum(weights) / n_classes
            weights = [weight / mean for weight in weights]
        rows.append(weights)
    if normalize == "batch":
        mean = math.fsum(weight for row in rows for weight in row) / (len(rows) * n_classes)
        rows = [[weight / mean for weight in row] for row in rows]
    return rows
