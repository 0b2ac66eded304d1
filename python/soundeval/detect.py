"""Detections: from scores and decision thresholds to lists of events.

An event list is a dict from clip id to ``[(onset, offset, label), ...]``: what `match`,
`detection_statistics` and, as ground truth, every other function takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soundeval import _core
from soundeval.errors import checked
from soundeval.event_processing import check_limit_names, drop_short, fill_gaps, limits_of
from soundeval.sources import refuse_repeated, score_source
from soundeval.thresholds import thresholds_by_class

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soundeval.typing import ScoresInput, ThresholdInput, TimestampsInput

__all__ = ["detect"]


def detect(
    scores: ScoresInput,
    threshold: ThresholdInput,
    *,
    max_gap: float | Mapping[str, float] = 0.0,
    min_duration: float | Mapping[str, float] = 0.0,
    time_decimals: int = 6,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    progress: bool | None = None,
) -> dict[str, list[tuple[float, float, str]]]:
    """Return the events that a system detects at given decision thresholds.

    A detection is a maximal run of frames with a score greater than the threshold of the class.

    Parameters
    ----------
    scores, timestamps, event_classes, progress
        See `statistics`.
    threshold : float or mapping of str to float
        Decision threshold for all classes, or of each class: a dict, or the `Thresholds` that were
        chosen on other clips.
    max_gap : float or mapping of str to float, default 0.0
        Gaps of up to so many seconds between detections of a class are filled; see `fill_gaps`.
    min_duration : float or mapping of str to float, default 0.0
        Detections that are shorter, after gaps are filled, are dropped; see `drop_short`.
    time_decimals : int, default 6
        Decimals (of seconds) to which gaps and durations are rounded before they are compared.

    Returns
    -------
    dict of str to list of (onset, offset, label)
        Events of every clip, sorted; empty for clips without detections. Times are the edges of
        frames as they are.

    Raises
    ------
    InputError
        If scores are wrong, if thresholds are missing or NaN or name what is no class, or if a
        limit is negative.

    Notes
    -----
    Evaluating the list gives what `Statistics` says at the threshold, unless detections were
    changed by `max_gap` or `min_duration`.

    See Also
    --------
    write_events : Write them to a file.
    match : See which of them are right.
    median_filter : Smooth scores before.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> scores = {"a": np.array([[0.9], [0.2], [0.8], [0.1], [0.1], [0.7]])}
    >>> frames = {"timestamps": np.arange(7.0), "event_classes": ["Dog"]}
    >>> se.detect(scores, 0.5, **frames)
    {'a': [(0.0, 1.0, 'Dog'), (2.0, 3.0, 'Dog'), (5.0, 6.0, 'Dog')]}
    >>> se.detect(scores, 0.5, max_gap=1.0, min_duration=2.0, **frames)
    {'a': [(0.0, 3.0, 'Dog')]}
    """
    source = score_source(
        scores, timestamps=timestamps, event_classes=event_classes, progress=progress
    )
    classes = source.event_classes
    by_class = thresholds_by_class(threshold, classes, ())
    thresholds = [by_class[name] for name in classes]
    for name, limit in (("max_gap", max_gap), ("min_duration", min_duration)):
        limits_of(name, limit, classes)
        check_limit_names(name, limit, classes)
    # Events at the same time are in the order of their labels, not of the columns.
    alphabetical = {name: rank for rank, name in enumerate(sorted(classes))}
    ranks = [alphabetical[name] for name in classes]
    events: dict[str, list[tuple[float, float, str]]] = {}
    for batch in source.batches():
        columns = checked(_core.detect, list(classes), *batch, thresholds, ranks)
        counts, onsets, offsets, indices = (column.tolist() for column in columns)
        rows = list(zip(onsets, offsets, map(classes.__getitem__, indices), strict=True))
        end = 0
        for clip, count in zip(batch.clip_ids, counts, strict=True):
            refuse_repeated(clip, events)
            begin, end = end, end + count
            events[clip] = rows[begin:end]
    if max_gap != 0.0:
        events = fill_gaps(events, max_gap, time_decimals=time_decimals)
    if min_duration != 0.0:
        events = drop_short(events, min_duration, time_decimals=time_decimals)
    return events
