"""The example data set is what its script makes, and has something of everything to show."""

import math

import pytest

import soundeval as se
from soundeval import example
from soundeval.example import generate


def test_the_files_in_the_package_are_what_the_script_makes():
    folder = example.path()
    committed = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert committed == generate.files()


def test_the_script_writes_the_same_bytes_everywhere(tmp_path):
    generate.write(tmp_path)
    for name, text in generate.files().items():
        assert (tmp_path / name).read_bytes() == text.encode()


def test_another_seed_makes_another_data_set_of_the_same_clips():
    first, second = generate.files(1), generate.files(2)
    assert first.keys() == second.keys()
    assert first["ground_truth.tsv"] != second["ground_truth.tsv"]


def test_it_is_small_enough_to_travel_with_the_package():
    assert sum(map(len, generate.files().values())) < 300_000


def test_every_class_has_events_and_some_clips_have_none():
    folder = example.path()
    truth = se.read_ground_truth(folder / "ground_truth.tsv")
    labels = {label for events in truth.values() for _, _, label in events}
    assert labels == {sound.name for sound in generate.CLASSES}
    assert any(not events for events in truth.values())
    assert truth.keys() == se.read_durations(folder / "durations.tsv").keys()


def test_events_lie_inside_their_clip_and_apart_from_their_own_class():
    folder = example.path()
    durations = se.read_durations(folder / "durations.tsv")
    for clip, events in se.read_ground_truth(folder / "ground_truth.tsv").items():
        last = {}
        for onset, offset, label in sorted(events):
            assert last.get(label, -math.inf) < onset < offset <= durations[clip]
            last[label] = offset


@pytest.mark.parametrize(
    ("scenario", "psds", "per_class"),
    [
        (
            se.scenarios.PSDS1,
            0.22007354927984196,
            {
                "Alarm": 0.876875,
                "Blender": 0.45955882352941174,
                "Dog": 0.26858108108108103,
                "Running_water": 0.171875,
                "Speech": 0.7547131147540983,
            },
        ),
        (
            se.scenarios.PSDS2,
            0.4899979726628464,
            {
                "Alarm": 0.944375,
                "Blender": 0.9188092512201672,
                "Dog": 0.5761309440570388,
                "Running_water": 0.3306130644347041,
                "Speech": 0.9307377049180328,
            },
        ),
    ],
)
def test_its_scores_are_those_of_sed_scores_eval(scenario, psds, per_class):
    # Computed with sed_scores_eval 0.0.4: intersection_based.psds on the parts as read by its io.
    folder = example.path()
    result = se.psds(
        folder / "scores", folder / "ground_truth.tsv", folder / "durations.tsv", **scenario
    )
    assert result.value == pytest.approx(psds, rel=1e-12)
    assert result.per_class == pytest.approx(per_class, rel=1e-12)


def test_no_class_is_perfect_and_none_is_hopeless():
    folder = example.path()
    for scenario in (se.scenarios.PSDS1, se.scenarios.PSDS2):
        result = se.psds(
            folder / "scores", folder / "ground_truth.tsv", folder / "durations.tsv", **scenario
        )
        assert 0.2 < result.value < 0.6
        assert all(0.05 < value < 0.99 for value in result.per_class.values())
