"""Every kind of input is accepted, and wrong content is named with its place."""

import math
import pathlib

import numpy as np
import pandas as pd
import pytest

import soundeval as se

EDGES = [0.0, 1.0, 2.0, 3.0]
ARRAY = np.array([[0.2, 0.1], [0.9, 0.3], [0.4, 0.8]])
CLASSES = ["Dog", "Cat"]
TRUTH = {"a": [(1.0, 2.0, "Dog"), (2.0, 3.0, "Cat")]}
CRITERION = se.Intersection()


def counts(stats):
    return {
        name: (c.thresholds.tolist(), c.tps.tolist(), c.fps.tolist()) for name, c in stats.items()
    }


def evaluate(scores, truth=TRUTH, **arguments):
    return counts(se.statistics(scores, truth, CRITERION, **arguments))


def evaluate_array(array, timestamps=EDGES, truth=TRUTH, **arguments):
    return evaluate({"a": array}, truth, timestamps=timestamps, event_classes=CLASSES, **arguments)


def table(array=ARRAY, edges=EDGES, classes=CLASSES):
    return pd.DataFrame(
        {
            "onset": edges[:-1],
            "offset": edges[1:],
            **{name: array[:, column] for column, name in enumerate(classes)},
        }
    )


EXPECTED = {
    "Dog": ([0.4, 0.9, math.inf], [0, 1, 0], [1, 0, 0]),
    "Cat": ([0.3, 0.8, math.inf], [0, 1, 0], [1, 0, 0]),
}

# -- kinds of scores ------------------------------------------------------------------------------


def test_dict_of_arrays_with_shared_edges():
    assert evaluate_array(ARRAY) == EXPECTED


def test_dict_of_arrays_with_edges_by_clip():
    assert evaluate_array(ARRAY, {"a": np.array(EDGES)}) == EXPECTED
    assert evaluate_array(ARRAY, {"a": [0, 1, 2, 3]}) == EXPECTED


def test_dict_of_pandas_tables():
    assert evaluate({"a": table()}) == EXPECTED


def test_dict_of_polars_tables():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({name: column.to_list() for name, column in table().items()})
    assert evaluate({"a": frame}) == EXPECTED


def test_scores_and_clip_scores():
    scores = se.Scores.from_arrays({"a": ARRAY}, EDGES, CLASSES)
    assert evaluate(scores) == EXPECTED
    assert evaluate(scores, event_classes=CLASSES) == EXPECTED
    assert evaluate({"a": scores["a"]}, event_classes=CLASSES) == EXPECTED


def test_iterable_of_triples():
    triples = iter([("a", ARRAY, EDGES)])
    assert evaluate(triples, event_classes=CLASSES) == EXPECTED


def test_directory_and_file(tmp_path):
    se.write_scores({"a": table()}, tmp_path / "scores")
    assert evaluate(tmp_path / "scores") == EXPECTED
    assert evaluate(str(tmp_path / "scores")) == EXPECTED
    assert evaluate(tmp_path / "scores" / "a.tsv") == EXPECTED


@pytest.mark.parametrize(
    "scores", [3, None, ARRAY, table(), b"scores"], ids=["int", "none", "array", "table", "bytes"]
)
def test_other_kinds_of_scores_are_type_errors(scores):
    with pytest.raises(TypeError, match=r"scores"):
        se.statistics(scores, TRUTH, CRITERION, event_classes=CLASSES, timestamps=EDGES)


def test_criterion_must_be_a_criterion():
    with pytest.raises(TypeError, match=r"criterion must be an Intersection, .*got float"):
        se.statistics({"a": table()}, TRUTH, 0.5)


