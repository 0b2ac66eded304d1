"""Metrics by name: what to count, and which number to make of it.

>>> import soundeval as se
>>> se.metric("collar-f1@0.5", onset_collar=0.5)
collar-f1@0.5: F1-score, precision and recall at a decision threshold
  onset within 0.5 s, offset within 0.2 s or 20 % of the length; threshold 0.5

Names
-----
``psds1``, ``psds2``, ``psds-2020``, ``psds-2020-ct``, ``psds-2020-st``
    The scenarios of the DCASE challenges, see `scenarios`.
``pi-psds1``, ``pi-psds2``
    Two of them with the best of several median filters at each point, see `pi_psds`.
``<criterion>-<number>``
    ``clip``, ``segment``, ``collar`` or ``intersection``, and one of

    =====================  ==============================================================
    ``f1@T``, ``f0.5@T``   F-score, with any beta, at the decision threshold T
    ``best-f1``            highest F-score over all thresholds, with any beta too
    ``er@T``, ``best-er``  error rate, at T and the lowest
    ``ap``                 average precision; ``map`` is another name of it
    ``auroc``              area under the ROC: clip and segment
    ``accuracy@T``         accuracy, sensitivity, specificity: clip and segment
    ``overall-er@T``       error rate over all classes, with substitutions: clip and segment
    ``psds``               PSDS with settings of your own: intersection
    ``pi-psds``            the same with the best median filter at each point: intersection
    =====================  ==============================================================

T is a number or a file of `Thresholds`: ``collar-f1@thresholds.json``. Case does not matter.

Defaults
--------
Parameters that are not given are those of the field: collars of 0.2 s (and a fifth of the event for
its end), segments of one second. Intersections have a DTC and a GTC of 0.5, as the
intersection-based F1-score of the DCASE baselines; `Intersection` on its own has 0.7 as PSDS1 has.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from soundeval import display
from soundeval.accuracy import AccuracyResult
from soundeval.checks import real_number
from soundeval.error_rate import ErrorRateResult
from soundeval.errors import InputError
from soundeval.f_score import FScoreResult
from soundeval.metric_catalogue import CRITERIA, NUMBERS, PARAMETERS, Paper
from soundeval.metric_names import Family, digits, families, family_of, names
from soundeval.names import did_you_mean, listed
from soundeval.overall_error_rate import OverallErrorRate
from soundeval.pi_psds import psds_of_variants
from soundeval.precision_recall import AveragePrecisionResult
from soundeval.psd_roc import CurveArguments
from soundeval.psds_result import PSDSResult
from soundeval.roc import AUROCResult
from soundeval.statistics import Statistics
from soundeval.thresholds import Thresholds

if TYPE_CHECKING:
    from soundeval.criteria import Criterion

__all__ = ["Family", "Metric", "MetricResult", "Paper", "families", "metric", "names"]

MetricResult: TypeAlias = (
    PSDSResult
    | FScoreResult
    | ErrorRateResult
    | OverallErrorRate
    | AccuracyResult
    | AveragePrecisionResult
    | AUROCResult
)

_BY_METHOD = {number.method: number for number in NUMBERS.values()}


@dataclass(frozen=True, slots=True, repr=False)
class Metric:
    """A metric: a criterion, and a number made of the counts. Made by `metric`.

    Attributes
    ----------
    name : str
        Its name, in the one spelling that it has for equal thresholds.
    criterion : Intersection, Collar, Segment or Clip
        When a detection counts.
    method : str
        Name of the method of `Statistics` that returns the number.
    arguments : dict of str to object
        Arguments of the method.
    defaults : dict of str to object
        Parameters that can be given to `metric`, and what they are if they are not.
    heading : str
        A short name for tables.
    description : str
        What it measures, in one sentence.
    origin : str
        Where a scenario was used; "" for other metrics.
    papers : tuple of Paper
        Where it comes from: papers of the number, then of the criterion.

    See Also
    --------
    evaluate : Many metrics in one pass.

    Examples
    --------
    >>> import soundeval as se
    >>> metric = se.metric("segment-auroc", max_fpr=0.1)
    >>> metric.criterion
    Segment(segment_length=1.0, time_decimals=6)
    >>> metric.method, metric.arguments
    ('auroc', {'max_fpr': 0.1, 'mcclish_correction': False})
    >>> metric.changed
    {'max_fpr': 0.1}
    >>> print(metric.papers[0].short, metric.papers[0].doi)
    Fawcett 2006 10.1016/j.patrec.2005.10.010
    """

    name: str
    criterion: Criterion
    method: str
    arguments: dict[str, object] = field(hash=False)
    defaults: dict[str, object] = field(hash=False, compare=False)
    heading: str = field(compare=False)
    description: str = field(compare=False)
    origin: str = field(compare=False)
    papers: tuple[Paper, ...] = field(compare=False)

    @property
    def parameters(self) -> dict[str, object]:
        """All parameters that can be given, with the values that they have here."""
        return {
            name: self.arguments[name] if name in self.arguments else getattr(self.criterion, name)
            for name in self.defaults
        }

    @property
    def changed(self) -> dict[str, object]:
        """The parameters that are not as by default."""
        return {
            name: value for name, value in self.parameters.items() if value != self.defaults[name]
        }

    @property
    def needs_durations(self) -> bool:
        """Whether the durations of the clips must be known."""
        return self.method in ("psds", "psds_of_variants")

    @property
    def filter_lengths(self) -> tuple[float, ...]:
        """Lengths in seconds of the median filters of which the best counts; empty for most."""
        lengths: tuple[float, ...] = self.arguments.get("filter_lengths", ())  # type: ignore[assignment]
        return lengths

    @property
    def chooses_thresholds(self) -> bool:
        """Whether the result has best thresholds, which can be applied to other clips."""
        return self.method.startswith("best_")

    @property
    def lower_is_better(self) -> bool:
        """Whether the number counts errors."""
        return _BY_METHOD[self.method].lower_is_better

    def of(self, statistics: Statistics | Mapping[str, Statistics]) -> MetricResult:
        """Return the result for statistics that were made with the criterion of the metric.

        Parameters
        ----------
        statistics : Statistics, or mapping of str to Statistics
            From `statistics` or `Accumulator.statistics`. A metric with `filter_lengths` takes
            those of every filter, by its name, see `psds_of_variants`.

        Returns
        -------
        PSDSResult, FScoreResult, ErrorRateResult, ...
            What the method of `Statistics` returns.

        Raises
        ------
        InputError
            If the statistics were made with another criterion, and as the method.
        TypeError
            If there should be statistics of filters and is one, or the other way round.
        """
        if self.filter_lengths:
            return self._of_filters(statistics)
        if not isinstance(statistics, Statistics):
            raise TypeError(f"{self.name} takes Statistics, got {type(statistics).__name__}")
        if statistics.criterion != self.criterion:
            raise InputError(
                f"{self.name} needs statistics of {self.criterion!r}, and these are of "
                f"{statistics.criterion!r}"
            )
        try:
            result: MetricResult = getattr(statistics, self.method)(**self.arguments)
        except InputError as error:
            # Of many metrics: which one?
            raise InputError(f"{self.name}: {error}") from None
        return result

    def _of_filters(self, variants: Statistics | Mapping[str, Statistics]) -> MetricResult:
        if isinstance(variants, Statistics) or not isinstance(variants, Mapping):
            raise TypeError(
                f"{self.name} takes the statistics of every filter as a mapping, got "
                f"{type(variants).__name__}"
            )
        try:
            return psds_of_variants(variants, **_without_filters(self.arguments))  # type: ignore[arg-type]
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None

    def value(self, result: MetricResult) -> float:
        """Return the headline of a result: the PSDS, the mean over classes, or the overall number.

        Parameters
        ----------
        result : PSDSResult, FScoreResult, ErrorRateResult, ...
            A result of this metric.

        Returns
        -------
        float
            The number to quote. F-scores, error rates and accuracies are macro averages.
        """
        return _float(getattr(result, "macro", result), _BY_METHOD[self.method].headline)

    def micro(self, result: MetricResult) -> float | None:
        """Return the number of the counts summed over classes, or None if there is none.

        Parameters
        ----------
        result : PSDSResult, FScoreResult, ErrorRateResult, ...
            A result of this metric.

        Returns
        -------
        float or None
            The micro average of an F-score, an error rate or an accuracy.
        """
        micro = getattr(result, "micro", None)
        return None if micro is None else _float(micro, _BY_METHOD[self.method].headline)

    def per_class(self, result: MetricResult) -> dict[str, float]:
        """Return the headline of every class.

        Parameters
        ----------
        result : PSDSResult, FScoreResult, ErrorRateResult, ...
            A result of this metric.

        Returns
        -------
        dict of str to float
            Empty for numbers that only exist over all classes.
        """
        if isinstance(result, OverallErrorRate):
            return {}
        per_class = result.per_class
        return {
            name: _float(number, _BY_METHOD[self.method].headline)
            for name, number in per_class.items()
        }

    def settings(self) -> str:
        """Return the parameters in words.

        Returns
        -------
        str
            The criterion, then what the number is made with.
        """
        if self.needs_durations:
            return display.psds_settings(self.criterion, **self.arguments)  # type: ignore[arg-type]
        changed = {"threshold": self.arguments.get("threshold"), **self.changed}
        words = [display.criterion_in_words(self.criterion)]
        words += [
            f"{name} {display.parameter(value)}"
            for name, value in changed.items()
            if name in self.arguments
        ]
        return "; ".join(words)

    def __repr__(self) -> str:
        """Return the name, what is measured, and the parameters in words."""
        return f"{self.name}: {self.description.rstrip('.')}\n  {self.settings()}"


def metric(name: str, /, **parameters: object) -> Metric:
    """Return a metric by its name.

    Parameters
    ----------
    name : str
        As ``"psds1"``, ``"collar-f1@0.5"``, ``"collar-f1@thresholds.json"``, ``"segment-auroc"``:
        see the table above, or `names`.
    **parameters
        Parameters of the criterion and of the number that are not as by default, by keyword:
        ``onset_collar=0.5``, ``max_fpr=0.1``. `Metric.defaults` lists them. Numbers at a threshold
        take ``threshold`` too, in place of what follows ``@``: a number, a mapping with one for
        every class, or `Thresholds`.

    Returns
    -------
    Metric
        A value: comparable, hashable, printable.

    Raises
    ------
    InputError
        If there is no such metric, if it has no such parameter, or if a value is out of range.
    TypeError
        If a value is of a wrong kind.
    FileNotFoundError
        If there is no such file of thresholds.

    See Also
    --------
    evaluate : Many metrics in one pass.

    Examples
    --------
    >>> import soundeval as se
    >>> se.metric("psds1", max_efpr=50)
    psds1: React fast, exact times (DCASE 2021-2024 task 4)
      DTC 0.7, GTC 0.7, no cross triggers; alpha_ct 0, alpha_st 1; up to 50 false positives per hour
    >>> se.metric("segment-f2@0.3", segment_length=0.5).criterion
    Segment(segment_length=0.5, time_decimals=6)
    >>> se.metric("colar-f1@0.5")
    Traceback (most recent call last):
    ...
    soundeval.errors.InputError: no metric is called 'colar-f1@0.5'; did you mean 'collar-f1@0.5'?
    ...
    """
    return metric_in_folder(name, parameters)


def metric_in_folder(name: str, parameters: Mapping[str, object], folder: str = "") -> Metric:
    """Return a metric by its name; a relative path of thresholds begins in `folder`."""
    family = family_of(name)
    given = dict(parameters)
    number, beta = family.number, family.beta
    arguments: dict[str, object] = {}
    canonical = family.name
    _, at, text = name.strip().partition("@")
    if number.takes_threshold:
        if at and "threshold" in given:
            raise InputError(f"{name!r} names its threshold: leave the keyword threshold out")
        if at:
            arguments["threshold"], label = _threshold_of_name(family.name, text, folder)
            canonical += f"@{label}"
        elif "threshold" in given:
            threshold = arguments["threshold"] = _threshold(given.pop("threshold"))
            if isinstance(threshold, float):
                canonical += f"@{digits(threshold)}"
        else:
            raise InputError(
                f"{family.name!r} needs a decision threshold: '{family.name}@0.5', "
                f"'{family.name}@thresholds.json', or the keyword threshold"
            )
    elif at:
        raise InputError(
            f"{family.name!r} has no decision threshold to choose: leave '@{text}' out"
        )
    if beta is not None:
        arguments["beta"] = beta
    for parameter in given:
        if parameter not in family.defaults:
            raise InputError(_no_parameter(family, parameter))
    values = {
        parameter: PARAMETERS[parameter].checked(given.get(parameter, default))
        for parameter, default in family.defaults.items()
    }
    values |= family.fixed
    kind = CRITERIA[family.criterion]
    criterion = kind.make(**{parameter: values[parameter] for parameter in kind.defaults})
    arguments |= {parameter: values[parameter] for parameter in number.defaults}
    if "max_efpr" in arguments:
        _check_psds(criterion, arguments)
    heading = family.heading
    if "threshold" in arguments:
        heading += canonical[len(family.name) :]
    return Metric(
        name=canonical,
        criterion=criterion,
        method=number.method,
        arguments=arguments,
        defaults=dict(family.defaults),
        heading=heading,
        description=family.description,
        origin=family.origin,
        papers=family.papers,
    )


# -- inside ---------------------------------------------------------------------------------------


def _threshold_of_name(name: str, text: str, folder: str) -> tuple[float | Thresholds, str]:
    """Return what stands behind the @, and how it is written in the canonical name."""
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        return real_number("threshold", number), digits(number)
    if not text:
        raise InputError(f"a threshold must follow the @: '{name}@0.5'")
    path = os.path.join(folder, text)
    if not os.path.exists(path) and not text.casefold().endswith(".json"):
        raise InputError(
            f"'{name}@{text}': {text!r} is neither a number nor a file of thresholds (.json)"
        )
    return Thresholds.from_json(os.fspath(path)), text


def _threshold(value: object) -> float | Thresholds:
    if isinstance(value, Thresholds):
        return value
    if isinstance(value, Mapping):
        return Thresholds(value)
    return real_number("threshold", value)


def _without_filters(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of a PSDS without those of the filters before it."""
    return {key: value for key, value in arguments.items() if key != "filter_lengths"}


def _check_psds(criterion: Criterion, arguments: Mapping[str, object]) -> None:
    checked = CurveArguments(**_without_filters(arguments))  # type: ignore[arg-type]
    cttc_threshold = criterion.cttc_threshold  # type: ignore[union-attr]
    checked.check_cross_triggers(cttc_threshold)
    checked.check_weight_of_cross_triggers(cttc_threshold)


def _no_parameter(family: Family, parameter: str) -> str:
    if parameter in family.fixed:
        value = display.parameter(family.fixed[parameter])
        return (
            f"{family.name!r} stands for {parameter} {value}: use 'intersection-psds' with "
            "settings of your own"
        )
    if parameter == "threshold":
        return f"{family.name!r} has no decision threshold to choose"
    hint = did_you_mean(parameter, family.defaults)
    if not family.defaults:
        return f"{family.name!r} has no parameters, got {parameter!r}"
    return f"{family.name!r} has no parameter {parameter!r}{hint}; it has {listed(family.defaults)}"


def _float(owner: object, name: str) -> float:
    return float(owner if isinstance(owner, (int, float)) else getattr(owner, name))
