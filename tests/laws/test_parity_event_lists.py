"""Detections that are lists of events: as the twin counts and matches them, and as scores are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    EvaluationSet,
    Event,
    collar_criteria,
    evaluation_sets,
    intersection_criteria,
    segment_criteria,
)

import soundeval as se
from soundeval import reference

pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")


@dataclass(frozen=True)
class Lists:
    """Detections and reference events of some clips."""

    detections: dict[str, list[Event]]
    ground_truth: dict[str, list[Event]]
    durations: dict[str, float]
    classes: list[str]

    @property
    def clips(self) -> list[str]:
        return sorted(self.ground_truth)


def has_lengths(events: dict[str, list[Event]]) -> bool:
    """Whether an event is more than a point in time: those may lie in no segment."""
    return any(onset < offset for its in events.values() for onset, offset, _ in its)


@st.composite
def event_list_pairs(draw: st.DrawFn, *, zero_length: bool = True) -> Lists:
    """Events on a coarse grid: many touch, nest, repeat, or lie at the very edge of a collar."""
    classes = ["a", "b", "c"][: draw(st.integers(1, 3))]
    step = draw(st.sampled_from([0.1, 0.25, 1 / 3]))
    lengths = st.integers(0 if zero_length else 1, 12)
    one = st.tuples(st.integers(0, 25), lengths, st.sampled_from(classes))
    events = st.lists(one.map(lambda e: (e[0] * step, (e[0] + e[1]) * step, e[2])), max_size=12)
    clips = [f"clip{number}" for number in range(draw(st.integers(1, 3)))]
    truth = {clip: draw(events) for clip in clips}
    if not has_lengths(truth):
        truth[clips[0]].append((0.0, 1.0, classes[0]))
    durations = {clip: draw(st.sampled_from([1.0, 3.3, 10.0])) for clip in clips}
    return Lists({clip: draw(events) for clip in clips}, truth, durations, classes)


def with_targets(lists: Lists) -> list[str]:
    return sorted({label for events in lists.ground_truth.values() for _, _, label in events})


def of_classes(events: dict[str, list[Event]], classes: list[str]) -> dict[str, list[Event]]:
    return {clip: [event for event in its if event[2] in classes] for clip, its in events.items()}


def assert_same(actual: Any, expected: Any, *, lengths: bool = True) -> None:
    assert list(actual) == list(expected)
    for name, its in expected.items():
        # A class of which nothing is counted has no point at 1 on either side.
        assert actual[name].thresholds.tolist() == its.thresholds
        assert actual[name].tps.tolist() == its.tps
        assert actual[name].fps.tolist() == its.fps
        assert {o: c.tolist() for o, c in actual[name].cts.items()} == its.cts
        assert actual[name].n_ref == its.n_ref
        assert actual[name].n_negatives == its.n_negatives
        if lengths:
            assert actual[name].t_ref == its.t_ref


def counted(lists: Lists, criterion: se.Criterion, **settings: Any) -> se.Statistics:
    return se.detection_statistics(
        lists.detections,
        lists.ground_truth,
        criterion,
        event_classes=lists.classes,
        missing_classes="exclude",
        zero_length="keep",
        **settings,
    )


def matched(lists: Lists, criterion: se.Criterion, **settings: Any) -> se.Matches:
    arguments = {"missing_classes": "keep", "event_classes": lists.classes, **settings}
    return se.match(
        lists.detections, lists.ground_truth, criterion, zero_length="keep", **arguments
    )


@given(lists=event_list_pairs(), collar=collar_criteria())
def test_collar_counts_equal_the_twin(lists: Lists, collar: dict[str, Any]) -> None:
    expected = reference.detection_collar_statistics(
        lists.detections,
        lists.ground_truth,
        lists.clips,
        event_classes=with_targets(lists),
        **collar,
    )
    assert_same(counted(lists, se.Collar(**collar)), expected)


@given(lists=event_list_pairs(), shares=intersection_criteria())
def test_intersection_counts_equal_the_twin(lists: Lists, shares: dict[str, Any]) -> None:
    expected = reference.detection_intersection_statistics(
        lists.detections,
        lists.ground_truth,
        lists.clips,
        event_classes=with_targets(lists),
        **shares,
    )
    assert_same(counted(lists, se.Intersection(**shares)), expected)


@given(lists=event_list_pairs(), segment=segment_criteria(), with_durations=st.booleans())
def test_segment_counts_equal_the_twin(
    lists: Lists, segment: dict[str, Any], with_durations: bool
) -> None:
    durations = lists.durations if with_durations else None
    expected = reference.detection_segment_statistics(
        lists.detections,
        lists.ground_truth,
        lists.clips,
        durations,
        event_classes=lists.classes,
        **segment,
    )
    expected = {name: its for name, its in expected.items() if its.n_ref}
    if expected:
        assert_same(counted(lists, se.Segment(**segment), audio_durations=durations), expected)


@given(lists=event_list_pairs(), with_durations=st.booleans())
def test_clip_counts_equal_the_twin(lists: Lists, with_durations: bool) -> None:
    durations = lists.durations if with_durations else None
    expected = reference.detection_clip_statistics(
        lists.detections,
        lists.ground_truth,
        lists.clips,
        durations,
        event_classes=lists.classes,
    )
    expected = {name: its for name, its in expected.items() if its.n_ref}
    assert_same(counted(lists, se.Clip(), audio_durations=durations), expected)


def pairs_of(rows: Any, reference_class: str = "event_class") -> list[Any]:
    return sorted(
        (
            row.clip,
            (row.detection_onset, row.detection_offset, row.event_class),
            (row.reference_onset, row.reference_offset, getattr(row, reference_class)),
        )
        for row in rows
    )


def events_of(rows: Any) -> list[Any]:
    return sorted((row.clip, (row.onset, row.offset, row.event_class)) for row in rows)


@given(lists=event_list_pairs(), collar=collar_criteria())
def test_collar_matches_equal_the_twin(lists: Lists, collar: dict[str, Any]) -> None:
    actual = matched(lists, se.Collar(**collar))
    expected = reference.match_collar(lists.detections, lists.ground_truth, lists.clips, **collar)
    assert pairs_of(actual.pairs) == sorted(expected.pairs)
    assert events_of(actual.false_alarms) == sorted(expected.false_alarms)
    assert events_of(actual.misses) == sorted(expected.misses)
    assert pairs_of(actual.substitutions, "reference_class") == sorted(expected.substitutions)
    for name, distances in actual.distances.items():
        sums = reference.event_lists.distance_sums(expected, name)
        assert (distances.onset_distance_sum, distances.offset_distance_sum) == sums


@given(lists=event_list_pairs(), shares=intersection_criteria())
def test_intersection_matches_equal_the_twin(lists: Lists, shares: dict[str, Any]) -> None:
    actual = matched(lists, se.Intersection(**shares))
    expected = reference.match_intersection(
        lists.detections, lists.ground_truth, lists.clips, **shares
    )
    assert pairs_of(actual.pairs) == sorted(expected.pairs)
    assert events_of(actual.false_alarms) == sorted(expected.false_alarms)
    assert events_of(actual.misses) == sorted(expected.misses)
    triggers = [
        (row.clip, (row.onset, row.offset, row.event_class), row.other_class)
        for row in actual.cross_triggers
    ]
    assert sorted(triggers) == sorted(expected.cross_triggers)
    shared = reference.event_lists.shared_seconds(expected)
    assert sorted(actual.pairs.column("shared").tolist()) == sorted(shared)


CRITERIA = [
    se.Collar(),
    se.Collar(0.5, None),
    se.Intersection(0.5, 0.5, 0.3),
    se.Intersection(0.0, 0.0, 0.0),
    se.Segment(),
    se.Segment(0.3),
    se.Clip(),
]

any_criterion = pytest.mark.parametrize("criterion", CRITERIA, ids=repr)


@any_criterion
@given(lists=event_list_pairs())
def test_matches_have_the_counts_and_numbers_of_statistics(
    criterion: se.Criterion, lists: Lists
) -> None:
    stats = counted(lists, criterion)
    matches = matched(lists, criterion, missing_classes="exclude")
    assert matches.counts == {name: its.at(0.5) for name, its in stats.items()}
    assert matches.f_score(2.0) == stats.f_score(0.5, 2.0)
    assert matches.error_rate() == stats.error_rate(0.5)
    assert matches.excluded_classes == stats.excluded_classes


@given(criterion=st.sampled_from(CRITERIA), lists=event_list_pairs())
def test_clips_are_the_sum_of_single_clips(criterion: se.Criterion, lists: Lists) -> None:
    whole = matched(lists, criterion)
    parts = [whole.of_clip(clip) for clip in lists.clips]
    for name, at in whole.counts.items():
        alone = [part.counts[name] for part in parts]
        assert at.tps == sum(part.tps for part in alone)
        assert (at.fps, at.n_ref) == (sum(p.fps for p in alone), sum(p.n_ref for p in alone))
    for clip, part in zip(lists.clips, parts, strict=True):
        single = Lists(
            {clip: lists.detections[clip]},
            {clip: lists.ground_truth[clip]},
            {},
            lists.classes,
        )
        if lists.ground_truth[clip]:
            assert matched(single, criterion).pairs == part.pairs
    if not isinstance(criterion, se.Intersection):
        rates = [part.overall_error_rate() for part in parts]
        overall = whole.overall_error_rate()
        assert overall.substitutions == sum(rate.substitutions for rate in rates)
        assert overall.n_ref == sum(rate.n_ref for rate in rates)


@given(criterion=st.sampled_from(CRITERIA), data=st.data(), lists=event_list_pairs())
def test_the_order_of_events_and_clips_changes_no_count(
    criterion: se.Criterion, data: st.DataObject, lists: Lists
) -> None:
    def shuffled(events: dict[str, list[Event]]) -> dict[str, list[Event]]:
        clips = data.draw(st.permutations(sorted(events)))
        return {clip: data.draw(st.permutations(events[clip])) for clip in clips}

    other = Lists(
        shuffled(lists.detections), shuffled(lists.ground_truth), lists.durations, lists.classes
    )
    one, two = counted(lists, criterion), counted(other, criterion)
    assert {name: its.at(0.5) for name, its in one.items()} == {
        name: its.at(0.5) for name, its in two.items()
    }
    assert one.t_ref == two.t_ref


@given(criterion=st.sampled_from(CRITERIA), lists=event_list_pairs())
def test_threads_change_nothing(criterion: se.Criterion, lists: Lists) -> None:
    try:
        se.set_num_threads(1)
        one = matched(lists, criterion)
        se.set_num_threads(3)
        three = matched(lists, criterion)
    finally:
        se.set_num_threads(2)
    assert one.pairs == three.pairs
    assert one.substitutions == three.substitutions
    assert one.false_alarms == three.false_alarms


@given(criterion=st.sampled_from(CRITERIA), lists=event_list_pairs(zero_length=False))
def test_the_ground_truth_is_a_perfect_system(criterion: se.Criterion, lists: Lists) -> None:
    if isinstance(criterion, se.Intersection) and criterion.dtc_threshold == 0.0:
        return
    truth = {
        clip: [(round(on, 6), round(off, 6), label) for on, off, label in events]
        for clip, events in lists.ground_truth.items()
    }
    matches = se.match(truth, truth, criterion)
    assert not matches.false_alarms
    assert not matches.misses


def detected(evaluation_set: EvaluationSet, threshold: float) -> dict[str, list[Event]]:
    """The events of scores at a threshold: runs of active frames."""
    return {
        clip: [
            (onset, offset, name)
            for column, name in enumerate(evaluation_set.classes)
            for onset, offset in reference.detections(
                scores[:, column].tolist(), evaluation_set.timestamps[clip].tolist(), threshold
            )
        ]
        for clip, scores in evaluation_set.clips.items()
    }


@any_criterion
@given(
    evaluation_set=evaluation_sets(min_clips=1, some_events=True, zero_length=True),
    threshold=st.sampled_from([0.0, 0.25, 0.5, 0.75]) | st.floats(-1.0, 1.0),
)
def test_detections_of_scores_have_the_counts_of_the_scores(
    criterion: se.Criterion, evaluation_set: EvaluationSet, threshold: float
) -> None:
    durations = None
    assume(has_lengths(evaluation_set.events))
    if isinstance(criterion, se.Segment):
        # Detections do not say where the scores ended.
        durations = {
            clip: max(float(edges[-1]), *(event[1] for event in evaluation_set.events[clip]), 0.1)
            for clip, edges in evaluation_set.timestamps.items()
        }
    settings: dict[str, Any] = {
        "event_classes": evaluation_set.classes,
        "audio_durations": durations,
        "missing_classes": "exclude",
        "zero_length": "keep",
    }
    stats = se.statistics(
        evaluation_set.clips,
        evaluation_set.events,
        criterion,
        timestamps=evaluation_set.timestamps,
        **settings,
    )
    ours = se.detection_statistics(
        detected(evaluation_set, threshold), evaluation_set.events, criterion, **settings
    )
    assert {name: its.at(0.5) for name, its in ours.items()} == {
        name: its.at(threshold) for name, its in stats.items()
    }


@given(data=st.data())
def test_pairs_are_those_of_the_published_algorithm(data: st.DataObject) -> None:
    # On a line, with a collar of onsets only, hits of one class can be any "convex" graph.
    times = st.lists(st.integers(0, 12), min_size=1, max_size=12)
    found, wanted = data.draw(times), data.draw(times)
    width = data.draw(st.integers(0, 4))
    by_target = [[d for d, at in enumerate(found) if abs(at - time) <= width] for time in wanted]
    expected = reference.matching_in_order(reference.hits_in_order(by_target))
    matches = se.match(
        {"x": [(float(at), at + 100.0 + number, "a") for number, at in enumerate(found)]},
        {"x": [(float(at), at + 300.0 + number, "a") for number, at in enumerate(wanted)]},
        se.Collar(float(width), None),
    )
    actual = {
        round(row.reference_offset - row.reference_onset - 300.0): round(
            row.detection_offset - row.detection_onset - 100.0
        )
        for row in matches.pairs
    }
    assert dict(sorted(actual.items())) == expected
    partners = [[t for t, ds in enumerate(by_target) if d in ds] for d in range(len(found))]
    assert len(expected) == len(reference.maximum_matching(partners))
