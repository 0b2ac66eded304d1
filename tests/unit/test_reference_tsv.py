"""The readers of the pure-Python twin."""

from __future__ import annotations

import math

from soundeval import reference


def test_read_scores(tmp_path) -> None:
    (tmp_path / "b.c.wav.tsv").write_text(
        "onset\toffset\tDog\tCat\n0.0\t0.5\t0.1\t1e-3\n0.5\t1.25\t-inf\t0.30000000000000004\n"
    )
    (tmp_path / "a.tsv").write_text("onset\toffset\tDog\tCat\n0.0\t1.0\t1\t2\n")
    read = reference.read_scores(tmp_path)
    assert list(read.scores) == ["a", "b.c"]
    assert read.event_classes == ["Dog", "Cat"]
    assert read.scores["b.c"].tolist() == [[0.1, 0.001], [-math.inf, 0.1 + 0.2]]
    assert read.timestamps == {"a": [0.0, 1.0], "b.c": [0.0, 0.5, 1.25]}


def test_read_ground_truth(tmp_path) -> None:
    path = tmp_path / "truth.tsv"
    path.write_text(
        "filename\tonset\toffset\tevent_label\n"
        "x.wav\t0.5\t1.5\tDog\nempty.wav\t\t\t\nx.wav\t0.1\t0.2\tCat\n"
    )
    assert reference.read_ground_truth(path) == {
        "x": [(0.5, 1.5, "Dog"), (0.1, 0.2, "Cat")],
        "empty": [],
    }


def test_columns_may_stand_in_any_order_and_lines_end_in_any_way(tmp_path) -> None:
    path = tmp_path / "truth.tsv"
    path.write_bytes(b"event_label\tfilename\tonset\toffset\r\nDog\tx.wav\t0\t1\r\n\r\n")
    assert reference.read_ground_truth(path) == {"x": [(0.0, 1.0, "Dog")]}


def test_read_durations(tmp_path) -> None:
    path = tmp_path / "durations.tsv"
    path.write_text("filename\tduration\nx.flac\t10.0\nY1_30.000\t9.98\n")
    assert reference.read_durations(path) == {"x": 10.0, "Y1_30.000": 9.98}


def test_readers_read_the_real_files(dcase2023) -> None:
    from gold import shared

    folder = shared("data/dcase2023_task4a")
    read = reference.read_scores(folder / "baseline2_run1_scores")
    assert sorted(read.scores) == sorted(dcase2023.inputs.scores)
    assert read.event_classes == dcase2023.inputs.event_classes
    for clip, scores in dcase2023.inputs.scores.items():
        assert (read.scores[clip] == scores).all()
        assert read.timestamps[clip] == dcase2023.inputs.timestamps[clip]
    truth = reference.read_ground_truth(folder / "metadata" / "ground_truth.tsv")
    durations = reference.read_durations(folder / "metadata" / "audio_durations.tsv")
    for clip, events in dcase2023.inputs.ground_truth.items():
        assert truth.get(clip, []) == events
        assert durations[clip] == dcase2023.inputs.audio_durations[clip]