# -- arrays ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "array",
    [
        ARRAY.astype(np.float32),
        ARRAY.astype(">f4"),
        ARRAY.astype(">f8"),
        np.asfortranarray(ARRAY),
        np.repeat(ARRAY, 2, axis=0)[::2],
        ARRAY[::-1].copy()[::-1],
        ARRAY.tolist(),
    ],
    ids=["float32", "big4", "big8", "fortran", "strided", "reversed", "list"],
)
def test_layout_and_byte_order_do_not_matter(array):
    wide = np.asarray(array).astype(np.float64)
    assert evaluate_array(array) == evaluate_array(np.ascontiguousarray(wide))


def test_float16_is_exact():
    half = ARRAY.astype(np.float16)
    assert evaluate_array(half) == evaluate_array(half.astype(np.float64))


def test_whole_numbers_and_booleans_are_scores():
    decisions = np.array([[0, 0], [1, 0], [0, 1]])
    expected = {
        "Dog": ([0.0, 1.0, math.inf], [0, 1, 0], [1, 0, 0]),
        "Cat": ([0.0, 1.0, math.inf], [0, 1, 0], [1, 0, 0]),
    }
    assert evaluate_array(decisions) == expected
    assert evaluate_array(decisions.astype(bool)) == expected


def test_bb_101_read_only_arrays_are_read_and_not_changed():
    array = np.frombuffer(ARRAY.astype(np.float32).tobytes(), dtype=np.float32).reshape(3, 2)
    edges = np.array(EDGES)
    edges.flags.writeable = False
    assert not array.flags.writeable
    before = array.tobytes()
    evaluate({"a": array}, timestamps=edges, event_classes=CLASSES)
    assert array.tobytes() == before


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (ARRAY[:, 0], r"clip 'a' must have shape \(n_frames, n_classes\), got a 1-d array"),
        (ARRAY[None], r"got a 3-d array of shape \(1, 3, 2\)"),
        (ARRAY[:, :1], r"must have 2 columns, one per event class, got shape \(3, 1\)"),
        (ARRAY.T, r"got shape \(2, 3\); is it transposed\?"),
        (ARRAY[:0], "have no frames"),
        (ARRAY.astype(object), "arrays of Python objects are refused"),
        (ARRAY.astype(complex), "got dtype complex128; pass real numbers"),
        (ARRAY.astype(str), "must be real numbers"),
        (np.ma.masked_less(ARRAY, 0.2), "masked array"),
        (None, "must be an array of shape"),
        ([[0.1, 0.2], [0.3]], "are no array"),
    ],
)
def test_arrays_that_are_no_scores_are_refused(array, message):
    with pytest.raises(se.InputError, match=message):
        evaluate_array(array)


def test_nan_is_named_with_clip_class_and_frame():
    array = ARRAY.copy()
    array[2, 1] = np.nan
    with pytest.raises(se.InputError) as error:
        evaluate_array(array)
    for word in ("'a'", "'Cat'", "2", "NaN"):
        assert word in str(error.value)


def test_infinite_scores_are_scores():
    array = np.array([[-np.inf, 0.1], [np.inf, 0.3], [-np.inf, 0.8]])
    thresholds, tps, fps = evaluate_array(array)["Dog"]
    assert (thresholds, tps, fps) == ([math.inf, math.inf], [1, 0], [0, 0])


def test_negative_zero_equals_zero():
    array = np.array([[-0.0, 0.1], [0.0, 0.3], [0.4, 0.8]])
    assert evaluate_array(array) == evaluate_array(np.abs(array))


# -- times ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_clip", [False, True])
def test_as_many_edges_as_frames_are_refused_with_a_hint(by_clip):
    edges = [0.5, 1.5, 2.5]
    with pytest.raises(se.InputError, match=r"n_frames \+ 1 = 4 .* got 3; did you pass"):
        evaluate_array(ARRAY, {"a": edges} if by_clip else edges)


@pytest.mark.parametrize("by_clip", [False, True])
def test_bb_100_edges_must_increase_strictly(by_clip):
    edges = [0.0, 1.0, 0.5, 2.0]
    with pytest.raises(se.InputError, match=r"increase.*2.*0\.5.*1"):
        evaluate_array(ARRAY, {"a": edges} if by_clip else edges)


