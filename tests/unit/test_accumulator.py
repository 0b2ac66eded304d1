"""Accumulators merge by clip id: in any order, any grouping, as often as one likes."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import soundeval as se

EDGES = [0.0, 1.0, 2.0, 3.0]
CRITERION = se.Intersection(0.5, 0.5, 0.3)
CLIPS = {
    "a": (np.array([[0.2, 0.1], [0.9, 0.7], [0.4, 0.1]]), [(1.0, 2.0, "Dog")]),
    "b": (np.array([[0.3, 0.1], [0.1, 0.8], [0.2, 0.6]], np.float32), [(1.0, 2.0, "Cat")]),
    "c": (np.array([[0.5, 0.5], [0.1, 0.4], [0.6, 0.9]]), []),
}
DURATIONS = dict.fromkeys(CLIPS, 3.0)


def accumulator(*clips):
    acc = se.Accumulator(CRITERION, ["Dog", "Cat"])
    for clip in clips:
        scores, events = CLIPS[clip]
        acc.update(clip, scores, EDGES, events)
    return acc


def counts(stats):
    return {
        name: (
            c.thresholds.tolist(),
            c.tps.tolist(),
            c.fps.tolist(),
            {other: ct.tolist() for other, ct in c.cts.items()},
            c.n_ref,
            c.t_ref,
        )
        for name, c in stats.items()
    }


WHOLE = counts(accumulator("a", "b", "c").statistics())


def test_it_equals_statistics_of_all_clips_at_once():
    stats = se.statistics(
        {clip: scores for clip, (scores, _) in CLIPS.items()},
        {clip: events for clip, (_, events) in CLIPS.items()},
        CRITERION,
        timestamps=EDGES,
        event_classes=["Dog", "Cat"],
    )
    assert counts(stats) == WHOLE


def test_order_and_grouping_do_not_matter():
    for first, second, third in itertools.permutations("abc"):
        left = (accumulator(first) | accumulator(second)) | accumulator(third)
        right = accumulator(first) | (accumulator(second) | accumulator(third))
        assert counts(left.statistics()) == counts(right.statistics()) == WHOLE
        assert left.to_bytes() == right.to_bytes() == accumulator("a", "b", "c").to_bytes()


def test_bb_118_a_clip_that_comes_twice_counts_once():
    both = accumulator("a", "b") | accumulator("b", "c")
    both.update("a", CLIPS["a"][0], EDGES, CLIPS["a"][1])
    both.merge(both)
    assert len(both) == 3
    assert counts(both.statistics()) == WHOLE


def test_bb_120_an_empty_accumulator_changes_nothing():
    whole = accumulator("a", "b", "c")
    assert (whole | accumulator()).to_bytes() == whole.to_bytes()
    assert (accumulator() | whole).to_bytes() == whole.to_bytes()


def test_a_clip_that_comes_with_other_content_is_refused():
    acc = accumulator("a", "b")
    state = acc.to_bytes()
    with pytest.raises(se.InputError, match="'a'"):
        acc.update("a", CLIPS["b"][0], EDGES, [])
    other = accumulator("c")
    other.update("a", CLIPS["c"][0], EDGES, [(0.0, 1.0, "Dog")])
    with pytest.raises(se.InputError, match="'a'"):
        acc.merge(other)
    assert acc.to_bytes() == state


def test_or_makes_a_new_one_and_in_place_or_does_not():
    a, b = accumulator("a"), accumulator("b")
    both = a | b
    assert (a.clip_ids, b.clip_ids, both.clip_ids) == (["a"], ["b"], ["a", "b"])
    same = a
    a |= b
    assert a is same
    assert a.clip_ids == ["a", "b"]
    with pytest.raises(TypeError):
        a | 3


def test_only_equal_criteria_and_classes_merge():
    with pytest.raises(se.InputError, match="different criteria"):
        accumulator().merge(se.Accumulator(se.Intersection(), ["Dog", "Cat"]))
    with pytest.raises(se.InputError, match="different classes"):
        accumulator().merge(se.Accumulator(CRITERION, ["Cat", "Dog"]))
    with pytest.raises(TypeError, match="can only merge with an Accumulator, got int"):
        accumulator().merge(3)


def test_bytes_hold_the_whole_state():
    acc = accumulator("a", "b", "c")
    read = se.Accumulator.from_bytes(acc.to_bytes())
    assert read.criterion == CRITERION
    assert read.event_classes == ("Dog", "Cat")
    assert read.clip_ids == ["a", "b", "c"]
    assert counts(read.statistics()) == WHOLE


def test_damaged_bytes_are_refused():
    state = accumulator("a", "b").to_bytes()
    damaged = [b"", b"state", state[:-1], state + b"\0", b"\0" + state[1:]]
    for data in damaged:
        with pytest.raises(se.InputError):
            se.Accumulator.from_bytes(data)
    with pytest.raises(TypeError, match="expected bytes, got str"):
        se.Accumulator.from_bytes("state")


@pytest.mark.parametrize(
    "twin_of",
    [
        lambda acc: pickle.loads(pickle.dumps(acc)),
        copy.copy,
        copy.deepcopy,
        se.Accumulator.copy,
    ],
    ids=["pickle", "copy", "deepcopy", "method"],
)
def test_copies_are_independent(twin_of):
    acc = accumulator("a", "b")
    twin = twin_of(acc)
    assert twin.to_bytes() == acc.to_bytes()
    twin.update("c", CLIPS["c"][0], EDGES, CLIPS["c"][1])
    assert acc.clip_ids == ["a", "b"]


def test_statistics_do_not_change_when_more_clips_come():
    acc = accumulator("a", "b")
    stats = acc.statistics()
    acc.update("c", CLIPS["c"][0], EDGES, CLIPS["c"][1])
    assert stats.clip_ids == ["a", "b"]
    assert counts(stats) == counts(accumulator("a", "b").statistics())


def test_durations_and_missing_classes():
    acc = accumulator("a", "c")
    with pytest.raises(se.InputError, match=r"1 score column has no event .*'Cat'"):
        acc.statistics()
    stats = acc.statistics(audio_durations={"a": 3.0, "c": 3.0}, missing_classes="exclude")
    assert stats.excluded_classes == ("Cat",)
    assert stats.psds(alpha_ct=0.5).dataset_duration == 6.0
    with pytest.raises(se.InputError, match="'b'"):
        acc.statistics(audio_durations=DURATIONS, missing_classes="exclude")
    with pytest.raises(se.InputError, match="missing_classes must be one of"):
        acc.statistics(missing_classes="drop")


def test_without_clips_there_are_no_statistics():
    with pytest.raises(se.InputError, match="no clips in the accumulator"):
        accumulator().statistics()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": CLIPS["a"][0][:, 0]}, r"clip 'x' must have shape"),
        ({"scores": CLIPS["a"][0][:, :1]}, "2 columns"),
        ({"timestamps": [0.0, 1.0, 2.0]}, "did you pass frame onsets or centres"),
        ({"timestamps": [0.0, 2.0, 1.0, 3.0]}, "increase"),
        ({"events": [(2.0, 1.0, "Dog")]}, r"events of clip 'x', event 0: .*onset 2\.0 after"),
        ({"events": [(0.0, 1.0, "dog")]}, "1 label .*: 'dog' .*did you mean 'Dog'"),
        ({"events": [(1.0, 1.0, "Dog")]}, "no length"),
        ({"events": "Dog"}, "must be a list"),
    ],
)
def test_wrong_clips_are_refused_and_leave_no_trace(changes, message):
    acc = accumulator("a")
    arguments = {"scores": CLIPS["a"][0], "timestamps": EDGES, "events": [], **changes}
    with pytest.raises(se.InputError, match=message):
        acc.update("x", **arguments)
    assert acc.to_bytes() == accumulator("a").to_bytes()


def test_policies_of_update():
    acc = accumulator("b")
    events = [(1.0, 2.0, "Dog"), (0.0, 1.0, "Horn"), (2.0, 2.0, "Dog")]
    acc.update("a", CLIPS["a"][0], EDGES, events, unknown_labels="ignore", zero_length="drop")
    assert acc.to_bytes() == accumulator("a", "b").to_bytes()


def test_kinds_of_arguments():
    with pytest.raises(TypeError, match="clip_id must be text, got 3"):
        accumulator().update(3, CLIPS["a"][0], EDGES, [])
    with pytest.raises(TypeError, match="criterion must be an Intersection"):
        se.Accumulator("intersection", ["Dog"])
    with pytest.raises(TypeError, match="event_classes must be a list"):
        se.Accumulator(CRITERION, "Dog")
