"""The best of variants is never below one of them, and is what the twin makes of their points."""

from typing import Any

import strategies
from hypothesis import given
from hypothesis import strategies as st

import soundeval as se
from soundeval import reference

LENGTHS = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0, 3.0]), min_size=1, max_size=4)


@given(
    strategies.evaluation_sets(min_clips=1, some_events=True),
    LENGTHS,
    strategies.intersection_criteria(),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([10.0, 1000.0, 1e6]),
)
def test_the_best_filter_at_each_point_is_that_of_the_twin(
    inputs: Any, lengths: list[float], criterion: Any, alpha_st: float, max_efpr: float
) -> None:
    classes = inputs.classes_with_events()
    inputs = inputs.with_classes(classes)
    scores = se.Scores.from_arrays(inputs.clips, inputs.timestamps, classes)
    alpha_ct = 0.5 if criterion.get("cttc_threshold") is not None else 0.0
    settings: dict[str, Any] = {
        "alpha_ct": alpha_ct,
        "alpha_st": alpha_st,
        "max_efpr": max_efpr,
    }
    variants = [
        se.statistics(
            se.median_filter(scores, length, time_decimals=criterion["time_decimals"]),
            inputs.events,
            se.Intersection(**criterion),
            audio_durations={clip: 7.0 for clip in inputs.clips},
        )
        for length in lengths
    ]
    best = se.psds_of_variants(variants, **settings)
    for name in classes:
        roc = best.curve.per_class[name]
        curves = [alone.curve.per_class[name] for alone in best.per_variant.values()]
        points = reference.best_of_variants(
            [list(zip(c.efpr, c.tpr, c.thresholds, strict=True)) for c in curves]
        )
        found = zip(roc.efpr, roc.tpr, roc.thresholds, roc.variants, strict=True)
        assert list(found) == points
        alone = [result.per_class[name] for result in best.per_variant.values()]
        assert max(alone) <= best.per_class[name]
    one_call = se.pi_psds(
        scores,
        inputs.events,
        {clip: 7.0 for clip in inputs.clips},
        filter_lengths=lengths,
        **criterion,
        **settings,
    )
    assert one_call.value == best.value
    assert one_call.per_class == best.per_class
    # The order of variants only matters for names.
    again = se.psds_of_variants(variants[::-1], **settings)
    assert (again.value, again.per_class) == (best.value, best.per_class)
