"""Detections: the runs of active frames of one clip and one class.

A frame is active where its score is **greater** than the decision threshold. Neighbouring active
frames are one detection; it starts at the first edge and ends at the last edge of its frames.
"""

from __future__ import annotations

from collections.abc import Sequence

Interval = tuple[float, float]
"""Onset and offset in seconds."""

Event = tuple[float, float, str]
"""Onset and offset in seconds, and the label."""


def detections(
    scores: Sequence[float], timestamps: Sequence[float], threshold: float
) -> list[Interval]:
    """List the detections of one clip and one class at one decision threshold.

    Parameters
    ----------
    scores : sequence of float, shape (n_frames,)
        One score per frame. A frame of ``-inf`` is never active. NaN is not allowed.
    timestamps : sequence of float, shape (n_frames + 1,)
        The edges of the frames in seconds, strictly increasing.
    threshold : float
        Decision threshold; a frame is active where ``score > threshold``.

    Returns
    -------
    list of (onset, offset)
        In time order; empty when no frame is active. Edges are handed on as they are, neither
        rounded nor clipped to the duration of the audio.

    Examples
    --------
    >>> detections([0.1, 0.8, 0.9, 0.1, 0.8], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 0.5)
    [(1.0, 3.0), (4.0, 5.0)]
    >>> detections([0.1, 0.8, 0.9, 0.1, 0.8], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 0.8)
    [(2.0, 3.0)]
    """
    found: list[Interval] = []
    onset: float | None = None
    for frame, score in enumerate(scores):
        if score > threshold and onset is None:
            onset = timestamps[frame]
        if not score > threshold and onset is not None:
            found.append((onset, timestamps[frame]))
            onset = None
    if onset is not None:
        found.append((onset, timestamps[len(scores)]))
    return found
