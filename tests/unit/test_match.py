"""What became of every detection and every reference event."""

from __future__ import annotations

import json
import math

import pandas as pd
import pytest

import soundeval as se

TRUTH = {
    "a": [(1.0, 2.0, "Dog"), (4.0, 5.0, "Cat"), (7.0, 9.0, "Dog")],
    "b": [(0.0, 3.0, "Cat")],
}
FOUND = {
    "a": [(1.125, 2.0, "Dog"), (4.0, 5.0, "Dog"), (7.0, 8.75, "Dog")],
    "b": [(0.0, 1.0, "Dog"), (0.0, 2.0, "Cat")],
}


def test_pairs_have_signed_distances() -> None:
    matches = se.match(FOUND, TRUTH, se.Collar())
    assert list(matches.pairs) == [
        se.MatchedPair("a", "Dog", 1.125, 2.0, 1.0, 2.0, 0.125, 0.0, 0.875),
        se.MatchedPair("a", "Dog", 7.0, 8.75, 7.0, 9.0, 0.0, -0.25, 1.75),
    ]
    dog = matches.distances["Dog"]
    assert (dog.n_matched, dog.onset_distance_sum, dog.offset_distance_sum) == (2, 0.125, -0.25)
    assert (dog.onset_distance_mean, dog.offset_error_mean) == (0.0625, 0.125)
    assert math.isnan(matches.distances["Cat"].onset_distance_mean)


def test_the_rest_is_missed_or_false_and_may_be_a_substitution() -> None:
    matches = se.match(FOUND, TRUTH, se.Collar())
    assert list(matches.misses) == [
        se.Miss("a", "Cat", 4.0, 5.0),
        se.Miss("b", "Cat", 0.0, 3.0),
    ]
    assert list(matches.false_alarms) == [
        se.FalseAlarm("a", "Dog", 4.0, 5.0),
        se.FalseAlarm("b", "Dog", 0.0, 1.0),
        se.FalseAlarm("b", "Cat", 0.0, 2.0),
    ]
    assert list(matches.substitutions) == [
        se.Substitution("a", "Dog", "Cat", 4.0, 5.0, 4.0, 5.0, 0.0, 0.0)
    ]
    assert not matches.cross_triggers
    assert matches.overall_error_rate() == se.OverallErrorRate(
        error_rate=1.0,
        substitution_rate=0.25,
        deletion_rate=0.25,
        insertion_rate=0.5,
        substitutions=1,
        deletions=1,
        insertions=2,
        n_ref=4,
    )


def test_of_the_same_events_the_first_in_the_list_is_matched() -> None:
    found = {"a": [(0.1, 1.0, "Dog"), (0.0, 1.0, "Dog")]}
    truth = {"a": [(0.0, 1.0, "Dog")]}
    assert se.match(found, truth, se.Collar()).pairs[0].detection_onset == 0.1
    found["a"].reverse()
    assert se.match(found, truth, se.Collar()).pairs[0].detection_onset == 0.0


def test_intersections_pair_relevant_detections_with_found_events() -> None:
    found = {"a": [(0.0, 1.0, "Dog"), (1.0, 2.0, "Dog"), (4.0, 5.0, "Dog"), (9.0, 10.0, "Dog")]}
    truth = {"a": [(0.0, 3.0, "Dog"), (4.0, 4.5, "Cat"), (4.5, 5.0, "Cat"), (9.0, 15.0, "Dog")]}
    matches = se.match(found, truth, se.Intersection(0.5, 0.5, 0.5))
    assert [(row.detection_onset, row.shared) for row in matches.pairs] == [(0.0, 1.0), (1.0, 1.0)]
    assert list(matches.cross_triggers) == [se.CrossTrigger("a", "Dog", "Cat", 4.0, 5.0)]
    # The last detection is relevant, but does not find its event: it is neither true nor false.
    assert list(matches.false_alarms) == [se.FalseAlarm("a", "Dog", 4.0, 5.0)]
    assert matches.counts["Dog"].cts == {"Cat": 1}
    with pytest.raises(se.InputError, match="cross triggers and no substitutions"):
        matches.overall_error_rate()


def test_units_are_rows_with_times() -> None:
    matches = se.match(FOUND, TRUTH, se.Segment(), audio_durations={"a": 10.0, "b": 3.0})
    assert [row.onset for row in matches.misses.of_clip("a")] == [4.0]
    assert [(row.clip, row.event_class, row.onset) for row in matches.misses.of_clip("b")] == [
        ("b", "Cat", 2.0)
    ]
    assert matches.counts["Dog"] == se.Counts(tps=3, fps=2, fns=0, n_ref=3, cts={}, tns=8)
    # One segment of a has Dog in place of Cat; in b a Dog too many, and a Cat missed elsewhere.
    overall = matches.overall_error_rate()
    assert (overall.substitutions, overall.deletions, overall.insertions) == (1, 1, 1)
    clips = se.match(FOUND, TRUTH, se.Clip())
    assert clips.counts["Cat"] == se.Counts(tps=1, fps=0, fns=1, n_ref=2, cts={}, tns=0)
    assert [row.clip for row in clips.false_alarms] == ["b"]


