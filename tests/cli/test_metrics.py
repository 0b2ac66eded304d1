"""Metrics on the command line: every name runs, parameters go where they belong."""

import json

import pytest

import soundeval as se
from soundeval import example
from soundeval.metric_catalogue import PARAMETERS

DATA = example.path()
NAMES = [family.pattern.replace("@T", "@0.5") for family in se.metrics.families()]


def rows(output):
    """Return the rows of tables by their first cell; the last one if there are several."""
    lines = [line.split() for line in output.splitlines()]
    return {line[0]: line[1:] for line in lines if line[1:] and line[1].isdecimal()}


def expected(*names, **parameters):
    metrics = [se.metric(name, **parameters) for name in names]
    return se.evaluate(
        DATA / "scores", DATA / "ground_truth.tsv", metrics, audio_durations=DATA / "durations.tsv"
    )


# -- every metric ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_runs_and_prints_its_headline(evaluate, tmp_path, name):
    code, output, errors = evaluate("--metric", name, "--json", tmp_path / "out.json")
    assert (code, errors) == (0, "")
    result = expected(name)
    assert f"{result.value(name):.4f}" in output
    assert se.metric(name).heading in output
    for event_class, value in result.per_class(name).items():
        assert f"{value:.4f}" in rows(output)[event_class]
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written["values"] == {name: result.value(name)}
    assert written["metrics"][name] == json.loads(json.dumps(result[name].to_dict()))
    parameters = json.loads(json.dumps(result.metrics[name].parameters))
    assert written["definitions"][name] == {"metric": name, **parameters}


def test_filter_lengths_are_a_list(evaluate):
    code, output, _ = evaluate("--metric", "pi-psds2", "--filter-lengths", "0,0.5")
    assert code == 0
    assert "median filters of 0, 0.5 s (filter_lengths)" in output
    code, _, errors = evaluate("--metric", "pi-psds2", "--filter-lengths", "0,half")
    assert code == 2
    assert "'0,half'" in errors
    code, _, errors = evaluate("--metric", "psds2", "--filter-lengths", "0")
    assert code == 2
    assert "--filter-lengths does not belong to the metric psds2" in errors


def test_all_metrics_at_once(evaluate):
    code, output, _ = evaluate(*(f"--metric={name}" for name in NAMES))
    assert code == 0
    for name in NAMES:
        assert se.metric(name).heading in output


def test_an_f_score_has_averages_classes_and_counts(evaluate):
    _, output, _ = evaluate("--metric", "collar-f1@0.5")
    result = expected("collar-f1@0.5")["collar-f1@0.5"]
    assert "Collar F1@0.5: 0.3920 macro, 0.4125 micro (worst classes first)" in output
    dog = result.per_class["Dog"]
    numbers = [f"{x:.4f}" for x in (dog.f_score, dog.precision, dog.recall)]
    counts = [str(n) for n in (dog.tps, dog.fps, dog.n_ref - dog.tps)]
    assert rows(output)["Dog"] == ["37", *numbers, *counts]
    micro = result.micro
    assert rows(output)["Micro"][:4] == ["147"] + [
        f"{x:.4f}" for x in (micro.f_score, micro.precision, micro.recall)
    ]


@pytest.mark.parametrize(
    ("metric", "worst"), [("collar-f1@0.5", "Running_water"), ("collar-er@0.5", "Running_water")]
)
def test_the_worst_classes_come_first(evaluate, metric, worst):
    def order(*options):
        names = [*rows(evaluate("--metric", metric, *options)[1])]
        return [name for name in names if name not in ("Macro", "Micro")]

    assert order()[0] == worst
    assert order("--sort", "scores") == ["Alarm", "Blender", "Dog", "Running_water", "Speech"]
    assert order("--sort", "name") == sorted(order())
    joint = [*rows(evaluate("--metric", "clip-ap", "--sort", "worst")[1])]
    assert joint[:2] == ["Overall", "Running_water"]


