"""Many metrics of one pass are what they are alone, whatever the scores come as."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    EvaluationSet,
    collar_criteria,
    evaluation_sets,
    intersection_criteria,
    segment_criteria,
)

import soundeval as se

pytestmark = pytest.mark.filterwarnings("ignore::soundeval.errors.InputWarning")

NUMBERS = {
    se.Clip: ["clip-ap", "clip-auroc", "clip-best-f2"],
    se.Segment: ["segment-f1", "segment-best-er", "segment-auroc"],
    se.Collar: ["collar-f0.5", "collar-best-f1", "collar-er", "collar-ap"],
    se.Intersection: ["intersection-best-f1", "intersection-er", "intersection-ap"],
}

criteria = st.one_of(
    st.just(("clip", {})),
    segment_criteria().map(lambda parameters: ("segment", parameters)),
    collar_criteria().map(lambda parameters: ("collar", parameters)),
    intersection_criteria().map(lambda parameters: ("intersection", parameters)),
)
thresholds = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])


@st.composite
def metrics(draw: st.DrawFn) -> dict[str, se.Metric]:
    """Some metrics, several of them on the same criterion."""
    found: dict[str, se.Metric] = {}
    for kind, parameters in draw(st.lists(criteria, min_size=1, max_size=3)):
        its = next(names for names in NUMBERS.values() if names[0].startswith(kind))
        for name in draw(st.lists(st.sampled_from(its), min_size=1, max_size=3)):
            given_too: dict[str, Any] = {}
            if name.endswith(("-er", "-f1", "-f0.5")) and "best" not in name:
                given_too["threshold"] = draw(thresholds)
            found[f"{len(found)}"] = se.metric(name, **parameters, **given_too)
    return found


def as_kind(evaluation_set: EvaluationSet, kind: str) -> dict[str, Any]:
    """Return the scores as arrays or as a stream, with the arguments that go with them."""
    if kind == "arrays":
        return {"scores": evaluation_set.clips, "timestamps": evaluation_set.timestamps}
    triples = [
        (clip, scores, evaluation_set.timestamps[clip])
        for clip, scores in evaluation_set.clips.items()
    ]
    return {"scores": iter(triples)}


@given(
    evaluation_set=evaluation_sets(min_clips=1, some_events=True),
    metrics=metrics(),
    kind=st.sampled_from(["arrays", "stream"]),
)
def test_one_pass_equals_many(
    evaluation_set: EvaluationSet, metrics: dict[str, se.Metric], kind: str
) -> None:
    arguments = {
        "ground_truth": evaluation_set.events,
        "event_classes": evaluation_set.classes,
        "missing_classes": "exclude",
    }
    together = se.evaluate(**as_kind(evaluation_set, kind), metrics=metrics, **arguments)
    assert list(together) == list(metrics)
    assert len(together.statistics) == len({metric.criterion for metric in metrics.values()})
    for name, metric in metrics.items():
        alone = se.statistics(
            **as_kind(evaluation_set, "arrays"), criterion=metric.criterion, **arguments
        )
        assert together.statistics[metric.criterion]._store.to_bytes() == alone._store.to_bytes()
        # As text, because NaN is not equal to itself.
        assert repr(together[name]) == repr(metric.of(alone))
        assert repr(together[name].to_dict()) == repr(metric.of(alone).to_dict())
    labels = [label for events in evaluation_set.events.values() for *_, label in events]
    assert together.n_events == {name: labels.count(name) for name in together.event_classes}
