"""`soundeval detect` and `soundeval match`: from scores to what is right and wrong."""

import json

import pytest

import soundeval as se
from soundeval import example

DATA = example.path()


@pytest.fixture
def detections(data, command, tmp_path):
    """Return the file of what the example system detects at 0.5."""
    out = tmp_path / "detections.tsv"
    code, _, errors = command(
        "detect", "--scores", data / "scores", "--threshold", 0.5, "--out", out
    )
    assert (code, errors) == (0, "")
    return out


@pytest.fixture
def match(data, command, detections):
    """Return a function that runs `soundeval match` on them."""

    def run(*options):
        truth, durations = data / "ground_truth.tsv", data / "durations.tsv"
        inputs = ("--detections", detections, "--ground-truth", truth, "--durations", durations)
        return command("match", *inputs, *options)

    return run


def test_detections_are_those_of_the_function(detections):
    assert se.read_ground_truth(detections) == se.detect(DATA / "scores", 0.5)


def test_post_processing_is_that_of_the_function(command, tmp_path):
    out = tmp_path / "smooth.tsv"
    options = ("--median-filter", 0.5, "--max-gap", 0.25, "--min-duration", 0.5)
    inputs = ("--scores", DATA / "scores", "--threshold", 0.5)
    code, output, _ = command("detect", *inputs, "--out", out, *options)
    smooth = se.median_filter(DATA / "scores", 0.5)
    expected = se.detect(smooth, 0.5, max_gap=0.25, min_duration=0.5)
    assert code == 0
    assert f"{sum(map(len, expected.values()))} detections in 32 clips" in output
    assert se.read_ground_truth(out) == expected


def test_tuned_thresholds_can_be_applied(evaluate, command, tmp_path):
    best, out = tmp_path / "best.json", tmp_path / "out.tsv"
    assert evaluate("--metric", "collar-best-f1", "--save-thresholds", best)[0] == 0
    code, _, errors = command(
        "detect", "--scores", DATA / "scores", "--threshold", best, "--out", out
    )
    assert (code, errors) == (0, "")
    found = se.detect(DATA / "scores", se.Thresholds.from_json(best))
    assert se.read_ground_truth(out) == found


@pytest.mark.parametrize(
    ("options", "criterion"),
    [
        ((), se.Collar()),
        (("--offset-collar", "none"), se.Collar(offset_collar=None)),
        (("--criterion", "segment", "--segment-length", "0.5"), se.Segment(0.5)),
        (("--criterion", "clip"), se.Clip()),
        (("--criterion", "intersection"), se.Intersection(0.5, 0.5)),
    ],
)
def test_numbers_are_those_of_the_scores(match, tmp_path, options, criterion):
    code, output, errors = match(*options, "--json", tmp_path / "out.json")
    assert (code, errors) == (0, "")
    stats = se.statistics(
        DATA / "scores",
        DATA / "ground_truth.tsv",
        criterion,
        audio_durations=DATA / "durations.tsv",
    )
    result = stats.f_score(0.5)
    assert f"{result.micro.f_score:.4f}" in output
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert written["macro_f_score"] == result.macro.f_score
    assert written["fps/Dog"] == result.per_class["Dog"].fps


def test_every_error_is_in_the_table(match, detections, tmp_path):
    errors = tmp_path / "errors.tsv"
    assert match("--errors", errors)[0] == 0
    header, *rows = (line.split("\t") for line in errors.read_text("utf-8").splitlines())
    assert header == ["filename", "onset", "offset", "event_label", "error", "instead_of"]
    matches = se.match(
        detections,
        DATA / "ground_truth.tsv",
        se.Collar(),
        audio_durations=DATA / "durations.tsv",
    )
    found = {(row[0], float(row[1]), float(row[2]), row[3], row[4]) for row in rows}
    expected = {(*_place(row), "false alarm") for row in matches.false_alarms}
    expected |= {(*_place(row), "miss") for row in matches.misses}
    assert found == expected
    assert len(rows) == len(matches.false_alarms) + len(matches.misses)
    assert sum(row[5] != "" for row in rows) == len(matches.substitutions)


def _place(row):
    return row.clip, row.onset, row.offset, row.event_class


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--segment-length", "1"), "--segment-length does not belong to the criterion collar"),
        (("--errors", "nowhere/errors.tsv"), "there is no folder nowhere"),
        (("--onset-collar", "-1"), "must be finite and 0 or more"),
    ],
)
def test_what_cannot_be_is_said_in_a_paragraph(match, options, message):
    code, output, errors = match(*options)
    assert (code, output) == (2, "")
    assert message in errors


def test_a_threshold_is_a_number_or_a_file(command, tmp_path):
    code, _, errors = command(
        *("detect", "--scores", DATA / "scores", "--threshold", "half", "--out", tmp_path / "o.tsv")
    )
    assert code == 2
    assert "'half' is neither a number nor a file of thresholds" in errors


# -- filters before an evaluation -----------------------------------------------------------------


def test_scores_are_filtered_before_they_are_evaluated(evaluate, tmp_path):
    out = tmp_path / "out.json"
    code, output, _ = evaluate("--metric", "psds1", "--median-filter", 0.5, "--json", out)
    smooth = se.median_filter(DATA / "scores", 0.5)
    durations = DATA / "durations.tsv"
    expected = se.psds(smooth, DATA / "ground_truth.tsv", durations, **se.scenarios.PSDS1)
    assert code == 0
    assert f"{expected.value:.4f}" in output
    assert "filtered with a median over 0.5 s" in output
    written = json.loads(out.read_text("utf-8"))
    assert written["values"] == {"psds1": expected.value}
    assert written["median_filter"] == 0.5


def test_a_settings_file_can_name_a_filter_for_each_class(evaluate, tmp_path):
    lengths = dict.fromkeys(se.read_scores(DATA / "scores").event_classes, 0.5) | {"Dog": 0.0}
    settings = tmp_path / "settings.toml"
    table = "".join(f"{name} = {length}\n" for name, length in lengths.items())
    settings.write_text(f'metric = "psds1"\n[median_filter]\n{table}', "utf-8")
    code, output, errors = evaluate("--settings", settings)
    assert (code, errors) == (0, "")
    smooth = se.median_filter(DATA / "scores", lengths)
    durations = DATA / "durations.tsv"
    expected = se.psds(smooth, DATA / "ground_truth.tsv", durations, **se.scenarios.PSDS1)
    assert f"{expected.value:.4f}" in output
    assert "Dog 0 s" in output
    settings.write_text("median_filter = true\n", "utf-8")
    code, _, errors = evaluate("--settings", settings)
    assert code == 2
    assert "settings.toml: median_filter must be a number, got bool" in errors
