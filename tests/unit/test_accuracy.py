"""Accuracy, sensitivity and specificity, and the error rate over all classes, by hand."""

import json
import math

import numpy as np
import pytest
from tagged_clips import figure_1, of_clips, two_classes

import soundeval as se

FIGURE_1 = figure_1()
TWO = two_classes()


def test_sensitivity_is_of_the_positives_and_specificity_of_the_negatives():
    dog = FIGURE_1.accuracy(0.6).per_class["Dog"]
    # .9 and .8 are right, .7 is false, .5 is missed, .3 and .1 are rightly silent.
    assert (dog.tps, dog.fps, dog.fns, dog.tns) == (2, 1, 1, 2)
    assert dog.sensitivity == dog.specificity == dog.balanced_accuracy == 2 / 3
    assert dog.accuracy == 4 / 6


def test_silence_is_mostly_right_but_balanced_it_is_half_right():
    result = of_clips([0.1, 0.1, 0.1, 0.1], [0, 0, 0, 1]).accuracy(0.5)
    assert result.macro == se.Accuracy(0.75, 0.5, 0.0, 1.0)


def test_the_factor_is_the_weight_of_specificity():
    result = of_clips([0.1, 0.1, 0.1, 0.1], [0, 0, 0, 1])
    assert result.accuracy(0.5, factor=1.0).macro.balanced_accuracy == 1.0
    assert result.accuracy(0.5, factor=0.25).macro.balanced_accuracy == 0.25


def test_macro_is_the_mean_over_classes_and_micro_is_of_summed_counts():
    result = TWO.accuracy(0.5)
    # Dog: one right of two, one silent of two. Cat: one right of three, one silent of one.
    assert result.macro.sensitivity == (1 / 2 + 1 / 3) / 2
    assert result.micro.sensitivity == 2 / 5
    assert result.macro.specificity == (1 / 2 + 1) / 2
    assert result.micro.specificity == 2 / 3


def test_a_class_in_every_unit_has_no_specificity_and_a_note_says_so():
    result = of_clips([0.9, 0.1], [1, 1]).accuracy(0.5)
    assert result.macro.accuracy == 0.5
    assert math.isnan(result.macro.specificity)
    assert math.isnan(result.macro.balanced_accuracy)
    assert "without negatives" in result.notes[0]
    assert "Dog" in result.notes[0]
    assert result.to_dict()["macro_specificity"] is None


def test_thresholds_can_be_of_each_class():
    result = TWO.accuracy({"Dog": 0.2, "Cat": 0.05})
    assert result.macro.sensitivity == 1.0


def test_results_are_flat_and_readable():
    result = TWO.accuracy(0.5)
    flat = json.loads(json.dumps(result.to_dict()))
    assert flat["accuracy/Dog"] == 0.5
    assert flat["tns/Cat"] == 1
    assert repr(result).splitlines()[0] == "Accuracy 0.5000 macro, 0.5000 micro"
    assert "<table" in result._repr_html_()


@pytest.mark.parametrize("criterion", [se.Collar(), se.Intersection()])
def test_events_have_no_true_negatives_and_no_units(criterion):
    stats = se.statistics(
        {"a": np.array([[0.2], [0.9]])},
        {"a": [(1.0, 2.0, "Dog")]},
        criterion,
        timestamps=[0.0, 1.0, 2.0],
        event_classes=["Dog"],
    )
    with pytest.raises(se.InputError, match=r"true negatives.*Segment or Clip"):
        stats.accuracy(0.5)
    with pytest.raises(se.InputError, match=r"Segment or Clip.*match"):
        stats.overall_error_rate(0.5)


def test_wrong_arguments_are_named():
    with pytest.raises(se.InputError, match="factor must be between 0 and 1"):
        TWO.accuracy(0.5, factor=2.0)
    with pytest.raises(se.InputError, match="no threshold for 1 class: 'Cat'"):
        TWO.accuracy({"Dog": 0.5})
    with pytest.raises(se.InputError, match="nan"):
        TWO.overall_error_rate(math.nan)


# -- over all classes -----------------------------------------------------------------------------