def test_clips_of_different_length_need_edges_by_clip():
    arrays = {"a": ARRAY, "b": ARRAY[:2]}
    truth = {**TRUTH, "b": []}
    with pytest.raises(se.InputError, match=r"clip 'b'.*timestamps=\{clip: edges\}"):
        evaluate(arrays, truth, timestamps=EDGES, event_classes=CLASSES)
    edges = {"a": EDGES, "b": EDGES[:3]}
    stats = evaluate(arrays, truth, timestamps=edges, event_classes=CLASSES)
    assert stats["Dog"][2] == [2, 1, 0]


@pytest.mark.parametrize(
    ("timestamps", "message"),
    [
        (None, "pass timestamps=edges"),
        ([[0.0, 1.0]], "must be a 1-d array"),
        (["0", "1", "2", "3"], "must be numbers of seconds"),
        ([0.0, 1.0, math.nan, 3.0], "edge 2 is nan"),
        ([0.0, 1.0, 2.0, math.inf], "edge 3 is inf"),
        ({}, r"no edges for 1 clip: 'a'"),
    ],
)
def test_timestamps_that_are_no_edges_are_refused(timestamps, message):
    with pytest.raises(se.InputError, match=message):
        evaluate_array(ARRAY, timestamps)


def test_scores_that_hold_times_take_no_timestamps():
    scores = se.Scores.from_arrays({"a": ARRAY}, EDGES, CLASSES)
    for kind in (scores, {"a": table()}, [("a", ARRAY, EDGES)]):
        with pytest.raises(se.InputError, match="leave timestamps out"):
            evaluate(kind, timestamps=EDGES, event_classes=CLASSES)


# -- tables ---------------------------------------------------------------------------------------


def test_bb_099_gaps_between_frames_are_refused():
    frame = table()
    frame.loc[2, "onset"] = 2.5
    with pytest.raises(se.InputError, match=r"clip 'a': frame 2 .*ends at 2\.0.*at 2\.5 \(gap\)"):
        evaluate({"a": frame})


def test_frames_must_touch_exactly():
    frame = table()
    frame.loc[2, "onset"] = np.nextafter(2.0, 0.0)
    with pytest.raises(se.InputError, match="overlap"):
        evaluate({"a": frame})


def test_classes_in_another_order_are_refused_and_the_clip_named():
    tables = {"a": table(), "b": table()[["onset", "offset", "Cat", "Dog"]]}
    with pytest.raises(se.InputError, match=r"clip 'b' have the same classes.*another order"):
        evaluate(tables, {**TRUTH, "b": []})


def test_other_classes_are_refused_and_named():
    tables = {"a": table(), "b": table(classes=["Dog", "Cta"])}
    with pytest.raises(se.InputError, match=r"'Cat' missing; 'Cta' not.*did you mean 'Cat'"):
        evaluate(tables, {**TRUTH, "b": []})


def test_event_classes_must_agree_with_tables():
    assert evaluate({"a": table()}, event_classes=("Dog", "Cat")) == EXPECTED
    with pytest.raises(se.InputError, match="another order"):
        evaluate({"a": table()}, event_classes=["Cat", "Dog"])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["Onset", "offset", "Dog", "Cat"], "did you mean 'onset'"),
        (["onset", "offset", "Dog", "Dog"], "more than once: 'Dog'"),
        (["onset", "offset", "Dog", 7], "must be text, got 7"),
        (["onset", "offset", "Dog", ""], r"event_classes\[1\] is empty"),
    ],
)
def test_columns_that_are_no_score_table_are_refused(columns, message):
    frame = table()
    frame.columns = columns
    with pytest.raises(se.InputError, match=message):
        evaluate({"a": frame})


