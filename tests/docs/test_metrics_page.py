"""The page on metrics is complete, and its settings file is one."""

import re
from pathlib import Path

import pytest

import soundeval as se
from soundeval.cli.app import cli
from soundeval.cli.settings import read_settings
from soundeval.metric_catalogue import PARAMETERS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "3_metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("family", se.metrics.families(), ids=lambda family: family.name)
def test_every_metric_is_on_the_page(family):
    number = family.name.removeprefix(f"{family.criterion}-")
    threshold = family.pattern.removeprefix(family.name)
    names = (family.name, f"{family.name}{threshold}", f"<criterion>-{number}{threshold}")
    assert any(f"`{name}`" in PAGE for name in names)
    for paper in family.papers:
        assert paper.short in PAGE


def test_every_parameter_is_on_the_page():
    for name in PARAMETERS:
        assert f"`{name}`" in PAGE


def test_every_option_on_the_page_is_one():
    known = {flag for p in cli.commands["evaluate"].params for flag in p.opts + p.secondary_opts}
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        assert set(re.findall(r"--[a-z-]+", block)) <= known
        for name in re.findall(r"--metric (\S+)", block):
            if name != "strict" and not name.endswith(".json"):
                assert se.metric(name).name == name


def test_the_settings_file_can_be_read(tmp_path):
    path = tmp_path / "evaluation.toml"
    path.write_text(re.search(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1], "utf-8")
    settings = read_settings(path)
    assert list(settings.metrics) == [
        *("psds1", "psds2", "collar-f1@0.5", "collar-best-f1", "strict")
    ]
    assert settings.metrics["strict"].parameters == {"onset_collar": 0.1, "offset_collar": None}
