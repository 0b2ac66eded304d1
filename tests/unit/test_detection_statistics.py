"""Detections that are lists of events: what is accepted, what is counted, what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import soundeval as se

TRUTH = {"a": [(1.0, 2.0, "Dog"), (4.0, 5.0, "Cat")], "b": []}
FOUND = {"a": [(1.1, 2.0, "Dog"), (7.0, 8.0, "Dog")], "b": [(0.0, 1.0, "Cat")]}


def at(stats: se.Statistics, name: str) -> tuple[int, int, int]:
    counts = stats[name].at(0.5)
    return counts.tps, counts.fps, counts.fns


def test_there_are_two_points_and_every_number_of_statistics() -> None:
    stats = se.detection_statistics(FOUND, TRUTH, se.Collar(), audio_durations={"a": 9.0, "b": 9.0})
    assert stats["Dog"].thresholds.tolist() == [1.0, np.inf]
    assert (at(stats, "Dog"), at(stats, "Cat")) == ((1, 1, 0), (0, 1, 1))
    assert stats["Dog"].at(1.0).fps == 0
    assert stats.f_score(0.5).micro.f_score == 0.4
    assert stats.error_rate(0.5).macro.error_rate == 1.5
    assert stats.best_f_score().per_class["Dog"].recall == 1.0
    assert stats.average_precision().per_class == {"Cat": 0.0, "Dog": 0.5}
    assert stats.audio_durations == {"a": 9.0, "b": 9.0}
    assert stats.clip_ids == ["a", "b"]


def test_a_psds_has_a_single_operating_point() -> None:
    durations = {"a": 1800.0, "b": 1800.0}
    stats = se.detection_statistics(
        FOUND, TRUTH, se.Intersection(0.5, 0.5), audio_durations=durations
    )
    # Dog: rate 1 from one false positive an hour on; Cat: nothing.
    assert stats.psds(max_efpr=2.0).per_class == {"Cat": 0.0, "Dog": 0.5}


def test_statistics_can_be_pickled() -> None:
    stats = se.detection_statistics(FOUND, TRUTH, se.Segment())
    again = pickle.loads(pickle.dumps(stats))
    assert {name: its.at(0.5) for name, its in again.items()} == {
        name: its.at(0.5) for name, its in stats.items()
    }


def test_repeated_and_overlapping_detections_count_one_by_one() -> None:
    found = {"a": [(0.0, 2.0, "Dog"), (0.0, 2.0, "Dog"), (1.0, 3.0, "Dog")]}
    truth = {"a": [(0.0, 2.0, "Dog"), (2.5, 3.0, "Dog")]}
    collar = se.detection_statistics(found, truth, se.Collar())
    assert at(collar, "Dog") == (1, 2, 1)
    # All are relevant: the first target is covered two and a half times.
    shares = se.detection_statistics(found, truth, se.Intersection(0.5, 1.0))
    assert at(shares, "Dog") == (2, 0, 0)


def test_detections_merge_in_segments_and_clips() -> None:
    found = {"a": [(0.0, 1.2, "Dog"), (0.5, 1.5, "Dog")]}
    truth = {"a": [(1.0, 3.0, "Dog")]}
    segments = se.detection_statistics(found, truth, se.Segment())
    assert segments["Dog"].at(0.5) == se.Counts(tps=1, fps=1, fns=1, n_ref=2, cts={}, tns=0)
    clips = se.detection_statistics(found, truth, se.Clip(), audio_durations={"a": 10.0})
    assert (at(clips, "Dog"), clips.t_ref) == ((1, 0, 0), {"Dog": 10.0})


def test_durations_cut_clips_into_segments() -> None:
    durations = {"a": 10.0, "b": 20.0}
    stats = se.detection_statistics(FOUND, TRUTH, se.Segment(), audio_durations=durations)
    assert stats["Dog"].at(0.5).tns == 30 - 2
    late = {"a": [(50.0, 51.0, "Dog")]}
    stats = se.detection_statistics(late, TRUTH, se.Segment(), audio_durations=durations)
    assert at(stats, "Dog") == (0, 0, 1)


def test_events_that_begin_after_their_clip_are_warned_of() -> None:
    with pytest.warns(se.InputWarning, match="all events of 1 clip begin after the end"):
        se.detection_statistics(
            FOUND,
            {"a": [(50.0, 51.0, "Dog")], "b": [(0.0, 1.0, "Cat")]},
            se.Collar(),
            audio_durations={"a": 10.0, "b": 20.0},
        )


@pytest.mark.parametrize("kind", ["path", "pandas"])
def test_detections_come_in_the_kinds_of_ground_truth(kind: str, tmp_path: Path) -> None:
    rows = [(f"{clip}.wav", *event) for clip, events in FOUND.items() for event in events]
    table = pd.DataFrame(rows, columns=["filename", "onset", "offset", "event_label"])
    found: object = table
    if kind == "path":
        found = tmp_path / "found.tsv"
        table.to_csv(found, sep="\t", index=False)
    stats = se.detection_statistics(found, TRUTH, se.Collar())
    assert (at(stats, "Dog"), at(stats, "Cat")) == ((1, 1, 0), (0, 1, 1))


# -- clips ----------------------------------------------------------------------------------------


def test_clips_without_detections_need_not_be_named() -> None:
    stats = se.detection_statistics({}, TRUTH, se.Collar())
    assert stats.n_clips == 2
    assert at(stats, "Dog") == (0, 0, 1)
    assert stats.f_score(0.5).micro.precision == 0.0


def test_clips_that_the_truth_does_not_name_are_refused_or_without_events() -> None:
    found = {**FOUND, "c": [(0.0, 1.0, "Dog")]}
    with pytest.raises(se.InputError, match=r"1 evaluated clip not in the ground truth: 'c'"):
        se.detection_statistics(found, TRUTH, se.Collar())
    stats = se.detection_statistics(found, TRUTH, se.Collar(), missing_ground_truth="no_events")
    assert (stats.n_clips, at(stats, "Dog")) == (3, (1, 2, 0))
    assert stats.notes == (
        "1 evaluated clip not in the ground truth and counted as without reference events: 'c'",
    )


def test_the_durations_say_which_clips_there_are() -> None:
    durations = {"a": 10.0}
    with pytest.raises(se.InputError, match="do not fit together") as error:
        se.detection_statistics(FOUND, TRUTH, se.Collar(), audio_durations=durations)
    assert "1 clip of the detections has no audio duration: 'b'" in str(error.value)
    assert "1 clip of the ground truth has no audio duration: 'b'" in str(error.value)
    stats = se.detection_statistics(
        FOUND, TRUTH, se.Collar(), audio_durations=durations, extra_clips="ignore"
    )
    assert (stats.clip_ids, at(stats, "Cat")) == (["a"], (0, 0, 1))
    assert len(stats.notes) == 2


def test_no_clips_and_no_events_are_errors() -> None:
    with pytest.raises(se.InputError, match="there are no clips"):
        se.detection_statistics({}, {}, se.Collar())
    with pytest.raises(se.InputError, match="there is no event"):
        se.detection_statistics({}, {"a": []}, se.Collar())
    with pytest.raises(se.InputError, match="clip ids must be text, got 1"):
        se.detection_statistics({1: []}, {"a": []}, se.Collar())


# -- classes --------------------------------------------------------------------------------------


def test_classes_are_all_labels_or_those_that_are_named() -> None:
    stats = se.detection_statistics(FOUND, TRUTH, se.Collar())
    assert stats.event_classes == ("Cat", "Dog")
    with pytest.raises(se.InputError, match=r"1 label of the detections is no evaluated class"):
        se.detection_statistics(
            {"a": [(0.0, 1.0, "Dgo")]}, TRUTH, se.Collar(), event_classes=["Dog", "Cat"]
        )
    stats = se.detection_statistics(
        FOUND, TRUTH, se.Collar(), event_classes=["Dog"], unknown_labels="ignore"
    )
    assert stats.event_classes == ("Dog",)
    assert stats.notes == (
        "1 detection with labels that are no evaluated class left out: 'Cat'",
        "1 reference event with labels that are no evaluated class left out: 'Cat'",
    )


def test_classes_that_are_detected_only_are_refused_or_left_out() -> None:
    found = {"a": [(0.0, 1.0, "Cow")]}
    with pytest.raises(se.InputError, match=r"1 class has no event .*: 'Cow'"):
        se.detection_statistics(found, TRUTH, se.Collar())
    stats = se.detection_statistics(found, TRUTH, se.Collar(), missing_classes="exclude")
    assert stats.excluded_classes == ("Cow",)
    assert "Cow" not in stats
    with pytest.raises(se.InputError, match="has no event of any class"):
        se.detection_statistics(found, {"a": []}, se.Collar(), missing_classes="exclude")


# -- events ---------------------------------------------------------------------------------------


def test_detections_without_length_follow_the_policy() -> None:
    found = {"a": [(1.0, 1.0, "Dog"), (1.0, 2.0, "Dog")]}
    with pytest.raises(se.InputError, match=r"detections of clip 'a', event 0: .* no length"):
        se.detection_statistics(found, TRUTH, se.Collar())
    dropped = se.detection_statistics(found, TRUTH, se.Collar(), zero_length="drop")
    assert (at(dropped, "Dog"), dropped.notes) == (
        (1, 0, 0),
        ("1 detection without length left out",),
    )
    kept = se.detection_statistics(found, TRUTH, se.Collar(), zero_length="keep")
    assert at(kept, "Dog") == (1, 1, 0)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ((2.0, 1.0, "Dog"), "onset 2.0 after its offset 1.0"),
        ((0.0, float("nan"), "Dog"), "offset must be finite"),
        (("0", 1.0, "Dog"), "onset must be a number"),
        ((0.0, 1.0, None), "label must be text"),
        ((0.0, 1.0), r"expected \(onset, offset, label\)"),
    ],
)
def test_wrong_detections_are_refused_with_their_place(event: object, message: str) -> None:
    with pytest.raises(se.InputError, match=f"detections of clip 'a', event 1: .*{message}"):
        se.detection_statistics({"a": [(0.0, 1.0, "Dog"), event]}, TRUTH, se.Collar())


def test_wrong_kinds_are_type_errors() -> None:
    with pytest.raises(TypeError, match="detections must be a dict"):
        se.detection_statistics([(0.0, 1.0, "Dog")], TRUTH, se.Collar())
    with pytest.raises(TypeError, match="criterion must be"):
        se.detection_statistics(FOUND, TRUTH, "collar")
    with pytest.raises(se.InputError, match="zero_length must be one of"):
        se.detection_statistics(FOUND, TRUTH, se.Collar(), zero_length="skip")