def test_missing_values_in_tables_are_refused():
    frame = table().astype({"Dog": object})
    frame.loc[1, "Dog"] = "high"
    with pytest.raises(se.InputError, match="something else than numbers"):
        evaluate({"a": frame})
    frame.loc[1, "Dog"] = None
    with pytest.raises(se.InputError, match="NaN"):
        evaluate({"a": frame})


# -- class names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (None, "pass event_classes="),
        ([], "is empty"),
        (["Dog", "Dog"], "more than once: 'Dog'"),
        (["Dog", 1], r"event_classes\[1\] must be text, got 1"),
        (["onset", "Dog"], "'onset' cannot be the name of a class"),
    ],
)
def test_class_names_are_unique_texts(names, message):
    with pytest.raises(se.InputError, match=message):
        se.statistics({"a": ARRAY}, TRUTH, CRITERION, timestamps=EDGES, event_classes=names)


@pytest.mark.parametrize("names", ["Dog", 3])
def test_class_names_of_another_kind_are_type_errors(names):
    with pytest.raises(TypeError, match="event_classes must be a list of names"):
        se.statistics({"a": ARRAY}, TRUTH, CRITERION, timestamps=EDGES, event_classes=names)


def test_bb_095_classes_that_look_alike_are_warned_about():
    with pytest.warns(se.InputWarning, match=r"'Dog', 'Dog\\xa0' differ only in blanks"):
        se.Scores.from_arrays({"a": ARRAY}, EDGES, ["Dog", "Dog\xa0"])


def test_bb_098_class_names_are_opaque():
    names = ["Dr. Who", "a.b", "a/b", "{x}", "100%", "#1"]
    array = np.eye(6)
    truth = {"a": [(float(i), i + 1.0, name) for i, name in enumerate(names)]}
    result = se.psds(
        {"a": array},
        truth,
        {"a": 6.0},
        dtc_threshold=0.5,
        gtc_threshold=0.5,
        timestamps=np.arange(7.0),
        event_classes=names,
    )
    assert list(result.per_class) == names
    assert set(result.per_class.values()) == {1.0}


def test_warnings_point_at_the_line_of_the_user():
    with pytest.warns(se.InputWarning) as caught:
        se.Scores.from_arrays({"a": ARRAY}, EDGES, ["Dog", "Dog\u200b"])
    assert pathlib.Path(caught[0].filename) == pathlib.Path(__file__)


# -- kinds of ground truth ------------------------------------------------------------------------


def test_ground_truth_table():
    frame = pd.DataFrame(
        {
            "filename": ["a.wav", "a.wav", "b.wav"],
            "onset": [1.0, 2.0, math.nan],
            "offset": [2.0, 3.0, math.nan],
            "event_label": ["Dog", "Cat", None],
        }
    )
    arrays = {"a": ARRAY, "b": np.zeros((3, 2))}
    stats = se.statistics(arrays, frame, CRITERION, timestamps=EDGES, event_classes=CLASSES)
    assert [stats[name].n_ref for name in CLASSES] == [1, 1]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("offset", math.nan, r"row 0: 'offset' missing for 'a.wav'"),
        ("event_label", None, r"row 0: 'event_label' missing"),
        ("filename", 3, r"row 0: filename must be text, got 3"),
        ("onset", 2.5, r"ground truth, row 0 \(clip 'a'\).*onset 2\.5 after its offset 2\.0"),
    ],
)
def test_wrong_rows_of_a_ground_truth_table_are_named(column, value, message):
    row = {"filename": "a.wav", "onset": 1.0, "offset": 2.0, "event_label": "Dog", column: value}
    with pytest.raises(se.InputError, match=message):
        evaluate_array(ARRAY, truth=pd.DataFrame([row]))


def test_ground_truth_table_needs_its_columns():
    frame = pd.DataFrame({"filename": ["a"], "onset": [0.0], "offset": [1.0], "label": ["Dog"]})
    with pytest.raises(se.InputError, match="has no column 'event_label'"):
        evaluate_array(ARRAY, truth=frame)


