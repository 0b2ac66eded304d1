"""What is written reads back equal; text is text; wrong files are named with the line."""

import os
import sys

import numpy as np
import pandas as pd
import pytest

import soundeval as se

CLASSES = ["Dog", "Male speech, man speaking"]
EDGES = [0.0, 0.1, 0.30000000000000004, 1e-5 + 1]


def scores(dtype=np.float64, clips=("a", "b")):
    rng = np.random.default_rng(1)
    arrays = {clip: rng.random((3, 2)).astype(dtype) for clip in clips}
    return se.Scores.from_arrays(arrays, EDGES, CLASSES)


def same(read, written):
    assert list(read) == sorted(written)
    assert read.event_classes == written.event_classes
    for clip, (array, edges) in ((c, (s.scores, s.timestamps)) for c, s in written.items()):
        assert np.array_equal(read[clip].scores, array)
        assert np.array_equal(read[clip].timestamps, edges)


# -- scores ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("target", ["folder", "all.tsv"])
def test_written_scores_read_back_equal(tmp_path, dtype, target):
    written = scores(dtype)
    se.write_scores(written, tmp_path / target)
    same(se.read_scores(tmp_path / target), written)


def test_difficult_floats_read_back_equal(tmp_path):
    values = [5e-324, 1.7976931348623157e308, -0.0, 9.040000000000001, np.inf, -np.inf]
    array = np.array(values).reshape(3, 2)
    written = se.Scores.from_arrays({"a": array}, EDGES, CLASSES)
    se.write_scores(written, tmp_path / "s")
    assert se.read_scores(tmp_path / "s")["a"].scores.tobytes() == array.tobytes()


def test_all_kinds_of_scores_can_be_written(tmp_path):
    one = scores(clips=("a",))
    frame = pd.DataFrame({"onset": EDGES[:-1], "offset": EDGES[1:]})
    for column, name in enumerate(CLASSES):
        frame[name] = one["a"].scores[:, column]
    kinds = [
        (one, {}),
        ({"a": frame}, {}),
        ({"a": one["a"].scores}, {"timestamps": EDGES, "event_classes": CLASSES}),
        ([("a", one["a"].scores, EDGES)], {"event_classes": CLASSES}),
    ]
    for number, (kind, arguments) in enumerate(kinds):
        se.write_scores(kind, tmp_path / str(number), **arguments)
        same(se.read_scores(tmp_path / str(number)), one)
    se.write_scores(tmp_path / "0", tmp_path / "copy.tsv")
    same(se.read_scores(tmp_path / "copy.tsv"), one)


def test_file_names_become_clip_ids(tmp_path):
    se.write_scores(scores(clips=("Y1_30.000_40.000",)), tmp_path)
    text = (tmp_path / "Y1_30.000_40.000.tsv").read_text()
    (tmp_path / "b.wav.tsv").write_text(text)
    assert list(se.read_scores(tmp_path)) == ["Y1_30.000_40.000", "b"]


@pytest.mark.parametrize("clip", ["../evil", "a/b", "..", ".hidden", "a\0b", "a\\b", "", "a:b"])
def test_bb_141_clip_ids_never_leave_the_folder(tmp_path, clip):
    folder = tmp_path / "scores"
    with pytest.raises(se.InputError, match="cannot be"):
        se.write_scores(scores(clips=("ok", clip)), folder)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["scores"]


