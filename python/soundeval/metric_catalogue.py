"""What metrics are made of: criteria, numbers, parameters, named scenarios, and their papers.

A metric is a criterion (when a detection counts) and a number (a method of `Statistics`). Every
criterion goes with every number that is defined for it; `metrics` makes values of them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from soundeval import checks, scenarios
from soundeval.criteria import Clip, Collar, Criterion, Intersection, Segment
from soundeval.errors import InputError
from soundeval.psd_roc import SECONDS_PER_UNIT

# -- papers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paper:
    """Where a metric comes from.

    Attributes
    ----------
    authors, title, published : str
        As they are cited; `published` is the journal or conference.
    year : int
        Year of publication.
    doi : str
        Digital object identifier.
    """

    authors: str
    title: str
    published: str
    year: int
    doi: str

    @property
    def short(self) -> str:
        """Name and year, as in a text."""
        surnames = [author.rsplit(". ", 1)[-1] for author in self.authors.split(", ")]
        if len(surnames) > 2:
            return f"{surnames[0]} et al. {self.year}"
        return f"{' and '.join(surnames)} {self.year}"

    @property
    def url(self) -> str:
        """Address of the paper."""
        return f"https://doi.org/{self.doi}"

    def __str__(self) -> str:
        """Return the whole reference."""
        return f'{self.authors}, "{self.title}", {self.published} {self.year}. {self.url}'


MESAROS = Paper(
    "A. Mesaros, T. Heittola, T. Virtanen",
    "Metrics for polyphonic sound event detection",
    "Applied Sciences 6(6)",
    2016,
    "10.3390/app6060162",
)
BILEN = Paper(
    "Ç. Bilen, G. Ferroni, F. Tuveri, J. Azcarreta, S. Krstulović",
    "A framework for the robust evaluation of sound event detection",
    "ICASSP",
    2020,
    "10.1109/ICASSP40776.2020.9052995",
)
FERRONI = Paper(
    "G. Ferroni, N. Turpault, J. Azcarreta, F. Tuveri, R. Serizel, Ç. Bilen, S. Krstulović",
    "Improving sound event detection metrics: insights from DCASE 2020",
    "ICASSP",
    2021,
    "10.48550/arXiv.2010.13648",
)
EBBERS = Paper(
    "J. Ebbers, R. Haeb-Umbach, R. Serizel",
    "Threshold independent evaluation of sound event detection scores",
    "ICASSP",
    2022,
    "10.1109/ICASSP43922.2022.9747556",
)
EBBERS_PI = Paper(
    "J. Ebbers, R. Haeb-Umbach, R. Serizel",
    "Post-processing independent evaluation of sound event detection systems",
    "DCASE Workshop",
    2023,
    "10.48550/arXiv.2306.15440",
)
DAVIS = Paper(
    "J. Davis, M. Goadrich",
    "The relationship between precision-recall and ROC curves",
    "ICML",
    2006,
    "10.1145/1143844.1143874",
)
FAWCETT = Paper(
    "T. Fawcett",
    "An introduction to ROC analysis",
    "Pattern Recognition Letters 27(8)",
    2006,
    "10.1016/j.patrec.2005.10.010",
)
MCCLISH = Paper(
    "D. K. McClish",
    "Analyzing a portion of the ROC curve",
    "Medical Decision Making 9(3)",
    1989,
    "10.1177/0272989X8900900307",
)

# -- parameters -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of criteria or numbers.

    Attributes
    ----------
    name : str
        Its keyword.
    description : str
        One sentence, with the unit.
    check : callable
        Takes the name and a value, and returns the value as it is used, or raises.
    kind : {"number", "whole number", "flag", "word", "numbers"}
        What values are.
    optional : bool
        Whether None is a value.
    words : tuple of str
        Possible values of the kind "word".
    """

    name: str
    description: str
    check: Callable[[str, object], object]
    kind: Literal["number", "whole number", "flag", "word", "numbers"] = "number"
    optional: bool = False
    words: tuple[str, ...] = ()

    def checked(self, value: object) -> object:
        """Return a value as it is used, or raise."""
        if value is None and self.optional:
            return None
        return self.check(self.name, value)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {type(value).__name__}")
    return value


