"""Event-based and segment-based counts, F-scores and error rates are those of sed_eval.

Counts of every class and over all classes, with substitutions, are compared exactly, with
``time_decimals=30``: sed_eval compares times as they are.

Differences, and how each is tested:

======================= ============================== ================================= ==========
what                    sed_eval                       soundeval                         test
======================= ============================== ================================= ==========
distance at the collar  0.2 s or not by the last bit   within 0.2 s (6 decimals)         ROUNDING
no detections           precision and F are NaN, and   precision 1 (micro 0), F 0, part  NAN
                        left out of the macro average  of the macro average
rates                   over N + 2.2e-16: 1 target     over N                            EPS
                        missed is 0.9999999999999998
class without           error rate 4.5e15 a detection  no rate, in micro and over all    EPS
references                                             classes (missing_classes="keep")
boundaries of segments  floor and ceil of quotients in rounded to 6 decimals             GRID
                        binary
detection ends 1e-7 s   is in the segment              rounded to 6 decimals             OFFSET
into a segment
event before 0 s        wraps around to the end        begins in the first segment       NEGATIVE
`greedy` matching       first free estimate            not offered                       not run
======================= ============================== ================================= ==========
"""

from __future__ import annotations

import functools
import gzip
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gold
import pytest

import soundeval as se

Events = dict[str, list[tuple[float, float, str]]]

SYNTHETIC = gold.REPOSITORY / "tests/golden/psds_eval_and_sed_eval/synthetic_cases.json"

RELATIVE = 1e-12
"""Of rates: an N + 2.2e-16 in place of N, and sums in another order."""


@dataclass(frozen=True, eq=False)
class Case:
    """Events of some files, and one run of sed_eval on them."""

    name: str
    reference: Events
    estimated: Events
    labels: list[str]
    run: dict[str, Any]
    durations: dict[str, float] | None = None

    def is_event_based(self) -> bool:
        return self.run["type"] == "event"

    def criterion(self) -> se.Criterion:
        params = self.run["params"]
        if not self.is_event_based():
            return se.Segment(params["time_resolution"])
        collar = params["t_collar"]
        # Without onsets any distance will do.
        onset = collar if params.get("evaluate_onset", True) else 1e9
        offset = collar if params.get("evaluate_offset", True) else None
        rate = params.get("percentage_of_length", 0.5)
        return se.Collar(onset, offset, rate, time_decimals=30)

    def matches(self, criterion: se.Criterion | None = None) -> se.Matches:
        return se.match(
            self.estimated,
            self.reference,
            criterion or self.criterion(),
            audio_durations=self.durations,
            missing_classes="keep",
            zero_length="keep",
        )


def as_events(rows: list[Any]) -> list[tuple[float, float, str]]:
    return [(float(onset), float(offset), label) for onset, offset, label in rows]


def is_optimal(run: dict[str, Any]) -> bool:
    return run["params"].get("event_matching_type", "optimal") == "optimal"


@functools.cache
def synthetic() -> list[Case]:
    cases = []
    for case in json.loads(SYNTHETIC.read_text())["cases"]:
        files = case["files"]
        for number, run in enumerate(case.get("sed_eval", [])):
            if is_optimal(run):
                cases.append(
                    Case(
                        f"{case['name']}[{number}]",
                        {name: as_events(file["reference"]) for name, file in files.items()},
                        {name: as_events(file["estimated"]) for name, file in files.items()},
                        case["labels"],
                        run,
                    )
                )
    return cases


def columns(inputs: dict[str, Any], table: dict[str, list[Any]]) -> Events:
    """Events of columns of indices and milliseconds."""
    events: Events = {name: [] for name in inputs["files"]}
    rows = zip(table["f"], table["l"], table["on"], table["off"], strict=True)
    for file, label, onset, offset in rows:
        if label is not None:
            event = (onset / 1000, offset / 1000, inputs["labels"][label])
            events[inputs["files"][file]].append(event)
    return events


def own_tests_of_sed_eval() -> Iterator[Case]:
    """What sed_eval tests itself with."""

    def events(rows: list[dict[str, Any]]) -> list[tuple[float, float, str]]:
        return as_events(
            [(row["onset"], row["offset"], row["event_label"]) for row in rows if "onset" in row]
        )

    path = gold.shared("gold/sed_eval/tests_data_sound_event.json")
    for name, dataset in json.loads(path.read_text())["datasets"].items():
        pairs = {f"{number:03}": pair for number, pair in enumerate(dataset["pairs"])}
        for number, run in enumerate(dataset["runs"]):
            length = run["params"].get("evaluated_length_seconds")
            yield Case(
                f"{name}[{number}]",
                {file: events(pair["reference"]) for file, pair in pairs.items()},
                {file: events(pair["estimated"]) for file, pair in pairs.items()},
                dataset["labels"],
                run,
                dict.fromkeys(pairs, length) if length else None,
            )


