r"""Median filters along time, which make scores steady before detections are made of them.

A median filter removes detections and gaps that are shorter than half its window, and leaves longer
ones where they are. How long the window is best depends on the class: dogs bark shorter than
vacuum cleaners run.

Two kinds
---------
`median_filter`
    Over seconds. Frames may be of any length, and filtered scores have frames of their own.

`median_filter_frames`
    Over a number of frames, with the boundaries of ``scipy.ndimage.median_filter``: what the
    baselines of challenges use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from soundeval import _core
from soundeval.checks import choice, non_negative, real_number, whole_number
from soundeval.errors import InputError, checked
from soundeval.names import counted, did_you_mean, listed
from soundeval.scores import Scores
from soundeval.sources import collected, score_source

if TYPE_CHECKING:
    from soundeval.typing import ScoresInput, TimestampsInput

__all__ = ["median_filter", "median_filter_frames"]

_N = TypeVar("_N", int, float)

_MODES = ("reflect", "mirror", "nearest", "wrap", "constant")

# Longer windows than any recording; beyond, adding a window to a length would overflow.
_MOST_FRAMES = 2**31 - 1


def median_filter(
    scores: ScoresInput,
    length: float | Mapping[str, float],
    *,
    time_decimals: int = 6,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    progress: bool | None = None,
) -> Scores:
    r"""Return scores after a median filter over a window of some seconds.

    Scores are a function of time, constant within frames and :math:`-\infty` outside of the clip.
    The filtered score at time t is a value m with

    .. math::

        |\{u \in W_t : s(u) < m\}| \le \frac{L}{2} \quad\text{and}\quad
        |\{u \in W_t : s(u) > m\}| \le \frac{L}{2}, \qquad
        W_t = [t - \tfrac{L}{2}, t + \tfrac{L}{2}]

    (Ebbers, Haeb-Umbach, Serizel, 2023). Where several values are medians, the filter keeps the one
    that it had before.

    Parameters
    ----------
    scores, timestamps, event_classes, progress
        See `statistics`.
    length : float or mapping of str to float
        Length L of the window in seconds, 0 or more: for all classes, or of each class. 0 does not
        filter.
    time_decimals : int, default 6
        Decimals (of seconds) to which edges of the filtered frames are rounded.

    Returns
    -------
    Scores
        In the precision of the given scores. Frames begin where the score of any class changes, so
        they are others than before, for all classes the same. With length 0 for all classes the
        scores are what they were.

    Raises
    ------
    InputError
        If scores are wrong, if a length is negative or not finite, or if lengths are missing or
        name what is no class.

    Notes
    -----
    The time is proportional to the number of frames times the logarithm of the number of frames in
    a window.

    Within half a window of its ends a clip is partly compared with nothing. A window of twice the
    length of the clip or more always is mostly outside: then all scores are ``-inf``.

    On regular frames, with a length of an odd number of frames, it is `median_filter_frames` with
    ``mode="constant", cval=-inf``.

    See Also
    --------
    pi_psds : PSDS with the best length at each point of the curve.

    Examples
    --------
    A click of a second is gone, and a bark of three seconds stays:

    >>> import numpy as np
    >>> import soundeval as se
    >>> scores = {"a": np.array([[0.1], [0.9], [0.1], [0.1], [0.8], [0.8], [0.8], [0.1]])}
    >>> filtered = se.median_filter(
    ...     scores, 3.0, timestamps=np.arange(9.0), event_classes=["Dog"]
    ... )
    >>> filtered["a"].timestamps
    array([0., 4., 7., 8.])
    >>> filtered["a"].scores[:, 0]
    array([0.1, 0.8, 0.1])
    """
    decimals = whole_number("time_decimals", time_decimals, low=0, high=30)
    source = score_source(
        scores, timestamps=timestamps, event_classes=event_classes, progress=progress
    )
    lengths = _by_class("length", length, source.event_classes, non_negative)
    if not any(lengths):
        return collected(source)
    return collected(
        source,
        lambda batch: checked(
            _core.median_filter, list(source.event_classes), *batch, lengths, decimals
        ),
    )


def median_filter_frames(
    scores: ScoresInput,
    n_frames: int | Mapping[str, int],
    *,
    mode: Literal["reflect", "mirror", "nearest", "wrap", "constant"] = "reflect",
    cval: float = 0.0,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    progress: bool | None = None,
) -> Scores:
    """Return scores after a median filter over a number of frames.

    It is ``scipy.ndimage.median_filter`` along time: the window of frame i begins ``n // 2`` frames
    before it, and of its n scores in ascending order the result is number ``n // 2`` (counted from
    0). So with an even n it is the upper of the two in the middle. With an odd n,
    ``mode="constant"`` and ``cval=0`` it is ``scipy.signal.medfilt``.

    Parameters
    ----------
    scores, timestamps, event_classes, progress
        See `statistics`.
    n_frames : int or mapping of str to int
        Length of the window in frames, at least 1: for all classes, or of each class. 1 does not
        filter.
    mode : {"reflect", "mirror", "nearest", "wrap", "constant"}, default "reflect"
        What is beyond the ends of a clip: its frames mirrored at the edge, or at the last frame;
        the last frame; the other end; or `cval`.
    cval : float, default 0.0
        Score beyond the ends with ``mode="constant"``; ``-inf`` is never a detection.

    Returns
    -------
    Scores
        In the precision of the given scores, on the same frames.

    Raises
    ------
    InputError
        If scores are wrong, if a number of frames is not at least 1, or if numbers are missing or
        name what is no class.

    Notes
    -----
    Frames of unequal length count the same. The time is proportional to the number of frames times
    the logarithm of `n_frames`.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> scores = {"a": np.array([[0.1], [0.9], [0.1], [0.8], [0.8]])}
    >>> frames = {"timestamps": np.arange(6.0), "event_classes": ["Dog"]}
    >>> se.median_filter_frames(scores, 3, **frames)["a"].scores[:, 0]
    array([0.1, 0.1, 0.8, 0.8, 0.8])
    """
    choice("mode", mode, _MODES)
    cval = real_number("cval", cval)
    source = score_source(
        scores, timestamps=timestamps, event_classes=event_classes, progress=progress
    )
    sizes = _by_class("n_frames", n_frames, source.event_classes, _size)
    return collected(
        source,
        lambda batch: checked(
            _core.median_filter_frames, list(source.event_classes), *batch, sizes, mode, cval
        ),
    )


def _by_class(
    name: str,
    value: _N | Mapping[str, _N],
    event_classes: Sequence[str],
    check: Callable[[str, object], _N],
) -> list[_N]:
    """Return one number for each class, of one for all or a mapping that names them all."""
    if not isinstance(value, Mapping):
        return [check(name, value)] * len(event_classes)
    problems = []
    if missing := [label for label in event_classes if label not in value]:
        problems.append(
            f"{name} names no value for {counted(len(missing), 'class')}: {listed(missing)}"
        )
    if unknown := [label for label in value if label not in event_classes]:
        first = unknown[0]
        hint = did_you_mean(first, event_classes) if isinstance(first, str) else ""
        problems.append(f"{name} names what is no class of the scores: {listed(unknown)}{hint}")
    if problems:
        raise InputError("; ".join(problems))
    return [check(f"{name} of class {label!r}", value[label]) for label in event_classes]


def _size(name: str, value: object) -> int:
    return whole_number(name, value, low=1, high=_MOST_FRAMES)
