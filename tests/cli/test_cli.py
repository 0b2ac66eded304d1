"""The command line: what it prints and writes, and how it says that something is wrong."""

import json
import os
import subprocess
import sys

import pytest

import soundeval as se
from soundeval import counting, example
from soundeval.cli import main

FILES = ("scores", "ground_truth.tsv", "durations.tsv")


def expected(scenario, **changes):
    folder = example.path()
    return se.psds(*(folder / name for name in FILES), **(dict(scenario) | changes))


def table(output):
    """Return the rows of the printed table by their first cell."""
    rows = [line.split() for line in output.splitlines() if line.strip()]
    return {row[0]: row[1:] for row in rows if row[1:] and row[1].isdecimal()}


# -- what is printed ------------------------------------------------------------------------------


def test_alone_it_explains_itself_with_examples(capsys):
    assert main([]) == 0
    output = capsys.readouterr().out
    assert "soundeval demo" in output
    assert "soundeval evaluate --scores scores/ --ground-truth ground_truth.tsv" in output


def test_the_version_is_that_of_the_package(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"soundeval {se.__version__}\n"


def test_demo_prints_both_scenarios_and_every_class(capsys):
    assert main(["demo"]) == 0
    output = capsys.readouterr().out
    first, second = expected(se.scenarios.PSDS1), expected(se.scenarios.PSDS2)
    rows = table(output)
    assert rows["Overall"] == ["147", f"{first.value:.4f}", f"{second.value:.4f}"]
    for name in first.per_class:
        assert rows[name][1:] == [f"{r.per_class[name]:.4f}" for r in (first, second)]
    assert output.startswith("32 clips, 5.33 min of audio, 5 classes, 147 events\n")


def test_evaluate_prints_one_column_per_metric_in_the_order_given(evaluate):
    code, output, errors = evaluate("--metric", "psds2", "--metric", "psds-2020-ct")
    assert (code, errors) == (0, "")
    values = [expected(s).value for s in (se.scenarios.PSDS2, se.scenarios.PSDS_2020_CT)]
    assert table(output)["Overall"][1:] == [f"{value:.4f}" for value in values]
    assert output.index("PSDS2") < output.index("PSDS 2020 CT")


def test_the_default_metrics_are_the_two_scenarios(evaluate):
    assert evaluate()[1] == evaluate("--metric", "psds1", "--metric", "psds2")[1]


def test_a_metric_given_twice_is_one_column(evaluate):
    assert evaluate("--metric", "psds1", "--metric", "PSDS1")[1] == evaluate("--metric", "psds1")[1]


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("psds1", ["at least 70 %", "dtc_threshold 0.7", "alpha_ct 0)", "alpha_st 1", "per hour"]),
        ("psds2", ["at least 10 %", "cttc_threshold 0.3", "weight 0.5", "100 effective"]),
        ("psds-2020", ["at least 50 %", "alpha_st 0", "DCASE 2020"]),
    ],
)
def test_every_parameter_is_said_in_words(evaluate, metric, words):
    output = " ".join(evaluate("--metric", metric)[1].split())
    for word in words:
        assert word in output


def test_alpha_st_replaces_that_of_the_metric(evaluate):
    _, output, _ = evaluate("--metric", "psds1", "--alpha-st", 0)
    value = expected(se.scenarios.PSDS1, alpha_st=0.0).value
    assert table(output)["Overall"][1:] == [f"{value:.4f}"]
    assert "alpha_st 0" in output


def test_metrics_that_share_a_criterion_are_counted_once(evaluate, monkeypatch):
    made = []
    new_store = counting.new_store
    monkeypatch.setattr(
        counting, "new_store", lambda *args: made.append(args[0]) or new_store(*args)
    )
    code, *_ = evaluate("--metric", "psds-2020", "--metric", "psds-2020-st", "--metric", "psds1")
    assert code == 0
    assert len(made) == 2


