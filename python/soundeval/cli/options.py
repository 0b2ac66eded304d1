"""Options of the commands: those of metrics, made from the list of parameters, and their help."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

import soundeval as se
from soundeval.cli.settings import CHOICES
from soundeval.metric_catalogue import CRITERIA, NUMBERS, PARAMETERS, Parameter
from soundeval.metrics import families

EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
EXISTING_PATH = click.Path(exists=True, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)

_F = TypeVar("_F", bound=Callable[..., Any])


class SectionedCommand(click.Command):
    """A command whose help groups its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options section by section, in the order in which they were added."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                section = getattr(parameter, "section", "Other")
                sections.setdefault(section, []).append(record)
        for section, records in sections.items():
            with formatter.section(section):
                formatter.write_dl(records)


class SectionedOption(click.Option):
    """An option that belongs under a heading."""

    def __init__(self, *args: Any, section: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


def option(*names: str, section: str, **settings: Any) -> Callable[[_F], _F]:
    """Add an option under a heading."""
    return click.option(*names, cls=SectionedOption, section=section, **settings)


class ParameterType(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The value of a parameter of metrics, checked as `metric` does."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        self.name = "number or none" if parameter.optional else parameter.kind

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what stands for the value in the help."""
        if self.parameter.words:
            return f"[{'|'.join(self.parameter.words)}]"
        if self.parameter.kind == "numbers":
            return "NUMBER,NUMBER,..."
        return "NUMBER|none" if self.parameter.optional else "NUMBER"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Return the value, or fail with what is expected."""
        try:
            return parameter_of_text(self.parameter, value)
        except (se.InputError, TypeError) as error:
            self.fail(str(error).removeprefix(f"{self.parameter.name} "), param, ctx)


def parameter_of_text(parameter: Parameter, value: object) -> object:
    """Return the value of a parameter that may be written as text; "none" is None."""
    if isinstance(value, str):
        if parameter.optional and value.strip().casefold() == "none":
            # None is how an option says that it was not given.
            return NONE
        if parameter.kind != "word":
            value = _number(parameter, value)
    return parameter.checked(value)


def _number(parameter: Parameter, text: str) -> object:
    try:
        if parameter.kind == "numbers":
            return [float(part) for part in text.split(",")]
        return int(text) if parameter.kind == "whole number" else float(text)
    except ValueError:
        none = " or none" if parameter.optional else ""
        raise se.InputError(
            f"{parameter.name} must be a {parameter.kind}{none}, got {text!r}"
        ) from None


class _None:
    """The value None, given by the user."""

    def __repr__(self) -> str:
        return "none"


NONE = _None()


def given_parameters(values: dict[str, Any]) -> dict[str, object]:
    """Return the parameters of metrics that were given, and take them out of all options."""
    given = {}
    for name in PARAMETERS:
        value = values.pop(name, None)
        if value is not None:
            given[name] = None if value is NONE else value
    return given


def flag_of(name: str) -> str:
    """Return an option as it is typed."""
    return f"--{name.replace('_', '-')}"


def parameter_options(names: Iterable[str] = tuple(PARAMETERS)) -> Callable[[_F], _F]:
    """Add an option for every parameter of metrics, or for some."""

    def decorate(command: _F) -> _F:
        for parameter in reversed([PARAMETERS[name] for name in names]):
            flag = flag_of(parameter.name)
            settings: dict[str, Any] = {"type": ParameterType(parameter)}
            if parameter.kind == "flag":
                flag, settings = f"{flag}/--no-{flag[2:]}", {"is_flag": True}
            command = option(
                flag,
                parameter.name,
                default=None,
                help=f"{parameter.description} [{_owners(parameter.name)}]",
                section="Parameters, each for the metrics in brackets",
                **settings,
            )(command)
        return command

    return decorate


_POLICIES = {
    "extra_clips": "Clips of the ground truth or the durations that have no scores.",
    "missing_ground_truth": "Clips with scores that the ground truth does not name.",
    "missing_classes": "Classes with scores but without any event.",
    "unknown_labels": "Labels of the ground truth that have no scores.",
    "zero_length": "Events that end where they begin.",
}


def policy_options(command: _F) -> _F:
    """Add the options that say what to do with what does not fit."""
    for name, text in reversed(_POLICIES.items()):
        command = option(
            flag_of(name),
            type=click.Choice(CHOICES[name]),
            help=f"{text} Default: raise.",
            section="What does not fit together",
        )(command)
    return command


def _owners(name: str) -> str:
    """Say briefly which metrics have a parameter."""
    found = [family for family in families() if name in family.defaults]
    criteria = dict.fromkeys(family.criterion for family in found)
    if all(name in CRITERIA[criterion].defaults for criterion in criteria):
        return ", ".join(criterion for criterion in CRITERIA if criterion in criteria)
    keys = [key for key, number in NUMBERS.items() if name in number.defaults]
    return ", ".join("best-f1" if key == "best-f" else key for key in keys)
