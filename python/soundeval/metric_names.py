"""The names of metrics: their grammar, what each stands for, and what to say of others."""

from __future__ import annotations

import re
from typing import NamedTuple

from soundeval.errors import InputError
from soundeval.metric_catalogue import (
    ALIASES,
    CRITERIA,
    FERRONI,
    FIXED_BY_SCENARIOS,
    NUMBER_ALIASES,
    NUMBERS,
    SCENARIOS,
    Number,
    Paper,
)
from soundeval.names import did_you_mean


class Family(NamedTuple):
    """All metrics of one name: what can be said before a threshold and parameters are given.

    Attributes
    ----------
    name : str
        Name without threshold.
    criterion : str
        Name of the criterion.
    number : Number
        Method of `Statistics` with its parameters.
    beta : float or None
        Weight of recall of an F-score.
    defaults : dict of str to object
        Parameters that can be given to `metric`, and what they are if they are not.
    fixed : dict of str to object
        Parameters that a scenario stands for.
    heading : str
        A short name for tables.
    description : str
        What it measures, in one sentence.
    origin : str
        Where a scenario was used.
    papers : tuple of Paper
        Where it comes from.
    """

    name: str
    criterion: str
    number: Number
    beta: float | None
    defaults: dict[str, object]
    fixed: dict[str, object]
    heading: str
    description: str
    origin: str
    papers: tuple[Paper, ...]

    @property
    def pattern(self) -> str:
        """Name with the place of the threshold, ``@T``."""
        return f"{self.name}@T" if self.number.takes_threshold else self.name


def families() -> list[Family]:
    """Return all metrics there are, those with a beta at 1.

    Returns
    -------
    list of Family
        Scenarios first, then by criterion.

    Examples
    --------
    >>> from soundeval import metrics
    >>> [family.pattern for family in metrics.families() if family.criterion == "collar"]
    ['collar-f1@T', 'collar-best-f1', 'collar-er@T', 'collar-best-er', 'collar-ap']
    """
    found = [_scenario(name) for name in SCENARIOS]
    for criterion in CRITERIA:
        for key, number in NUMBERS.items():
            if criterion in number.criteria:
                found.append(_family(criterion, key, 1.0 if number.takes_beta else None))
    return found


def names() -> list[str]:
    """Return the names of all metrics; ``@T`` stands for a threshold, ``f1`` for any F-score.

    Returns
    -------
    list of str
        Scenarios first, then by criterion.

    Examples
    --------
    >>> from soundeval import metrics
    >>> metrics.names()[4:8]
    ['psds-2020-st', 'pi-psds1', 'pi-psds2', 'clip-f1@T']
    """
    return [family.pattern for family in families()]


def family_of(name: str) -> Family:
    """Return what a name stands for, with or without a threshold."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a metric must be text, got {type(name).__name__}")
    base, at, text = name.strip().partition("@")
    folded = base.casefold().replace("_", "-")
    folded = ALIASES.get(folded, folded)
    if folded in SCENARIOS:
        return _scenario(folded)
    criterion, _, rest = folded.partition("-")
    key, beta = NUMBER_ALIASES.get(rest, rest), None
    if found := re.fullmatch(r"(best-)?f(\d+(?:\.\d+)?)", rest):
        key, beta = f"{found[1] or ''}f", float(found[2])
    number = NUMBERS.get(key)
    if criterion not in CRITERIA or number is None or number.takes_beta != (beta is not None):
        raise InputError(_no_metric(name.strip(), folded, at + text))
    if criterion not in number.criteria:
        raise InputError(
            f"there is no {name.strip()!r}: {number.heading} is defined for "
            f"{' and '.join(number.criteria)} only"
        )
    if beta == 0.0:
        raise InputError(f"{name.strip()!r}: the beta of an F-score must be greater than 0")
    return _family(criterion, key, beta)


def digits(value: float) -> str:
    """Write a number as short as it can be read back: 0.5, 1, 1e-05."""
    return repr(value).removesuffix(".0")


# -- inside ---------------------------------------------------------------------------------------


def _scenario(name: str) -> Family:
    heading, origin, scenario, key = SCENARIOS[name]
    number = NUMBERS[key]
    kind = CRITERIA["intersection"]
    names_of_all = (*number.defaults, "time_decimals")
    free_names = [free for free in names_of_all if free not in FIXED_BY_SCENARIOS]
    settings = {**kind.defaults, **number.defaults, **scenario}
    return Family(
        name=name,
        criterion="intersection",
        number=number,
        beta=None,
        defaults={free: settings[free] for free in free_names},
        fixed={fixed: settings[fixed] for fixed in FIXED_BY_SCENARIOS},
        heading=heading,
        description=(
            f"{scenario.description[0].upper()}{scenario.description[1:]}"
            if key == "psds"
            else number.description.replace("PSDS", scenario.name)
        ),
        origin=origin,
        papers=number.papers,
    )


def _family(criterion: str, key: str, beta: float | None) -> Family:
    kind, number = CRITERIA[criterion], NUMBERS[key]
    name, heading, description = f"{criterion}-{key}", number.heading, number.description
    if beta is not None:
        text = digits(beta)
        name, heading = f"{name}{text}", f"{heading}{text}"
        description = description.replace("F-score", f"F{text}-score")
    papers = (*number.papers, *kind.papers)
    if (criterion, key) == ("intersection", "f"):
        papers = (FERRONI, *kind.papers)
    return Family(
        name=name,
        criterion=criterion,
        number=number,
        beta=beta,
        defaults={**kind.defaults, **number.defaults},
        fixed={},
        heading=heading if "psds" in key else f"{kind.heading} {heading}",
        description=description,
        origin="",
        papers=tuple(dict.fromkeys(papers)),
    )


def _no_metric(name: str, folded: str, threshold: str) -> str:
    patterns = names()
    if f"collar-{folded}" in (bare := {pattern.removesuffix("@T") for pattern in patterns}):
        examples = [f"{criterion}-{folded}" for criterion in CRITERIA]
        choices = [f"{example}{threshold}" for example in examples if example in bare]
        return f"{name!r} needs a criterion: {', '.join(choices)}"
    candidates = [pattern.replace("@T", threshold) for pattern in patterns]
    hint = did_you_mean(folded + threshold, candidates)
    # A slip in a short name can be far from everything because of a long threshold.
    hint = hint or did_you_mean(folded, sorted(bare))
    rows: dict[tuple[str, ...], list[str]] = {}
    for criterion in CRITERIA:
        rows.setdefault(tuple(_numbers_of(criterion)), []).append(f"{criterion}-")
    lines = [f"{' or '.join(heads)} and {', '.join(rest)}" for rest, heads in rows.items()]
    return "\n  ".join([f"no metric is called {name!r}{hint}", ", ".join(SCENARIOS), *lines])


def _numbers_of(criterion: str) -> list[str]:
    patterns = [pattern for pattern in names() if pattern.startswith(f"{criterion}-")]
    return [pattern.removeprefix(f"{criterion}-") for pattern in patterns]