def test_a_pipe_gets_no_colours_and_no_cut_names(evaluate, data):
    for name in FILES[:2]:
        for path in [data / name] if name.endswith(".tsv") else (data / name).iterdir():
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("Blender", "Blender" * 12), encoding="utf-8")
    code, output, _ = evaluate(*(f"--metric={m}" for m in ("psds1", "psds2", "psds-2020")))
    assert code == 0
    assert "Blender" * 12 + " " in output
    assert "\x1b" not in output


def test_a_terminal_gets_colours(evaluate, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in evaluate()[1]


def test_class_names_are_never_taken_for_markup(evaluate, data):
    for path in [*(data / "scores").iterdir(), data / "ground_truth.tsv"]:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("Dog", "[red]Dog"), encoding="utf-8")
    assert "[red]Dog " in evaluate()[1]


def test_results_do_not_depend_on_the_number_of_threads(evaluate):
    try:
        assert evaluate("--threads", 1)[1] == evaluate("--threads", 2)[1]
    finally:
        se.set_num_threads(os.cpu_count() or 1)


# -- what is written ------------------------------------------------------------------------------


def test_json_holds_every_number_unrounded(evaluate, tmp_path):
    code, output, _ = evaluate("--json", tmp_path / "results.json")
    assert code == 0
    assert f"Wrote {tmp_path / 'results.json'}" in output

    def refuse(constant):
        pytest.fail(f"{constant} is not JSON")

    text = (tmp_path / "results.json").read_text(encoding="utf-8")
    written = json.loads(text, parse_constant=refuse)
    assert written["soundeval_version"] == se.__version__
    assert written["n_events"] == {
        "Alarm": 20,
        "Blender": 17,
        "Dog": 37,
        "Running_water": 12,
        "Speech": 61,
    }
    for name, scenario in (("psds1", se.scenarios.PSDS1), ("psds2", se.scenarios.PSDS2)):
        result = expected(scenario)
        assert written["metrics"][name] == json.loads(json.dumps(result.to_dict()))
        assert written["metrics"][name]["psds"] == result.value


@pytest.mark.parametrize(
    ("suffix", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")]
)
def test_plots_are_drawn_in_the_format_of_their_suffix(evaluate, tmp_path, suffix, magic):
    target = tmp_path / f"roc{suffix}"
    code, _, errors = evaluate("--plot", target)
    assert (code, errors) == (0, "")
    assert target.read_bytes().startswith(magic)


def test_text_of_a_vector_plot_stays_text(evaluate, tmp_path):
    evaluate("--plot", tmp_path / "roc.svg")
    assert "Effective false positive rate (per hour)" in (tmp_path / "roc.svg").read_text("utf-8")


@pytest.mark.parametrize("option", ["--json", "--plot"])
def test_a_failed_write_leaves_the_earlier_file_and_nothing_else(
    evaluate, tmp_path, monkeypatch, option
):
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / "earlier.png"
    target.write_text("earlier")

    def fail(source, destination):
        raise OSError(28, "No space left on device", str(destination))

    monkeypatch.setattr(os, "replace", fail)
    code, output, errors = evaluate(option, target)
    assert (code, output) == (2, "")
    assert errors == f"Error: {target}: No space left on device\n"
    assert [path.name for path in folder.iterdir()] == ["earlier.png"]
    assert target.read_text() == "earlier"


# -- what is wrong --------------------------------------------------------------------------------


def one_paragraph(errors):
    assert errors.startswith("Error: ")
    assert "\n\n" not in errors
    assert "Traceback" not in errors
    return errors


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--metric", "psds3"), ["psds3", "psds1"]),
        (("--alpha-st", "-1"), ["--alpha-st", "-1"]),
        (("--threads", "0"), ["--threads"]),
        (("--extra-clips", "drop"), ["--extra-clips", "raise", "ignore"]),
        (("--jsno", "x.json"), ["--jsno", "--json"]),
        (("--plot", "roc.gif"), ["roc.gif", ".png", ".pdf", ".svg"]),
        (("--plot", "no/such/folder/roc.png"), ["no/such/folder"]),
        (("--json", "no/such/folder/x.json"), ["no/such/folder"]),
    ],
)
def test_a_bad_option_is_one_paragraph_that_names_it(evaluate, options, words):
    code, output, errors = evaluate(*options)
    assert (code, output) == (2, "")
    for word in words:
        assert word in one_paragraph(errors)