def _unit(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, got {type(value).__name__}")
    return checks.choice(name, value, tuple(SECONDS_PER_UNIT))


def _lengths(name: str, value: object) -> tuple[float, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name} must be a sequence of numbers, got {type(value).__name__}")
    lengths = tuple(checks.non_negative(f"number {i} of {name}", v) for i, v in enumerate(value))
    if not lengths:
        raise InputError(f"{name} is empty: at least one is needed, 0 for no filter")
    if len(set(lengths)) < len(lengths):
        raise InputError(f"{name} holds a length twice: {', '.join(map(str, lengths))}")
    return lengths


PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            "onset_collar",
            "Tolerance of onsets in seconds.",
            checks.non_negative,
        ),
        Parameter(
            "offset_collar",
            "Tolerance of offsets in seconds; none compares onsets only.",
            checks.non_negative,
            optional=True,
        ),
        Parameter(
            "offset_collar_rate",
            "Tolerance of offsets as a share of the event's length; the larger one counts.",
            checks.non_negative,
        ),
        Parameter(
            "segment_length",
            "Length of the segments in seconds.",
            checks.positive,
        ),
        Parameter(
            "dtc_threshold",
            "Share of a detection that must lie inside events of its class.",
            checks.fraction,
        ),
        Parameter(
            "gtc_threshold",
            "Share of an event that relevant detections must cover.",
            checks.fraction,
        ),
        Parameter(
            "cttc_threshold",
            "Share of a false detection inside events of another class that makes it a "
            "cross-trigger; none counts none.",
            checks.fraction,
            optional=True,
        ),
        Parameter(
            "time_decimals",
            "Decimals of seconds to which times are rounded before they are compared.",
            partial(checks.whole_number, low=0, high=30),
            kind="whole number",
        ),
        Parameter(
            "min_precision",
            "Only thresholds with at least this precision are chosen.",
            checks.fraction,
        ),
        Parameter(
            "min_recall",
            "Only thresholds with at least this recall are chosen.",
            checks.fraction,
        ),
        Parameter(
            "max_insertion_rate",
            "Only thresholds with at most this insertion rate are chosen; none sets no limit.",
            checks.non_negative,
            optional=True,
        ),
        Parameter(
            "max_deletion_rate",
            "Only thresholds with at most this deletion rate are chosen; none sets no limit.",
            checks.non_negative,
            optional=True,
        ),
        Parameter(
            "max_fpr",
            "False positive rate up to which the area is taken; none takes all of it.",
            checks.positive_fraction,
            optional=True,
        ),
        Parameter(
            "mcclish_correction",
            "Scale an area up to max_fpr so that chance is 0.5 (McClish 1989).",
            _flag,
            kind="flag",
        ),
        Parameter(
            "factor",
            "Weight of specificity in the balanced accuracy; sensitivity has the rest.",
            checks.fraction,
        ),
        Parameter(
            "alpha_ct",
            "Cost of cross-triggers; above 0 it needs cttc_threshold.",
            checks.fraction,
        ),
        Parameter(
            "alpha_st",
            "Cost of instability across classes.",
            checks.non_negative,
        ),
        Parameter(
            "max_efpr",
            "Effective false positives per unit of time up to which the area is taken.",
            checks.positive,
        ),
        Parameter(
            "unit_of_time",
            "What false positives are counted per.",
            _unit,
            kind="word",
            words=tuple(SECONDS_PER_UNIT),
        ),
        Parameter(
            "oracle",
            "Whether curves are the envelope of the best operating points.",
            _flag,
            kind="flag",
        ),
        Parameter(
            "filter_lengths",
            "Lengths in seconds of the median filters of which the best counts; 0 does not filter.",
            _lengths,
            kind="numbers",
        ),
    )
}

# -- criteria -------------------------------------------------------------------------------------


class CriterionKind(NamedTuple):
    """A criterion by name, with the parameters that metrics give it by default."""

    heading: str
    make: Callable[..., Criterion]
    description: str
    defaults: dict[str, object]
    why: str
    papers: tuple[Paper, ...]


CRITERIA = {
    "clip": CriterionKind(
        "Clip",
        Clip,
        "Which classes are in a clip, wherever that is.",
        {},
        "It has no parameters.",
        (MESAROS,),
    ),
    "segment": CriterionKind(
        "Segment",
        Segment,
        "Which classes are in each segment of a clip.",
        {"segment_length": 1.0, "time_decimals": 6},
        "One second is the length in the baselines of DCASE since 2016.",
        (MESAROS,),
    ),
    "collar": CriterionKind(
        "Collar",
        Collar,
        "Events are found by detections that begin and end close to them.",
        {
            "onset_collar": 0.2,
            "offset_collar": 0.2,
            "offset_collar_rate": 0.2,
            "time_decimals": 6,
        },
        "0.2 s, or a fifth of the event for its end, are the collars of DCASE task 4.",
        (MESAROS,),
    ),
    "intersection": CriterionKind(
        "Intersection",
        Intersection,
        "Events are found by detections that overlap them enough.",
        {
            "dtc_threshold": 0.5,
            "gtc_threshold": 0.5,
            "cttc_threshold": None,
            "time_decimals": 6,
        },
        "Halves are those of the intersection-based F1-score in the baselines of DCASE task 4; "
        "Intersection() on its own has 0.7 as PSDS1 has.",
        (BILEN,),
    ),
}

# -- numbers --------------------------------------------------------------------------------------


class Number(NamedTuple):
    """A number: a method of `Statistics`, with the parameters that metrics give it by default."""

    heading: str
    method: str
    headline: str
    description: str
    defaults: dict[str, object]
    criteria: tuple[str, ...]
    papers: tuple[Paper, ...]
    takes_threshold: bool = False
    takes_beta: bool = False
    lower_is_better: bool = False
    has_classes: bool = True


