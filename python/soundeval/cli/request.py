"""What is asked for: the command line, over a settings file, over the defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

import soundeval as se
from soundeval.cli.evaluation import Inputs, Policies
from soundeval.cli.options import flag_of, given_parameters
from soundeval.cli.report import Order
from soundeval.cli.settings import OwnMetric, Settings
from soundeval.metric_names import Family, families, family_of
from soundeval.metrics import metric_in_folder
from soundeval.names import did_you_mean, listed

DEFAULT_METRICS = ("psds1", "psds2")


@dataclass(frozen=True)
class Request:
    """Everything that a run needs to know."""

    inputs: Inputs
    policies: Policies
    metrics: dict[str, se.Metric]
    json_file: Path | None
    plot_file: Path | None
    thresholds_file: Path | None
    threads: int | None
    order: Order | None
    median_filter: float | dict[str, float] | None


def request(options: Mapping[str, Any], settings: Settings) -> Request:
    """Put together what is asked for.

    Parameters
    ----------
    options : mapping of str to object
        Options of the command line by name; None (or no metric) where none was given.
    settings : Settings
        What the settings file says; empty without one.

    Returns
    -------
    Request
        All of it, checked before anything is read.

    Raises
    ------
    click.ClickException
        If an input is missing, or a parameter belongs to no metric.
    InputError
        If a metric or a parameter is wrong.
    """
    given = dict(options)
    parameters = given_parameters(given)
    named = given.pop("metrics", ())
    values = settings.values | {key: value for key, value in given.items() if value is not None}
    for name in ("scores", "ground_truth"):
        if name not in values:
            raise click.UsageError(
                f"Missing option '{flag_of(name)}' (or {name} in the file of --settings)."
            )
    metrics = _metrics(named, parameters, settings)
    inputs = Inputs(values["scores"], values["ground_truth"], values.get("durations"))
    needing = [name for name, metric in metrics.items() if metric.needs_durations]
    if needing and inputs.durations is None:
        need = "needs" if len(needing) == 1 else "need"
        raise click.UsageError(
            f"Missing option '--durations': {', '.join(needing)} {need} the durations of the clips."
        )
    return Request(
        inputs=inputs,
        policies=Policies(**{f.name: values[f.name] for f in fields(Policies) if f.name in values}),
        metrics=metrics,
        json_file=values.get("json"),
        plot_file=values.get("plot"),
        thresholds_file=values.get("save_thresholds"),
        threads=values.get("threads"),
        order=values.get("sort"),
        median_filter=values.get("median_filter"),
    )


def _metrics(
    named: tuple[str, ...], parameters: dict[str, object], settings: Settings
) -> dict[str, se.Metric]:
    """Return the metrics by the names under which results are shown."""
    wanted = named or tuple(settings.metrics) or DEFAULT_METRICS
    found: dict[str, se.Metric] = {}
    asked: list[Family] = []
    for name in wanted:
        own = _known(name, settings)
        with _said_of(settings.path if name in settings.metrics else None):
            family = family_of(own.metric)
            asked.append(family)
            # What is more particular counts: the file for all, for this one, the command line.
            values = {k: v for k, v in settings.parameters.items() if k in family.defaults}
            values |= own.parameters
            values |= {k: v for k, v in parameters.items() if k in family.defaults}
            # Paths begin where they are written.
            folder = settings.path.parent if settings.path and name in settings.metrics else ""
            metric = metric_in_folder(own.metric, values, str(folder))
        key = metric.name if name == own.metric else name
        if found.setdefault(key, metric) != metric:
            raise se.InputError(f"two metrics are called {key!r} and differ in their parameters")
    for parameter in parameters:
        _check_owner(flag_of(parameter), parameter, asked)
    with _said_of(settings.path):
        in_file = [family_of(own.metric) for own in settings.metrics.values()]
    for parameter in settings.parameters:
        _check_owner(f"{settings.path}: {parameter}", parameter, asked + in_file)
    return found


@contextmanager
def _said_of(path: Path | None) -> Iterator[None]:
    """Let errors of what stands in a file begin with its name."""
    try:
        yield
    except (se.InputError, TypeError) as error:
        if path is None:
            raise
        raise se.InputError(f"{path}: {error}") from None


def _known(name: str, settings: Settings) -> OwnMetric:
    """Return the metric of a name, which may be one of the file."""
    if (own := settings.metrics.get(name)) is not None:
        return own
    try:
        family_of(name)
    except se.InputError as error:
        if not settings.metrics:
            raise
        hint = did_you_mean(name, settings.metrics)
        raise se.InputError(
            f"{error}\n  and in {settings.path} {listed(settings.metrics)}{hint}"
        ) from None
    return OwnMetric(name)


def _check_owner(shown: str, parameter: str, asked: list[Family]) -> None:
    """Raise if none of the metrics has a parameter: it would change nothing."""
    if any(parameter in family.defaults for family in asked):
        return
    names = list(dict.fromkeys(family.pattern for family in asked))
    message = f"{shown} belongs to none of the metrics {', '.join(names)}"
    if len(names) == 1:
        message = f"{shown} does not belong to the metric {names[0]}"
    if any(parameter in family.fixed for family in asked):
        raise click.UsageError(
            f"{message}: scenarios have their own; use intersection-psds with settings of your own."
        )
    owners = [family.pattern for family in families() if parameter in family.defaults]
    raise click.UsageError(f"{message}; it belongs to {listed(owners, 5)}.")