def test_a_bad_destination_is_found_before_anything_is_computed(evaluate, monkeypatch):
    monkeypatch.setattr(se, "evaluate", lambda *_, **__: pytest.fail("reading has begun"))
    assert evaluate("--json", "no/such/folder/x.json")[0] == 2
    assert evaluate("--plot", "roc.gif")[0] == 2
    assert evaluate("--metric", "clip-best-f1", "--save-thresholds", "no/such/x.json")[0] == 2


def test_a_missing_option_is_named(capsys):
    assert main(["evaluate", "--scores", str(example.path() / "scores")]) == 2
    assert "--ground-truth" in one_paragraph(capsys.readouterr().err)


def test_a_missing_file_is_named(evaluate, data):
    (data / "durations.tsv").unlink()
    code, _, errors = evaluate()
    assert code == 2
    assert "durations.tsv" in one_paragraph(errors)


def test_a_clip_without_scores_is_an_error_unless_told_otherwise(evaluate, data):
    (data / "scores" / "garden_01.tsv").unlink()
    code, output, errors = evaluate()
    assert (code, output) == (2, "")
    assert "garden_01" in one_paragraph(errors)
    # What to try is said as it is typed here, not as it is written in Python.
    assert "--extra-clips ignore" in errors
    code, output, errors = evaluate("--extra-clips", "ignore")
    assert (code, errors) == (0, "")
    assert output.startswith("31 clips")
    assert "garden_01" in output[output.index("Note: ") :]


def test_what_is_excluded_is_said_below_the_table(evaluate, data):
    truth = data / "ground_truth.tsv"
    lines = truth.read_text(encoding="utf-8").splitlines(keepends=True)
    truth.write_text("".join(line for line in lines if "Blender" not in line), encoding="utf-8")
    # A clip in which nothing but a blender was heard is no longer named.
    unnamed = ("--missing-ground-truth", "no_events")
    code, _, errors = evaluate(*unnamed)
    assert code == 2
    assert "Blender" in one_paragraph(errors)
    code, output, _ = evaluate(*unnamed, "--missing-classes", "exclude")
    assert code == 0
    assert "Blender" not in table(output)
    assert "'Blender'" in output[output.index("Note: ") :]


def test_broken_content_is_named_by_file(evaluate, data):
    path = data / "scores" / "hall_02.tsv"
    path.write_text(path.read_text(encoding="utf-8").replace("0.625\t0.016", "0.625\tnan", 1))
    code, output, errors = evaluate()
    assert (code, output) == (2, "")
    assert "hall_02" in one_paragraph(errors)


def test_an_interruption_ends_with_its_own_code(evaluate, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(se, "evaluate", interrupt)
    code, output, errors = evaluate()
    assert (code, output) == (130, "")
    assert errors.strip() == "Interrupted."


@pytest.mark.parametrize("package", ["click", "rich"])
def test_a_missing_package_is_a_sentence_that_says_what_to_install(package):
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from soundeval.cli import main; sys.exit(main(['demo']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'pip install "soundeval[cli]"' in done.stderr
    assert done.stderr.count("\n") == 1


def test_plots_without_matplotlib_are_refused_with_a_sentence(evaluate, monkeypatch, tmp_path):
    from soundeval.cli import output

    monkeypatch.setattr(output, "find_spec", lambda name: None)
    code, _, errors = evaluate("--plot", tmp_path / "roc.png")
    assert code == 2
    assert 'pip install "soundeval[plot]"' in one_paragraph(errors)


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "soundeval", "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"soundeval {se.__version__}\n")


def test_a_reader_that_stops_early_is_no_error():
    command = f"{sys.executable} -m soundeval demo | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("32 clips")
    assert done.stderr == ""
