"""Results can be read, shown, stored and compared."""

import json
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import soundeval as se

SCORES = {
    "f1": np.array([[0.1, 0.1, 0.7], [0.9, 0.1, 0.7], [0.1, 0.8, 0.7]]),
    "f2": np.array([[0.8, 0.1, 0.7], [0.1, 0.1, 0.7], [0.1, 0.1, 0.7]]),
}
TRUTH = {"f1": [(1.0, 2.0, "Dog"), (2.0, 3.0, "a/b <Cat> & co")], "f2": [(1.0, 2.0, "Dog")]}


def evaluate(**arguments):
    arguments = {"dtc_threshold": 0.5, "gtc_threshold": 0.5, "max_efpr": 50.0, **arguments}
    return se.psds(
        SCORES,
        TRUTH,
        {"f1": 36.0, "f2": 7200.0},
        timestamps=[0.0, 1.0, 2.0, 3.0],
        event_classes=["Dog", "a/b <Cat> & co", "Owl"],
        missing_classes="exclude",
        **arguments,
    )


def test_a_result_holds_what_it_was_made_with():
    result = evaluate(alpha_st=1.0)
    assert result.criterion == se.Intersection(0.5, 0.5)
    assert (result.alpha_ct, result.alpha_st, result.max_efpr) == (0.0, 1.0, 50.0)
    assert (result.unit_of_time, result.oracle) == ("hour", True)
    assert (result.n_clips, result.dataset_duration) == (2, 7236.0)
    assert result.excluded_classes == ("Owl",)
    assert result.curve.alpha_st == 1.0
    assert list(result.curve.per_class) == list(result.per_class)


def test_to_dict_is_flat_and_json_safe():
    result = evaluate(cttc_threshold=0.3, alpha_ct=0.5)
    flat = result.to_dict()
    assert json.loads(json.dumps(flat, allow_nan=False)) == flat
    assert flat["psds"] == result.value
    assert flat["psds/Dog"] == result.per_class["Dog"]
    assert flat["psds/a/b <Cat> & co"] == 1.0
    assert flat["excluded_classes"] == ["Owl"]
    assert flat["cttc_threshold"] == 0.3
    assert flat["n_clips"] == 2
    assert flat["dataset_duration"] == 7236.0
    for value in flat.values():
        assert isinstance(value, (bool, int, float, str, list))
        assert not isinstance(value, float) or math.isfinite(value)


def test_repr_is_a_small_table():
    result = evaluate()
    lines = repr(result).splitlines()
    assert lines[0] == f"PSDS {result.value:.4f}"
    assert lines[1] == (
        "DTC 0.5, GTC 0.5, no cross triggers; alpha_ct 0, alpha_st 0; up to 50 false positives per "
        "hour"
    )
    assert lines[2] == "2 clips, 2.01 h of audio"
    assert lines[3] == f"  Dog             {result.per_class['Dog']:.4f}"
    assert lines[4] == "  a/b <Cat> & co  1.0000"
    assert lines[5] == "note: 1 class without reference events excluded: 'Owl'"
    assert len(lines) == 6


def test_repr_says_when_it_is_not_the_envelope():
    assert "oracle=False" in repr(evaluate(oracle=False))


def test_html_is_escaped_and_takes_its_colours_from_the_page():
    html = evaluate()._repr_html_()
    assert "a/b &lt;Cat&gt; &amp; co" in html
    assert "<Cat>" not in html
    assert "currentColor" in html
    assert html.count("<tr") == 3
    for word in ("black", "white", "<script", "<style"):
        assert word not in html


def test_results_are_frozen_and_comparable():
    result = evaluate()
    assert result == evaluate()
    assert result != evaluate(max_efpr=60.0)
    assert hash(result) == hash(evaluate())
    for name in ("value", "curve"):
        with pytest.raises(AttributeError):
            setattr(result, name, None)
    with pytest.raises(ValueError, match="read-only"):
        result.curve.etpr[0] = 2.0


def test_results_can_be_pickled():
    result = evaluate()
    assert pickle.loads(pickle.dumps(result)) == result


def test_public_names_exist_and_are_documented():
    for name in se.__all__:
        if name == "plot":
            continue
        value = getattr(se, name)
        assert value.__doc__ or name == "__version__", name
    assert set(se.__all__) <= set(dir(se))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        se.nothing  # noqa: B018


def test_importing_pulls_in_nothing_but_numpy():
    code = "import soundeval, sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "numpy" in loaded
    heavy = {
        "pandas",
        "polars",
        "rich",
        "matplotlib",
        "click",
        "scipy",
        "difflib",
        "importlib.metadata",
    }
    assert not heavy & set(loaded)


def test_number_of_threads():
    se.set_num_threads(1)
    one = evaluate()
    se.set_num_threads(2)
    assert evaluate() == one
    for n in (0, -1):
        with pytest.raises(se.InputError, match="n must be between 1 and 1024"):
            se.set_num_threads(n)
    with pytest.raises(TypeError, match="n must be a whole number, got float"):
        se.set_num_threads(2.0)
