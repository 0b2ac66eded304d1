"""Scores, truth and durations must name the same clips and classes, or a policy says what to do."""

import numpy as np
import pytest

import soundeval as se
from soundeval.joining import clip_id_of
from soundeval.names import counted, did_you_mean, listed, look_alikes

# Two clips of three frames; "a" (Dog) and "b" (Cat) are found without false positives.
DOG, CAT = [0.1, 0.9, 0.1], [0.1, 0.1, 0.8]
SCORES = {
    "f1": np.array([DOG, [0.0] * 3]).T,
    "f3": np.array([[0.0] * 3, CAT]).T,
}
TRUTH = {"f1": [(1.0, 2.0, "Dog")], "f3": [(2.0, 3.0, "Cat")]}
DURATIONS = {"f1": 3.0, "f3": 3.0}


def psds(scores=SCORES, truth=TRUTH, durations=DURATIONS, classes=("Dog", "Cat"), **policies):
    return se.psds(
        scores,
        truth,
        durations,
        dtc_threshold=0.5,
        gtc_threshold=0.5,
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=classes,
        **policies,
    )


def test_events_behind_the_last_segment_are_in_none():
    scores, events = {"a": np.array([[0.5], [0.5]])}, {"a": [(7.0, 8.0, "Dog")]}
    settings = {"timestamps": np.arange(3.0), "event_classes": ["Dog"]}
    with pytest.raises(se.InputError, match="behind the end of its clip is in none"):
        se.statistics(scores, events, se.Segment(), audio_durations={"a": 2.0}, **settings)


def test_bb_097_all_that_does_not_fit_is_in_one_message():
    truth = {**TRUTH, "f2": [], "f1": [(1.0, 2.0, "Dog"), (0.0, 1.0, "b")]}
    with pytest.raises(se.InputError) as error:
        psds(truth=truth, durations={"f1": 3.0, "f4": 3.0})
    message = str(error.value)
    assert "1 scored clip without audio duration: 'f3'" in message
    assert "1 clip of the ground truth has no scores: 'f2'" in message
    assert "1 clip of the audio durations has no scores: 'f4'" in message
    assert "1 label of the ground truth is no score column: 'b'" in message
    assert 'extra_clips="ignore"' in message
    assert 'unknown_labels="ignore"' in message


def test_extra_clips_are_refused_or_left_out_and_noted():
    truth = {**TRUTH, "f2": [(0.0, 1.0, "Bird")]}
    with pytest.raises(se.InputError, match="1 clip of the ground truth has no scores: 'f2'"):
        psds(truth=truth)
    with pytest.raises(se.InputError, match="2 clips of the audio durations have no scores"):
        psds(durations={**DURATIONS, "f2": 1.0, "f4": 1.0})
    result = psds(truth=truth, durations={**DURATIONS, "f5": 9.0}, extra_clips="ignore")
    assert result.value == 1.0
    assert result.dataset_duration == 6.0
    assert len(result.notes) == 2
    assert "'f2'" in result.notes[0]
    assert "'f5'" in result.notes[1]


def test_clips_without_events_are_extra_clips_too():
    with pytest.raises(se.InputError, match="'f2'"):
        psds(truth={**TRUTH, "f2": []})


def test_missing_ground_truth_is_refused_or_counts_as_no_events():
    scores = {**SCORES, "f9": np.full((3, 2), 0.95)}
    durations = {**DURATIONS, "f9": 3.0}
    with pytest.raises(se.InputError, match=r"1 scored clip not in the ground truth: 'f9'"):
        psds(scores, durations=durations)
    result = psds(scores, durations=durations, missing_ground_truth="no_events")
    # One false positive in 9 s is 400 per hour, and no event is found below it.
    assert result.value == 0.0
    assert result.n_clips == 3
    assert "'f9'" in result.notes[0]


def test_missing_durations_are_always_refused():
    with pytest.raises(se.InputError, match="1 scored clip without audio duration: 'f3'"):
        psds(durations={"f1": 3.0}, extra_clips="ignore", missing_ground_truth="no_events")


def test_missing_classes_are_refused_or_left_out_of_everything():
    scores = {clip: np.column_stack([array, [0.7] * 3]) for clip, array in SCORES.items()}
    classes = ["Dog", "Cat", "Owl"]
    with pytest.raises(se.InputError, match=r"1 score column has no event .*: 'Owl'"):
        psds(scores, classes=classes)
    result = psds(scores, classes=classes, missing_classes="exclude")
    assert result.excluded_classes == ("Owl",)
    assert list(result.per_class) == ["Dog", "Cat"]
    assert result.value == psds().value
    assert "Owl" in repr(result)


def test_excluded_classes_are_no_other_classes_of_cross_triggers():
    scores = {clip: np.column_stack([array, [0.0] * 3]) for clip, array in SCORES.items()}
    stats = se.statistics(
        scores,
        TRUTH,
        se.Intersection(0.5, 0.5, 0.3),
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=["Dog", "Cat", "Owl"],
        missing_classes="exclude",
    )
    assert list(stats["Dog"].cts) == ["Cat"]
    assert "Owl" not in stats
    with pytest.raises(KeyError, match="'Owl' was excluded"):
        stats["Owl"]


def test_nothing_to_evaluate_is_refused_under_every_policy():
    with pytest.raises(se.InputError, match="no event of any score column"):
        psds(truth={"f1": [], "f3": []}, missing_classes="exclude")
    with pytest.raises(se.InputError, match="no event of any score column"):
        psds(
            truth={"f1": [(0.0, 1.0, "dog")], "f3": []},
            missing_classes="exclude",
            unknown_labels="ignore",
        )
    with pytest.raises(se.InputError, match="no clips in the scores"):
        psds({}, {}, {})


