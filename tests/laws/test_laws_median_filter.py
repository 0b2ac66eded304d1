"""Median filters are those of the twin and of SciPy, and do not care how scores are given."""

from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import soundeval as se
from soundeval import reference

LENGTHS = st.sampled_from([0.0, 0.064, 0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 20.0]) | st.floats(0.001, 10.0)
MODES = ["reflect", "mirror", "nearest", "wrap", "constant"]


def of(inputs: Any) -> dict[str, Any]:
    return {"timestamps": inputs.timestamps, "event_classes": inputs.classes}


@given(strategies.evaluation_sets(min_clips=1, max_frames=10), st.data())
def test_filters_over_seconds_are_those_of_the_twin(inputs: Any, data: Any) -> None:
    lengths = {name: data.draw(LENGTHS) for name in inputs.classes}
    if not any(lengths.values()):
        return  # What is not filtered keeps its frames as they are.
    filtered = se.median_filter(inputs.clips, lengths, **of(inputs))
    for clip, its in filtered.items():
        rows, times = reference.median_filter(
            inputs.clips[clip], inputs.timestamps[clip], list(lengths.values())
        )
        # Times inside a window are summed in another order, which shows where a sum is a tie.
        if its.timestamps.shape == (len(times),) and np.allclose(its.timestamps, times, atol=2e-6):
            assert (its.scores == np.array(rows)).all()
            continue
        assert_same_function(its, rows, times)


def assert_same_function(its: se.ClipScores, rows: Any, times: list[float]) -> None:
    """Compare two step functions but for slivers of time that rounding makes."""
    grid = np.unique([*its.timestamps, *times])
    wide = np.diff(grid) > 1e-5
    middles = (grid[:-1] + grid[1:])[wide] / 2
    middles = middles[(middles < its.timestamps[-1]) & (middles < times[-1])]
    middles = middles[(middles > its.timestamps[0]) & (middles > times[0])]
    one = its.scores[np.searchsorted(its.timestamps, middles) - 1]
    other = np.array(rows)[np.searchsorted(times, middles) - 1]
    assert (one == other).all()


@given(
    strategies.evaluation_sets(min_clips=1, max_frames=12),
    st.integers(1, 30),
    st.sampled_from(MODES),
    st.sampled_from([0.0, 0.5, -np.inf]),
)
def test_filters_over_frames_are_those_of_the_twin(
    inputs: Any, size: int, mode: Any, cval: float
) -> None:
    filtered = se.median_filter_frames(inputs.clips, size, mode=mode, cval=cval, **of(inputs))
    for clip, its in filtered.items():
        expected = reference.median_filter_frames(
            inputs.clips[clip], [size] * len(inputs.classes), mode=mode, cval=cval
        )
        assert its.scores.tolist() == expected
        assert (its.timestamps == inputs.timestamps[clip]).all()
        assert its.scores.dtype == inputs.clips[clip].dtype


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 20, 101])
def test_filters_over_frames_are_those_of_scipy(mode: Any, size: int) -> None:
    ndimage = pytest.importorskip("scipy.ndimage")
    random = np.random.default_rng(size)
    scores = random.integers(0, 9, (60, 3)) / 8.0
    filtered = se.median_filter_frames(
        {"a": scores},
        size,
        mode=mode,
        cval=0.25,
        timestamps=np.arange(61.0),
        event_classes=["x", "y", "z"],
    )
    expected = ndimage.median_filter(scores, size=(size, 1), mode=mode, cval=0.25)
    assert (filtered["a"].scores == expected).all()
    if mode == "constant" and size % 2 and size <= len(scores):
        signal = pytest.importorskip("scipy.signal")
        filtered = se.median_filter_frames(
            {"a": scores},
            size,
            mode=mode,
            timestamps=np.arange(61.0),
            event_classes=["x", "y", "z"],
        )
        assert (filtered["a"].scores == signal.medfilt(scores, (size, 1))).all()


@given(st.integers(1, 40), st.sampled_from([1, 3, 5, 9]), st.randoms(use_true_random=False))
def test_on_regular_frames_both_filters_are_one(n_frames: int, size: int, random: Any) -> None:
    scores = {"a": np.array([[random.randrange(5) / 4] for _ in range(n_frames)])}
    frames = {"timestamps": np.arange(n_frames + 1.0), "event_classes": ["Dog"]}
    seconds = se.median_filter(scores, float(size), **frames)["a"]
    by_frame = se.median_filter_frames(scores, size, mode="constant", cval=-np.inf, **frames)["a"]
    middles = np.arange(n_frames) + 0.5
    at = np.searchsorted(seconds.timestamps, middles) - 1
    inside = (middles > seconds.timestamps[0]) & (middles < seconds.timestamps[-1])
    assert (seconds.scores[at][inside] == by_frame.scores[inside]).all()
    assert np.isneginf(by_frame.scores[~inside]).all()


@given(strategies.evaluation_sets(min_clips=1, dtype=np.float32), LENGTHS)
def test_precision_strides_and_order_of_clips_do_not_matter(inputs: Any, length: float) -> None:
    filtered = se.median_filter(inputs.clips, length, **of(inputs))
    wide = {
        clip: np.asfortranarray(scores.astype(np.float64))
        for clip, scores in reversed(inputs.clips.items())
    }
    again = se.median_filter(wide, length, **of(inputs))
    for clip, its in filtered.items():
        assert its.scores.dtype == np.float32
        assert (its.scores == again[clip].scores).all()
        assert (its.timestamps == again[clip].timestamps).all()
