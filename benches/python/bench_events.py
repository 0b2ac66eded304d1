"""Event lists of a whole data set: soundeval against sed_eval, all rates compared.

From Python lists of detected and of reference events to F-scores and error rates of every class,
their averages, and the error rate over all classes with substitutions: event-based (collars of
0.2 s, 20 % of the length, optimal matching) and segment-based (1 s). sed_eval takes one file at a
time, in dicts that are made before the clock starts.

Detections are the runs of frames above 0.5, after a median filter of half a second.

    python benches/python/bench_events.py [--clips 1168] [--rounds 9]
"""

from __future__ import annotations

import argparse
import math
from importlib.util import find_spec
from typing import Any

import common
import numpy as np
import workloads

import soundeval as se

Events = dict[str, list[tuple[float, float, str]]]

THRESHOLD = 0.5
FRAMES_OF_FILTER = 25

# As they are: sed_eval does not round distances.
EVENTS = se.Collar(0.2, 0.2, 0.2, time_decimals=30)
SEGMENTS = se.Segment(1.0)


def detections(work: workloads.Workload) -> Events:
    """Return the events of filtered scores above the threshold; times in whole milliseconds."""
    found: Events = {}
    half = FRAMES_OF_FILTER // 2
    for clip, scores in work.scores.items():
        padded = np.pad(scores, ((half, half), (0, 0)), mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, FRAMES_OF_FILTER, axis=0)
        active = np.median(windows, axis=-1) > THRESHOLD
        found[clip] = []
        for column, name in enumerate(work.event_classes):
            edges = np.flatnonzero(np.diff(active[:, column], prepend=False, append=False))
            for first, last in edges.reshape(-1, 2):
                onset, offset = (round(float(work.timestamps[i]), 3) for i in (first, last))
                found[clip].append((onset, offset, name))
    return found


def ours(found: Events, truth: Events, criterion: se.Criterion) -> Any:
    matches = se.match(found, truth, criterion)
    return matches.f_score(), matches.error_rate(), matches.overall_error_rate()


def theirs(metric: Any, found: dict[str, Any], truth: dict[str, Any]) -> Any:
    for clip, reference in truth.items():
        metric.evaluate(reference_event_list=reference, estimated_event_list=found[clip])
    return metric.results()


def as_dicts(events: Events) -> dict[str, list[dict[str, Any]]]:
    keys = ("onset", "offset", "event_label")
    return {
        clip: [{"filename": clip, **dict(zip(keys, event, strict=True))} for event in its]
        for clip, its in events.items()
    }


def compare(result: Any, other: dict[str, Any]) -> str:
    """Require equal rates over all classes and of every class, and averages."""
    f_score, error_rate, overall = result
    pairs = [
        (getattr(overall, name), value) for name, value in other["overall"]["error_rate"].items()
    ]
    names = {"f_measure": "f_score", "precision": "precision", "recall": "recall"}
    for key, name in names.items():
        pairs.append((getattr(f_score.micro, name), other["overall"]["f_measure"][key]))
        pairs.append((getattr(f_score.macro, name), other["class_wise_average"]["f_measure"][key]))
    for event_class, its in other["class_wise"].items():
        score, rate = f_score.per_class[event_class], error_rate.per_class[event_class]
        pairs += [(getattr(score, name), its["f_measure"][key]) for key, name in names.items()]
        pairs += [(getattr(rate, name), value) for name, value in its["error_rate"].items()]
    average = other["class_wise_average"]["error_rate"]
    pairs += [(getattr(error_rate.macro, name), value) for name, value in average.items()]
    agrees = all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) for a, b in pairs)
    return f"{common.require(agrees, 'rates of sed_eval')}: {len(pairs)} equal"


def metrics_of(name: str, classes: list[str]) -> Any:
    import sed_eval

    if name == "segment-based":
        return sed_eval.sound_event.SegmentBasedMetrics(classes, time_resolution=1.0)
    return sed_eval.sound_event.EventBasedMetrics(
        classes, t_collar=0.2, percentage_of_length=0.2, event_matching_type="optimal"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=1168)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    common.start("Event lists")
    has_peer = find_spec("sed_eval") is not None
    if not has_peer:
        print("sed_eval is not installed: going on without it")
    work = workloads.make("dcase-long", seed=arguments.seed, clips=arguments.clips)
    # The end of a reference event in whole milliseconds, as annotators write it.
    truth = {
        clip: [(round(onset, 3), round(offset, 3), name) for onset, offset, name in events]
        for clip, events in work.ground_truth.items()
    }
    found = detections(work)
    n_found, n_truth = (sum(map(len, events.values())) for events in (found, truth))
    print(
        f"\n{len(truth)} files, {n_found} detections, {n_truth} reference events, "
        f"{arguments.threads} thread(s)"
    )
    dicts = (as_dicts(found), as_dicts(truth))
    for name, criterion in (("event-based", EVENTS), ("segment-based", SEGMENTS)):
        functions = {"ours": lambda criterion=criterion: ours(found, truth, criterion)}
        if has_peer:
            functions["theirs"] = lambda name=name: theirs(
                metrics_of(name, work.event_classes), *dicts
            )
        times, values = common.alternate(functions, arguments.rounds)
        print()
        common.row(f"{name} soundeval", times["ours"], n_found + n_truth, unit="event")
        if "theirs" in times:
            claim = compare(values["ours"], values["theirs"])
            common.row(f"{name} sed_eval", times["theirs"], n_found + n_truth, claim, unit="event")
            print(f"    soundeval is faster by {common.ratio(times['theirs'], times['ours'])}")


if __name__ == "__main__":
    main()
