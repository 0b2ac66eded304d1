"""Settings files: the same as the options, overridden by them, and strict."""

import json

import pytest

import soundeval as se

MINIMAL = """
scores = "data/scores"
ground_truth = "data/ground_truth.tsv"
durations = "data/durations.tsv"
"""


@pytest.fixture
def settings(data, tmp_path, command, monkeypatch):
    """Return a function that runs `soundeval evaluate --settings` with a file of this text."""
    # Somewhere else: paths are relative to the file.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    path = tmp_path / "evaluation.toml"

    def run(text, *options):
        path.write_text(text, encoding="utf-8")
        return command("evaluate", "--settings", path, *options)

    return run


def test_paths_are_relative_to_the_file(settings, evaluate):
    assert settings(MINIMAL) == evaluate()


def test_keys_are_options(settings, evaluate, tmp_path):
    text = MINIMAL + (
        'metric = ["collar-best-f1", "segment-auroc"]\n'
        "onset-collar = 0.5\n"
        'offset_collar = "none"\n'
        "max_fpr = 0.1\n"
        "mcclish_correction = true\n"
        'sort = "name"\n'
        "threads = 1\n"
        'extra_clips = "ignore"\n'
    )
    options = (
        *("--metric=collar-best-f1", "--metric=segment-auroc", "--onset-collar=0.5"),
        *("--offset-collar=none", "--max-fpr=0.1", "--mcclish-correction", "--sort=name"),
        *("--threads=1", "--extra-clips=ignore"),
    )
    assert settings(text) == evaluate(*options)


def test_files_are_written_relative_to_the_settings(settings, tmp_path):
    outputs = 'json = "out.json"\nsave_thresholds = "best.json"\nplot = "roc.svg"\n'
    code, *_ = settings(MINIMAL + outputs + 'metric = ["collar-best-f1", "psds1"]\n')
    assert code == 0
    assert {"out.json", "best.json", "roc.svg"} <= {path.name for path in tmp_path.iterdir()}
    # And read: thresholds too.
    code, output, _ = settings(MINIMAL + 'metric = "collar-f1@best.json"\n')
    assert code == 0
    assert "0.4651 macro" in output


def test_tables_give_metrics_parameters_of_their_own(settings, tmp_path):
    text = MINIMAL + (
        'metric = ["collar-f1@0.5"]\nonset_collar = 0.3\njson = "out.json"\n'
        '[metrics.strict]\nmetric = "collar-f1@0.5"\nonset_collar = 0.1\n'
        '[metrics."segment-f1"]\nthreshold = 0.5\nsegment_length = 0.5\n'
    )
    code, output, _ = settings(text)
    assert code == 0
    assert "strict (Collar F1@0.5): " in output
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    definitions = written["definitions"]
    assert list(definitions) == ["collar-f1@0.5", "strict", "segment-f1@0.5"]
    assert definitions["collar-f1@0.5"]["onset_collar"] == 0.3
    assert definitions["strict"] == {
        "metric": "collar-f1@0.5",
        "onset_collar": 0.1,
        "offset_collar": 0.2,
        "offset_collar_rate": 0.2,
        "time_decimals": 6,
    }
    metric = se.metric("collar-f1@0.5", onset_collar=0.1)
    scores, truth = tmp_path / "data" / "scores", tmp_path / "data" / "ground_truth.tsv"
    assert written["values"]["strict"] == se.evaluate(scores, truth, [metric]).value(metric.name)


def test_the_command_line_overrides(settings, evaluate, tmp_path):
    text = MINIMAL + (
        'metric = ["psds1"]\nsegment_length = 0.5\nonset_collar = 0.3\nextra_clips = "ignore"\n'
        '[metrics.strict]\nmetric = "collar-f1@0.5"\nonset_collar = 0.1\n'
        "[metrics.segment-ap]\n"
    )
    # A parameter of metrics that are not asked for this time is no mistake.
    assert settings(text, "--metric=psds2") == evaluate("--metric=psds2")
    # Metrics of the file are known by their names.
    code, output, _ = settings(text, "--metric=strict", "--onset-collar=0.2")
    assert code == 0
    assert "onset_collar 0.2" in " ".join(output.split())
    code, _, errors = settings(text, "--metric=srict")
    assert code == 2
    assert "did you mean 'strict'" in errors
    (tmp_path / "data" / "scores" / "garden_01.tsv").unlink()
    assert settings(text, "--metric=psds2")[0] == 0
    code, _, errors = settings(text, "--metric=psds2", "--extra-clips=raise")
    assert code == 2
    assert "garden_01" in errors


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("metrik = 'psds1'", ["unknown key 'metrik'", "did you mean 'metric'"]),
        ("onset_colar = 0.5", ["unknown key 'onset_colar'", "did you mean 'onset_collar'"]),
        ("onset_collar = '0.5'", ["onset_collar must be a number, got str"]),
        ("onset_collar = -1", ["onset_collar must be finite and 0 or more"]),
        ("onset_collar = 0.5", ["onset_collar belongs to none", "psds1, psds2", "collar-f1@T"]),
        ("onset_collar = 1\nonset-collar = 1", ["'onset_collar'", "twice"]),
        ("max_fpr = 'none'\nmetric = 'clip-ap'", ["max_fpr does not belong", "clip-auroc"]),
        ("threads = 0", ["threads must be a whole number above 0"]),
        ("threads = true", ["threads must be a whole number above 0"]),
        ("sort = 'best'", ["sort must be one of 'scores', 'worst', 'name'"]),
        ("extra_clips = 'drop'", ["extra_clips must be one of 'raise', 'ignore'"]),
        ("json = 5", ["json must be text"]),
        ("metric = 5", ["metric must be a name"]),
        ("metric = [5]", ["metric must be text"]),
        ("metric = 'psds3'", ["no metric is called 'psds3'"]),
        ("metrics = {strict = 0.5}", ["metrics.strict must be a table"]),
        ("[metrics.strict]\nonset_collar = 1", ["metrics.strict", "needs metric ="]),
        (
            "[metrics.s]\nmetric = 'collar-ap'\nonset_colar = 1",
            ["metrics.s: collar-ap has no parameter 'onset_colar'", "'onset_collar'"],
        ),
        ("[metrics.collar-ap]\nonset_collar = -1", ["metrics.collar-ap: onset_collar must be"]),
        ("[metrics.psds1]\ndtc_threshold = 1", ["metrics.psds1: psds1 stands for dtc_threshold"]),
        ("[metrics.collar-f1]\nthreshold = 'x'", ["threshold must be a number"]),
        ("metric = \nthreads = 1", ["not TOML", "line 5"]),
    ],
)
def test_a_mistake_is_named_with_its_file(settings, text, words):
    code, output, errors = settings(MINIMAL + text)
    assert (code, output) == (2, "")
    assert errors.startswith("Error: ")
    for word in ["evaluation.toml", *words]:
        assert word in errors


def test_inputs_may_be_missing_in_the_file_but_not_at_all(settings, data):
    code, _, errors = settings('scores = "data/scores"')
    assert code == 2
    assert "'--ground-truth' (or ground_truth in the file of --settings)" in errors
    truth = data / "ground_truth.tsv"
    text = 'scores = "data/scores"\nmetric = "clip-ap"'
    assert settings(text, "--ground-truth", truth)[0] == 0


def test_files_that_are_not_there_are_named(settings, command):
    code, _, errors = settings(MINIMAL.replace("data/scores", "data/nowhere"))
    assert code == 2
    assert "nowhere" in errors
    code, _, errors = command("evaluate", "--settings", "nowhere.toml")
    assert code == 2
    assert "nowhere.toml" in errors
