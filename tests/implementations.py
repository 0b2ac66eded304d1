"""The fast functions and their twins behind one face, so that one test can be run on both.

Results of both have the same attributes: statistics are a mapping of class to an object with
``thresholds``, ``tps``, ``fps``, ``cts``, ``n_ref`` and ``t_ref``; a PSDS has ``value``,
``per_class`` and ``curve``. Lists on one side are arrays on the other.
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


IMPLEMENTATIONS = {"reference": Twin(), "soundeval": Fast()}
