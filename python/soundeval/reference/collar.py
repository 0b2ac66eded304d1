r"""Collar-based counts, at one decision threshold and at all of them.

A detection fits a target when it starts about where the target starts, and ends about where it ends
(Mesaros et al., 2016). For a detection :math:`d` and a target :math:`g`, with onsets
:math:`\text{on}`, offsets :math:`\text{off}`, and the length :math:`|g|`:

.. math::
    |\text{on}_d - \text{on}_g| \le c_\text{on} \quad\text{and}\quad
    |\text{off}_d - \text{off}_g| \le \max(c_\text{off}, \rho\, |g|)

Detections are matched with targets that they fit, one with one, as many as possible. True positives
are matched pairs; false positives are the detections left over.

References
----------
.. [1] Mesaros, Heittola, Virtanen, "Metrics for polyphonic sound event detection", Applied Sciences
   6(6), 2016. doi:10.3390/app6060162
.. [2] Ebbers, Haeb-Umbach, Serizel, "Threshold independent evaluation of sound event detection
   scores", ICASSP 2022. doi:10.1109/ICASSP43922.2022.9747556
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy.typing as npt

from .arithmetic import rounded
from .class_statistics import (
    ClassStatistics,
    Counts,
    add_clips,
    column_of,
    edges_of,
    targets_of,
    to_try,
)
from .detection import Event, Interval, detections
from .matching import maximum_matching


def fits(
    detection: Interval,
    target: Interval,
    *,
    onset_collar: float = 0.2,
    offset_collar: float | None = 0.2,
    offset_collar_rate: float = 0.2,
    time_decimals: int = 6,
) -> bool:
    """Tell whether onset and offset of a detection are near enough to those of a target.

    Parameters
    ----------
    detection, target : (onset, offset)
        Seconds.
    onset_collar : float, default 0.2
        Largest distance of the onsets in seconds.
    offset_collar : float or None, default 0.2
        Largest distance of the offsets in seconds. None: offsets do not matter.
    offset_collar_rate : float, default 0.2
        The same as a share of the length of the target; the larger of both holds.
    time_decimals : int, default 6
        What a distance is above its limit is rounded to so many decimals of a second, and may be 0.

    Examples
    --------
    >>> fits((0.2, 4.0), (0.0, 5.0)), fits((0.2, 4.0), (0.0, 4.5), offset_collar_rate=0.1)
    (True, False)
    >>> fits((0.2, 9.0), (0.0, 5.0), offset_collar=None)
    True
    """
    onset_distance = abs(detection[0] - target[0])
    if rounded(onset_distance - onset_collar, time_decimals) > 0:
        return False
    if offset_collar is None:
        return True
    offset_distance = abs(detection[1] - target[1])
    allowed = max(offset_collar, offset_collar_rate * (target[1] - target[0]))
    return rounded(offset_distance - allowed, time_decimals) <= 0


def count_matches(
    detected: Sequence[Interval],
    targets: Sequence[Interval],
    *,
    onset_collar: float = 0.2,
    offset_collar: float | None = 0.2,
    offset_collar_rate: float = 0.2,
    time_decimals: int = 6,
) -> Counts:
    """Count for one clip and one class, given its detections at one threshold.

    Parameters
    ----------
    detected, targets : sequence of (onset, offset)
        Seconds.
    onset_collar, offset_collar, offset_collar_rate, time_decimals
        See :func:`fits`.

    Returns
    -------
    Counts
        Without cross triggers.

    Examples
    --------
    Both detections fit the target, which is found once:

    >>> count_matches([(0.0, 1.0), (0.2, 1.1)], [(0.1, 1.0)])
    Counts(tps=1, fps=1, cts={})
    """
    fitting = [
        [
            position
            for position, target in enumerate(targets)
            if fits(
                detection,
                target,
                onset_collar=onset_collar,
                offset_collar=offset_collar,
                offset_collar_rate=offset_collar_rate,
                time_decimals=time_decimals,
            )
        ]
        for detection in detected
    ]
    tps = len(maximum_matching(fitting))
    return Counts(tps, len(detected) - tps, {})


def collar_statistics(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    *,
    onset_collar: float = 0.2,
    offset_collar: float | None = 0.2,
    offset_collar_rate: float = 0.2,
    time_decimals: int = 6,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
) -> dict[str, ClassStatistics]:
    """Count with collars at all decision thresholds, for every class.

    Parameters
    ----------
    scores, ground_truth, event_classes, timestamps
        See :func:`soundeval.reference.statistics`.
    onset_collar, offset_collar, offset_collar_rate, time_decimals
        See :func:`fits`.

    Returns
    -------
    dict of str to ClassStatistics
        In the order of ``event_classes``, without cross triggers.

    Examples
    --------
    >>> per_class = collar_statistics(
    ...     {"x": [[0.2], [0.9], [0.8], [0.2]]}, {"x": [(1.0, 3.0, "a")]},
    ...     event_classes=["a"], timestamps=[0.0, 1.0, 2.0, 3.0, 4.0])
    >>> per_class["a"].thresholds, per_class["a"].tps, per_class["a"].fps
    ([0.2, 0.8, 0.9, inf], [0, 1, 0, 0], [1, 0, 1, 0])
    """
    per_class = {}
    for column, name in enumerate(event_classes):
        clips = []
        lengths = []
        for clip, matrix in scores.items():
            frame_scores = column_of(matrix, column)
            edges = edges_of(timestamps, clip)
            targets = targets_of(ground_truth[clip], name)
            lengths += [offset - onset for onset, offset in targets]
            clips.append(
                {
                    score: count_matches(
                        detections(frame_scores, edges, threshold),
                        targets,
                        onset_collar=onset_collar,
                        offset_collar=offset_collar,
                        offset_collar_rate=offset_collar_rate,
                        time_decimals=time_decimals,
                    )
                    for score, threshold in to_try(frame_scores).items()
                }
            )
        per_class[name] = add_clips(clips, lengths)
    return per_class
