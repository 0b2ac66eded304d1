"""Make the example data set of :mod:`soundeval.example`.

``python -m soundeval.example.generate [FOLDER]`` writes the data set; without FOLDER it rewrites
the one inside the package. The output depends on nothing but this file: only ``random.random`` of
the standard library is drawn from, whose sequence Python promises to keep for a given seed, and
scores are rounded to four decimals, far coarser than any difference between math libraries.

The model of the detector: per class a slowly wandering background, and a smooth bump per event
whose height and edges are off by a random amount. Some events get no bump (misses), some bumps have
no event (false alarms), and some events raise a bump in a class that sounds alike (confusions).
"""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from typing import NamedTuple

SEED = 2031
N_CLIPS = 32
N_FRAMES = 80
DURATION = 10.0


class SoundClass(NamedTuple):
    """How events of one class sound and how well the imaginary detector hears them."""

    name: str
    # Mean duration of an event in seconds, and mean number of events in a clip that has any.
    duration: float
    n_events: float
    # Probability that a clip contains the class, and that an event is missed altogether.
    presence: float
    miss: float
    # Height of a bump above the background, and error of its edges, both as standard deviations;
    # the height is in logits.
    height: float
    edge_error: float
    # The class it is mistaken for, and how often.
    sounds_like: str
    confusion: float


CLASSES = (
    SoundClass("Alarm", 2.2, 1.4, 0.40, 0.08, 7.0, 0.10, "Speech", 0.05),
    SoundClass("Blender", 4.5, 1.0, 0.35, 0.05, 5.6, 0.35, "Running_water", 0.45),
    SoundClass("Dog", 0.7, 2.6, 0.45, 0.22, 5.8, 0.12, "Speech", 0.12),
    SoundClass("Running_water", 5.0, 1.0, 0.40, 0.10, 5.0, 0.60, "Blender", 0.40),
    SoundClass("Speech", 1.6, 3.2, 0.70, 0.04, 6.8, 0.15, "Dog", 0.06),
)
FALSE_ALARMS_PER_CLIP = 0.9
QUIET = 0.08

Event = tuple[float, float, str]


def _normal(rng: random.Random) -> float:
    """Draw from a standard normal (Box-Muller), from the promised sequence alone."""
    return math.sqrt(-2.0 * math.log(1.0 - rng.random())) * math.cos(2.0 * math.pi * rng.random())


def _events(rng: random.Random) -> list[Event]:
    """Draw the events of one clip; those of the same class keep a pause of 0.2 s."""
    events: list[Event] = []
    # Now and then nothing happens: real sets have such clips, and tables must say so.
    if rng.random() < QUIET:
        return events
    for sound in CLASSES:
        if rng.random() >= sound.presence:
            continue
        onset = rng.random() * 0.6 * DURATION / sound.n_events
        for _ in range(max(1, round(sound.n_events + _normal(rng)))):
            length = max(0.25, sound.duration * math.exp(0.4 * _normal(rng)))
            offset = min(onset + length, DURATION)
            if offset - onset < 0.25:
                break
            events.append((round(onset, 3), round(offset, 3), sound.name))
            onset = offset + 0.2 + 1.5 * rng.random()
    return sorted(events)


def _bump(logits: list[float], onset: float, offset: float, height: float) -> None:
    """Add a plateau of the given height with soft edges of about 0.1 s to the logits of a class."""
    for t in range(N_FRAMES):
        centre = (t + 0.5) * DURATION / N_FRAMES
        rise = 1.0 / (1.0 + math.exp((onset - centre) / 0.06))
        fall = 1.0 / (1.0 + math.exp((centre - offset) / 0.06))
        logits[t] += height * rise * fall


def _scores(rng: random.Random, events: list[Event]) -> dict[str, list[float]]:
    """Draw the scores of one clip, one list of frames per class."""
    logits: dict[str, list[float]] = {}
    for sound in CLASSES:
        value = _normal(rng)
        logits[sound.name] = []
        for _ in range(N_FRAMES):
            value = 0.93 * value + 0.3 * _normal(rng)
            logits[sound.name].append(value - 4.2)
    by_name = {sound.name: sound for sound in CLASSES}
    for onset, offset, label in events:
        sound = by_name[label]
        start = onset + sound.edge_error * _normal(rng)
        # Detectors tend to hold on a little too long: the end lags behind.
        end = max(start + 0.2, offset + sound.edge_error * (0.6 + _normal(rng)))
        height = max(0.0, sound.height + 1.2 * _normal(rng))
        if rng.random() >= sound.miss:
            _bump(logits[label], start, end, height)
        if rng.random() < sound.confusion:
            _bump(logits[sound.sounds_like], start, end, 0.75 * height)
    for sound in CLASSES:
        if rng.random() < FALSE_ALARMS_PER_CLIP / len(CLASSES):
            start = rng.random() * (DURATION - 1.0)
            height = 2.0 + 3.5 * rng.random()
            _bump(logits[sound.name], start, start + 0.3 + 1.2 * rng.random(), height)
    return {
        name: [round(1.0 / (1.0 + math.exp(-logit)), 4) for logit in values]
        for name, values in logits.items()
    }


def files(seed: int = SEED) -> dict[str, str]:
    r"""Make the data set in memory.

    Parameters
    ----------
    seed : int, default 2031
        Seed of the random numbers.

    Returns
    -------
    dict of str to str
        Content of every file by its path inside the data set, with ``/`` between folders.

    Examples
    --------
    >>> files()["scores/kitchen_01.tsv"].splitlines()[0].split("\t")
    ['onset', 'offset', 'Alarm', 'Blender', 'Dog', 'Running_water', 'Speech']
    """
    rng = random.Random(seed)
    names = [sound.name for sound in CLASSES]
    step = DURATION / N_FRAMES
    rooms = ("kitchen", "living_room", "garden", "hall")
    truth = ["filename\tonset\toffset\tevent_label"]
    durations = ["filename\tduration"]
    content: dict[str, str] = {}
    for i in range(N_CLIPS):
        clip = f"{rooms[i % len(rooms)]}_{i // len(rooms) + 1:02d}"
        events = _events(rng)
        scores = _scores(rng, events)
        rows = ["\t".join(["onset", "offset", *names])]
        for t in range(N_FRAMES):
            edges = (round(t * step, 3), round((t + 1) * step, 3))
            rows.append("\t".join(str(x) for x in (*edges, *(scores[name][t] for name in names))))
        content[f"scores/{clip}.tsv"] = "\n".join(rows) + "\n"
        truth += [f"{clip}.wav\t{on}\t{off}\t{label}" for on, off, label in events]
        if not events:
            truth.append(f"{clip}.wav\t\t\t")
        durations.append(f"{clip}.wav\t{DURATION}")
    content["ground_truth.tsv"] = "\n".join(truth) + "\n"
    content["durations.tsv"] = "\n".join(durations) + "\n"
    return content


def write(folder: Path) -> None:
    """Write the data set into a folder, which is created if need be.

    Parameters
    ----------
    folder : pathlib.Path
        Where to write. Files of the data set that are there already are replaced.
    """
    for name, text in files().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # Line ends are fixed so that the files are the same bytes on every system.
        target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "data")