def segments(scores, events, **arguments):
    """One clip in frames of a second, for the classes Dog, Cat and Owl."""
    scores = np.asarray(scores, dtype=float)
    return se.statistics(
        {"a": scores},
        {"a": events},
        se.Segment(),
        timestamps=np.arange(len(scores) + 1.0),
        event_classes=["Dog", "Cat", "Owl"][: scores.shape[1]],
        missing_classes="exclude",
        **arguments,
    )


def test_one_class_for_another_is_a_substitution():
    #          Dog  Cat  Owl
    scores = [[0.9, 0.9, 0.1],  # right, but for an inserted cat
              [0.1, 0.9, 0.1],  # a cat for a dog: substitution
              [0.1, 0.1, 0.1],  # dog and cat deleted
              [0.9, 0.1, 0.9]]  # both inserted  # fmt: skip
    events = [(0.0, 3.0, "Dog"), (2.0, 3.0, "Cat"), (0.0, 1.0, "Owl")]
    rate = segments(scores, events).overall_error_rate(0.5)
    # In the first second the cat stands in for the owl.
    assert (rate.substitutions, rate.deletions, rate.insertions, rate.n_ref) == (2, 2, 2, 5)
    assert rate.error_rate == pytest.approx(6 / 5, abs=1e-15)
    assert rate.substitution_rate == rate.deletion_rate == rate.insertion_rate == 2 / 5


def test_nothing_detected_is_all_deleted():
    stats = segments([[0.9, 0.9]], [(0.0, 1.0, "Dog"), (0.0, 1.0, "Cat")])
    assert stats.overall_error_rate(math.inf) == se.OverallErrorRate(1.0, 0.0, 1.0, 0.0, 0, 2, 0, 2)
    assert stats.overall_error_rate(-math.inf).error_rate == 0.0


def test_segments_without_frames_are_missed_where_they_are_positive():
    stats = segments([[0.9, 0.9]], [(0.0, 3.0, "Dog"), (0.0, 1.0, "Cat")])
    assert stats["Dog"].n_ref == 3
    rate = stats.overall_error_rate(-math.inf)
    assert (rate.deletions, rate.insertions, rate.n_ref) == (2, 0, 4)


def test_excluded_classes_take_no_part():
    stats = segments([[0.9, 0.9]], [(0.0, 1.0, "Dog")])
    assert stats.excluded_classes == ("Cat",)
    assert stats.overall_error_rate(0.5).error_rate == 0.0


def test_clips_are_units_too():
    rate = TWO.overall_error_rate(0.5)
    # Both right; a dog inserted; both missed; a cat missed.
    assert (rate.substitutions, rate.deletions, rate.insertions, rate.n_ref) == (0, 3, 1, 5)


def test_the_order_of_units_survives_bytes_and_merging():
    halves = []
    for clip, scores, events in [
        ("a", [[0.1, 0.9], [0.9, 0.1]], [(0.0, 1.0, "Dog"), (1.0, 2.0, "Cat")]),
        ("b", [[-math.inf, 0.9], [-math.inf, 0.1]], [(0.0, 1.0, "Dog")]),
    ]:
        half = se.Accumulator(se.Segment(), ["Dog", "Cat"])
        half.update(clip, np.array(scores), [0.0, 1.0, 2.0], events)
        halves.append(se.Accumulator.from_bytes(half.to_bytes()))
    rate = (halves[1] | halves[0]).statistics().overall_error_rate(0.5)
    assert (rate.substitutions, rate.deletions, rate.insertions) == (3, 0, 0)


def test_lists_of_events_have_the_same_errors_as_their_matches():
    detections = {"a": [(0.0, 1.0, "Cat"), (1.5, 2.5, "Dog"), (1.0, 2.0, "Dog")], "b": []}
    truth = {"a": [(0.0, 2.0, "Dog")], "b": [(0.0, 0.5, "Cat")]}
    for criterion in (se.Segment(), se.Segment(0.3), se.Clip()):
        stats = se.detection_statistics(detections, truth, criterion)
        matched = se.match(detections, truth, criterion).overall_error_rate()
        assert stats.overall_error_rate(0.5) == matched
