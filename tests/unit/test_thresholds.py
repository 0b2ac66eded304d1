"""Thresholds are chosen on one data set, kept in a file and applied to another."""

import copy
import json
import math
import pickle

import numpy as np
import pytest

import soundeval as se

INF = math.inf
CLASSES = ["Dog", "Cat", "Owl"]


def statistics(scores, criterion=None, classes=CLASSES, **arguments):
    """One clip of 3 s for three classes, with a dog, a cat and an owl one after the other."""
    return se.statistics(
        {"f": np.array(scores, dtype=float)},
        {"f": [(float(k), k + 1.0, name) for k, name in enumerate(classes)]},
        criterion or se.Segment(),
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=CLASSES,
        **arguments,
    )


TUNING = statistics([[0.9, 0.2, 0.0], [0.4, 0.7, 0.2], [0.1, 0.1, -INF]])
TUNED = TUNING.best_f_score().thresholds


def test_chosen_on_one_set_and_applied_to_another():
    assert dict(TUNED) == {"Dog": 0.65, "Cat": pytest.approx(0.45), "Owl": INF}
    test = statistics([[0.6, 0.5, 0.1], [0.7, 0.8, 0.1], [0.1, 0.1, 0.9]])
    result = test.f_score(se.Thresholds.from_json(TUNED.to_json()))
    assert {name: (c.tps, c.fps) for name, c in result.per_class.items()} == {
        "Dog": (0, 1),
        "Cat": (1, 1),
        "Owl": (0, 0),
    }
    assert result.thresholds.metric is None
    assert dict(result.thresholds) == dict(TUNED)
    assert test.error_rate(TUNED).micro.deletion_rate == 2 / 3


def test_they_know_what_they_are_for():
    assert TUNED.criterion == se.Segment()
    assert TUNED.metric == "best_f_score(beta=1.0, min_precision=0.0, min_recall=0.0)"
    other = TUNING.best_error_rate(max_deletion_rate=0.5).thresholds
    assert other.metric == "best_error_rate(max_insertion_rate=None, max_deletion_rate=0.5)"


def test_they_are_a_read_only_mapping():
    assert list(TUNED) == CLASSES
    assert len(TUNED) == 3
    assert "Dog" in TUNED
    assert "Cow" not in TUNED
    assert TUNED["Dog"] == 0.65
    assert TUNED.get("Cow") is None
    with pytest.raises(KeyError, match="no threshold of class 'dog'; did you mean 'Dog'"):
        TUNED["dog"]
    with pytest.raises(TypeError):
        TUNED["Dog"] = 0.5
    with pytest.raises(AttributeError):
        TUNED.metric = "mine"


def test_they_are_values():
    assert se.Thresholds({"a": 1, "b": 2.0}) == se.Thresholds({"b": 2, "a": 1.0})
    assert hash(se.Thresholds({"a": 1, "b": 2.0})) == hash(se.Thresholds({"b": 2, "a": 1.0}))
    assert se.Thresholds({"a": 0.5}) == {"a": 0.5}
    assert se.Thresholds({"a": 0.5}) != se.Thresholds({"a": 0.25})
    assert se.Thresholds({"a": 0.5}) != se.Thresholds({"a": 0.5}, metric="x")
    for twin in (copy.copy(TUNED), copy.deepcopy(TUNED), pickle.loads(pickle.dumps(TUNED))):
        assert twin == TUNED


# -- JSON -----------------------------------------------------------------------------------------


def test_json_can_be_read_by_anyone():
    assert json.loads(TUNED.to_json()) == {
        "format": "soundeval thresholds",
        "version": 1,
        "metric": "best_f_score(beta=1.0, min_precision=0.0, min_recall=0.0)",
        "criterion": {"criterion": "segment", "segment_length": 1.0, "time_decimals": 6},
        "thresholds": {"Dog": 0.65, "Cat": TUNED["Cat"], "Owl": "inf"},
    }


@pytest.mark.parametrize(
    "criterion",
    [None, se.Clip(), se.Collar(0.1, None), se.Segment(0.1), se.Intersection(0.1, 0.2, 0.3)],
    ids=repr,
)
def test_json_gives_back_the_same_to_the_last_bit(criterion, tmp_path):
    values = {"a": 0.1 + 0.2, "Ä/ö": -INF, "c": INF, "d": 5e-324, '"': -0.0, "e": 1e308}
    thresholds = se.Thresholds(values, criterion=criterion, metric="by ear")
    text = thresholds.to_json(tmp_path / "thresholds.json")
    for source in (text, tmp_path / "thresholds.json", str(tmp_path / "thresholds.json")):
        read = se.Thresholds.from_json(source)
        assert read == thresholds
        assert list(read.items()) == list(values.items())
        assert read.criterion == criterion
        assert read.to_json() == text