def test_names_that_would_not_read_back_are_refused(tmp_path):
    with pytest.raises(se.InputError, match=r"'a\.wav' ends in an audio extension .* 'a'"):
        se.write_scores(scores(clips=("a.wav",)), tmp_path)
    with pytest.raises(se.InputError, match=r"'a\.wav' ends in an audio extension .* 'a'"):
        se.write_scores(scores(clips=("a.wav",)), tmp_path / "s.tsv")
    for name in ("Dog\t", " Dog", "D\nog", "\ud800"):
        one = se.Scores.from_arrays({"a": np.zeros((3, 1))}, EDGES, [name])
        with pytest.raises(se.InputError, match=r"class .* cannot be written"):
            se.write_scores(one, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_slashes_are_fine_in_a_column(tmp_path):
    written = scores(clips=("audio/a", "audio/b"))
    se.write_scores(written, tmp_path / "s.tsv")
    same(se.read_scores(tmp_path / "s.tsv"), written)


def test_nothing_is_left_behind_by_a_failed_write(tmp_path):
    target = tmp_path / "s.tsv"
    se.write_scores(scores(), target)
    before = target.read_bytes()
    broken = se.Scores.from_arrays({"a": np.array([[0.1], [np.nan]])}, [0, 1, 2], ["Dog"])
    with pytest.raises(se.InputError, match="clip 'a', class 'Dog' contain NaN at frame 1"):
        se.write_scores(broken, target)
    assert target.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["s.tsv"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_written_files_have_the_permissions_of_new_files(tmp_path):
    (tmp_path / "plain").write_text("")
    se.write_scores(scores(), tmp_path / "s.tsv")
    assert (tmp_path / "s.tsv").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_folder_of_scores_holds_nothing_else(tmp_path):
    with pytest.raises(se.InputError, match=r"must hold <clip>\.tsv files, but it is empty"):
        se.read_scores(tmp_path)
    se.write_scores(scores(), tmp_path)
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    (tmp_path / "._a.tsv").write_bytes(b"\0")
    assert len(se.read_scores(tmp_path)) == 2
    (tmp_path / "c.csv").write_text("")
    (tmp_path / "sub").mkdir()
    with pytest.raises(se.InputError, match=r"found also 'c\.csv', 'sub'"):
        se.read_scores(tmp_path)


def test_two_files_for_one_clip_are_refused(tmp_path):
    se.write_scores(scores(), tmp_path)
    (tmp_path / "a.wav.tsv").write_text((tmp_path / "a.tsv").read_text())
    with pytest.raises(
        se.InputError, match=r"a\.wav\.tsv: clip 'a' has scores already in .*a\.tsv"
    ):
        se.read_scores(tmp_path)


def test_files_with_other_classes_are_named(tmp_path):
    se.write_scores(scores(clips=("a",)), tmp_path)
    header, *rows = (tmp_path / "a.tsv").read_text().splitlines(keepends=True)
    (tmp_path / "b.tsv").write_text("".join([header.replace("Dog", "Cat"), *rows]))
    with pytest.raises(se.InputError, match=r"b\.tsv have other classes .*'Dog' missing; 'Cat'"):
        se.read_scores(tmp_path)


def test_files_with_and_without_a_column_of_names_do_not_mix(tmp_path):
    se.write_scores(scores(clips=("a",)), tmp_path)
    se.write_scores(scores(clips=("c", "d")), tmp_path / "b.tsv")
    with pytest.raises(se.InputError, match="a column 'filename' or none"):
        se.read_scores(tmp_path)


def test_bb_139_files_that_could_run_code_are_refused(tmp_path):
    for name in ("s.npy", "s.npz", "s.pkl", "s.pt"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(se.InputError, match="load other formats yourself"):
            se.read_scores(tmp_path / name)


def test_missing_files_are_named(tmp_path):
    for read in (se.read_scores, se.read_ground_truth, se.read_durations):
        with pytest.raises(FileNotFoundError, match=r"nothing\.tsv"):
            read(tmp_path / "nothing.tsv")


def test_progress_is_shown_on_demand(tmp_path, capsys):
    se.write_scores(scores(), tmp_path)
    assert len(se.read_scores(tmp_path, progress=True)) == 2
    assert len(se.read_scores(tmp_path, progress=False)) == 2
    assert capsys.readouterr().out == ""


def test_files_are_read_in_batches(tmp_path, monkeypatch):
    written = scores(clips=tuple("abcdefg"))
    se.write_scores(written, tmp_path)
    size = os.path.getsize(tmp_path / "a.tsv")
    monkeypatch.setattr("soundeval.score_files.BATCH_TEXT_BYTES", 2 * size)
    same(se.read_scores(tmp_path), written)


# -- Scores ---------------------------------------------------------------------------------------


def test_from_arrays_shares_memory():
    array = np.zeros((3, 2), np.float32)
    wrapped = se.Scores.from_arrays({"a": array}, EDGES, CLASSES)
    assert wrapped["a"].scores is array
    assert repr(wrapped) == f"Scores(1 clip, event_classes={tuple(CLASSES)!r})"


def test_from_arrays_checks_shapes_and_edges():
    array = np.zeros((3, 2))
    for arrays, edges, message in (
        ({}, EDGES, "no clips"),
        ({3: array}, EDGES, r"clip ids must be text, got 3 \(int\)"),
        ({"a": array[0]}, EDGES, "1-d array"),
        ({"a": array}, EDGES[:3], "did you pass frame onsets"),
        ({"a": array}, {"a": EDGES[:3]}, "clip 'a'.*did you pass frame onsets"),
        ({"a": array}, {"a": EDGES[::-1]}, "clip 'a': edges must increase strictly, edge 1"),
    ):
        with pytest.raises(se.InputError, match=message):
            se.Scores.from_arrays(arrays, edges, CLASSES)


# -- reference events -----------------------------------------------------------------------------

HEADER = "filename\tonset\toffset\tevent_label\n"


@pytest.fixture
def events(tmp_path):
    def read(rows, header=HEADER):
        (tmp_path / "events.tsv").write_text(header + rows, encoding="utf-8")
        return se.read_ground_truth(tmp_path / "events.tsv")

    return read


def test_bb_078_labels_that_look_like_nothing_are_labels(events):
    labels = ["NA", "nan", "null", "None", "Dog"]
    rows = "".join(f"f.wav\t{i}\t{i + 1}\t{label}\n" for i, label in enumerate(labels))
    assert [label for _, _, label in events(rows)["f"]] == labels


def test_bb_092_ids_with_dots_stay_whole(events):
    rows = "Y123_30.000_40.000\t0\t1\ta\nY123_30.000_40.500\t2\t3\ta\n"
    assert list(events(rows)) == ["Y123_30.000_40.000", "Y123_30.000_40.500"]


def test_bb_093_ids_that_look_like_numbers_are_text(events):
    assert list(events("00123\t0\t1\tDog\n1e5\t0\t1\tDog\n")) == ["00123", "1e5"]


def test_bb_090_times_are_the_nearest_floats(events):
    rows = "f\t9.040000000000001\t20.0200000000000005\tDog\n"
    assert events(rows)["f"] == [(9.040000000000001, 20.0200000000000005, "Dog")]


def test_labels_with_commas_are_one_label(events):
    assert events("f\t0\t1\tMale speech, man speaking\n")["f"][0][2] == CLASSES[1]


def test_clips_without_events_are_registered(events):
    assert events("a.wav\t\t\t\nb.wav\t0\t1\tDog\n") == {"a": [], "b": [(0.0, 1.0, "Dog")]}


def test_two_names_for_one_clip_are_refused_with_both_lines(events):
    with pytest.raises(se.InputError, match=r"line 4: 'a\.flac' and 'a\.wav' \(line 2\)"):
        events("a.wav\t0\t1\tDog\nb.wav\t0\t1\tDog\na.flac\t0\t1\tDog\n")


def test_bb_071_reversed_events_are_refused_with_their_line(events):
    with pytest.raises(se.InputError, match=r"events\.tsv, line 2.*onset 2\.0 after its offset 1"):
        events("f\t2.0\t1.0\ta\n")


def test_trimmed_blanks_are_warned_about(events):
    with pytest.warns(se.InputWarning, match=r"left out in 1 line: 3"):
        read = events("f\t0\t1\tDog\nf\t2\t3\tDog \n")
    assert {label for _, _, label in read["f"]} == {"Dog"}


def test_repeated_rows_are_warned_about(events):
    with pytest.warns(se.InputWarning, match=r"1 line repeat .*: 3"):
        events("f\t0\t1\tDog\nf\t0\t1\tDog\n")


def test_problems_of_events_from_a_file_name_the_line(events, tmp_path):
    events("a\t0\t1\tDog\na\t1\t1\tDog\na\t1\t2\tCat\n")
    arguments = {"timestamps": EDGES, "event_classes": ["Dog"]}
    with pytest.raises(se.InputError, match=r"events\.tsv, line 3 \(clip 'a'\).*no length"):
        se.statistics(
            {"a": np.zeros((3, 1))},
            tmp_path / "events.tsv",
            se.Intersection(),
            unknown_labels="ignore",
            **arguments,
        )
    with pytest.raises(se.InputError, match=r"'Cat' \(first at .*events\.tsv, line 4"):
        se.statistics(
            {"a": np.zeros((3, 1))},
            tmp_path / "events.tsv",
            se.Intersection(),
            zero_length="drop",
            **arguments,
        )


# -- durations ------------------------------------------------------------------------------------


def test_durations_are_read_by_clip(tmp_path):
    file = tmp_path / "durations.tsv"
    file.write_text("filename\tduration\na.wav\t10.0\n00123\t9.5\n")
    assert se.read_durations(file) == {"a": 10.0, "00123": 9.5}


@pytest.mark.parametrize("second", ["a.wav\t10.0", "a.flac\t9.0"])
def test_two_durations_for_one_clip_are_refused_with_both_lines(tmp_path, second):
    file = tmp_path / "durations.tsv"
    file.write_text(f"filename\tduration\na.wav\t10.0\n{second}\n")
    with pytest.raises(se.InputError, match=r"line 3: a second duration for clip 'a'.*line 2 has"):
        se.read_durations(file)