@pytest.mark.parametrize("truth", [3, [("a", 0, 1, "Dog")], None])
def test_other_kinds_of_ground_truth_are_type_errors(truth):
    with pytest.raises(TypeError, match="ground_truth must be a dict"):
        evaluate_array(ARRAY, truth=truth)


def test_order_and_container_of_events_do_not_matter():
    events = ([2, np.float32(3.0), "Cat"], (np.int64(1), 2.0, np.str_("Dog")))
    assert evaluate_array(ARRAY, truth={"a": events}) == EXPECTED


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ((2.0, 1.0, "Dog"), r"clip 'a', event 1: .*onset 2\.0 after its offset 1\.0"),
        ((0.0, math.nan, "Dog"), "event 1: the offset must be finite, got nan"),
        ((-math.inf, 1.0, "Dog"), "event 1: the onset must be finite, got -inf"),
        ((10**400, 1.0, "Dog"), "the onset must be finite"),
        (("0", 1.0, "Dog"), r"the onset must be a number of seconds, got '0' \(str\)"),
        ((None, 1.0, "Dog"), "the onset must be a number of seconds, got None"),
        ((0.0, 1.0, 3), r"the label must be text, got 3 \(int\)"),
        ((0.0, 1.0, ["Dog"]), "the label must be text"),
        ((0.0, 1.0), r"expected \(onset, offset, label\), got 2 values"),
        ((0.0, 1.0, "Dog", 1), "got 4 values"),
        ("Dog", r"expected \(onset, offset, label\), got 'Dog'"),
        (3.0, r"expected \(onset, offset, label\), got 3\.0"),
        ((1.0, 1.0, "Dog"), 'has no length .*zero_length="drop"'),
    ],
)
def test_wrong_events_are_named_with_clip_and_place(event, message):
    with pytest.raises(se.InputError, match=message):
        evaluate_array(ARRAY, truth={"a": [*TRUTH["a"][:1], event, *TRUTH["a"][1:]]})


def test_events_must_be_a_list():
    for events in ("Dog", {"Dog": 1}, 3, iter([(0.0, 1.0, "Dog")])):
        with pytest.raises(se.InputError, match=r"of clip 'a' must be a list"):
            evaluate_array(ARRAY, truth={"a": events})


# -- durations ------------------------------------------------------------------------------------


def test_kinds_of_durations(tmp_path):
    file = tmp_path / "durations.tsv"
    file.write_text("filename\tduration\na.wav\t3.0\n")
    frame = pd.DataFrame({"filename": ["a.wav"], "duration": [3.0]})
    for durations in ({"a": 3.0}, {"a": 3}, {"a": np.float32(3.0)}, file, str(file), frame):
        stats = se.statistics(
            {"a": ARRAY},
            TRUTH,
            CRITERION,
            audio_durations=durations,
            timestamps=EDGES,
            event_classes=CLASSES,
        )
        assert stats.audio_durations == {"a": 3.0}


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, 10**400])
def test_durations_are_positive_and_finite(value):
    with pytest.raises(se.InputError, match="of clip 'a' must be finite and greater than 0"):
        evaluate_array(ARRAY, audio_durations={"a": value})


@pytest.mark.parametrize("value", ["3", None, True])
def test_durations_are_numbers(value):
    with pytest.raises(se.InputError, match="must be a number of seconds"):
        evaluate_array(ARRAY, audio_durations={"a": value})


def test_other_kinds_of_durations_are_type_errors():
    with pytest.raises(TypeError, match="audio_durations must be a dict"):
        evaluate_array(ARRAY, audio_durations=3.0)


def test_bb_074_times_in_another_unit_are_warned_about():
    truth = {"a": [(24000.0, 40000.0, "Dog"), (16000.0, 20000.0, "Cat")]}
    with pytest.warns(se.InputWarning, match=r"all events of 1 clip begin after .*: 'a'"):
        evaluate_array(ARRAY, truth=truth, audio_durations={"a": 3.0})
