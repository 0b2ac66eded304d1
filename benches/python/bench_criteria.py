"""Collars, segments, median filters and pi-PSDS against sed_scores_eval, values compared first.

Whole calls on float32 arrays, and on the very DataFrames that sed_scores_eval gets:

    collar best F    collars of 0.2 s, 20 % of the length; scores and best thresholds of all classes
    collar distances sums of onset and offset distances at every threshold
    segment AUROC    segments of 1 s
    segment mAP      the same
    median filter    half a second, in continuous time
    pi-PSDS          the best of ten median filters at each point of the PSD-ROC, scenario 1

The AUROC of sed_scores_eval with NumPy before 2.3 depends on an unstable sort, so its value here is
the area under its own ROC points, which do not.

    python benches/python/bench_criteria.py [--workload desed] [--clips 692] [--rounds 3]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import common
import numpy as np
import workloads

import soundeval as se

COLLAR = se.Collar(0.2, 0.2, 0.2)
FILTER = 0.5
FILTERS = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0]
EXACT = 1e-12


class Bench:
    """One thing to measure: our call, theirs, and what has to be equal."""

    tolerance = EXACT

    def __init__(self, work: workloads.Workload) -> None:
        self.work = work

    def ours(self, scores: Any) -> Any:
        raise NotImplementedError

    def theirs(self, frames: Any) -> Any:
        raise NotImplementedError

    def numbers(self, value: Any) -> list[float]:
        """Return our numbers, in an order that `their_numbers` has too."""
        raise NotImplementedError

    def their_numbers(self, value: Any) -> list[float]:
        raise NotImplementedError


class CollarBestF(Bench):
    def ours(self, scores: Any) -> Any:
        return se.statistics(scores, self.work.ground_truth, COLLAR).best_f_score()

    def theirs(self, frames: Any) -> Any:
        from sed_scores_eval import collar_based

        return collar_based.best_fscore(
            frames,
            self.work.ground_truth,
            onset_collar=0.2,
            offset_collar=0.2,
            offset_collar_rate=0.2,
        )

    def numbers(self, value: Any) -> list[float]:
        found = [value.macro.f_score, value.micro.f_score]
        return found + [its.f_score for its in value.per_class.values()]

    def their_numbers(self, value: Any) -> list[float]:
        f_scores = value[0]
        names = ["macro_average", "micro_average", *self.work.event_classes]
        return [f_scores[name] for name in names]


class CollarDistances(Bench):
    """Sums of the distances of matched detections at every threshold, compared at three."""

    # Running sums there keep rounding errors of pairs that have gone.
    tolerance = 1e-9
    thresholds = (0.25, 0.5, 0.75)

    def ours(self, scores: Any) -> Any:
        return se.matched_distances(scores, self.work.ground_truth, COLLAR)

    def theirs(self, frames: Any) -> Any:
        from sed_scores_eval import collar_based

        return collar_based.accumulated_intermediate_statistics(
            frames,
            self.work.ground_truth,
            onset_collar=0.2,
            offset_collar=0.2,
            offset_collar_rate=0.2,
            return_onset_offset_dist_sum=True,
        )[0]

    def numbers(self, value: Any) -> list[float]:
        classes = [value[name] for name in self.work.event_classes]
        return [float(n) for its in classes for t in self.thresholds for n in its.at(t)]

    def their_numbers(self, value: Any) -> list[float]:
        found = []
        for name in self.work.event_classes:
            scores, stats = value[name]
            for point in np.searchsorted(scores, self.thresholds, side="right"):
                found += [
                    float(stats[key][point]) for key in ("tps", "onset_dist_sum", "offset_dist_sum")
                ]
        return found


class SegmentAUROC(Bench):
    def ours(self, scores: Any) -> Any:
        stats = se.statistics(
            scores, self.work.ground_truth, se.Segment(1.0), audio_durations=self.work.durations
        )
        return stats.auroc()

    def theirs(self, frames: Any) -> Any:
        from sed_scores_eval import segment_based

        return segment_based.auroc(
            frames, self.work.ground_truth, self.work.durations, segment_length=1.0
        )

    def numbers(self, value: Any) -> list[float]:
        return list(value.per_class.values())

    def their_numbers(self, value: Any) -> list[float]:
        areas = []
        for name in self.work.event_classes:
            tpr, fpr, *_ = value[1][name]
            areas.append(float(np.sum((tpr[1:] + tpr[:-1]) / 2 * np.diff(fpr))))
        return areas


class SegmentMAP(SegmentAUROC):
    def ours(self, scores: Any) -> Any:
        stats = se.statistics(
            scores, self.work.ground_truth, se.Segment(1.0), audio_durations=self.work.durations
        )
        return stats.average_precision()

    def theirs(self, frames: Any) -> Any:
        from sed_scores_eval import segment_based

        return segment_based.average_precision(
            frames, self.work.ground_truth, self.work.durations, segment_length=1.0
        )

    def their_numbers(self, value: Any) -> list[float]:
        return [value[0][name] for name in self.work.event_classes]


class MedianFilter(Bench):
    def ours(self, scores: Any) -> Any:
        return se.median_filter(scores, FILTER)

    def theirs(self, frames: Any) -> Any:
        from sed_scores_eval.base_modules import postprocessing

        return postprocessing.medfilt(frames, FILTER)

    def numbers(self, value: Any) -> list[float]:
        clips = sorted(value)
        return np.concatenate(
            [np.append(value[clip].scores.ravel(), value[clip].timestamps) for clip in clips]
        ).tolist()

    def their_numbers(self, value: Any) -> list[float]:
        parts = []
        for clip in sorted(value):
            table = value[clip].to_numpy()
            parts.append(np.concatenate([table[:, 2:].ravel(), table[:1, 0], table[:, 1]]))
        return np.concatenate(parts).tolist()


class PiPSDS(Bench):
    def ours(self, scores: Any) -> Any:
        return se.pi_psds(
            scores,
            self.work.ground_truth,
            self.work.durations,
            filter_lengths=FILTERS,
            **se.scenarios.PSDS1,
        )

    def theirs(self, frames: Any) -> Any:
        from sed_scores_eval import intersection_based

        return intersection_based.median_filter_independent_psds(
            frames,
            self.work.ground_truth,
            self.work.durations,
            median_filter_lengths_in_sec=FILTERS,
            dtc_threshold=0.7,
            gtc_threshold=0.7,
            alpha_st=1.0,
        )

    def numbers(self, value: Any) -> list[float]:
        return [value.value, *value.per_class.values()]

    def their_numbers(self, value: Any) -> list[float]:
        return [value[0], *(value[1][name] for name in self.work.event_classes)]


BENCHES: dict[str, Callable[[workloads.Workload], Bench]] = {
    "collar best F": CollarBestF,
    "collar distances": CollarDistances,
    "segment AUROC": SegmentAUROC,
    "segment mAP": SegmentMAP,
    "median filter": MedianFilter,
    "pi-PSDS": PiPSDS,
}


def compare(bench: Bench, value: Any, other: Any) -> str:
    """Require equal numbers, and say how many were compared."""
    mine, their = (np.asarray(n) for n in (bench.numbers(value), bench.their_numbers(other)))
    common.require(mine.shape == their.shape, f"{mine.size} numbers here, {their.size} there")
    # Infinite scores are equal or not; of the others the largest difference counts.
    finite = np.isfinite(mine) & np.isfinite(their)
    common.require(bool((mine[~finite] == their[~finite]).all()), "infinite numbers differ")
    difference = float(np.abs(mine[finite] - their[finite]).max(initial=0.0))
    common.require(difference <= bench.tolerance, f"largest difference {difference:.0e}")
    return f"{mine.size:,} numbers, largest difference {difference:.0e}"


def growth(rounds: int) -> None:
    """Print what a frame costs in ever longer recordings of white noise, a target every 5 s."""
    print("\nWhite noise, one recording, a target every 5 s")
    rng = np.random.default_rng(1)
    for criterion in (COLLAR, se.Segment(1.0)):
        for n_frames in (2_000, 20_000, 200_000):
            edges = np.arange(n_frames + 1) * 0.02
            scores = {"a": rng.random((n_frames, 1), dtype=np.float32)}
            events = [(t, t + 1.5, "x") for t in np.arange(1.0, edges[-1] - 2.0, 5.0).tolist()]

            def count(
                scores: Any = scores, events: Any = events, edges: Any = edges, its: Any = criterion
            ) -> Any:
                return se.statistics(
                    scores, {"a": events}, its, timestamps=edges, event_classes=["x"]
                )["x"]

            times, _ = common.alternate({"count": count}, rounds)
            label = f"{type(criterion).__name__}, {n_frames:,} frames, {len(events):,} targets"
            common.row(label, times["count"], n_frames)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="desed", choices=list(workloads.PRESETS))
    parser.add_argument("--clips", type=int, help="number of clips, in place of the workload's own")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=list(BENCHES), help="measure one thing")
    arguments = parser.parse_args()
    se.set_num_threads(arguments.threads)
    common.start("Criteria, filters and pi-PSDS", compared=("sed_scores_eval",))
    changes = {"clips": arguments.clips} if arguments.clips else {}
    work = workloads.make(arguments.workload, seed=arguments.seed, **changes)
    print(f"\n{work.describe()}; {arguments.threads} thread(s)")
    arrays, frames = work.arrays(), None
    if "sed_scores_eval" in common.peers():
        frames = work.frames()
    for name in [arguments.only] if arguments.only else BENCHES:
        bench = BENCHES[name](work)
        functions: dict[str, Callable[[], Any]] = {
            "arrays": lambda bench=bench: bench.ours(arrays)  # type: ignore[misc]
        }
        if frames is not None:
            functions["frames"] = lambda bench=bench: bench.ours(frames)  # type: ignore[misc]
            functions["theirs"] = lambda bench=bench: bench.theirs(frames)  # type: ignore[misc]
        times, values = common.alternate(functions, arguments.rounds)
        print()
        common.row(f"{name} soundeval, arrays", times["arrays"], work.n_frame_classes)
        if "theirs" in times:
            claim = compare(bench, values["arrays"], values["theirs"])
            common.row(f"{name} soundeval, DataFrames", times["frames"], work.n_frame_classes)
            common.row(f"{name} sed_scores_eval", times["theirs"], work.n_frame_classes, claim)
            print(
                f"    soundeval is faster by {common.ratio(times['theirs'], times['arrays'])} on "
                f"arrays,\n    by {common.ratio(times['theirs'], times['frames'])} on the same "
                "DataFrames"
            )
    if not arguments.only:
        growth(arguments.rounds)


if __name__ == "__main__":
    main()