def test_filters_keep_what_concerns_a_clip_or_a_class() -> None:
    matches = se.match(FOUND, TRUTH, se.Collar())
    clip = matches.of_clip("b")
    assert (clip.n_clips, clip.n_ref, len(clip.false_alarms)) == (1, {"Cat": 1, "Dog": 0}, 2)
    assert clip.overall_error_rate().insertions == 2
    assert clip.error_rate().micro.error_rate == 3.0
    assert "1 class without targets" in clip.error_rate().notes[0]
    cat = matches.of_class("Cat")
    assert (cat.event_classes, len(cat.misses), len(cat.substitutions)) == (("Cat",), 2, 1)
    assert cat.error_rate().per_class["Cat"] == matches.error_rate().per_class["Cat"]
    with pytest.raises(se.InputError, match="filtered out"):
        cat.overall_error_rate()
    with pytest.raises(se.InputError, match="no evaluated class; did you mean 'Dog'"):
        matches.of_class("Dogg")
    with pytest.raises(se.InputError, match="no evaluated clip"):
        matches.of_clip("c")
    with pytest.raises(se.InputError, match="no class has a target here"):
        matches.of_clip("b").of_class("Dog").f_score()


def test_rows_are_a_sequence() -> None:
    rows = se.match(FOUND, TRUTH, se.Collar()).false_alarms
    assert (len(rows), rows[-1].event_class, rows[1:][0].clip) == (3, "Cat", "b")
    assert repr(rows) == "3 rows of FalseAlarm"
    assert rows.column("onset").tolist() == [4.0, 0.0, 0.0]
    assert rows.column("event_class").tolist() == ["Dog", "Dog", "Cat"]
    assert rows == list_as_rows_of(rows)
    with pytest.raises(IndexError):
        rows[3]
    with pytest.raises(KeyError, match="did you mean 'onset'"):
        rows.column("onsets")
    assert se.match(FOUND, TRUTH, se.Collar()).false_alarms == rows
    assert list(rows.of_class("Cat", "Dog")) == list(rows)


def list_as_rows_of(rows: se.Rows[se.FalseAlarm]) -> se.Rows[se.FalseAlarm]:
    return rows.take(slice(None))


def test_rows_become_tables_and_json() -> None:
    rows = se.match(FOUND, TRUTH, se.Collar()).pairs
    table = pd.DataFrame(rows.to_dict())
    assert table.columns.tolist() == list(se.MatchedPair._fields)
    assert json.loads(json.dumps(rows.to_rows()))[0]["detection_onset"] == 1.125


def test_the_result_reads_well() -> None:
    matches = se.match(FOUND, TRUTH, se.Collar())
    lines = repr(matches).splitlines()
    assert lines[0] == "Matches: 2 of 4 targets found, 3 false alarms"
    assert lines[2] == "1 substitution"
    assert lines[-1].split() == ["Dog", "2", "0", "2", "+0.062s", "-0.125s"]
    assert "<table" in matches._repr_html_()
    flat = matches.to_dict()
    assert json.loads(json.dumps(flat)) == flat
    assert (flat["tps/Dog"], flat["n_substitutions"], flat["onset_distance_mean/Cat"]) == (
        2,
        1,
        None,
    )
    assert flat["criterion"] == "collar"


def test_classes_that_are_detected_only_can_be_kept() -> None:
    found = {"a": [(1.0, 2.0, "Cow"), (7.0, 9.0, "Dog")]}
    truth = {"a": [(1.0, 2.0, "Dog"), (7.0, 9.0, "Dog")]}
    with pytest.raises(se.InputError, match="1 class has no event"):
        se.match(found, truth, se.Collar())
    excluded = se.match(found, truth, se.Collar(), missing_classes="exclude")
    assert (excluded.event_classes, len(excluded.false_alarms)) == (("Dog",), 0)
    assert excluded.overall_error_rate().substitutions == 0
    kept = se.match(found, truth, se.Collar(), missing_classes="keep")
    assert kept.overall_error_rate().substitutions == 1
    assert kept.f_score().per_class.keys() == {"Dog"}
    assert kept.f_score().micro.precision == 0.5
    assert kept.f_score().macro.precision == 1.0
    with pytest.raises(se.InputError, match="missing_classes must be one of"):
        se.match(found, truth, se.Collar(), missing_classes="drop")


def test_units_of_classes_that_are_left_out_are_left_out() -> None:
    found = {"a": [(1.0, 2.0, "Cow"), (7.0, 9.0, "Dog")]}
    truth = {"a": [(1.0, 2.0, "Dog"), (7.0, 9.0, "Dog")]}
    excluded = se.match(found, truth, se.Segment(), missing_classes="exclude")
    assert not excluded.false_alarms
    assert excluded.overall_error_rate().deletions == 1


def test_without_detections_everything_is_missed() -> None:
    matches = se.match({}, TRUTH, se.Collar())
    assert (len(matches.misses), len(matches.pairs)) == (4, 0)
    assert matches.f_score().macro.f_score == 0.0
    assert matches.overall_error_rate().error_rate == 1.0


def test_long_chains_of_pairs_are_no_trouble() -> None:
    # Every detection could be paired with two events; a late one makes all others move on.
    n = 3000
    found = [(float(i), i + 0.5, "Dog") for i in range(n - 1)] + [(-0.5, 0.5, "Dog")]
    truth = [(i - 0.5, i + 0.5, "Dog") for i in range(n)]
    matches = se.match({"a": found}, {"a": truth}, se.Collar(0.5, None))
    assert len(matches.pairs) == n