def test_many_columns_are_broken_into_tables(evaluate, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    names = ["psds1", "segment-auroc", "clip-auroc", "segment-ap", "collar-ap", "intersection-ap"]
    _, output, _ = evaluate(*(f"--metric={name}" for name in names))
    assert output.count("Overall ") - output.count("Overall is") == 2
    for name in names:
        assert se.metric(name).heading in output


# -- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "option", "value", "parameters"),
    [
        ("collar-f1@0.5", "--onset-collar", "0.5", {"onset_collar": 0.5}),
        ("collar-f1@0.5", "--offset-collar", "none", {"offset_collar": None}),
        ("collar-f1@0.5", "--offset-collar-rate", "0.5", {"offset_collar_rate": 0.5}),
        ("collar-f1@0.5", "--time-decimals", "1", {"time_decimals": 1}),
        ("segment-auroc", "--segment-length", "0.5", {"segment_length": 0.5}),
        ("segment-auroc", "--max-fpr", "0.1", {"max_fpr": 0.1}),
        ("intersection-ap", "--dtc-threshold", "0.1", {"dtc_threshold": 0.1}),
        ("intersection-ap", "--gtc-threshold", "0.1", {"gtc_threshold": 0.1}),
        ("collar-best-f1", "--min-precision", "0.5", {"min_precision": 0.5}),
        ("collar-best-f1", "--min-recall", "0.8", {"min_recall": 0.8}),
        ("collar-best-er", "--max-insertion-rate", "0.1", {"max_insertion_rate": 0.1}),
        ("collar-best-er", "--max-deletion-rate", "0.1", {"max_deletion_rate": 0.1}),
        ("psds2", "--max-efpr", "50", {"max_efpr": 50.0}),
        ("psds2", "--unit-of-time", "minute", {"unit_of_time": "minute"}),
    ],
)
def test_an_option_is_the_keyword_of_the_metric(evaluate, name, option, value, parameters):
    code, output, errors = evaluate("--metric", name, option, value)
    assert (code, errors) == (0, "")
    result = expected(name, **parameters)
    assert f"{result.value(name):.4f}" in output
    assert result.value(name) != expected(name).value(name)


def test_flags_are_options(evaluate):
    _, output, _ = evaluate("--metric=clip-auroc", "--max-fpr=0.1", "--mcclish-correction")
    value = expected("clip-auroc", max_fpr=0.1, mcclish_correction=True).value("clip-auroc")
    assert f"{value:.4f}" in output
    assert "mcclish_correction" in output
    _, output, _ = evaluate("--metric=psds1", "--no-oracle")
    assert f"{expected('psds1', oracle=False).value('psds1'):.4f}" in output


def test_a_parameter_goes_only_to_metrics_that_have_it(evaluate):
    _, output, _ = evaluate(
        "--metric=psds1", "--metric=collar-f1@0.5", "--onset-collar=0.5", "--alpha-st=0"
    )
    assert f"{expected('psds1', alpha_st=0.0).value('psds1'):.4f}" in output
    assert "PSDS1: DCASE 2021 to 2024, scenario 1; here with alpha_st 0" in output
    collar = expected("collar-f1@0.5", onset_collar=0.5)
    assert f"{collar.value('collar-f1@0.5'):.4f} macro" in output


def test_settings_of_ones_own_make_a_psds(evaluate):
    options = ("--dtc-threshold=0.1", "--gtc-threshold=0.1", "--cttc-threshold=0.3")
    _, output, _ = evaluate("--metric=psds", *options, "--alpha-ct=0.5", "--alpha-st=1")
    assert f"{expected('psds2').value('psds2'):.4f}" in output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--metric=psds1", "--segment-length=1"), ["--segment-length", "psds1", "segment-f1@T"]),
        (("--metric=collar-ap", "--metric=clip-ap", "--max-fpr=0.1"), ["none of", "clip-auroc"]),
        (("--dtc-threshold=0.5",), ["--dtc-threshold", "psds1, psds2", "intersection-psds"]),
        (("--metric=collar-ap", "--onset-collar=-1"), ["--onset-collar", "0 or more", "-1"]),
        (("--metric=collar-ap", "--onset-collar=none"), ["--onset-collar", "'none'"]),
        (("--metric=collar-ap", "--offset-collar=x"), ["--offset-collar", "number or none", "'x'"]),
        (("--metric=clip-auroc", "--max-fpr=0"), ["--max-fpr", "greater than 0"]),
        (("--metric=collar-ap", "--time-decimals=1.5"), ["--time-decimals", "whole number"]),
        (("--metric=psds1", "--unit-of-time=day"), ["--unit-of-time", "hour"]),
        (("--metric=psds", "--alpha-ct=0.5"), ["cttc_threshold"]),
        (("--metric=colar-f1@0.5",), ["did you mean 'collar-f1@0.5'", "psds1"]),
        (("--metric=collar-f1",), ["'collar-f1@0.5'"]),
        (("--metric=collar-f1@none.json",), ["none.json"]),
        (("--metric=collar-f1@0.5", "--plot=roc.png"), ["--plot", "collar-f1@0.5", "psds1"]),
        (("--metric=collar-f1@0.5", "--save-thresholds=x.json"), ["best", "collar-best-f1"]),
        (
            ("--metric=clip-best-f1", "--metric=clip-best-er", "--save-thresholds=x.json"),
            ["clip-best-f1, clip-best-er", "{metric}", "x-{metric}.json"],
        ),
    ],
)
def test_what_cannot_be_is_one_paragraph_that_says_why(evaluate, options, words):
    code, output, errors = evaluate(*options)
    assert (code, output) == (2, "")
    assert errors.startswith("Error: ")
    assert "Traceback" not in errors
    for word in words:
        assert word in errors


