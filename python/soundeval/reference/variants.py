"""The best of several variants of a system at each point of a PSD-ROC (Ebbers et al., 2023)."""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float, float]


def best_of_variants(
    curves: Sequence[Sequence[Point]],
) -> list[tuple[float, float, float, int]]:
    """Return the points (eFPR, TPR, threshold, variant) that no other point beats.

    Parameters
    ----------
    curves : sequence of sequences of (efpr, tpr, threshold)
        Points of one class, variant by variant.

    Returns
    -------
    list of (efpr, tpr, threshold, variant)
        By rising rates. A point stays if no point with at most as many false positives finds as
        much; of equal points that of the last variant stays.

    Examples
    --------
    >>> best_of_variants([[(100.0, 1.0, 0.7)], [(0.0, 0.5, 0.8), (100.0, 0.5, 0.1)]])
    [(0.0, 0.5, 0.8, 1), (100.0, 1.0, 0.7, 0)]
    """
    points = [(*point, variant) for variant, curve in enumerate(curves) for point in curve]
    kept = []
    for efpr, tpr, threshold, variant in points:
        beaten = any(
            other_efpr <= efpr
            and (
                other_tpr > tpr
                or (other_tpr == tpr and (other_efpr < efpr or other_variant > variant))
            )
            for other_efpr, other_tpr, _, other_variant in points
        )
        if not beaten:
            kept.append((efpr, tpr, threshold, variant))
    return sorted(kept)
