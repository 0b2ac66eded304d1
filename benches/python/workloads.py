"""Seeded synthetic data sets of the sizes that occur in sound event detection.

Making one needs NumPy only. A detector is imitated per class: a slowly wandering background
in logits, a soft-edged bump per event whose height and edges are off by a random amount, bumps
without events (false alarms) and bumps in a wrong class (confusions). These are not outputs of a
real system: figures measured on them compare programs, not systems.

======================  =====================================  ===================================
name                    shape                                  like
======================  =====================================  ===================================
desed                   692 clips x 156 frames x 10 classes    the DESED public evaluation set
dcase-long              1,168 x 500 x 10                       a DESED-sized set at 20 ms per frame
audioset                1,000 x 250 x 407                      AudioSet with strong labels
long                    1 x 4,320,000 x 3                      one day at 50 frames per second
noise ramp saw ties     20 x 500 x 10                          the worst an evaluator can meet
======================  =====================================  ===================================

Styles of the scores: ``smooth`` (as above), ``plateau`` (smooth, held for half a second at a time),
``ties`` (a wandering score on 16 levels), ``noise`` (white), ``ramp`` (one rise or fall per clip)
and ``saw`` (every frame a local extremum, both envelopes rising).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Event = tuple[float, float, str]

PRESETS: dict[str, dict[str, Any]] = {
    "desed": {"clips": 692, "frames": 156, "frame": 10 / 156, "classes": 10, "rate": 0.37},
    "dcase-long": {"clips": 1168, "frames": 500, "frame": 0.02, "classes": 10, "rate": 0.34},
    "audioset": {"clips": 1000, "frames": 250, "frame": 0.04, "classes": 407, "rate": 0.80},
    "long": {"clips": 1, "frames": 4_320_000, "frame": 0.02, "classes": 3, "rate": 0.05},
    **{
        style: {
            "clips": 20,
            "frames": 500,
            "frame": 0.02,
            "classes": 10,
            "rate": 0.4,
            "style": style,
        }
        for style in ("noise", "ramp", "saw", "ties")
    },
}


@dataclass
class Workload:
    """A data set: float32 scores (n_frames, n_classes) per clip, one grid of edges, events."""

    name: str
    scores: dict[str, np.ndarray]
    timestamps: np.ndarray
    ground_truth: dict[str, list[Event]]
    event_classes: list[str]

    @property
    def durations(self) -> dict[str, float]:
        return dict.fromkeys(self.scores, float(self.timestamps[-1]))

    @property
    def n_frame_classes(self) -> int:
        return sum(array.size for array in self.scores.values())

    def describe(self) -> str:
        n_clips, n_events = len(self.scores), sum(map(len, self.ground_truth.values()))
        return (
            f"{self.name}: {n_clips:,} clips x {len(self.timestamps) - 1:,} frames x "
            f"{len(self.event_classes)} classes = "
            f"{self.n_frame_classes / 1e6:.2f} M frame-classes, {n_events:,} events"
        )

    def arrays(self) -> Any:
        """Return the scores as soundeval takes them best: the float32 arrays, not copied."""
        import soundeval as se

        return se.Scores.from_arrays(
            self.scores, timestamps=self.timestamps, event_classes=self.event_classes
        )

    def frames(self) -> dict[str, Any]:
        """Return the scores as the other packages want them: a float64 DataFrame per clip."""
        import pandas as pd

        columns = ["onset", "offset", *self.event_classes]
        edges = np.stack([self.timestamps[:-1], self.timestamps[1:]], axis=1)
        return {
            clip: pd.DataFrame(np.hstack([edges, array.astype(np.float64)]), columns=columns)
            for clip, array in self.scores.items()
        }

    def write_scores(self, folder: Path) -> int:
        """Write one TSV per clip with every digit of every score; return the number of bytes."""
        folder.mkdir(parents=True, exist_ok=True)
        size = 0
        for clip, frame in self.frames().items():
            path = folder / f"{clip}.tsv"
            frame.to_csv(path, sep="\t", index=False)
            size += path.stat().st_size
        return size

    def cut(self, seconds: float) -> Workload:
        """Cut a single recording into clips of equal length, and its events at their borders."""
        (recording,) = self.scores.values()
        (events,) = self.ground_truth.values()
        step = float(self.timestamps[1] - self.timestamps[0])
        n_frames = round(seconds / step)
        n_clips = len(recording) // n_frames
        names = [f"{self.name}_{i:05d}" for i in range(n_clips)]
        truth: dict[str, list[Event]] = {name: [] for name in names}
        for onset, offset, label in events:
            for i in range(int(onset // seconds), min(int(offset // seconds) + 1, n_clips)):
                start, end = max(onset - i * seconds, 0.0), min(offset - i * seconds, seconds)
                if round(end - start, 3) > 0:
                    truth[names[i]].append((round(start, 3), round(end, 3), label))
        scores = {
            name: recording[i * n_frames : (i + 1) * n_frames] for i, name in enumerate(names)
        }
        edges = self.timestamps[: n_frames + 1].copy()
        return Workload(f"{self.name}, cut", scores, edges, truth, self.event_classes)


def make(name: str, *, seed: int = 0, **changes: Any) -> Workload:
    """Make a workload; any entry of its preset and ``style`` may be changed by keyword."""
    preset = PRESETS[name] | changes
    n_clips, n_frames, n_classes = preset["clips"], preset["frames"], preset["classes"]
    step, style = preset["frame"], preset.get("style", "smooth")
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    clips = [f"{name}_{i:06d}" for i in range(n_clips)]
    classes = [f"class{k:03d}" for k in range(n_classes)]
    clip, kind, onset, offset = _events(rng, n_clips, n_classes, n_frames * step, preset["rate"])
    scores = np.empty((n_clips, n_frames, n_classes), np.float32)
    if style in ("smooth", "plateau"):
        _smooth(rng, scores, step, (clip, kind, onset, offset))
    if style == "plateau":
        hold = max(1, round(0.5 / step))
        scores[:] = scores[:, np.arange(n_frames) // hold * hold]
    elif style == "ties":
        scores[:] = np.round(15 / (1 + np.exp(-2 * _wander(rng, scores.shape, 5)))) / 15
    elif style == "noise":
        rng.random(out=scores.reshape(-1), dtype=np.float32)
    elif style == "ramp":
        rise = np.linspace(0.01, 0.99, n_frames)
        scores[:] = np.where(rng.random((n_clips, 1)) < 0.5, rise, rise[::-1])[..., None]
    elif style == "saw":
        rise = 0.1 + np.linspace(0, 0.4, n_frames) + 0.3 * (np.arange(n_frames) % 2)
        scores[:] = rise[:, None] + 1e-5 * np.arange(n_classes)
    truth: dict[str, list[Event]] = {c: [] for c in clips}
    for i, k, start, end in zip(clip, kind, onset, offset, strict=True):
        truth[clips[i]].append((float(start), float(end), classes[k]))
    edges = np.round(np.arange(n_frames + 1) * step, 6)
    label = f"{name}, {style}" if "style" in changes else name
    return Workload(label, dict(zip(clips, scores, strict=True)), edges, truth, classes)


def _events(
    rng: np.random.Generator, n_clips: int, n_classes: int, duration: float, rate: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw events (clip, class, onset, offset); same-class events of a clip never touch.

    `rate` is in events per second of audio. Other evaluators insist on an event of every class, so
    a class that was not drawn gets one.
    """
    # Classes are as unequal as in real sets, and a clip draws from three of them.
    weight = 1 / np.arange(1, n_classes + 1) ** 0.7
    n_active = 3
    active = rng.choice(n_classes, size=(n_clips, n_active), p=weight / weight.sum())
    clip = np.sort(rng.integers(n_clips, size=rng.poisson(rate * duration * n_clips)))
    kind = active[clip, rng.integers(n_active, size=len(clip))]
    if n_clips == 1:
        kind = rng.integers(n_classes, size=len(clip))
    silent = np.setdiff1d(np.arange(n_classes), kind)
    clip = np.concatenate([clip, rng.integers(n_clips, size=len(silent))])
    kind = np.concatenate([kind, silent])
    # Durations grow from half a second to eight over the classes, as from dishes to frying.
    mean = 0.5 * 16 ** ((kind % 10) / 9)
    length = np.clip(mean * np.exp(0.5 * rng.standard_normal(len(kind))), 0.15, duration)
    onset = rng.random(len(kind)) * (duration - length)
    order = np.lexsort((onset, kind, clip))
    clip, kind = clip[order], kind[order]
    onset = np.round(onset[order], 3)
    offset = np.round(onset + length[order], 3)
    # Put every (clip, class) on a stretch of its own of one time line: a running maximum then sees
    # the offsets of the same clip and class only.
    shift = (clip * n_classes + kind) * (2.0 * duration)
    latest = np.maximum.accumulate(np.concatenate([[-np.inf], (offset + shift)[:-1]]))
    keep = onset + shift > latest + 0.05
    return clip[keep], kind[keep], onset[keep], np.minimum(offset[keep], round(duration, 3))


