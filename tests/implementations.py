"""The fast functions and their twins behind one face, so that one test can be run on both.

Results of both have the same attributes: statistics are a mapping of class to an object with
``thresholds``, ``tps``, ``fps``, ``cts``, ``n_ref`` and ``t_ref``; a PSDS has ``value``,
``per_class`` and ``curve``. Curves are a mapping of class to an object with ``thresholds`` and two
rates; F-scores and error rates have ``macro``, ``micro`` and ``per_class``. Lists on one side are
arrays on the other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from soundeval import reference


class Inputs(Protocol):
    """What goes into an evaluation, from gold files or from strategies."""

    scores: Mapping[str, Any]
    timestamps: Mapping[str, Any]
    ground_truth: Mapping[str, Any]
    audio_durations: Mapping[str, float]
    event_classes: list[str]


class Twin:
    """``soundeval.reference``."""

    def statistics(self, inputs: Inputs, **criterion: Any) -> Mapping[str, Any]:
        return reference.statistics(
            inputs.scores,
            inputs.ground_truth,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            **criterion,
        )

    def psds_from_statistics(
        self, statistics: Mapping[str, Any], inputs: Inputs, **settings: Any
    ) -> Any:
        duration = math.fsum(inputs.audio_durations[clip] for clip in inputs.scores)
        return reference.psds_from_statistics(statistics, duration, **settings)

    def psd_roc(self, statistics: Mapping[str, Any], inputs: Inputs, **settings: Any) -> Any:
        duration = math.fsum(inputs.audio_durations[clip] for clip in inputs.scores)
        return reference.psd_roc(statistics, duration, **settings)

    def psds(self, inputs: Inputs, **parameters: Any) -> Any:
        return reference.psds(
            inputs.scores,
            inputs.ground_truth,
            inputs.audio_durations,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            **parameters,
        )

    def collar_statistics(self, inputs: Inputs, **criterion: Any) -> Mapping[str, Any]:
        return reference.collar_statistics(
            inputs.scores,
            inputs.ground_truth,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            **criterion,
        )

    def collar_distances(self, inputs: Inputs, **criterion: Any) -> Mapping[str, Any]:
        return reference.collar_distances(
            inputs.scores,
            inputs.ground_truth,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            **criterion,
        )

    def segment_statistics(
        self, inputs: Inputs, *, with_durations: bool = True, **criterion: Any
    ) -> Mapping[str, Any]:
        return reference.segment_statistics(
            inputs.scores,
            inputs.ground_truth,
            inputs.audio_durations if with_durations else None,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            **criterion,
        )

    def clip_statistics(self, inputs: Inputs) -> Mapping[str, Any]:
        return reference.clip_statistics(
            inputs.scores,
            inputs.ground_truth,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
        )

    def precision_recall_curve(self, statistics: Mapping[str, Any]) -> Mapping[str, Any]:
        return reference.precision_recall_curve(statistics)

    def average_precision(self, statistics: Mapping[str, Any]) -> Any:
        return reference.average_precision(statistics)

    def roc_curve(self, statistics: Mapping[str, Any]) -> Mapping[str, Any]:
        return reference.roc_curve(statistics)

    def auroc(self, statistics: Mapping[str, Any], **settings: Any) -> Any:
        return reference.auroc(statistics, **settings)

    def f_score(self, statistics: Mapping[str, Any], threshold: Any, **settings: Any) -> Any:
        return reference.f_score(statistics, threshold, **settings)

    def best_f_score(self, statistics: Mapping[str, Any], **settings: Any) -> Any:
        return reference.best_f_score(statistics, **settings)

    def error_rate(self, statistics: Mapping[str, Any], threshold: Any) -> Any:
        return reference.error_rate(statistics, threshold)

    def best_error_rate(self, statistics: Mapping[str, Any], **settings: Any) -> Any:
        return reference.best_error_rate(statistics, **settings)


class Fast:
    """``soundeval`` itself. Events of zero length are kept, as the twin keeps them."""

    def statistics(self, inputs: Inputs, **criterion: Any) -> Mapping[str, Any]:
        import soundeval as se

        return se.statistics(
            inputs.scores,
            inputs.ground_truth,
            se.Intersection(**criterion),
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            zero_length="keep",
        )

    def psds_from_statistics(
        self, statistics: Mapping[str, Any], inputs: Inputs, **settings: Any
    ) -> Any:
        return statistics.psds(inputs.audio_durations, **settings)

    def psd_roc(self, statistics: Mapping[str, Any], inputs: Inputs, **settings: Any) -> Any:
        return statistics.psd_roc(inputs.audio_durations, **settings)

    def psds(self, inputs: Inputs, **parameters: Any) -> Any:
        import soundeval as se

        return se.psds(
            inputs.scores,
            inputs.ground_truth,
            inputs.audio_durations,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            zero_length="keep",
            **parameters,
        )

    def collar_statistics(self, inputs: Inputs, **criterion: Any) -> Mapping[str, Any]:
        import soundeval as se

        return self.of_criterion(inputs, se.Collar(**criterion))

    def collar_distances(self, inputs: Inputs, **criterion: Any) -> Mapping[str, Any]:
        import soundeval as se

        return se.matched_distances(
            inputs.scores,
            inputs.ground_truth,
            se.Collar(**criterion),
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            zero_length="keep",
        )

    def segment_statistics(
        self, inputs: Inputs, *, with_durations: bool = True, **criterion: Any
    ) -> Mapping[str, Any]:
        import soundeval as se

        durations = inputs.audio_durations if with_durations else None
        return self.of_criterion(inputs, se.Segment(**criterion), audio_durations=durations)

    def clip_statistics(self, inputs: Inputs) -> Mapping[str, Any]:
        import soundeval as se

        return self.of_criterion(inputs, se.Clip())

    def of_criterion(self, inputs: Inputs, criterion: Any, **settings: Any) -> Mapping[str, Any]:
        import soundeval as se

        return se.statistics(
            inputs.scores,
            inputs.ground_truth,
            criterion,
            event_classes=inputs.event_classes,
            timestamps=inputs.timestamps,
            zero_length="keep",
            **settings,
        )

    def precision_recall_curve(self, statistics: Any) -> Mapping[str, Any]:
        return statistics.precision_recall_curve().per_class

    def average_precision(self, statistics: Any) -> Any:
        return statistics.average_precision()

    def roc_curve(self, statistics: Any) -> Mapping[str, Any]:
        return statistics.roc_curve().per_class

    def auroc(self, statistics: Any, **settings: Any) -> Any:
        return statistics.auroc(**settings)

    def f_score(self, statistics: Any, threshold: Any, **settings: Any) -> Any:
        return statistics.f_score(threshold, **settings)

    def best_f_score(self, statistics: Any, **settings: Any) -> Any:
        return statistics.best_f_score(**settings)

    def error_rate(self, statistics: Any, threshold: Any) -> Any:
        return statistics.error_rate(threshold)

    def best_error_rate(self, statistics: Any, **settings: Any) -> Any:
        return statistics.best_error_rate(**settings)


IMPLEMENTATIONS = {"reference": Twin(), "soundeval": Fast()}
