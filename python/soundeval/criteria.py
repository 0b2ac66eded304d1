"""Criteria: when a detection counts.

A criterion decides, for one clip and one class, which detections are right and which reference
events are found. Criteria are frozen values: comparable, hashable, printable. All times are in
seconds.

Event-based: detections are compared with reference events; there are no true negatives
    `Intersection` accepts detections that overlap the reference by a share of their own length, and
    reference events that the accepted detections cover by a share of theirs. It is the criterion of
    the polyphonic sound detection score (PSDS).

    `Collar` pairs detections with reference events whose onset, and offset if wanted, are close.

Unit-based: every segment or clip is a positive or a negative of the class, detected or not
    `Segment` cuts clips into segments of equal length.

    `Clip` only asks which classes are in a clip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TypeAlias

from soundeval.checks import fraction, non_negative, positive, whole_number
from soundeval.errors import InputError
from soundeval.names import listed

__all__ = ["Clip", "Collar", "Criterion", "Intersection", "Segment"]

# How the core takes a criterion: its kind and its parameters.
CoreCriterion: TypeAlias = tuple[str | float | None, ...]

# More decimals than a float64 has digits switch the rounding off in effect, and 10**30 is still
# finite.
_MAX_DECIMALS = 30


@dataclass(frozen=True, slots=True)
class Intersection:
    r"""Intersection-based criterion of Bilen et al. (2020).

    Per clip and class, with detections :math:`D`, reference events :math:`G` and the seconds
    :math:`|a \cap b|` that two events share:

    .. math::

        \text{relevant} &= \{d \in D : \textstyle\sum_{g \in G} |d \cap g| \ge \rho_{DTC} |d|\} \\
        \text{true positives} &= \{g \in G :
            \textstyle\sum_{d \in \text{relevant}} |d \cap g| \ge \rho_{GTC} |g|\}

    True positives count reference events, false positives count detections that are not relevant.

    Parameters
    ----------
    dtc_threshold : float, default 0.7
        Detection tolerance criterion, between 0 and 1: the share of a detection that must lie
        inside reference events of its class.
    gtc_threshold : float, default 0.7
        Ground-truth intersection criterion, between 0 and 1: the share of a reference event that
        relevant detections must cover.
    cttc_threshold : float or None, default None
        Cross-trigger tolerance criterion, between 0 and 1: a detection that is not relevant and
        lies with at least this share inside reference events of another class is a cross trigger
        for that class. It stays a false positive. None counts no cross triggers.
    time_decimals : int, default 6
        Decimals (of seconds) to which both sides of every ``>=`` are rounded before they are
        compared, so that 0.1 + 0.2 covers 0.3. All limits are inclusive.

    Raises
    ------
    InputError
        If a threshold is not between 0 and 1, or `time_decimals` not between 0 and 30.

    Notes
    -----
    Reference events of one class may touch, overlap or nest. The formulas are used as they stand:
    time inside two events counts twice in the detection's sum, and each event is counted on its
    own. Where nothing is detected all counts are 0 by definition, also for ``gtc_threshold=0``.

    References
    ----------
    Ç. Bilen, G. Ferroni, F. Tuveri, J. Azcarreta, S. Krstulović, "A framework for the robust
    evaluation of sound event detection", ICASSP 2020. https://doi.org/10.1109/ICASSP40776.2020.9052995

    Examples
    --------
    >>> import soundeval as se
    >>> se.Intersection(dtc_threshold=0.1, gtc_threshold=0.1, cttc_threshold=0.3)
    Intersection(dtc_threshold=0.1, gtc_threshold=0.1, cttc_threshold=0.3, time_decimals=6)
    """

    dtc_threshold: float = 0.7
    gtc_threshold: float = 0.7
    cttc_threshold: float | None = None
    time_decimals: int = 6

    def __post_init__(self) -> None:
        """Check and normalise, so that equal criteria compare and print equal (1 and 1.0)."""
        set_field = object.__setattr__
        set_field(self, "dtc_threshold", fraction("dtc_threshold", self.dtc_threshold))
        set_field(self, "gtc_threshold", fraction("gtc_threshold", self.gtc_threshold))
        if self.cttc_threshold is not None:
            set_field(self, "cttc_threshold", fraction("cttc_threshold", self.cttc_threshold))
        set_field(self, "time_decimals", _decimals(self.time_decimals))

    @property
    def _core(self) -> CoreCriterion:
        return (
            "intersection",
            self.dtc_threshold,
            self.gtc_threshold,
            self.cttc_threshold,
            self.time_decimals,
        )


@dataclass(frozen=True, slots=True)
class Collar:
    r"""Collar-based criterion of Mesaros et al. (2016).

    A detection d hits a reference event g of its class and clip if

    .. math::

        |\text{on}_d - \text{on}_g| \le c_{on} \quad\text{and}\quad
        |\text{off}_d - \text{off}_g| \le
            \max(c_{off},\; r \cdot (\text{off}_g - \text{on}_g))

    True positives are the pairs of a maximum-cardinality bipartite matching of hits: a detection
    goes with one reference event at most, and the other way round. All other detections are false
    positives.

    Parameters
    ----------
    onset_collar : float, default 0.2
        Tolerance of onsets in seconds, 0 or more.
    offset_collar : float or None, default 0.2
        Tolerance of offsets in seconds, 0 or more. None does not compare offsets.
    offset_collar_rate : float, default 0.2
        Tolerance of offsets as a share of the length of the reference event, 0 or more; the larger
        of both tolerances counts. Without `offset_collar` it has no meaning and is set to 0.
    time_decimals : int, default 6
        Decimals (of seconds) to which distance minus tolerance is rounded before it is compared
        with 0, so that an onset at 0.1 is within 0.2 of one at 0.3. All limits are inclusive.

    Raises
    ------
    InputError
        If a tolerance is negative or not finite, or `time_decimals` not between 0 and 30.

    Notes
    -----
    Where collars of several events overlap, a greedy assignment can miss pairs and depends on the
    order of events; the matching does neither.

    References
    ----------
    A. Mesaros, T. Heittola, T. Virtanen, "Metrics for polyphonic sound event detection", Applied
    Sciences 6(6), 2016. https://doi.org/10.3390/app6060162

    Examples
    --------
    >>> import soundeval as se
    >>> se.Collar()
    Collar(onset_collar=0.2, offset_collar=0.2, offset_collar_rate=0.2, time_decimals=6)
    >>> se.Collar(onset_collar=0.5, offset_collar=None)  # onsets only
    Collar(onset_collar=0.5, offset_collar=None, offset_collar_rate=0.0, time_decimals=6)
    """

    onset_collar: float = 0.2
    offset_collar: float | None = 0.2
    offset_collar_rate: float = 0.2
    time_decimals: int = 6

    def __post_init__(self) -> None:
        """Check and normalise, so that equal criteria compare and print equal."""
        set_field = object.__setattr__
        set_field(self, "onset_collar", non_negative("onset_collar", self.onset_collar))
        rate = non_negative("offset_collar_rate", self.offset_collar_rate)
        if self.offset_collar is None:
            rate = 0.0
        else:
            set_field(self, "offset_collar", non_negative("offset_collar", self.offset_collar))
        set_field(self, "offset_collar_rate", rate)
        set_field(self, "time_decimals", _decimals(self.time_decimals))

    @property
    def _core(self) -> CoreCriterion:
        return (
            "collar",
            self.onset_collar,
            self.offset_collar,
            self.offset_collar_rate,
            self.time_decimals,
        )


@dataclass(frozen=True, slots=True)
class Segment:
    r"""Segment-based criterion of Mesaros et al. (2016).

    A clip of D seconds is cut into :math:`\lceil D / L \rceil` segments of L seconds. A segment is
    positive where a reference event of the class overlaps it at all, and detected where a frame
    that overlaps it is active: its score is the maximum of the scores of these frames.

    Parameters
    ----------
    segment_length : float, default 1.0
        Length of the segments in seconds, greater than 0.
    time_decimals : int, default 6
        Decimals (of seconds) to which frame edges and the boundaries of segments are rounded, so
        that a frame that ends at 0.1 + 0.2 does not reach into the segment that begins at 0.3.

    Raises
    ------
    InputError
        If the length is not greater than 0, also after rounding, or `time_decimals` is not between
        0 and 30.

    Notes
    -----
    D is the duration of the clip if durations are given to `statistics`. Otherwise it is the end of
    the last frame or of the last reference event, whichever is later. The last segment may reach
    beyond D; reference events behind the last segment are not evaluated.

    A segment that no frame overlaps has no score and is never detected.

    References
    ----------
    A. Mesaros, T. Heittola, T. Virtanen, "Metrics for polyphonic sound event detection", Applied
    Sciences 6(6), 2016. https://doi.org/10.3390/app6060162

    Examples
    --------
    >>> import soundeval as se
    >>> se.Segment()
    Segment(segment_length=1.0, time_decimals=6)
    """

    segment_length: float = 1.0
    time_decimals: int = 6

    def __post_init__(self) -> None:
        """Check and normalise, so that equal criteria compare and print equal (1 and 1.0)."""
        set_field = object.__setattr__
        length = positive("segment_length", self.segment_length)
        decimals = _decimals(self.time_decimals)
        if round(length, decimals) == 0.0:
            raise InputError(
                f"segment_length={length} is 0 when it is rounded to {decimals} decimals: choose "
                "longer segments, or more time_decimals"
            )
        set_field(self, "segment_length", length)
        set_field(self, "time_decimals", decimals)

    @property
    def _core(self) -> CoreCriterion:
        return "segment", self.segment_length, self.time_decimals


@dataclass(frozen=True, slots=True)
class Clip:
    """Clip-based criterion, which only asks whether the class is anywhere in the clip.

    A clip is positive if it has a reference event of the class, and detected where any frame is
    active: its score is the maximum over its frames. Times do not matter.

    Notes
    -----
    A clip all of whose frames have the score ``-inf`` is never detected.

    Examples
    --------
    >>> import soundeval as se
    >>> se.Clip()
    Clip()
    """

    @property
    def _core(self) -> CoreCriterion:
        return ("clip",)


Criterion: TypeAlias = Intersection | Collar | Segment | Clip

_KINDS: dict[object, Callable[..., Criterion]] = {
    "intersection": Intersection,
    "collar": Collar,
    "segment": Segment,
    "clip": Clip,
}


def check_criterion(criterion: object) -> Criterion:
    """Return the criterion if it is one."""
    if isinstance(criterion, (Intersection, Collar, Segment, Clip)):
        return criterion
    hint = ""
    if isinstance(criterion, type) and criterion in _KINDS.values():
        hint = f"; call it: soundeval.{criterion.__name__}()"
    raise TypeError(
        "criterion must be an Intersection, Collar, Segment or Clip, got "
        f"{type(criterion).__name__}{hint}"
    )


def criterion_of_core(parameters: CoreCriterion) -> Criterion:
    """Return the criterion that the core describes."""
    kind, *arguments = parameters
    return _KINDS[kind](*arguments)


def criterion_as_dict(criterion: Criterion) -> dict[str, str | float | None]:
    """Return kind and parameters of a criterion, as JSON can hold them."""
    values = {field.name: getattr(criterion, field.name) for field in fields(criterion)}
    return {"criterion": str(criterion._core[0]), **values}


def criterion_of_dict(parameters: Mapping[str, object]) -> Criterion:
    """Return the criterion that `criterion_as_dict` described."""
    rest = dict(parameters)
    kind = rest.pop("criterion", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"no criterion is called {kind!r}: expected one of {listed(_KINDS)}")
    try:
        return _KINDS[kind](**rest)
    except TypeError as error:
        raise InputError(f"parameters of the criterion {kind!r} are wrong: {error}") from None


def _decimals(value: object) -> int:
    return whole_number("time_decimals", value, low=0, high=_MAX_DECIMALS)
