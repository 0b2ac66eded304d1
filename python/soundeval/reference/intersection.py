"""Intersection-based counts, at one decision threshold and at all of them.

Detections and targets are compared by the time they share (Bilen et al., 2020):

* DTC, detection tolerance criterion: a detection is *relevant* when enough of it lies inside
  targets of its class. The other detections are false positives.
* GTC, ground truth intersection criterion: a target is a true positive when enough of it is
  covered by relevant detections.
* CTTC, cross-trigger tolerance criterion: a false positive is also a cross trigger for another
  class when enough of it lies inside targets of that class.

True positives are counted in targets, false positives and cross triggers in detections.

To get the counts at *all* thresholds, every distinct score is tried as a threshold, the events are
listed, and they are counted. Nothing here is meant to be fast.

References
----------
.. [1] Bilen, Ferroni, Tuveri, Azcarreta, Krstulovic, "A framework for the robust evaluation of
   sound event detection", ICASSP 2020. doi:10.1109/ICASSP40776.2020.9052995
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


def overlap(one: Interval, other: Interval) -> float:
    """Return the time in seconds that two intervals share, 0 if they do not meet.

    Examples
    --------
    >>> overlap((0.0, 3.0), (2.0, 5.0)), overlap((0.0, 1.0), (2.0, 5.0))
    (1.0, 0.0)
    """
    return max(min(one[1], other[1]) - max(one[0], other[0]), 0.0)


def is_covered(
    interval: Interval, others: Sequence[Interval], criterion: float, decimals: int
) -> bool:
    """Tell whether at least a fraction ``criterion`` of an interval lies inside ``others``.

    The time shared with each of the others is summed, in their order, so time inside two of them
    counts twice. The sum and the required time are rounded, each on its own, and the limit is
    inclusive.

    Examples
    --------
    >>> is_covered((0.0, 3.0), [(0.0, 1.0), (2.0, 2.5)], 0.5, 6)
    True
    >>> is_covered((0.0, 3.0), [(0.0, 1.0), (2.0, 2.4)], 0.5, 6)
    False
    """
    # A loop, because the built-in sum() compensates rounding errors from Python 3.12 on.
    shared = 0.0
    for other in others:
        shared += overlap(interval, other)
    required = criterion * (interval[1] - interval[0])
    return rounded(shared, decimals) >= rounded(required, decimals)


def count(
    detected: Sequence[Interval],
    targets: Sequence[Interval],
    other_targets: Mapping[str, Sequence[Interval]],
    *,
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    time_decimals: int = 6,
) -> Counts:
    r"""Count for one clip and one class, given its detections at one threshold.

    With :math:`|x \cap y|` the time that :math:`x` and :math:`y` share, for detections :math:`d`
    and targets :math:`g` of the class, and targets :math:`g'` of another class:

    .. math::
        \text{d relevant} &\iff \sum_g |d \cap g| \ge \rho_\text{DTC}\, |d| \\
        \text{g true positive} &\iff \sum_{\text{relevant } d} |d \cap g|
            \ge \rho_\text{GTC}\, |g| \\
        \text{d cross trigger} &\iff \text{d not relevant and }
            \sum_{g'} |d \cap g'| \ge \rho_\text{CTTC}\, |d|

    (Bilen et al., 2020, doi:10.1109/ICASSP40776.2020.9052995.)

    Parameters
    ----------
    detected, targets : sequence of (onset, offset)
        Seconds, in time order.
    other_targets : mapping of str to sequence of (onset, offset)
        Targets of the other classes in this clip.
    dtc_threshold, gtc_threshold : float
        Required fractions, 0 to 1.
    cttc_threshold : float, optional
        Required fraction for cross triggers; without it none are counted and ``cts`` is empty.
    time_decimals : int, default 6
        Both sides of a comparison are rounded to so many decimals of a second. Not negative.

    Returns
    -------
    Counts

    Notes
    -----
    Without detections all counts are 0, by convention: even where ``gtc_threshold=0`` or a target
    of zero length would make a true positive out of nothing. A class without a target in this clip
    has no cross triggers, even with ``cttc_threshold=0``.

    Examples
    --------
    >>> count([(0.0, 3.0), (4.0, 5.0), (7.0, 9.0)], [(0.0, 2.0), (8.5, 9.0)], {"b": [(6.0, 9.0)]},
    ...       dtc_threshold=0.5, gtc_threshold=0.5, cttc_threshold=0.5)
    Counts(tps=1, fps=2, cts={'b': 1})
    """
    if not detected:
        return Counts(0, 0, {} if cttc_threshold is None else dict.fromkeys(other_targets, 0))

    relevant = [d for d in detected if is_covered(d, targets, dtc_threshold, time_decimals)]
    false = [d for d in detected if not is_covered(d, targets, dtc_threshold, time_decimals)]
    found = [g for g in targets if is_covered(g, relevant, gtc_threshold, time_decimals)]

    cts: dict[str, int] = {}
    if cttc_threshold is not None:
        for other, others in other_targets.items():
            triggers = [d for d in false if is_covered(d, others, cttc_threshold, time_decimals)]
            cts[other] = len(triggers) if others else 0
    return Counts(len(found), len(false), cts)


def statistics(
    scores: Mapping[str, npt.ArrayLike],
    ground_truth: Mapping[str, Sequence[Event]],
    *,
    dtc_threshold: float,
    gtc_threshold: float,
    cttc_threshold: float | None = None,
    time_decimals: int = 6,
    event_classes: Sequence[str],
    timestamps: Mapping[str, Sequence[float]] | Sequence[float],
) -> dict[str, ClassStatistics]:
    """Count at all decision thresholds, for every class.

    Every distinct score is tried as a threshold (Ebbers et al., 2022,
    doi:10.1109/ICASSP43922.2022.9747556, show that these are all there is to know).

    Parameters
    ----------
    scores : mapping of clip id to array-like, shape (n_frames, n_classes)
        Finite or infinite, not NaN; columns as in ``event_classes``.
    ground_truth : mapping of clip id to sequence of (onset, offset, label)
        Seconds; one entry for each clip of ``scores``, other clips are not looked at. Events of a
        class may touch, overlap or nest: each is a target of its own.
    dtc_threshold, gtc_threshold, cttc_threshold, time_decimals
        See :func:`count`.
    event_classes : sequence of str
        Names of the score columns; labels that are not among them are not looked at.
    timestamps : sequence of float, shape (n_frames + 1,), or mapping of clip id to such
        Frame edges in seconds.

    Returns
    -------
    dict of str to ClassStatistics
        In the order of ``event_classes``.

    Examples
    --------
    >>> per_class = statistics(
    ...     {"x": [[0.2], [0.9], [0.8], [0.2]]}, {"x": [(1.0, 3.0, "a")]},
    ...     dtc_threshold=0.7, gtc_threshold=0.7, event_classes=["a"],
    ...     timestamps=[0.0, 1.0, 2.0, 3.0, 4.0])
    >>> per_class["a"].thresholds, per_class["a"].tps, per_class["a"].fps
    ([0.2, 0.8, inf], [0, 1, 0], [1, 0, 0])

    The score 0.9 is not listed: its detection, from 1 s to 2 s, is relevant, thus no false
    positive, but it covers too little of the target to make a true positive.
    """
    per_class = {}
    for column, name in enumerate(event_classes):
        clips = []
        lengths = []
        for clip, matrix in scores.items():
            frame_scores = column_of(matrix, column)
            edges = edges_of(timestamps, clip)
            targets = targets_of(ground_truth[clip], name)
            lengths += [off - on for on, off in targets]
            others = {
                label: targets_of(ground_truth[clip], label)
                for label in event_classes
                if label != name
            }
            clips.append(
                {
                    score: count(
                        detections(frame_scores, edges, threshold),
                        targets,
                        others,
                        dtc_threshold=dtc_threshold,
                        gtc_threshold=gtc_threshold,
                        cttc_threshold=cttc_threshold,
                        time_decimals=time_decimals,
                    )
                    for score, threshold in to_try(frame_scores).items()
                }
            )
        other_names = [] if cttc_threshold is None else [o for o in event_classes if o != name]
        per_class[name] = add_clips(clips, lengths, other_names)
    return per_class