def with_changes(**changes):
    return json.dumps({**json.loads(TUNED.to_json()), **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "thresholds: not JSON: Expecting property name"),
        ("{}", 'no thresholds of soundeval, which have "format"'),
        ('{"Dog": 0.5}', "from a plain object make a dict and pass that"),
        (with_changes(version=2), "thresholds of version 2, this soundeval reads version 1"),
        (with_changes(thresholds=None), '"thresholds" must be an object of numbers'),
        (with_changes(thresholds={}), "there are no thresholds"),
        (with_changes(thresholds={"Dog": "0.5"}), "threshold of class 'Dog' must be a number"),
        (with_changes(thresholds={"Dog": True}), "threshold of class 'Dog' must be a number"),
        (with_changes(thresholds={"Dog": math.nan}), "threshold of class 'Dog' must be a number"),
        (with_changes(criterion={"criterion": "frame"}), "no criterion is called 'frame'"),
        (
            with_changes(criterion={"criterion": "clip", "x": 1}),
            "criterion 'clip' are wrong",
        ),
        (with_changes(criterion=3), "criterion must be an object"),
        (with_changes(metric=3), "metric must be text, got int"),
        (TUNED.to_json().replace('"Cat"', '"Dog"'), "'Dog' stands there twice"),
    ],
)
def test_wrong_json_is_refused(text, message, tmp_path):
    with pytest.raises(se.InputError, match=message):
        se.Thresholds.from_json(text)
    path = tmp_path / "thresholds.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(se.InputError, match=r"thresholds\.json: .*" + message[12:]):
        se.Thresholds.from_json(path)


def test_files_that_are_no_text_or_not_there(tmp_path):
    (tmp_path / "binary").write_bytes(b"{\xff")
    with pytest.raises(se.InputError, match=r"binary: not UTF-8 text \(byte 1\)"):
        se.Thresholds.from_json(tmp_path / "binary")
    with pytest.raises(FileNotFoundError, match=r"nothing\.json"):
        se.Thresholds.from_json(tmp_path / "nothing.json")
    with pytest.raises(TypeError, match="expected a path or JSON text, got dict"):
        se.Thresholds.from_json({"Dog": 0.5})


# -- where a threshold is asked for ---------------------------------------------------------------


@pytest.mark.parametrize("method", ["f_score", "error_rate"])
def test_every_class_needs_one(method):
    apply = getattr(TUNING, method)
    with pytest.raises(se.InputError, match="no threshold for 2 classes: 'Cat', 'Owl'"):
        apply({"Dog": 0.5})
    with pytest.raises(
        se.InputError,
        match="no threshold for 1 class: 'Dog'; a threshold for what is no evaluated class: 'dog'; "
        "did you mean 'Dog'",
    ):
        apply({"dog": 0.5, "Cat": 0.5, "Owl": 0.5})
    with pytest.raises(se.InputError, match="threshold must be a number, got nan"):
        apply(math.nan)
    with pytest.raises(se.InputError, match="threshold of class 'Cat' must be a number, got nan"):
        apply({"Dog": 0.5, "Cat": math.nan, "Owl": 0.5})
    with pytest.raises(TypeError, match="threshold of class 'Owl' must be a number, got str"):
        apply({"Dog": 0.5, "Cat": 0.5, "Owl": "0.5"})
    for wrong in ([0.5, 0.5, 0.5], "0.5", None, True):
        with pytest.raises(TypeError, match="threshold must be a number or a mapping"):
            apply(wrong)


def test_numbers_of_numpy_are_numbers():
    assert TUNING.f_score(np.float32(0.5)) == TUNING.f_score(0.5)
    thresholds = dict.fromkeys(CLASSES, np.float64(0.5))
    assert TUNING.f_score(thresholds).per_class == TUNING.f_score(0.5).per_class


def test_thresholds_of_classes_that_were_left_out_do_no_harm():
    # The other set has no owl, so there is nothing to say about owls.
    without_owl = statistics(
        [[0.9, 0.2, 0.0]] * 3, classes=["Dog", "Cat"], missing_classes="exclude"
    )
    assert list(without_owl.f_score(TUNED).per_class) == ["Dog", "Cat"]


def test_wrong_thresholds():
    with pytest.raises(TypeError, match=r"thresholds must be a dict \{class: number\}, got float"):
        se.Thresholds(0.5)
    with pytest.raises(TypeError, match="classes must be text, got 1"):
        se.Thresholds({1: 0.5})
    with pytest.raises(TypeError, match="criterion must be an Intersection, Collar"):
        se.Thresholds({"Dog": 0.5}, criterion="segment")
    with pytest.raises(se.InputError, match="threshold of class 'Dog' must be a number, got nan"):
        se.Thresholds({"Dog": math.nan})


def test_they_can_be_read():
    assert repr(TUNED).splitlines() == [
        "Thresholds for 3 classes: best_f_score(beta=1.0, min_precision=0.0, min_recall=0.0); "
        "segments of 1 s",
        "  Dog  0.65",
        "  Cat  0.45",
        "  Owl  inf",
    ]
    assert TUNED._repr_html_().count("<tr") == 3