def dcase2023() -> Iterator[Case]:
    """A system on 20 clips."""
    content = json.loads(gold.shared("gold/sed_eval/dcase2023_20clips.json").read_text())
    clips = content["clips"]
    for number, run in enumerate(content["runs"]):
        with_length = run["params"].get("evaluated_length_seconds")
        yield Case(
            f"dcase2023[{number}]",
            {clip["filename"]: as_events(clip["reference"]) for clip in clips},
            {clip["filename"]: as_events(clip["estimated"]) for clip in clips},
            content["labels"],
            run,
            {clip["filename"]: clip["duration"] for clip in clips} if with_length else None,
        )


def dcase2020() -> Iterator[Case]:
    """A system at three thresholds on 1168 files."""
    path = gold.shared("gold/psds_eval/jupyter_inputs.json.gz")
    inputs = json.loads(gzip.decompress(path.read_bytes()))
    reference = columns(inputs, inputs["ground_truth"])
    path = gold.shared("gold/sed_eval/jupyter_validation_1168files.json")
    for number, run in enumerate(json.loads(path.read_text())["runs"]):
        table = inputs
        for key in run["estimates"].split("/"):
            table = table[key]
        estimated = columns(inputs, table)
        yield Case(f"dcase2020[{number}]", reference, estimated, inputs["labels"], run)


@functools.cache
def elsewhere() -> list[Case]:
    """All runs on data that are other people's."""
    found = [*own_tests_of_sed_eval(), *dcase2023(), *dcase2020()]
    return [case for case in found if is_optimal(case.run)]


def overall_counts(matches: se.Matches) -> dict[str, int]:
    """The counts over all classes, under the names of sed_eval."""
    rate = matches.overall_error_rate()
    counts = list(matches.counts.values())
    tps, n_ref = sum(at.tps for at in counts), sum(at.n_ref for at in counts)
    found = {"Ntp": tps, "Nref": n_ref, "Nsys": tps + sum(at.fps for at in counts)}
    parts = (rate.substitutions, rate.deletions, rate.insertions)
    if isinstance(matches.criterion, se.Segment):
        found |= {"Nfn": n_ref - tps, "Nfp": sum(at.fps for at in counts)}
        return found | dict(zip("SDI", parts, strict=True))
    return found | dict(zip(("Nsubs", "Nfn", "Nfp"), parts, strict=True))


def same_counts(case: Case, matches: se.Matches) -> bool:
    expected = case.run["counters_overall"]
    actual = overall_counts(matches)
    same = actual == {name: expected[name] for name in actual}
    for name, counters in case.run["counters_class_wise"].items():
        at = matches.counts.get(name, se.Counts(0, 0, 0, 0, {}))
        same &= (at.tps, at.fps, at.fns) == tuple(counters[n] for n in ("Ntp", "Nfp", "Nfn"))
        if at.tns is not None:
            same &= at.tns == counters["Ntn"]
    return same


