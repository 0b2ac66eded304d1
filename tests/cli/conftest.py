"""What tests of the command line share."""

import shutil

import pytest

from soundeval import example
from soundeval.cli import main

FILES = ("scores", "ground_truth.tsv", "durations.tsv")


@pytest.fixture
def data(tmp_path):
    """Return a copy of the example data set that a test may spoil."""
    shutil.copytree(example.path(), tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def command(capsys):
    """Return a function that runs a command and returns exit code, output, errors."""

    def run(*arguments):
        code = main([*map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def evaluate(data, command):
    """Return a function that runs `soundeval evaluate` on the example."""

    def run(*options):
        scores, truth, durations = (data / name for name in FILES)
        inputs = ("--scores", scores, "--ground-truth", truth, "--durations", durations)
        return command("evaluate", *inputs, *options)

    return run
