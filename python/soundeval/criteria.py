"""Criteria: when a detection counts.

A criterion decides, for one clip and one class, which detections are right and which reference
events are found. Criteria are frozen values: comparable, hashable, printable. All times are in
seconds.

Intersection-based
    `Intersection` accepts detections that overlap the reference by a share of their own length, and
    reference events that the accepted detections cover by a share of theirs. It is the criterion of
    the polyphonic sound detection score (PSDS).
"""

from __future__ import annotations

from dataclasses import dataclass

from soundeval.checks import fraction, whole_number

__all__ = ["Intersection"]

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
        decimals = whole_number("time_decimals", self.time_decimals, low=0, high=_MAX_DECIMALS)
        set_field(self, "time_decimals", decimals)
