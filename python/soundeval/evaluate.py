"""Many metrics of one system, from one pass over its scores.

Every criterion is counted once, however many numbers are made of it, and scores that are files or a
stream are read once for all criteria.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soundeval import display
from soundeval.counting import count
from soundeval.durations import coerce_durations
from soundeval.errors import InputError
from soundeval.ground_truth import coerce_ground_truth
from soundeval.joining import Policies
from soundeval.median_filter import median_filter
from soundeval.metric_names import digits, family_of
from soundeval.metrics import Metric, MetricResult, metric
from soundeval.names import did_you_mean, listed
from soundeval.overall_error_rate import OverallErrorRate
from soundeval.pi_psds import named_lengths
from soundeval.results import FlatDict, flat_dict, json_number
from soundeval.sources import collected, score_source
from soundeval.statistics import Statistics, statistics_of_pass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from soundeval.criteria import Criterion
    from soundeval.typing import (
        DurationsInput,
        ExtraClips,
        GroundTruthInput,
        MetricsInput,
        MissingClasses,
        MissingGroundTruth,
        ScoresInput,
        TimestampsInput,
        UnknownLabels,
        ZeroLength,
    )

__all__ = ["Evaluation", "evaluate"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Evaluation(Mapping[str, MetricResult]):
    """Results of several metrics: a read-only mapping from the name of a metric to its result.

    Made by `evaluate`. Names are found in any spelling: ``result["Collar-F1@0.50"]``.

    Attributes
    ----------
    results : dict of str to PSDSResult, FScoreResult, ErrorRateResult, ...
        Result of every metric, by name, in the order in which they were asked for.
    metrics : dict of str to Metric
        The metrics, with their parameters.
    statistics : dict of Criterion to Statistics
        The counts of every criterion, for more numbers and for curves.
    n_events : dict of str to int
        Number of evaluated reference events of every class.

    See Also
    --------
    evaluate : Makes it, with an example.
    """

    results: dict[str, MetricResult]
    metrics: dict[str, Metric]
    statistics: dict[Criterion, Statistics]
    n_events: dict[str, int] = field(hash=False)

    def __getitem__(self, name: str) -> MetricResult:
        """Return the result of a metric."""
        return self.results[self._found(name)]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in the order in which metrics were asked for."""
        return iter(self.results)

    def __len__(self) -> int:
        """Return the number of metrics."""
        return len(self.results)

    def value(self, name: str) -> float:
        """Return the headline of a metric: the PSDS, or the mean over classes.

        Parameters
        ----------
        name : str
            Name of the metric.

        Returns
        -------
        float
            See `Metric.value`.
        """
        found = self._found(name)
        return self.metrics[found].value(self.results[found])

    def per_class(self, name: str) -> dict[str, float]:
        """Return the headline of a metric for every class.

        Parameters
        ----------
        name : str
            Name of the metric.

        Returns
        -------
        dict of str to float
            See `Metric.per_class`.
        """
        found = self._found(name)
        return self.metrics[found].per_class(self.results[found])

    @property
    def event_classes(self) -> tuple[str, ...]:
        """Evaluated classes, in column order."""
        return tuple(self.n_events)

    @property
    def n_clips(self) -> int:
        """Number of evaluated clips."""
        return self._any_statistics.n_clips

    @property
    def dataset_duration(self) -> float | None:
        """Duration of the evaluated clips in seconds, or None if durations were not given."""
        durations = self._any_statistics.audio_durations
        return None if durations is None else math.fsum(durations.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for everything that a reader has to know besides the numbers."""
        # Some results are but a few numbers, and know nothing of what was left out.
        results = [
            result for result in self.results.values() if not isinstance(result, OverallErrorRate)
        ]
        notes = [note for stats in self.statistics.values() for note in display.remarks(stats)]
        notes += [note for result in results for note in display.remarks(result)]
        return tuple(dict.fromkeys(notes))

    def to_dict(self) -> FlatDict:
        """Return a flat dict that JSON can hold: for experiment trackers and result files.

        Returns
        -------
        dict
            ``"<metric>"`` is the headline of each metric, and ``"<metric>/<key>"`` every entry of
            the dict of its result, as ``"collar-f1@0.5/recall/Dog"``. NaN is None.
        """
        flat: FlatDict = {name: json_number(self.value(name)) for name in self}
        for name, result in self.results.items():
            flat |= {f"{name}/{key}": value for key, value in flat_dict(result).items()}
        return flat

    def __repr__(self) -> str:
        """Return the headlines, and a table of the classes."""
        return display.evaluation_as_text(self)

    def _repr_html_(self) -> str:
        """Return the same as tables, for notebooks."""
        return display.evaluation_as_html(self)

    @property
    def _any_statistics(self) -> Statistics:
        """Those of any criterion: clips and durations are the same for all."""
        return next(iter(self.statistics.values()))

    def _found(self, name: str) -> str:
        if name in self.results:
            return name
        if isinstance(name, str):
            if (canonical := _spelling(name)) in self.results:
                return canonical
            hint = did_you_mean(name, self.results)
            raise KeyError(f"{name!r} was not evaluated{hint}; there are {listed(self.results)}")
        raise KeyError(name)


def evaluate(
    scores: ScoresInput,
    ground_truth: GroundTruthInput,
    metrics: MetricsInput = ("psds1", "psds2"),
    *,
    audio_durations: DurationsInput | None = None,
    timestamps: TimestampsInput | None = None,
    event_classes: Sequence[str] | None = None,
    extra_clips: ExtraClips = "raise",
    missing_ground_truth: MissingGroundTruth = "raise",
    missing_classes: MissingClasses = "raise",
    unknown_labels: UnknownLabels = "raise",
    zero_length: ZeroLength = "raise",
    progress: bool | None = None,
) -> Evaluation:
    """Return many metrics from one pass over scores and ground truth.

    Parameters
    ----------
    scores, ground_truth
        See `statistics`. Files and streams are read once, batch by batch.
    metrics : sequence of str or Metric, or mapping of str to such, default ("psds1", "psds2")
        What to compute, see `metric`. A mapping gives names of your own, so that two metrics of one
        name with different parameters can be told apart:
        ``{"strict": se.metric("collar-f1@0.5", onset_collar=0.1)}``.
    audio_durations : path, mapping or table, optional
        Duration of every clip in seconds, see `statistics`. PSDS needs it.
    timestamps, event_classes
        See `statistics`.
    extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length, progress
        See `statistics`.

    Returns
    -------
    Evaluation
        A mapping from the name of a metric to its result.

    Raises
    ------
    InputError
        If there is no such metric, if two differ but have the same name, if a PSDS has no
        durations, and as `statistics`. Metrics are looked at before scores are read.
    TypeError
        If an argument is of a wrong kind.

    Notes
    -----
    Each criterion is counted once, and results are the same bits as those of `statistics` and the
    method that the metric names. At any time one batch of scores is in memory, unless all are there
    anyway, or a metric wants them through several median filters: each filter is then applied once,
    whatever the number of metrics.

    See Also
    --------
    metric : The metrics by name, and their parameters.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> result = se.evaluate(
    ...     {"a": np.array([[0.25], [0.75], [0.5], [0.125]])},
    ...     {"a": [(1.0, 2.0, "Dog")]},
    ...     ["collar-f1@0.3", "collar-best-f1", "segment-auroc"],
    ...     timestamps=[0.0, 1.0, 2.0, 3.0, 4.0],
    ...     event_classes=["Dog"],
    ... )
    >>> result
    Evaluation of 1 clip, 1 class, 1 event
      collar-f1@0.3   0.0000 macro, 0.0000 micro
      collar-best-f1  1.0000 macro, 1.0000 micro
      segment-auroc   1.0000
    <BLANKLINE>
           collar-f1@0.3  collar-best-f1  segment-auroc
      Dog         0.0000          1.0000         1.0000
    >>> result.value("segment-auroc")
    1.0
    >>> result["collar-best-f1"].per_class["Dog"].threshold
    0.625
    """
    chosen = _by_name(metrics)
    policies = Policies(
        extra_clips, missing_ground_truth, missing_classes, unknown_labels, zero_length
    )
    if audio_durations is None and (
        needing := [name for name, chosen_metric in chosen.items() if chosen_metric.needs_durations]
    ):
        raise InputError(
            "false positives per unit of time need the durations of the clips: pass "
            f"audio_durations={{clip_id: seconds}} for {listed(needing)}"
        )
    truth = coerce_ground_truth(ground_truth)
    durations = None if audio_durations is None else coerce_durations(audio_durations)
    filters = _filters(chosen.values())
    if filters:
        # Every filter reads them again.
        source = score_source(
            scores, timestamps=timestamps, event_classes=event_classes, progress=progress
        )
        scores, timestamps, event_classes = collected(source), None, None
    n_events: Counter[str] = Counter()
    one_pass = count(
        scores,
        truth,
        dict.fromkeys(chosen_metric.criterion for chosen_metric in chosen.values()),
        policies,
        audio_durations=durations,
        timestamps=timestamps,
        event_classes=event_classes,
        progress=progress,
        n_events=n_events,
    )
    statistics = statistics_of_pass(one_pass)
    filtered: dict[tuple[Criterion, float], Statistics] = {}
    for (length, decimals), criteria in filters.items():
        smooth = median_filter(scores, length, time_decimals=decimals)
        its = statistics_of_pass(
            count(smooth, truth, criteria, policies, audio_durations=durations)
        )
        filtered |= {(criterion, length): stats for criterion, stats in its.items()}
    evaluated = {name for stats in statistics.values() for name in stats}
    return Evaluation(
        results={
            name: _result(chosen_metric, statistics, filtered)
            for name, chosen_metric in chosen.items()
        },
        metrics=chosen,
        statistics=statistics,
        n_events={name: n_events[name] for name in one_pass.event_classes if name in evaluated},
    )


def _filters(metrics: Iterable[Metric]) -> dict[tuple[float, int], list[Criterion]]:
    """Return what is counted after each median filter, by its length and decimals."""
    filters: dict[tuple[float, int], list[Criterion]] = {}
    for wanted in metrics:
        for length in wanted.filter_lengths:
            key = length, wanted.criterion.time_decimals  # type: ignore[union-attr]
            criteria = filters.setdefault(key, [])
            if wanted.criterion not in criteria:
                criteria.append(wanted.criterion)
    return filters


def _result(
    wanted: Metric,
    statistics: Mapping[Criterion, Statistics],
    filtered: Mapping[tuple[Criterion, float], Statistics],
) -> MetricResult:
    if not wanted.filter_lengths:
        return wanted.of(statistics[wanted.criterion])
    lengths: dict[str, float] = named_lengths(wanted.filter_lengths)
    return wanted.of({name: filtered[wanted.criterion, its] for name, its in lengths.items()})


def _by_name(metrics: object) -> dict[str, Metric]:
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    if isinstance(metrics, Mapping):
        chosen = {_own_name(name): _metric(value) for name, value in metrics.items()}
    elif isinstance(metrics, Iterable):
        chosen = {}
        for value in map(_metric, metrics):
            if chosen.setdefault(value.name, value) != value:
                raise InputError(
                    f"two metrics are called {value.name!r} and differ in their parameters: give "
                    f'them names of your own, metrics={{"strict": se.metric({value.name!r}, ...), '
                    "...}"
                )
    else:
        raise TypeError(
            f"metrics must be names, Metric values or a mapping of them, got "
            f"{type(metrics).__name__}"
        )
    if not chosen:
        raise InputError("there are no metrics to compute")
    return chosen


def _own_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"names of metrics must be text, got {name!r} ({type(name).__name__})")
    if not name:
        raise InputError("a metric must have a name, got ''")
    return name


def _metric(value: object) -> Metric:
    if isinstance(value, Metric):
        return value
    if isinstance(value, str):
        return metric(value)
    raise TypeError(
        f"a metric must be a name or a Metric from soundeval.metric, got {type(value).__name__}"
    )


def _spelling(name: str) -> str:
    """Return the canonical spelling of the name of a metric, whatever else it is."""
    base, at, threshold = name.partition("@")
    try:
        canonical = family_of(base).name
    except InputError:
        return name
    with suppress(ValueError):
        threshold = digits(float(threshold))
    return f"{canonical}{at}{threshold}"