# -- inputs ---------------------------------------------------------------------------------------


def test_durations_are_needed_by_psds_only(data, command):
    inputs = ("--scores", data / "scores", "--ground-truth", data / "ground_truth.tsv")
    code, output, errors = command("evaluate", *inputs, "--metric", "collar-f1@0.5")
    assert (code, errors) == (0, "")
    assert output.startswith("32 clips, 5 classes, 147 events\n")
    code, _, errors = command("evaluate", *inputs)
    assert code == 2
    assert "--durations" in errors
    assert "psds1, psds2 need the durations" in errors


def test_scores_may_be_one_file(data, command, tmp_path):
    scores = sorted((data / "scores").iterdir())
    lines = []
    for path in scores:
        header, *frames = path.read_text(encoding="utf-8").splitlines()
        lines = lines or [f"filename\t{header}"]
        lines += [f"{path.stem}\t{frame}" for frame in frames]
    (tmp_path / "all.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    outputs = [
        command(
            *("evaluate", "--scores", path, "--ground-truth", data / "ground_truth.tsv"),
            *("--durations", data / "durations.tsv"),
        )
        for path in (tmp_path / "all.tsv", data / "scores")
    ]
    assert outputs[0] == outputs[1]


# -- thresholds and plots -------------------------------------------------------------------------


def test_best_thresholds_are_saved_and_applied(evaluate, tmp_path):
    path = tmp_path / "best.json"
    _, output, _ = evaluate("--metric", "collar-best-f1", "--save-thresholds", path)
    assert f"Wrote {path}" in output
    best = expected("collar-best-f1")["collar-best-f1"]
    assert se.Thresholds.from_json(path) == best.thresholds
    code, output, _ = evaluate("--metric", f"collar-f1@{path}")
    assert code == 0
    assert f"{best.macro.f_score:.4f} macro, {best.micro.f_score:.4f} micro" in output
    assert rows(output)["Dog"][4] == f"{best.thresholds['Dog']:.4g}"
    assert str(path) in output.replace("\n    ", " ")


def test_thresholds_of_several_metrics_go_into_files_of_their_names(evaluate, tmp_path):
    metrics = ("--metric=clip-best-f1", "--metric=collar-best-er", "--metric=clip-ap")
    code, *_ = evaluate(*metrics, "--save-thresholds", tmp_path / "t-{metric}.json")
    assert code == 0
    written = sorted(path.name for path in tmp_path.glob("t-*"))
    assert written == ["t-clip-best-f1.json", "t-collar-best-er.json"]


def test_a_plot_shows_the_metrics_that_have_a_curve(evaluate, tmp_path):
    code, *_ = evaluate("--metric=psds1", "--metric=clip-ap", "--plot", tmp_path / "roc.svg")
    assert code == 0
    text = (tmp_path / "roc.svg").read_text(encoding="utf-8")
    assert "PSDS1" in text
    assert "Clip AP" not in text


# -- help -----------------------------------------------------------------------------------------


def test_the_list_names_every_metric_parameter_and_paper(command):
    code, output, errors = command("metrics")
    assert (code, errors) == (0, "")
    for family in se.metrics.families():
        assert f"  {family.pattern} " in output
        for paper in family.papers:
            assert paper.doi in output
    text = " ".join(output.split())
    for name in PARAMETERS:
        assert f"{name} " in text
    assert "onset_collar 0.2, offset_collar 0.2, offset_collar_rate 0.2" in text
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize("family", se.metrics.families(), ids=lambda family: family.name)
def test_a_metric_is_explained(command, family):
    code, output, errors = command("metrics", family.name)
    assert (code, errors) == (0, "")
    assert output.startswith(f"{family.pattern}: {family.heading}\n")
    for name in family.defaults:
        assert f"--{name.replace('_', '-')} " in output
    for paper in family.papers:
        assert paper.doi in output
    # Python lines are Python.
    for line in output.splitlines():
        if line.startswith("  se."):
            compile(line.strip(), "line", "eval")


def test_a_metric_is_explained_in_any_spelling(command):
    assert command("metrics", "Collar-F1@0.5") == command("metrics", "collar-f1")
    code, output, errors = command("metrics", "colar-f1")
    assert (code, output) == (2, "")
    assert "did you mean 'collar-f1'" in errors


def test_help_says_which_metrics_have_a_parameter(command):
    code, output, _ = command("evaluate", "--help")
    assert code == 0
    text = " ".join(output.split())
    assert "Tolerance of onsets in seconds. [collar]" in text
    assert "rounded before they are compared. [segment, collar, intersection]" in text
    assert "area is taken; none takes all of it. [auroc]" in text
    for name in PARAMETERS:
        assert f"--{name.replace('_', '-')}" in output
