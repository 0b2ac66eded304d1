"""What is done to lists of events before they are evaluated: gaps are filled, short events dropped.

Limits are compared as all times are: rounded to a number of decimals, limits included. So a gap
from 0.3 to 0.1 + 0.2 + 0.2 is one of 0.2 seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from soundeval.checks import non_negative, whole_number
from soundeval.errors import InputError
from soundeval.ground_truth import check_event, check_events, coerce_events
from soundeval.names import counted, did_you_mean, listed

if TYPE_CHECKING:
    from soundeval.ground_truth import GroundTruth
    from soundeval.typing import GroundTruthInput

__all__ = ["drop_short", "fill_gaps"]


def fill_gaps(
    events: GroundTruthInput,
    max_gap: float | Mapping[str, float],
    *,
    time_decimals: int = 6,
) -> dict[str, list[tuple[float, float, str]]]:
    """Return events with short gaps between events of one class filled.

    Parameters
    ----------
    events : mapping, path or table
        Events as `statistics` takes a ground truth.
    max_gap : float or mapping of str to float
        Events of a class that are at most so many seconds apart become one, 0 or more: for all
        classes, or by class. With 0 events are joined that touch or overlap. Classes that a mapping
        does not name are left as they are.
    time_decimals : int, default 6
        Decimals (of seconds) to which gap and limit are rounded before they are compared.

    Returns
    -------
    dict of str to list of (onset, offset, label)
        Events of every clip, sorted.

    Raises
    ------
    InputError
        If an event is wrong, or a limit negative.

    See Also
    --------
    drop_short : Usually comes after.

    Examples
    --------
    >>> import soundeval as se
    >>> se.fill_gaps({"a": [(0.0, 1.0, "Dog"), (1.5, 2.0, "Dog"), (4.0, 5.0, "Dog")]}, 0.5)
    {'a': [(0.0, 2.0, 'Dog'), (4.0, 5.0, 'Dog')]}
    """
    decimals = whole_number("time_decimals", time_decimals, low=0, high=30)
    checked_events = _checked(events)
    rounded = _in_units_of(decimals)
    limit_of = limits_of("max_gap", max_gap, _labels(checked_events))
    longest = {label: rounded(limit) for label, limit in limit_of.items()}
    filled = {}
    for clip, rows in checked_events.items():
        joined: list[tuple[float, float, str]] = []
        # Where the last event of each class stands in the list.
        last: dict[str, int] = {}
        for onset, offset, label in sorted(rows):
            at, limit = last.get(label), longest.get(label)
            if at is not None and limit is not None:
                begin, end, _ = joined[at]
                if rounded(onset - end) <= limit:
                    joined[at] = (begin, max(end, offset), label)
                    continue
            last[label] = len(joined)
            joined.append((onset, offset, label))
        filled[clip] = sorted(joined)
    return filled


def drop_short(
    events: GroundTruthInput,
    min_duration: float | Mapping[str, float],
    *,
    time_decimals: int = 6,
) -> dict[str, list[tuple[float, float, str]]]:
    """Return events without those that are too short.

    Parameters
    ----------
    events : mapping, path or table
        Events as `statistics` takes a ground truth.
    min_duration : float or mapping of str to float
        Shortest duration that is kept, in seconds, 0 or more: for all classes, or by class. Classes
        that a mapping does not name are left as they are.
    time_decimals : int, default 6
        Decimals (of seconds) to which duration and limit are rounded before they are compared.

    Returns
    -------
    dict of str to list of (onset, offset, label)
        Events of every clip, sorted; clips without events keep an empty list.

    Raises
    ------
    InputError
        If an event is wrong, or a limit negative.

    Examples
    --------
    >>> import soundeval as se
    >>> events = {"a": [(0.0, 1.0, "Dog"), (1.5, 1.6, "Dog"), (2.0, 2.1, "Cat")]}
    >>> se.drop_short(events, {"Dog": 0.2})
    {'a': [(0.0, 1.0, 'Dog'), (2.0, 2.1, 'Cat')]}
    """
    decimals = whole_number("time_decimals", time_decimals, low=0, high=30)
    checked_events = _checked(events)
    rounded = _in_units_of(decimals)
    limit_of = limits_of("min_duration", min_duration, _labels(checked_events))
    shortest = {label: rounded(limit) for label, limit in limit_of.items()}

    def is_long_enough(event: tuple[float, float, str]) -> bool:
        limit = shortest.get(event[2])
        return limit is None or rounded(event[1] - event[0]) >= limit

    return {clip: sorted(filter(is_long_enough, rows)) for clip, rows in checked_events.items()}


def limits_of(
    name: str, limit: float | Mapping[str, float], classes: Collection[str]
) -> dict[str, float]:
    """Return the limit of each class that has one, of one for all or a mapping."""
    if not isinstance(limit, Mapping):
        return dict.fromkeys(classes, non_negative(name, limit))
    return {
        label: non_negative(f"{name} of class {label!r}", value) for label, value in limit.items()
    }


def check_limit_names(name: str, limit: object, classes: Collection[str]) -> None:
    """Raise if a mapping names what is no class: a slip would silently change nothing."""
    if not isinstance(limit, Mapping):
        return
    if unknown := [label for label in limit if label not in classes]:
        first = unknown[0]
        hint = did_you_mean(first, classes) if isinstance(first, str) else ""
        raise InputError(
            f"{name} names {counted(len(unknown), 'class')} that the scores do not have: "
            f"{listed(unknown)}{hint}"
        )


def checked_events(truth: GroundTruth) -> dict[str, list[tuple[float, float, str]]]:
    """Return the events of every clip, each looked at."""
    return {
        clip: [
            check_event(truth, clip, index, event)
            for index, event in enumerate(check_events(truth, clip))
        ]
        for clip in truth.events
    }


def _checked(events: object) -> dict[str, list[tuple[float, float, str]]]:
    return checked_events(coerce_events("events", events))


def _labels(events: Mapping[str, list[tuple[float, float, str]]]) -> list[str]:
    return sorted({label for rows in events.values() for _, _, label in rows})


def _in_units_of(decimals: int) -> Callable[[float], int]:
    """Return what rounds a time to units of the last decimal, halves to even, as `numpy.round`."""
    scale = 1.0
    for _ in range(decimals):
        scale *= 10.0
    return lambda seconds: round(seconds * scale)
