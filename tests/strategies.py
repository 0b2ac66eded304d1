"""Every Hypothesis strategy: scores, frame edges, events, criteria, and whole evaluation sets.

They look for trouble where it is to be found: few distinct scores, so that frames, clips and
classes tie; plateaus; frames of -inf; clips of one frame; zeros of both signs; events that start
where frames or other events do, that touch, overlap, nest or repeat, or lie beyond the scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

Event = tuple[float, float, str]

FRACTIONS = [0.0, 0.1, 0.3, 0.5, 0.7, 1.0]
GRID = 100_000
"""Grid points per second where times must stay exact when they are shifted. A tenth of the step is
a whole microsecond: with criteria in tenths no comparison of times, rounded to microseconds, is
close."""


@dataclass(frozen=True, eq=False)
class EvaluationSet:
    """What goes into an evaluation, small.

    Attributes
    ----------
    clips : dict of clip id to array, shape (n_frames, n_classes)
    timestamps : dict of clip id to array, shape (n_frames + 1,)
        Frame edges in seconds.
    events : dict of clip id to list of (onset, offset, label)
        One entry per clip.
    durations : dict of clip id to float
        Seconds; not related to the scores.
    classes : list of str
    """

    clips: dict[str, np.ndarray]
    timestamps: dict[str, np.ndarray]
    events: dict[str, list[Event]]
    durations: dict[str, float]
    classes: list[str]

    # The names under which implementations.py asks for the same things.
    @property
    def scores(self) -> dict[str, np.ndarray]:
        return self.clips

    @property
    def ground_truth(self) -> dict[str, list[Event]]:
        return self.events

    @property
    def audio_durations(self) -> dict[str, float]:
        return self.durations

    @property
    def event_classes(self) -> list[str]:
        return self.classes

    def classes_with_events(self) -> list[str]:
        """Names of the classes that occur, in order."""
        labels = {label for events in self.events.values() for _, _, label in events}
        return [name for name in self.classes if name in labels]

    def with_classes(self, classes: list[str]) -> EvaluationSet:
        """Keep these classes, in this order."""
        columns = [self.classes.index(name) for name in classes]
        return replace(
            self,
            clips={clip: scores[:, columns] for clip, scores in self.clips.items()},
            events={
                clip: [event for event in events if event[2] in classes]
                for clip, events in self.events.items()
            },
            classes=classes,
        )

    def with_clips(self, clips: list[str]) -> EvaluationSet:
        """Keep these clips, in this order."""
        return replace(
            self,
            clips={clip: self.clips[clip] for clip in clips},
            timestamps={clip: self.timestamps[clip] for clip in clips},
            events={clip: self.events[clip] for clip in clips},
            durations={clip: self.durations[clip] for clip in clips},
        )

    def with_scores(self, change: Any) -> EvaluationSet:
        """Put every score matrix through a function."""
        return replace(self, clips={clip: change(scores) for clip, scores in self.clips.items()})


def score_values(dtype: type) -> st.SearchStrategy[float]:
    """One score: probabilities, logits, awkward values; never NaN."""
    width = np.dtype(dtype).itemsize * 8
    return st.one_of(
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
        st.floats(0.0, 1.0, width=width),
        st.floats(-20.0, 20.0, width=width),
        st.floats(allow_nan=False, width=width),
        # Awkward: both zeros, both infinities, and neighbours that differ in the last digit.
        st.sampled_from([0.0, -0.0, math.inf, -math.inf, 1.0, float(np.nextafter(dtype(1), 2))]),
    )


@st.composite
def score_matrices(
    draw: st.DrawFn, n_frames: int, n_classes: int, dtype: type, palette: list[float] | None
) -> np.ndarray:
    """Scores of one clip: from a palette of few values, or as they come."""
    elements = score_values(dtype) if palette is None else st.sampled_from(palette)
    # With a "fill" most entries share one value, which is how long plateaus come about.
    fill = elements if draw(st.booleans()) else st.nothing()
    return draw(hnp.arrays(dtype, (n_frames, n_classes), elements=elements, fill=fill))


@st.composite
def frame_edges(draw: st.DrawFn, n_frames: int, on_grid: bool = False) -> np.ndarray:
    """Frame edges in seconds: regular or not, from 0 or later."""
    if on_grid or draw(st.booleans()):
        per_second = GRID if on_grid else 1_000_000
        gaps = st.integers(1, 2 * per_second) | st.just(per_second) | st.integers(1, 9)
        steps = draw(st.lists(gaps, min_size=n_frames, max_size=n_frames))
        start = draw(st.sampled_from([0, per_second]) | st.integers(0, 3 * per_second))
        return np.cumsum([start, *steps]) / per_second
    hop = draw(st.sampled_from([1.0, 0.1, 0.064, 0.02, 1 / 3]))
    return np.arange(n_frames + 1) * hop


@st.composite
def event_lists(
    draw: st.DrawFn,
    edges: np.ndarray,
    labels: list[str],
    *,
    on_grid: bool = False,
    zero_length: bool = False,
    max_size: int = 6,
) -> list[Event]:
    """Events of one clip, in any order: on and off the frame edges, also beyond the last one.

    All onsets and offsets come from a pool of few times, so many events touch, nest or repeat.
    """
    per_second = GRID if on_grid else 1_000_000
    end = int(edges[-1] * per_second) + 2 * per_second
    free = [t / per_second for t in draw(st.lists(st.integers(0, end), max_size=4))]
    pool = sorted({*map(float, edges), *free, (end - per_second) / per_second})
    times = st.sampled_from(pool)
    pairs = st.tuples(times, times).map(sorted)
    if not zero_length:
        pairs = pairs.filter(lambda pair: pair[0] < pair[1])
    events = st.tuples(pairs, st.sampled_from(labels)).map(lambda e: (e[0][0], e[0][1], e[1]))
    n_events = draw(st.integers(0, max_size))
    return draw(st.lists(events, min_size=n_events, max_size=n_events))


@st.composite
def evaluation_sets(
    draw: st.DrawFn,
    *,
    min_clips: int = 0,
    max_clips: int = 4,
    max_classes: int = 4,
    max_frames: int = 12,
    dtype: type | None = None,
    on_grid: bool = False,
    zero_length: bool = False,
    some_events: bool = False,
) -> EvaluationSet:
    """Whole evaluation sets.

    Parameters
    ----------
    min_clips, max_clips, max_classes, max_frames
        Sizes.
    dtype
        ``numpy.float32`` or ``numpy.float64`` scores; both by default.
    on_grid
        Whether all times lie on a grid (see ``GRID``), so that shifting them changes no comparison.
    zero_length
        Whether an event may end when it starts.
    some_events
        Whether at least one event is there.
    """
    dtype = dtype or draw(st.sampled_from([np.float32, np.float64]))
    classes = ["a", "b", "c", "d"][: draw(st.integers(1, max_classes))]
    names = [f"clip{number}" for number in range(draw(st.integers(min_clips, max_clips)))]
    # One palette for all clips: ties across clips and classes are where counts are merged.
    palettes = st.lists(score_values(dtype), min_size=1, max_size=4) | st.just(
        [0.125, 0.25, 0.5, 0.75, 0.875]
    )
    palette = draw(palettes) if draw(st.integers(0, 3)) else None
    if palette is not None:
        palette = palette + draw(st.sampled_from([[], [-math.inf], [math.inf], [-0.0, 0.0]]))

    clips, timestamps, events, durations = {}, {}, {}, {}
    for name in names:
        n_frames = draw(st.sampled_from([1, 2, max_frames]) | st.integers(1, max_frames))
        timestamps[name] = draw(frame_edges(n_frames, on_grid))
        clips[name] = draw(score_matrices(n_frames, len(classes), dtype, palette))
        events[name] = draw(
            event_lists(timestamps[name], classes, on_grid=on_grid, zero_length=zero_length)
        )
        durations[name] = draw(st.sampled_from([1.0, 10.0, 600.0]) | st.floats(0.1, 1000.0))

    if some_events and names and not any(events.values()):
        edges = timestamps[names[0]]
        events[names[0]] = [(float(edges[0]), float(edges[-1]), classes[0])]
    return EvaluationSet(clips, timestamps, events, durations, classes)


@st.composite
def intersection_criteria(
    draw: st.DrawFn, *, tenths: bool = False, cross_triggers: bool | None = None
) -> dict[str, Any]:
    """Parameters of the intersection criterion, as keyword arguments.

    With ``tenths`` all fractions are tenths and times are compared to the microsecond.
    """
    fractions = st.sampled_from(FRACTIONS)
    decimals = st.just(6)
    if not tenths:
        fractions = fractions | st.floats(0.0, 1.0)
        decimals = st.one_of(st.just(6), st.sampled_from([0, 1, 3, 9, 12]), st.integers(0, 30))
    with_cttc = draw(st.booleans()) if cross_triggers is None else cross_triggers
    return {
        "dtc_threshold": draw(fractions),
        "gtc_threshold": draw(fractions),
        "cttc_threshold": draw(fractions) if with_cttc else None,
        "time_decimals": draw(decimals),
    }


@st.composite
def psds_settings(draw: st.DrawFn, *, cross_triggers: bool) -> dict[str, Any]:
    """Further parameters of the PSDS; with cross triggers they have a weight."""
    return {
        "alpha_ct": draw(st.sampled_from([0.5, 1.0]) | st.floats(0.01, 1.0))
        if cross_triggers
        else 0.0,
        "alpha_st": draw(st.sampled_from([0.0, 1.0]) | st.floats(0.0, 3.0)),
        "unit_of_time": draw(st.sampled_from(["second", "minute", "hour"])),
        "max_efpr": draw(st.sampled_from([0.1, 100.0, 2000.0]) | st.floats(0.01, 1e5)),
        "oracle": draw(st.booleans()),
    }


@st.composite
def collar_criteria(draw: st.DrawFn, *, tenths: bool = False) -> dict[str, Any]:
    """Parameters of the collar criterion, as keyword arguments; some without an offset collar.

    With ``tenths`` all are tenths and times are compared to the microsecond.
    """
    seconds = st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0, 2.0])
    decimals = st.just(6)
    if not tenths:
        seconds = seconds | st.floats(0.0, 5.0)
        decimals = st.one_of(st.just(6), st.sampled_from([0, 1, 3, 9, 12]), st.integers(0, 30))
    return {
        "onset_collar": draw(seconds),
        "offset_collar": draw(st.none() | seconds),
        "offset_collar_rate": draw(st.sampled_from([0.0, 0.2, 0.5, 1.0])),
        "time_decimals": draw(decimals),
    }


@st.composite
def segment_criteria(draw: st.DrawFn) -> dict[str, Any]:
    """Parameters of the segment criterion, as keyword arguments.

    Segments are long enough for the durations of ``evaluation_sets`` not to have too many, and not
    to have none of their length left when it is rounded.
    """
    decimals = draw(st.one_of(st.just(6), st.sampled_from([0, 1, 3, 9, 12]), st.integers(0, 30)))
    lengths = st.sampled_from([1.0, 2.0, 10.0]) | st.floats(1.0, 50.0)
    if decimals:
        lengths = lengths | st.sampled_from([0.25, 0.3, 0.5]) | st.floats(0.25, 1.0)
    return {"segment_length": draw(lengths), "time_decimals": decimals}


scored_units = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, -math.inf]) | st.floats(allow_nan=False),
        st.booleans(),
    ),
    max_size=12,
)
"""Clips or segments of one class: score, and whether positive. Many tie, some have no score."""
