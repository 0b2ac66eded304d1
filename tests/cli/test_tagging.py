"""`soundeval tagging`: tables in, numbers of `se.tagging` out."""

import json

import numpy as np
import pandas as pd
import pytest

import soundeval as se

CLASSES = ["Dog", "Cat", "Speech"]
CLIPS = ["a", "b", "c", "d"]
LABELS = pd.DataFrame(
    [[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]],
    columns=CLASSES,
    index=pd.Index(CLIPS, name="clip"),
)
SCORES = pd.DataFrame(
    [[0.9, 0.2, 0.5], [0.8, 0.6, 0.25], [0.7, 0.1, 0.5], [0.1, 0.3, 0.75]],
    columns=CLASSES,
    index=pd.Index(CLIPS, name="clip"),
)


@pytest.fixture
def files(tmp_path):
    """Write both tables, the labels in another order of rows and columns."""
    SCORES.to_csv(tmp_path / "scores.csv")
    LABELS.iloc[::-1, ::-1].to_csv(tmp_path / "labels.tsv", sep="\t")
    return tmp_path


@pytest.fixture
def tagging(files, command):
    """Return a function that runs `soundeval tagging` on them."""

    def run(*options):
        inputs = ("--scores", files / "scores.csv", "--labels", files / "labels.tsv")
        return command("tagging", *inputs, *options)

    return run


def test_numbers_are_those_of_the_functions(tagging, tmp_path):
    names = ("map", "auroc", "d-prime", "lwlrap", "best-f1")
    options = [f"--metric={name}" for name in names]
    code, output, errors = tagging(*options, "--json", tmp_path / "out.json")
    assert (code, errors) == (0, "")
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    y_true, y_score = LABELS.to_numpy(), SCORES.to_numpy()
    expected = [
        se.tagging.average_precision(y_true, y_score),
        se.tagging.roc_auc(y_true, y_score),
        se.tagging.d_prime(y_true, y_score),
        se.tagging.lwlrap(y_true, y_score),
        se.tagging.best_f_score(y_true, y_score).value,
    ]
    assert [written[name] for name in names] == expected
    assert all(f"{value:.4f}" in output for value in expected)
    of_dog = se.tagging.average_precision(y_true, y_score, average=None)[0]
    assert written["map/Dog"] == of_dog
    assert "Overall is the mean over classes." in output


def test_lwlrap_counts_labels_not_classes(command, tmp_path):
    # Two labels of one class with precision 1, one of the other with 1/2: 5/6, and not 3/4.
    (tmp_path / "scores.csv").write_text("clip,Dog,Cat\na,.9,.1\nb,.9,.1\nc,.9,.1\n", "utf-8")
    (tmp_path / "labels.csv").write_text("clip,Dog,Cat\na,1,0\nb,1,0\nc,0,1\n", "utf-8")
    inputs = ("--scores", tmp_path / "scores.csv", "--labels", tmp_path / "labels.csv")
    code, output, errors = command("tagging", *inputs, "--metric", "lwlrap")
    assert (code, errors) == (0, "")
    assert "0.8333" in output
    assert "Of lwlrap it is the mean over labels." in output


def test_omap_takes_the_distances_of_an_ontology(tagging, tmp_path):
    code, output, errors = tagging("--metric", "omap", "--ontology", "audioset")
    assert (code, errors) == (0, "")
    distances = se.ontology.Ontology.audioset().distance_matrix(CLASSES)
    result = se.tagging.omap(LABELS.to_numpy(), SCORES.to_numpy(), distances)
    assert f"{result.value:.4f}" in output
    assert "1 by construction" in output


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_binary_tables_say_the_same(tagging, command, files, suffix):
    scores, labels = files / f"scores.{suffix}", files / f"labels.{suffix}"
    for table, path in ((SCORES, scores), (LABELS, labels)):
        if suffix == "npz":
            np.savez(path, clip_ids=CLIPS, classes=CLASSES, values=table.to_numpy())
        else:
            polars = pytest.importorskip("polars")
            polars.DataFrame({"clip": CLIPS, **dict(table.items())}).write_parquet(path)
    assert command("tagging", "--scores", scores, "--labels", labels) == tagging()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--metric", "omap"), "omap needs distances between classes: --ontology audioset"),
        (("--ontology", "audioset"), "--ontology belongs to none of the metrics"),
        (("--json", "nowhere/out.json"), "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_read(tagging, options, message):
    code, output, errors = tagging(*options)
    assert (code, output) == (2, "")
    assert message in errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clip,Dog,Cat,Speech\na,1,0\n", "labels.csv, line 2: expected 4 columns"),
        ("clip,Dog,Cat,Speech\na,1,0,yes\n", "labels.csv, line 2: 'Speech' must be a number, got"),
        ("clip\na\n", "labels.csv, line 1: expected a header with the clip"),
        ("clip,Dog,Cat,Speech\n", "at least one clip and one class"),
        ("clip,Dog,Dog\na,1,0\n", "class 'Dog' stands there more than once"),
        (
            "clip,Dog,Cat\na,1,0\nb,1,0\nc,1,0\nd,1,0\n",
            "1 class of the scores not in the labels: 'Speech'",
        ),
        ("clip,Dog,Cat,Speech\na,1,0,0\n", "3 clips of the scores not in the labels"),
        (
            "clip,Dog,Cat,Speech\na,1,0,0\nb,1,0,0\nc,1,0,0\nd,1,0,0\ne,1,0,0\n",
            "1 clip of the labels not in the scores: 'e'",
        ),
        (
            "clip,Dog,Cat,Speech\na,1,0,0\nb,1,0,0.5\nc,1,0,0\nd,1,0,0\n",
            "y_true must hold 0 and 1, got 0.5",
        ),
    ],
)
def test_faults_in_tables_are_named(command, files, text, message):
    (files / "labels.csv").write_text(text, "utf-8")
    code, output, errors = command(
        "tagging", "--scores", files / "scores.csv", "--labels", files / "labels.csv"
    )
    assert (code, output) == (2, "")
    assert message in errors


def test_other_files_are_refused(command, files):
    (files / "labels.txt").write_text("", "utf-8")
    code, _, errors = command(
        "tagging", "--scores", files / "scores.csv", "--labels", files / "labels.txt"
    )
    assert code == 2
    assert "expected a name that ends in .csv, .tsv, .parquet or .npz" in errors
    np.savez(files / "labels.npz", classes=CLASSES, values=np.zeros((1, 3)))
    code, _, errors = command(
        "tagging", "--scores", files / "scores.csv", "--labels", files / "labels.npz"
    )
    assert code == 2
    assert "'clip_ids' is missing" in errors