def test_unknown_labels_are_refused_or_left_out_and_noted():
    truth = {**TRUTH, "f3": [(2.0, 3.0, "Cat"), (0.0, 1.0, "cat"), (0.0, 1.0, "Horn")]}
    with pytest.raises(se.InputError) as error:
        psds(truth=truth)
    message = str(error.value)
    assert "2 labels of the ground truth are no score columns: 'Horn', 'cat'" in message
    assert "clip 'f3', event 2" in message
    result = psds(truth=truth, unknown_labels="ignore")
    assert result.value == 1.0
    assert result.notes == (
        "2 events with labels that are no score column left out: 'cat', 'Horn'",
    )


def test_labels_that_differ_invisibly_are_pointed_out():
    with pytest.raises(se.InputError, match=r"'Cat\\xa0'.*did you mean 'Cat' \(it differs only"):
        psds(truth={**TRUTH, "f3": [(2.0, 3.0, "Cat\xa0")]})


def test_zero_length_events_are_refused_dropped_or_kept():
    truth = {**TRUTH, "f3": [(2.0, 3.0, "Cat"), (1.0, 1.0, "Cat")]}
    with pytest.raises(se.InputError, match=r"clip 'f3', event 1: the event 'Cat' has no length"):
        psds(truth=truth)
    dropped = psds(truth=truth, zero_length="drop")
    assert dropped.value == 1.0
    assert dropped.notes == ("1 event without length left out",)
    stats = se.statistics(
        SCORES,
        truth,
        se.Intersection(0.5, 0.5),
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=["Dog", "Cat"],
        zero_length="keep",
    )
    assert stats["Cat"].n_ref == 2
    assert stats["Cat"].t_ref == 1.0


@pytest.mark.parametrize(
    "policy",
    [
        "extra_clips",
        "missing_ground_truth",
        "missing_classes",
        "unknown_labels",
        "zero_length",
    ],
)
def test_policies_are_one_of_their_words(policy):
    with pytest.raises(se.InputError, match=f"{policy} must be one of 'raise', "):
        psds(**{policy: "skip"})


def test_nothing_is_noted_when_everything_fits():
    assert psds().notes == ()
    assert psds(extra_clips="ignore", unknown_labels="ignore", zero_length="drop").notes == ()


def test_bb_091_ids_that_differ_by_folder_or_extension_are_pointed_out():
    for name in ("audio/f1.wav", "/f1", "f1.FLAC", "F1"):
        truth = {name: TRUTH["f1"], "f3": TRUTH["f3"]}
        with pytest.raises(se.InputError, match=r"differ only by folder, extension or case") as e:
            psds(truth=truth)
        assert repr(name) in str(e.value)


def test_similar_ids_are_pointed_out():
    with pytest.raises(se.InputError, match=r"closest to 'f1' in the ground truth: 'f11'"):
        psds(truth={"f11": TRUTH["f1"], "f3": TRUTH["f3"]})


def test_long_lists_are_cut():
    truth = {**TRUTH, **{f"x{i:03d}": [] for i in range(200)}}
    with pytest.raises(se.InputError, match=r"200 clips .*'x009' and 190 more"):
        psds(truth=truth)


def test_a_stream_stops_at_the_first_clip_that_does_not_fit():
    def stream():
        yield "f7", SCORES["f1"], [0, 1, 2, 3]
        raise AssertionError("read on")

    with pytest.raises(se.InputError, match="not in the ground truth: 'f7'"):
        se.statistics(stream(), TRUTH, se.Intersection(), event_classes=["Dog", "Cat"])


def test_a_stream_that_ends_early_is_refused():
    stream = iter([("f1", SCORES["f1"], [0, 1, 2, 3])])
    with pytest.raises(se.InputError, match="1 clip of the ground truth has no scores: 'f3'"):
        se.statistics(stream, TRUTH, se.Intersection(), event_classes=["Dog", "Cat"])


@pytest.mark.parametrize(
    ("filename", "clip"),
    [
        ("a.wav", "a"),
        ("a.WAV", "a"),
        ("a.b.flac", "a.b"),
        ("audio/a.mp3", "audio/a"),
        ("a.wav.wav", "a.wav"),
        ("a", "a"),
        ("a.txt", "a.txt"),
        (".wav", ".wav"),
        ("audio/.wav", "audio/.wav"),
        ("Y123_30.000_40.000", "Y123_30.000_40.000"),
        ("00123", "00123"),
        ("1e5", "1e5"),
    ],
)
def test_only_audio_extensions_are_cut_off(filename, clip):
    assert clip_id_of(filename) == clip


def test_names_in_messages():
    assert listed(map(str, range(12))).endswith("'9' and 2 more")
    assert listed([]) == ""
    assert counted(0, "class") == "0 classes"
    assert did_you_mean("Speeech", ["Speech", "Dog"]) == "; did you mean 'Speech'?"
    assert did_you_mean("Vacuum_cleaner", ["Dog"]) == ""
    assert did_you_mean("x", []) == ""
    assert look_alikes(["Dog", "dog", "Cat"]) == []
    assert look_alikes(["Dog", "\u200bDog", "Cat"]) == [["Dog", "\u200bDog"]]
    assert look_alikes(["Bär", "Ba\u0308r"]) == [["Bär", "Ba\u0308r"]]