def assert_same_rates(case: Case, matches: se.Matches) -> None:
    results = case.run["results"]
    overall, n_ref = results["overall"], sum(at.n_ref for at in matches.counts.values())
    if n_ref > 1:
        rates = matches.overall_error_rate()
        for name, value in overall["error_rate"].items():
            assert getattr(rates, name) == value, name
    elif n_ref == 0:  # EPS
        assert math.isnan(matches.overall_error_rate().error_rate)
        return
    f_score, error_rate = matches.f_score(), matches.error_rate()
    for name, value in overall["f_measure"].items():
        actual = getattr(f_score.micro, {"f_measure": "f_score"}.get(name, name))
        # NAN: no detections of any class.
        assert actual == pytest.approx(0.0 if value == "NaN" else value, rel=RELATIVE)
    for event_class, its in results["class_wise"].items():
        if event_class not in f_score.per_class:  # EPS
            assert matches.counts.get(event_class, se.Counts(0, 0, 0, 0, {})).n_ref == 0
            continue
        score, rate = f_score.per_class[event_class], error_rate.per_class[event_class]
        f_measure = its["f_measure"]
        no_detections = score.tps + score.fps == 0
        assert (f_measure["precision"] in ("NaN", 0)) or not no_detections
        assert score.recall == pytest.approx(f_measure["recall"], rel=RELATIVE)
        if no_detections:  # NAN
            assert (score.precision, score.f_score) == (1.0, 0.0)
        else:
            assert score.precision == pytest.approx(f_measure["precision"], rel=RELATIVE)
            assert score.f_score == pytest.approx(f_measure["f_measure"], rel=RELATIVE)
        for name, value in its["error_rate"].items():
            assert getattr(rate, name) == pytest.approx(value, rel=RELATIVE)
    # The macro average where both mean the same: every class is there and was detected.
    classes = results["class_wise"].values()
    if all(its["count"]["Nref"] and its["count"]["Nsys"] for its in classes) and len(
        classes
    ) == len(f_score.per_class):
        average = results["class_wise_average"]
        assert f_score.macro.f_score == pytest.approx(
            average["f_measure"]["f_measure"], rel=RELATIVE
        )
        assert error_rate.macro.error_rate == pytest.approx(
            average["error_rate"]["error_rate"], rel=RELATIVE
        )


def test_event_based_counts_of_the_synthetic_cases_are_equal() -> None:
    cases = [case for case in synthetic() if case.is_event_based()]
    assert len(cases) > 40
    for case in cases:
        matches = case.matches()
        assert same_counts(case, matches), case.name
        assert_same_rates(case, matches)


def test_which_matching_is_taken_decides_substitutions() -> None:
    cases = [case for case in synthetic() if case.name.startswith("dense_subs_depend")]
    cases = [case for case in cases if case.is_event_based()]
    assert cases
    for case in cases:
        substitutions = case.matches().overall_error_rate().substitutions
        assert substitutions == case.run["counters_overall"]["Nsubs"], case.name


def test_event_based_counts_of_real_systems_are_equal() -> None:
    cases = [case for case in elsewhere() if case.is_event_based()]
    assert len(cases) > 30
    for case in cases:
        matches = case.matches()
        assert same_counts(case, matches), case.name
        assert_same_rates(case, matches)


def test_rounding_changes_matches_at_the_very_edge_of_a_collar_only() -> None:
    # ROUNDING: |2.0 - 2.2| is 0.20000000000000018.
    found, truth = {"f": [(2.2, 4.0, "a")]}, {"f": [(2.0, 4.0, "a")]}
    assert len(se.match(found, truth, se.Collar(time_decimals=30)).pairs) == 0
    assert len(se.match(found, truth, se.Collar()).pairs) == 1


GRID = {"random_1", "random_2", "random_4", "random_5", "random_7"}
"""Synthetic cases in which segments of 0.1 s begin elsewhere by the last bit."""


def test_segment_based_counts_of_the_synthetic_cases_are_equal() -> None:
    differ = []
    for case in synthetic():
        if case.is_event_based():
            continue
        matches = case.matches()
        if not same_counts(case, matches):
            differ.append((case.name.split("[")[0], case.run["params"]["time_resolution"]))
            continue
        assert_same_rates(case, matches)
    certain = {("negative_onset", 1.0), ("segment_offset_on_grid", 1.0)}  # NEGATIVE, OFFSET
    assert certain <= set(differ) <= {*certain, *((name, 0.1) for name in GRID)}


def test_a_detection_that_reaches_into_a_segment_by_less_than_a_microsecond_is_not_there() -> None:
    # OFFSET
    case = next(case for case in synthetic() if case.name == "segment_offset_on_grid[0]")
    assert not same_counts(case, case.matches())
    assert same_counts(case, case.matches(se.Segment(time_decimals=9)))


def test_segment_based_counts_of_real_systems_are_equal() -> None:
    equal, close = 0, 0
    for case in elsewhere():
        if case.is_event_based():
            continue
        matches = case.matches()
        length = case.run["params"]["time_resolution"]
        if same_counts(case, matches):
            equal += 1
            assert_same_rates(case, matches)
            continue
        # GRID: lengths that are no binary fraction, and then a few segments in a thousand.
        assert length in (0.1, 0.064), case.name
        close += 1
        counters = case.run["counters_overall"]
        for name, value in overall_counts(matches).items():
            assert value == pytest.approx(counters[name], abs=max(5, 4e-3 * counters["Nref"])), (
                case.name
            )
    assert equal >= 12
    assert close <= 8