_UNITS = ("clip", "segment")

NUMBERS = {
    "f": Number(
        "F",
        "f_score",
        "f_score",
        "F-score, precision and recall at a decision threshold.",
        {},
        tuple(CRITERIA),
        (MESAROS,),
        takes_threshold=True,
        takes_beta=True,
    ),
    "best-f": Number(
        "best F",
        "best_f_score",
        "f_score",
        "Highest F-score of each class over all decision thresholds.",
        {"min_precision": 0.0, "min_recall": 0.0},
        tuple(CRITERIA),
        (EBBERS,),
        takes_beta=True,
    ),
    "er": Number(
        "ER",
        "error_rate",
        "error_rate",
        "Error rate of each class at a decision threshold: insertions and deletions.",
        {},
        tuple(CRITERIA),
        (MESAROS,),
        takes_threshold=True,
        lower_is_better=True,
    ),
    "best-er": Number(
        "best ER",
        "best_error_rate",
        "error_rate",
        "Lowest error rate of each class over all decision thresholds.",
        {"max_insertion_rate": None, "max_deletion_rate": None},
        tuple(CRITERIA),
        (EBBERS,),
        lower_is_better=True,
    ),
    "ap": Number(
        "AP",
        "average_precision",
        "value",
        "Average precision; its mean over classes is the mAP.",
        {},
        tuple(CRITERIA),
        (DAVIS, EBBERS),
    ),
    "auroc": Number(
        "AUROC",
        "auroc",
        "value",
        "Area under the receiver operating characteristic, or a part of it.",
        {"max_fpr": None, "mcclish_correction": False},
        _UNITS,
        (FAWCETT, MCCLISH),
    ),
    "accuracy": Number(
        "accuracy",
        "accuracy",
        "accuracy",
        "Accuracy, sensitivity, specificity and balanced accuracy at a decision threshold.",
        {"factor": 0.5},
        _UNITS,
        (MESAROS,),
        takes_threshold=True,
    ),
    "overall-er": Number(
        "overall ER",
        "overall_error_rate",
        "error_rate",
        "Error rate over all classes at a decision threshold, with substitutions.",
        {},
        _UNITS,
        (MESAROS,),
        takes_threshold=True,
        lower_is_better=True,
        has_classes=False,
    ),
    "psds": Number(
        "PSDS",
        "psds",
        "value",
        "Polyphonic sound detection score with settings of your own.",
        {
            "alpha_ct": 0.0,
            "alpha_st": 0.0,
            "max_efpr": 100.0,
            "unit_of_time": "hour",
            "oracle": True,
        },
        ("intersection",),
        (BILEN, EBBERS),
    ),
    "pi-psds": Number(
        "pi-PSDS",
        "psds_of_variants",
        "value",
        "PSDS with the best of several median filters at each point of the curve.",
        {
            "alpha_ct": 0.0,
            "alpha_st": 0.0,
            "max_efpr": 100.0,
            "unit_of_time": "hour",
            "filter_lengths": (0.0, 0.25, 0.5, 1.0, 2.0, 4.0),
        },
        ("intersection",),
        (BILEN, EBBERS_PI),
    ),
}

# What people also call them.
ALIASES = {"psds": "intersection-psds", "pi-psds": "intersection-pi-psds"}
NUMBER_ALIASES = {"map": "ap"}

# -- scenarios ------------------------------------------------------------------------------------


class NamedScenario(NamedTuple):
    """A PSDS with a name: its heading, where it was used, its settings, and which number it is."""

    heading: str
    origin: str
    scenario: scenarios.Scenario
    number: str = "psds"


SCENARIOS = {
    "psds1": NamedScenario("PSDS1", "DCASE 2021 to 2024, scenario 1", scenarios.PSDS1),
    "psds2": NamedScenario("PSDS2", "DCASE 2021 to 2024, scenario 2", scenarios.PSDS2),
    "psds-2020": NamedScenario("PSDS 2020", "DCASE 2020", scenarios.PSDS_2020),
    "psds-2020-ct": NamedScenario(
        "PSDS 2020 CT", "DCASE 2020 with cross-triggers", scenarios.PSDS_2020_CT
    ),
    "psds-2020-st": NamedScenario(
        "PSDS 2020 ST", "DCASE 2020 with stability across classes", scenarios.PSDS_2020_ST
    ),
    "pi-psds1": NamedScenario("pi-PSDS1", "", scenarios.PSDS1, "pi-psds"),
    "pi-psds2": NamedScenario("pi-PSDS2", "", scenarios.PSDS2, "pi-psds"),
}

# They make a scenario what it is: whoever wants others does not want the scenario.
FIXED_BY_SCENARIOS = ("dtc_threshold", "gtc_threshold", "cttc_threshold", "alpha_ct")
