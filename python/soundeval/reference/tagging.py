r"""Tagging: a row of labels and a row of scores for each clip.

Every number loops over the distinct scores of a class as thresholds; a clip is tagged where its
score is at least the threshold. ``labels`` hold 1, 0, or None where nobody knows; ``weights`` say
what each clip counts. Undefined values are NaN, and left out of means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist

Labels = Sequence[Sequence[int | None]]
Scores = Sequence[Sequence[float]]


def tag_counts(
    labels: Labels, scores: Scores, k: int, weights: Sequence[float] | None = None
) -> list[tuple[float, float, float]]:
    """Return threshold, true and false positives of class k, from the highest score down."""
    weights = [1.0] * len(labels) if weights is None else weights
    known = [n for n, row in enumerate(labels) if row[k] is not None and weights[n] > 0]
    counts = []
    for threshold in sorted({scores[n][k] for n in known}, reverse=True):
        tagged = [n for n in known if scores[n][k] >= threshold]
        tps = sum(weights[n] for n in tagged if labels[n][k] == 1)
        fps = sum(weights[n] for n in tagged if labels[n][k] == 0)
        counts.append((threshold, tps, fps))
    return counts


def tag_average_precision(
    labels: Labels, scores: Scores, weights: Sequence[float] | None = None
) -> list[float]:
    """Return average precision of every class: the steps of recall times precision."""
    values = []
    for k in range(len(labels[0])):
        counts = tag_counts(labels, scores, k, weights)
        n_positives = counts[-1][1] if counts else 0.0
        if not n_positives:
            values.append(math.nan)
            continue
        value, before = 0.0, 0.0
        for _, tps, fps in counts:
            value += (tps - before) / n_positives * (tps / (tps + fps))
            before = tps
        values.append(value)
    return values


def tag_roc_auc(
    labels: Labels,
    scores: Scores,
    weights: Sequence[float] | None = None,
    max_fpr: float = 1.0,
) -> list[float]:
    """Return the area under the ROC of every class, a part of it with McClish's correction."""
    values = []
    for k in range(len(labels[0])):
        counts = tag_counts(labels, scores, k, weights)
        positives, negatives = counts[-1][1:] if counts else (0.0, 0.0)
        if not positives or not negatives:
            values.append(math.nan)
            continue
        points = [(0.0, 0.0), *((fps / negatives, tps / positives) for _, tps, fps in counts)]
        area = 0.0
        for (x0, y0), (x1, y1) in pairwise(points):
            if x0 >= max_fpr:
                break
            if x1 > max_fpr:
                x1, y1 = max_fpr, y0 + (y1 - y0) * (max_fpr - x0) / (x1 - x0)
            area += (x1 - x0) * (y0 + y1) / 2
        if max_fpr < 1.0:
            chance = max_fpr**2 / 2
            area = (1 + (area - chance) / (max_fpr - chance)) / 2
        values.append(area)
    return values


def tag_d_prime(area: float) -> float:
    """Return d-prime of an area under the ROC."""
    if math.isnan(area):
        return math.nan
    if area in (0.0, 1.0):
        return -math.inf if area == 0.0 else math.inf
    return math.sqrt(2) * NormalDist().inv_cdf(area)


def tag_f_scores(
    labels: Labels,
    scores: Scores,
    thresholds: Sequence[float],
    weights: Sequence[float] | None = None,
    beta: float = 1.0,
) -> list[float]:
    """Return F of every class at its threshold, NaN with neither positives nor tags."""
    weights = [1.0] * len(labels) if weights is None else weights
    values = []
    for k, threshold in enumerate(thresholds):
        tps = fps = fns = 0.0
        for row, score, weight in zip(labels, scores, weights, strict=True):
            if row[k] is None:
                continue
            tagged = score[k] >= threshold
            tps += weight if tagged and row[k] else 0.0
            fps += weight if tagged and not row[k] else 0.0
            fns += weight if not tagged and row[k] else 0.0
        denominator = (1 + beta**2) * tps + beta**2 * fns + fps
        values.append((1 + beta**2) * tps / denominator if denominator else math.nan)
    return values


def tag_best_f_scores(
    labels: Labels,
    scores: Scores,
    weights: Sequence[float] | None = None,
    beta: float = 1.0,
) -> list[tuple[float, float]]:
    """Return the best F of every class and its threshold, the highest of several."""
    best = []
    for k in range(len(labels[0])):
        counts = tag_counts(labels, scores, k, weights)
        n_positives = counts[-1][1] if counts else 0.0
        if not n_positives:
            best.append((math.nan, math.nan))
            continue
        found = (-1.0, math.nan)
        for threshold, tps, fps in counts:
            f = (1 + beta**2) * tps / (beta**2 * n_positives + tps + fps)
            if f > found[0]:
                found = (f, threshold)
        best.append(found)
    return best


def tag_label_ranks(labels: Labels, scores: Scores) -> list[tuple[int, int, int, int]]:
    """Return clip, class, hits and rank of every label.

    The rank is the number of classes of the clip with at least the label's score; hits are the
    labels among these.
    """
    ranked = []
    for n, (row, score) in enumerate(zip(labels, scores, strict=True)):
        for k, label in enumerate(row):
            if label == 1:
                above = [j for j in range(len(row)) if row[j] is not None and score[j] >= score[k]]
                ranked.append((n, k, sum(row[j] == 1 for j in above), len(above)))
    return ranked


def lwlrap(labels: Labels, scores: Scores, weights: Sequence[float] | None = None) -> float:
    """Return label-weighted label-ranking average precision, NaN without labels."""
    weights = [1.0] * len(labels) if weights is None else weights
    ranked = tag_label_ranks(labels, scores)
    total = math.fsum(weights[n] for n, _, _, _ in ranked)
    if not total:
        return math.nan
    return math.fsum(weights[n] * hits / rank for n, _, hits, rank in ranked) / total


def tag_calibration_error(labels: Sequence[int], scores: Sequence[float], n_bins: int) -> float:
    """Return the expected calibration error of one class over bins of equal width."""
    error = 0.0
    for b in range(n_bins):
        low, high = b / n_bins, (b + 1) / n_bins
        members = [
            n for n, score in enumerate(scores) if low < score <= high or (b == 0 and score == 0)
        ]
        if members:
            gap = math.fsum(labels[n] for n in members) - math.fsum(scores[n] for n in members)
            error += abs(gap)
    return error / len(labels)
