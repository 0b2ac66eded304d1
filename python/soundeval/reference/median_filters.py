r"""Median filters over seconds and over frames, window by window.

Scores are a function of time, constant within frames and :math:`-\infty` outside. Where the window
around a time has several medians, the one it had before is kept (Ebbers et al., 2022).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .arithmetic import rounded
from .class_statistics import column_of

Change = tuple[float, float]


def mass(
    scores: Sequence[float], edges: Sequence[float], start: float, stop: float
) -> dict[float, float]:
    """Return for how long the scores have each value between two times.

    Examples
    --------
    >>> mass([0.5, 0.9, 0.5], [0.0, 1.0, 2.0, 3.0], 0.5, 4.5)
    {0.5: 1.5, 0.9: 1.0, -inf: 1.5}
    """
    total: dict[float, float] = {}
    inside = 0.0
    for score, begin, end in zip(scores, edges, edges[1:], strict=False):
        shared = min(end, stop) - max(begin, start)
        if shared > 0.0:
            total[score] = total.get(score, 0.0) + shared
            inside += shared
    total[-math.inf] = total.get(-math.inf, 0.0) + stop - start - inside
    return total


def changes(
    scores: Sequence[float], edges: Sequence[float], length: float, time_decimals: int = 6
) -> list[Change]:
    """Return when the median over a window of some seconds changes, and to what.

    Examples
    --------
    >>> changes([0.1, 0.9, 0.1, 0.8, 0.8], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 2.0)
    [(0.0, 0.1), (3.0, 0.8), (5.0, -inf)]
    """
    if length == 0.0:
        begins = [rounded(edge, time_decimals) for edge in edges]
        return list(zip(begins, [*scores, -math.inf], strict=True))
    half, tolerance = length / 2, 10.0 ** -(time_decimals + 1)
    stops = sorted(
        rounded(edge + shift, time_decimals + 2) for edge in edges for shift in (-half, half)
    )
    found: list[Change] = []
    median, previous = -math.inf, -math.inf
    for time in stops:
        if time - previous < tolerance:
            continue
        previous = time
        at = mass(scores, edges, time - half, time + half)
        values = sorted(at)

        def below(value: float, at: dict[float, float] = at) -> float:
            return sum(seconds for other, seconds in at.items() if other < value)

        def above(value: float, at: dict[float, float] = at) -> float:
            return sum(seconds for other, seconds in at.items() if other > value)

        if length - above(median) < half - tolerance:
            target = min(v for v in values if length - above(v) >= half - tolerance)
            passed = [v for v in values if median < v <= target]
            for value in passed:
                if value == target or at[value] > tolerance:
                    found.append((rounded(time - (half - below(value)), time_decimals), value))
            median = target
        elif below(median) >= half - tolerance:
            # The median itself may have left the window and still be one: then nothing changes.
            lower = [v for v in (*values, median) if v <= median]
            target = max(v for v in lower if length - below(v) > half - tolerance)
            passed = [v for v in reversed(values) if target <= v < median]
            for value in passed:
                if value == target or at[value] > tolerance:
                    found.append((rounded(time - (half - above(value)), time_decimals), value))
            median = target
    return found


def median_filter(
    scores: npt.ArrayLike,
    timestamps: Sequence[float],
    lengths: Sequence[float],
    *,
    time_decimals: int = 6,
) -> tuple[list[list[float]], list[float]]:
    """Filter the scores of one clip over windows of some seconds, one length for each class.

    Returns
    -------
    scores : list of lists of float, shape (n_frames, n_classes)
        On frames that begin where any class changes.
    timestamps : list of float, shape (n_frames + 1,)
        Their edges.

    Examples
    --------
    >>> median_filter([[0.1], [0.9], [0.1]], [0.0, 1.0, 2.0, 3.0], [2.0])
    ([[0.1]], [0.0, 3.0])
    """
    tolerance = 10.0 ** -(time_decimals + 1)
    edges = [float(edge) for edge in timestamps]
    per_class = [
        changes(column_of(scores, column), edges, length, time_decimals)
        for column, length in enumerate(lengths)
    ]
    times: list[float] = []
    for time in sorted(time for its in per_class for time, _ in its):
        if not times or time - times[-1] > tolerance:
            times.append(time)
    if len(times) < 2:
        return [[-math.inf] * len(lengths)], [edges[0], edges[-1]]
    rows = []
    for time in times[:-1]:
        row = []
        for its in per_class:
            so_far = [value for change, value in its if change <= time + tolerance]
            row.append(so_far[-1] if so_far else -math.inf)
        rows.append(row)
    return rows, times


def place_of(place: int, n: int, mode: str) -> int | None:
    """Return the frame that stands for a place beyond the ends; None for a constant.

    Examples
    --------
    >>> [place_of(place, 3, "reflect") for place in range(-3, 6)]
    [2, 1, 0, 0, 1, 2, 2, 1, 0]
    >>> [place_of(place, 3, "mirror") for place in range(-3, 6)]
    [1, 2, 1, 0, 1, 2, 1, 0, 1]
    """
    if 0 <= place < n:
        return place
    if mode == "nearest":
        return 0 if place < 0 else n - 1
    if mode == "wrap":
        return place % n
    if mode == "reflect":
        there_and_back: list[int] = [*range(n), *reversed(range(n))]
        return there_and_back[place % (2 * n)]
    if mode == "mirror":
        there_and_back = [*range(n), *range(n - 2, 0, -1)]
        return there_and_back[place % len(there_and_back)]
    return None


def median_filter_frames(
    scores: npt.ArrayLike, sizes: Sequence[int], *, mode: str = "reflect", cval: float = 0.0
) -> list[list[float]]:
    """Filter the scores of one clip over windows of some frames, one size for each class.

    Examples
    --------
    >>> median_filter_frames([[0.1], [0.9], [0.1]], [3])
    [[0.1], [0.1], [0.1]]
    """
    n = len(np.asarray(scores))
    columns = []
    for column, size in enumerate(sizes):
        its = column_of(scores, column)
        filtered = []
        for frame in range(n):
            window = []
            for place in range(frame - size // 2, frame - size // 2 + size):
                inside = place_of(place, n, mode)
                window.append(cval if inside is None else its[inside])
            filtered.append(sorted(window)[size // 2])
        columns.append(filtered)
    return [list(row) for row in zip(*columns, strict=True)]


def lengths_of(length: float | Mapping[str, float], event_classes: Sequence[str]) -> list[float]:
    """Return one length for each class.

    Examples
    --------
    >>> lengths_of(0.5, ["a", "b"]), lengths_of({"a": 1.0, "b": 2.0}, ["a", "b"])
    ([0.5, 0.5], [1.0, 2.0])
    """
    if isinstance(length, Mapping):
        return [length[name] for name in event_classes]
    return [length] * len(event_classes)
