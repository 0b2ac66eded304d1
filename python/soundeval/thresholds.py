"""Decision thresholds of classes: chosen on one data set, kept, applied to another.

Thresholds that were chosen on the clips they are evaluated on flatter a system. `Thresholds` carry
them from a development set to a test set, through a file if need be:

>>> import numpy as np
>>> import soundeval as se
>>> def statistics(scores):
...     return se.statistics(
...         {"a": np.array(scores)[:, None]},
...         {"a": [(1.0, 2.0, "Dog")]},
...         se.Segment(),
...         timestamps=[0.0, 1.0, 2.0, 3.0],
...         event_classes=["Dog"],
...     )
>>> tuned = statistics([0.25, 0.75, 0.5]).best_f_score().thresholds
>>> dict(tuned)
{'Dog': 0.625}
>>> text = tuned.to_json()
>>> test = statistics([0.125, 0.875, 0.75])
>>> test.f_score(se.Thresholds.from_json(text)).macro.precision
0.5
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator, Mapping
from numbers import Real
from typing import TYPE_CHECKING

from soundeval import display
from soundeval.checks import real_number
from soundeval.criteria import check_criterion, criterion_as_dict, criterion_of_dict
from soundeval.errors import InputError
from soundeval.names import counted, did_you_mean, listed

if TYPE_CHECKING:
    from soundeval.criteria import Criterion
    from soundeval.typing import PathInput

__all__ = ["Thresholds"]

_FORMAT = "soundeval thresholds"
_VERSION = 1


class Thresholds(Mapping[str, float]):
    """Decision thresholds by class: a read-only mapping, for wherever a `threshold` is asked for.

    Parameters
    ----------
    thresholds : mapping of str to float
        Threshold of each class. ``inf`` never detects the class.
    criterion : Intersection, Collar, Segment, Clip or None, default None
        For which they were chosen. It is only told: they may be applied with another one.
    metric : str or None, default None
        By what they were chosen, in words or as a call.

    Raises
    ------
    InputError
        If a threshold is NaN, or if there are none.
    TypeError
        If something is of a wrong kind.

    See Also
    --------
    Statistics.best_f_score : Its result has `thresholds`.
    Statistics.best_error_rate : Its result too.

    Examples
    --------
    >>> import soundeval as se
    >>> thresholds = se.Thresholds({"Dog": 0.5, "Cat": float("inf")}, metric="by ear")
    >>> thresholds
    Thresholds for 2 classes: by ear
      Dog  0.5
      Cat  inf
    >>> se.Thresholds.from_json(thresholds.to_json()) == thresholds
    True
    """

    __slots__ = ("_criterion", "_metric", "_values")

    def __init__(
        self,
        thresholds: Mapping[str, float],
        *,
        criterion: Criterion | None = None,
        metric: str | None = None,
    ) -> None:
        if not isinstance(thresholds, Mapping):
            raise TypeError(
                f"thresholds must be a dict {{class: number}}, got {type(thresholds).__name__}"
            )
        if metric is not None and not isinstance(metric, str):
            raise TypeError(f"metric must be text, got {type(metric).__name__}")
        if not thresholds:
            raise InputError("there are no thresholds")
        self._values = {
            _class_name(name): real_number(f"threshold of class {name!r}", value)
            for name, value in thresholds.items()
        }
        self._criterion = None if criterion is None else check_criterion(criterion)
        self._metric = metric

    @property
    def criterion(self) -> Criterion | None:
        """The criterion for which they were chosen."""
        return self._criterion

    @property
    def metric(self) -> str | None:
        """By what they were chosen."""
        return self._metric

    def __getitem__(self, event_class: str) -> float:
        """Return the threshold of a class."""
        try:
            return self._values[event_class]
        except KeyError:
            hint = did_you_mean(event_class, self._values) if isinstance(event_class, str) else ""
            raise KeyError(f"there is no threshold of class {event_class!r}{hint}") from None

    def __contains__(self, event_class: object) -> bool:
        """Whether there is a threshold of this class."""
        return event_class in self._values

    def __iter__(self) -> Iterator[str]:
        """Iterate over the classes."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        """Whether the thresholds are equal; with other `Thresholds`, also what they are for."""
        if isinstance(other, Thresholds) and (self._criterion, self._metric) != (
            other._criterion,
            other._metric,
        ):
            return False
        return Mapping.__eq__(self, other)

    def __hash__(self) -> int:
        """Return a hash that does not depend on the order of classes."""
        return hash((frozenset(self._values.items()), self._criterion, self._metric))

    def to_json(self, path: PathInput | None = None) -> str:
        """Return the thresholds as JSON, and write them to a file if a path is given.

        Parameters
        ----------
        path : path, optional
            File to write. An existing file is replaced.

        Returns
        -------
        str
            The JSON text. Infinite thresholds stand there as ``"inf"`` and ``"-inf"``.
        """
        # Imported here because only files need it.
        import json

        content = {
            "format": _FORMAT,
            "version": _VERSION,
            "metric": self._metric,
            "criterion": None if self._criterion is None else criterion_as_dict(self._criterion),
            "thresholds": {name: finite_or_text(value) for name, value in self._values.items()},
        }
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        return text

    @classmethod
    def from_json(cls, source: PathInput) -> Thresholds:
        """Read thresholds that `to_json` wrote.

        Parameters
        ----------
        source : path or str
            Path of a file, or the JSON text itself, which begins with a brace.

        Returns
        -------
        Thresholds
            The same thresholds, to the last bit.

        Raises
        ------
        InputError
            If the text is no JSON or holds no thresholds.
        FileNotFoundError
            If there is no such file.
        """
        if isinstance(source, str) and source.lstrip().startswith("{"):
            return cls._of_text(source, "thresholds")
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError(f"expected a path or JSON text, got {type(source).__name__}")
        with open(source, "rb") as file:
            data = file.read()
        origin = os.fspath(source)
        try:
            return cls._of_text(data.decode("utf-8-sig"), origin)
        except UnicodeDecodeError as error:
            raise InputError(f"{origin}: not UTF-8 text (byte {error.start})") from None

    @classmethod
    def _of_text(cls, text: str, origin: str) -> Thresholds:
        import json

        try:
            content = json.loads(text, object_pairs_hook=_without_duplicates)
        except json.JSONDecodeError as error:
            raise InputError(f"{origin}: not JSON: {error}") from None
        except InputError as error:
            raise InputError(f"{origin}: {error}") from None
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise InputError(
                f'{origin}: no thresholds of soundeval, which have "format": "{_FORMAT}"; from a '
                "plain object make a dict and pass that"
            )
        if content.get("version") != _VERSION:
            raise InputError(
                f"{origin}: thresholds of version {content.get('version')!r}, this soundeval reads "
                f"version {_VERSION}"
            )
        values, criterion = content.get("thresholds"), content.get("criterion")
        if not isinstance(values, dict):
            raise InputError(f'{origin}: "thresholds" must be an object of numbers')
        try:
            return cls(
                {name: _number_of_json(name, value) for name, value in values.items()},
                criterion=_criterion_of_json(criterion),
                metric=content.get("metric"),
            )
        except (InputError, TypeError) as error:
            raise InputError(f"{origin}: {error}") from None

    def __repr__(self) -> str:
        """Return what they are for, and one line for each class."""
        return display.thresholds_as_text(self)

    def _repr_html_(self) -> str:
        """Return the same as a table, for notebooks."""
        return display.thresholds_as_html(self)


def thresholds_by_class(
    threshold: object, event_classes: Collection[str], excluded_classes: Collection[str]
) -> dict[str, float]:
    """Return the threshold of each evaluated class, of one for all or a mapping.

    Every class must have one. Thresholds of classes that were left out for want of events are no
    mistake: they come from another data set.
    """
    if not isinstance(threshold, Mapping):
        if not isinstance(threshold, Real) or isinstance(threshold, bool):
            raise TypeError(
                "threshold must be a number or a mapping {class: number}, got "
                f"{type(threshold).__name__}"
            )
        return dict.fromkeys(event_classes, real_number("threshold", threshold))
    problems = []
    if missing := [name for name in event_classes if name not in threshold]:
        problems.append(f"no threshold for {counted(len(missing), 'class')}: {listed(missing)}")
    known = {*event_classes, *excluded_classes}
    if unknown := [name for name in threshold if name not in known]:
        first = unknown[0]
        hint = did_you_mean(first, event_classes) if isinstance(first, str) else ""
        what = "thresholds" if len(unknown) > 1 else "a threshold"
        problems.append(f"{what} for what is no evaluated class: {listed(unknown)}{hint}")
    if problems:
        raise InputError("; ".join(problems))
    return {
        name: real_number(f"threshold of class {name!r}", threshold[name]) for name in event_classes
    }


def finite_or_text(value: float) -> float | str:
    """Return the number, or "inf" and "-inf", which JSON has no numbers for."""
    return value if math.isfinite(value) else str(value)


def _number_of_json(name: str, value: object) -> float:
    if isinstance(value, str) and value in ("inf", "-inf"):
        return float(value)
    return real_number(f"threshold of class {name!r}", value)


def _criterion_of_json(value: object) -> Criterion | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise InputError(f"criterion must be an object or null, got {value!r}")
    return criterion_of_dict(value)


def _class_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"classes must be text, got {name!r} ({type(name).__name__})")
    return name


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in content if names.count(name) > 1)
        raise InputError(f"{twice!r} stands there twice")
    return content
