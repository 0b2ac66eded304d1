"""A settings file: the options of ``soundeval evaluate`` in TOML, for repeated work.

.. code-block:: toml

    scores = "scores"                       # relative to this file
    ground_truth = "ground_truth.tsv"
    durations = "durations.tsv"
    metric = ["psds1", "collar-f1@0.5"]
    median_filter = 0.5                     # seconds; or a table with a length for each class
    onset_collar = 0.25                     # to every metric that has it

    [metrics.strict]                        # one more, with parameters of its own
    metric = "collar-f1@0.5"
    onset_collar = 0.1

Keys are options, with ``_`` or ``-``. The command line overrides them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import soundeval as se
from soundeval.checks import non_negative
from soundeval.metric_catalogue import PARAMETERS
from soundeval.metric_names import family_of
from soundeval.names import did_you_mean, listed

INPUTS = ("scores", "ground_truth", "durations")
OUTPUTS = ("json", "plot", "save_thresholds")
CHOICES = {
    "sort": ("scores", "worst", "name"),
    "extra_clips": ("raise", "ignore"),
    "missing_ground_truth": ("raise", "no_events"),
    "missing_classes": ("raise", "exclude"),
    "unknown_labels": ("raise", "ignore"),
    "zero_length": ("raise", "drop", "keep"),
}
_METRICS = ("metric", "metrics")
_KEYS = (*INPUTS, *_METRICS, *OUTPUTS, "median_filter", "threads", *CHOICES, *PARAMETERS)


@dataclass(frozen=True)
class OwnMetric:
    """A metric as the file describes it: its name there, and parameters of its own."""

    metric: str
    parameters: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """What a file says.

    Attributes
    ----------
    path : pathlib.Path or None
        The file; relative paths begin in its folder.
    values : dict of str to object
        Options by name; paths are as they are opened.
    parameters : dict of str to object
        Parameters for all metrics that have them.
    metrics : dict of str to OwnMetric
        Metrics by the user's name.
    """

    path: Path | None = None
    values: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, object] = field(default_factory=dict)
    metrics: dict[str, OwnMetric] = field(default_factory=dict)


def read_settings(path: Path) -> Settings:
    """Read a settings file.

    Parameters
    ----------
    path : pathlib.Path
        The TOML file.

    Returns
    -------
    Settings
        Everything is checked except what only the metrics know.

    Raises
    ------
    InputError
        If it is no TOML, or holds an unknown key or a wrong value. The message names the file.
    """
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise se.InputError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise se.InputError(f"{path}: not TOML: {error}") from None
    settings = Settings(path)
    for key, value in _without_hyphens(content, str(path)).items():
        where = f"{path}: {key}"
        if key in INPUTS or key in OUTPUTS:
            settings.values[key] = path.parent / _text(where, value)
        elif key in CHOICES:
            if value not in CHOICES[key]:
                raise se.InputError(f"{where} must be one of {listed(CHOICES[key])}, got {value!r}")
            settings.values[key] = value
        elif key == "threads":
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise se.InputError(f"{where} must be a whole number above 0, got {value!r}")
            settings.values[key] = value
        elif key == "median_filter":
            settings.values[key] = _filter(where, value)
        elif key in PARAMETERS:
            settings.parameters[key] = _parameter(f"{path}: ", key, value)
        elif key in _METRICS:
            _add_metrics(settings, path, key, value)
        else:
            raise se.InputError(f"{path}: unknown key {key!r}{did_you_mean(key, _KEYS)}")
    return settings


def _filter(where: str, value: object) -> float | dict[str, float]:
    """Return the length of a median filter, for all classes or for each."""
    try:
        if isinstance(value, dict):
            return {name: non_negative(f"{where}.{name}", its) for name, its in value.items()}
        return non_negative(where, value)
    except TypeError as error:
        raise se.InputError(str(error)) from None


def _add_metrics(settings: Settings, path: Path, key: str, value: object) -> None:
    """Take over a name, a list of names, or tables with parameters."""
    where = f"{path}: {key}"
    if isinstance(value, str):
        value = [value]
    if isinstance(value, list):
        for name in value:
            settings.metrics.setdefault(_text(where, name), OwnMetric(name))
        return
    if not isinstance(value, dict):
        raise se.InputError(
            f"{where} must be a name, a list of names, or tables [metrics.<name>], got {value!r}"
        )
    for name, table in value.items():
        where = f"{path}: {key}.{name}"
        if not isinstance(table, dict):
            raise se.InputError(
                f"{where} must be a table of parameters, got {table!r}: write [{key}.{name}] on a "
                "line of its own, and quotes around names with a point"
            )
        own = _without_hyphens(table, where)
        metric = _text(f"{where}.metric", own.pop("metric", name))
        settings.metrics[name] = OwnMetric(metric, _own_parameters(where, metric, own))


def _own_parameters(where: str, metric: str, table: Mapping[str, object]) -> dict[str, object]:
    try:
        family = family_of(metric)
    except se.InputError as error:
        hint = (
            "" if "metric" in table else f'; a name of your own needs metric = "..." in [{where}]'
        )
        raise se.InputError(f"{where}: {error}{hint}") from None
    known = list(family.defaults) + (["threshold"] if family.number.takes_threshold else [])
    own: dict[str, object] = {}
    for key, value in table.items():
        if key == "threshold" and key in known:
            own[key] = value
        elif key in known:
            own[key] = _parameter(f"{where}: ", key, value)
        elif key in family.fixed:
            raise se.InputError(
                f"{where}: {family.name} stands for {key} {family.fixed[key]}: use "
                'metric = "intersection-psds" with settings of your own'
            )
        else:
            hint = did_you_mean(key, [*known, "metric"])
            raise se.InputError(f"{where}: {family.name} has no parameter {key!r}{hint}")
    return own


def _parameter(where: str, name: str, value: object) -> object:
    parameter = PARAMETERS[name]
    # TOML has no None.
    if parameter.optional and value == "none":
        return None
    try:
        return parameter.checked(value)
    except (se.InputError, TypeError) as error:
        raise se.InputError(f"{where}{error}") from None


def _without_hyphens(table: Mapping[str, object], where: str) -> dict[str, object]:
    """Write keys with ``_``, as in Python; one that stands there both ways is an error."""
    found: dict[str, object] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name in found:
            raise se.InputError(f"{where}: {name!r} stands there twice, with _ and with -")
        found[name] = value
    return found


def _text(where: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise se.InputError(f"{where} must be text, got {value!r}")
    return value