def _smooth(
    rng: np.random.Generator, scores: np.ndarray, step: float, events: tuple[np.ndarray, ...]
) -> None:
    """Fill scores with background and bumps, in pieces that keep temporary arrays small."""
    n_clips, n_frames, n_classes = scores.shape
    bias = rng.normal(-5.0, 0.8, n_classes).astype(np.float32)
    width = max(1, round(0.25 / step))
    per_piece = max(1, 4_000_000 // (n_frames * n_classes))
    for i in range(0, n_clips, per_piece):
        piece = scores[i : i + per_piece]
        # One class at a time when a clip is large: a day of audio then needs tens of megabytes.
        n = n_classes if piece[0].size <= 4_000_000 else 1
        for k in range(0, n_classes, n):
            part = piece[:, :, k : k + n]
            part[:] = 0.9 * _wander(rng, part.shape, width) + bias[k : k + n]
    _bumps(rng, scores, step, events)
    for i in range(0, n_clips, per_piece):
        piece = scores[i : i + per_piece]
        np.negative(piece, out=piece)
        np.exp(piece, out=piece)
        piece += 1
        np.reciprocal(piece, out=piece)


def _wander(rng: np.random.Generator, shape: tuple[int, ...], width: int) -> np.ndarray:
    """Draw low-passed noise of unit variance: white noise through two moving averages over time."""
    n, frames, classes = shape
    noise = rng.standard_normal((n, frames + 2 * width, classes), dtype=np.float32)
    for _ in range(2):
        total = np.cumsum(noise, axis=1, dtype=np.float64)
        noise = ((total[:, width:] - total[:, :-width]) / width).astype(np.float32)
    return noise / max(float(noise.std()), 1e-9)


def _bumps(
    rng: np.random.Generator, scores: np.ndarray, step: float, events: tuple[np.ndarray, ...]
) -> None:
    """Add a bump per event, some in a wrong class too, and some without any event."""
    n_clips, n_frames, n_classes = scores.shape
    clip, kind, onset, offset = events
    n = len(clip)
    start, end = onset + rng.normal(0, 0.08, n), offset + rng.normal(0, 0.15, n)
    height = np.maximum(0.0, rng.normal(7.5, 3.0, n))
    confused = np.flatnonzero((rng.random(n) < 0.25) & (n_classes > 1))
    wrong = (kind[confused] + rng.integers(1, max(2, n_classes), len(confused))) % n_classes
    n_false = rng.poisson(0.04 * n_clips * n_frames * step * min(n_classes, 20) / 10)
    false_start = rng.random(n_false) * n_frames * step
    clip = np.concatenate([clip, clip[confused], rng.integers(n_clips, size=n_false)])
    kind = np.concatenate([kind, wrong, rng.integers(n_classes, size=n_false)])
    start = np.concatenate([start, start[confused], false_start])
    end = np.concatenate([end, end[confused], false_start + rng.uniform(0.1, 1.5, n_false)])
    height = np.concatenate([height, 0.7 * height[confused], rng.uniform(2, 7, n_false)])
    for i, k, a, b, h in zip(clip, kind, start, end, height, strict=True):
        lo, hi = max(0, int((a - 1) / step)), min(n_frames, int((b + 1) / step) + 1)
        if lo < hi:
            centre = (np.arange(lo, hi) + 0.5) * step
            rise = 1 / (1 + np.exp(np.clip((a - centre) / 0.08, -40, 40)))
            fall = 1 / (1 + np.exp(np.clip((centre - b) / 0.08, -40, 40)))
            scores[i, lo:hi, k] += (h * rise * fall).astype(np.float32)
