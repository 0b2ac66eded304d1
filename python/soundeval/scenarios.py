"""Named settings of the polyphonic sound detection score, as used in the DCASE challenges.

A scenario is a mapping of the arguments of `psds`, for ``**``:

>>> import soundeval as se
>>> dict(se.scenarios.PSDS1)["dtc_threshold"]
0.7
>>> print(se.scenarios.PSDS2)
PSDS2: avoid confusion between classes, coarse times (DCASE 2021-2024 task 4)
  DTC 0.1, GTC 0.1, CTTC 0.3; alpha_ct 0.5, alpha_st 1; up to 100 false positives per hour

| name | DTC | GTC | CTTC | alpha_ct | alpha_st | used in |
|---|---|---|---|---|---|---|
| `PSDS1` | 0.7 | 0.7 | - | 0 | 1 | DCASE 2021-2024 task 4 |
| `PSDS2` | 0.1 | 0.1 | 0.3 | 0.5 | 1 | DCASE 2021-2024 task 4 |
| `PSDS_2020` | 0.5 | 0.5 | - | 0 | 0 | DCASE 2020 task 4 |
| `PSDS_2020_CT` | 0.5 | 0.5 | 0.3 | 1 | 0 | DCASE 2020 task 4 |
| `PSDS_2020_ST` | 0.5 | 0.5 | - | 0 | 1 | DCASE 2020 task 4 |

The settings of 2020 name a CTTC of 0.3 throughout; where alpha_ct is 0 it changes nothing and is
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from soundeval.criteria import Intersection
from soundeval.display import criterion_in_words, number

__all__ = ["PSDS1", "PSDS2", "PSDS_2020", "PSDS_2020_CT", "PSDS_2020_ST", "Scenario"]

_ARGUMENTS = (
    "dtc_threshold",
    "gtc_threshold",
    "cttc_threshold",
    "alpha_ct",
    "alpha_st",
    "unit_of_time",
    "max_efpr",
)


@dataclass(frozen=True, slots=True, repr=False)
class Scenario(Mapping[str, object]):
    """Settings of a PSDS: a mapping of arguments of `psds`.

    Attributes
    ----------
    name : str
        Name of the scenario.
    description : str
        What it rewards, and where it was used.
    dtc_threshold, gtc_threshold, cttc_threshold
        Thresholds of the criterion, see `Intersection`.
    alpha_ct, alpha_st, unit_of_time, max_efpr
        Arguments of the curve, see `Statistics.psd_roc`.

    Examples
    --------
    >>> import soundeval as se
    >>> se.scenarios.PSDS1.criterion
    Intersection(dtc_threshold=0.7, gtc_threshold=0.7, cttc_threshold=None, time_decimals=6)
    >>> se.scenarios.PSDS1.curve_arguments
    {'alpha_ct': 0.0, 'alpha_st': 1.0, 'unit_of_time': 'hour', 'max_efpr': 100.0}
    """

    name: str
    description: str
    dtc_threshold: float
    gtc_threshold: float
    cttc_threshold: float | None
    alpha_ct: float
    alpha_st: float
    unit_of_time: Literal["second", "minute", "hour"] = "hour"
    max_efpr: float = 100.0

    @property
    def criterion(self) -> Intersection:
        """The criterion, for `statistics`."""
        return Intersection(self.dtc_threshold, self.gtc_threshold, self.cttc_threshold)

    @property
    def curve_arguments(self) -> dict[str, object]:
        """The arguments that are not the criterion's, for `Statistics.psds` and ``psd_roc``."""
        return {name: self[name] for name in _ARGUMENTS[3:]}

    def __getitem__(self, argument: str) -> object:
        """Return one argument."""
        if argument not in _ARGUMENTS:
            raise KeyError(argument)
        return getattr(self, argument)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the arguments."""
        return iter(_ARGUMENTS)

    def __len__(self) -> int:
        """Return the number of arguments."""
        return len(_ARGUMENTS)

    def __repr__(self) -> str:
        """Return the name, what the scenario rewards, and the settings in words."""
        return (
            f"{self.name}: {self.description}\n  {criterion_in_words(self.criterion)}; alpha_ct "
            f"{number(self.alpha_ct)}, alpha_st {number(self.alpha_st)}; up to "
            f"{number(self.max_efpr)} false positives per {self.unit_of_time}"
        )


PSDS1 = Scenario(
    name="PSDS1",
    description="react fast, exact times (DCASE 2021-2024 task 4)",
    dtc_threshold=0.7,
    gtc_threshold=0.7,
    cttc_threshold=None,
    alpha_ct=0.0,
    alpha_st=1.0,
)
PSDS2 = Scenario(
    name="PSDS2",
    description="avoid confusion between classes, coarse times (DCASE 2021-2024 task 4)",
    dtc_threshold=0.1,
    gtc_threshold=0.1,
    cttc_threshold=0.3,
    alpha_ct=0.5,
    alpha_st=1.0,
)
PSDS_2020 = Scenario(
    name="PSDS_2020",
    description="found events against false positives (DCASE 2020 task 4)",
    dtc_threshold=0.5,
    gtc_threshold=0.5,
    cttc_threshold=None,
    alpha_ct=0.0,
    alpha_st=0.0,
)
PSDS_2020_CT = Scenario(
    name="PSDS_2020_CT",
    description="with a price on confusion between classes (DCASE 2020 task 4)",
    dtc_threshold=0.5,
    gtc_threshold=0.5,
    cttc_threshold=0.3,
    alpha_ct=1.0,
    alpha_st=0.0,
)
PSDS_2020_ST = Scenario(
    name="PSDS_2020_ST",
    description="with a price on differences between classes (DCASE 2020 task 4)",
    dtc_threshold=0.5,
    gtc_threshold=0.5,
    cttc_threshold=None,
    alpha_ct=0.0,
    alpha_st=1.0,
)
