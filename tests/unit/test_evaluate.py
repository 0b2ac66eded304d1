"""Many metrics of one pass: the same numbers, counted once, read once."""

import json
import math
import os
import pickle
import sys
import weakref

import numpy as np
import pytest

import soundeval as se
from soundeval import counting, example

DATA = example.path()
SCORES, TRUTH, DURATIONS = DATA / "scores", DATA / "ground_truth.tsv", DATA / "durations.tsv"
NAMES = [family.pattern.replace("@T", "@0.5") for family in se.metrics.families()]
EDGES = [0.0, 1.0, 2.0, 3.0, 4.0]


def small(metrics, **arguments):
    """Evaluate one clip of four seconds, in which a dog barks in the second."""
    return se.evaluate(
        {"a": np.array([[0.25], [0.75], [0.5], [0.125]])},
        {"a": [(1.0, 2.0, "Dog")]},
        metrics,
        timestamps=EDGES,
        event_classes=["Dog"],
        **arguments,
    )


@pytest.fixture
def stores(monkeypatch):
    """Return a list to which every store that is made, and every batch that it takes, is added."""
    made = []
    new_store = counting.new_store

    class Recorder:
        def __init__(self, criterion, event_classes):
            self.criterion, self.batches = criterion, []
            self._store = new_store(criterion, event_classes)

        def extend(self, clip_ids, *columns):
            self.batches.append(list(clip_ids))
            self._store.extend(clip_ids, *columns)

        def __getattr__(self, name):
            return getattr(self._store, name)

        def __len__(self):
            return len(self._store)

    def recorded(criterion, event_classes):
        made.append(Recorder(criterion, event_classes))
        return made[-1]

    monkeypatch.setattr(counting, "new_store", recorded)
    return made


def test_the_example_by_hand():
    result = small(["collar-f1@0.3", "collar-best-f1", "segment-auroc"])
    # Above .3 the frames 1-3 s are one detection, which ends a second late; above .5 it is right.
    assert result.value("collar-f1@0.3") == 0.0
    assert result["collar-best-f1"].per_class["Dog"].threshold == 0.625
    assert [result.value(name) for name in result] == [0.0, 1.0, 1.0]
    assert result.per_class("segment-auroc") == {"Dog": 1.0}
    assert list(result) == ["collar-f1@0.3", "collar-best-f1", "segment-auroc"]


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_is_what_its_method_returns(name):
    metric = se.metric(name)
    if metric.filter_lengths:
        shares = {k: getattr(metric.criterion, k) for k in metric.criterion.__dataclass_fields__}
        direct = se.pi_psds(SCORES, TRUTH, DURATIONS, **shares, **metric.arguments)
    else:
        statistics = se.statistics(SCORES, TRUTH, metric.criterion, audio_durations=DURATIONS)
        direct = getattr(statistics, metric.method)(**metric.arguments)
    together = se.evaluate(SCORES, TRUTH, [name, "collar-best-er"], audio_durations=DURATIONS)
    assert together[name] == direct
    assert together[name].to_dict() == direct.to_dict()
    number = float(direct) if hasattr(direct, "__float__") else together.value(name)
    assert together.value(name) == number
    assert math.isfinite(number)
    assert set(together.per_class(name)) in ({*together.event_classes}, set())


def test_every_filter_is_applied_once_for_all_metrics(monkeypatch):
    lengths = []

    def counted(scores, length, **settings):
        lengths.append(length)
        return se.median_filter(scores, length, **settings)

    # The function hides its module of the same name.
    monkeypatch.setattr(sys.modules["soundeval.evaluate"], "median_filter", counted)
    chosen = [se.metric(name, filter_lengths=[0, 0.5]) for name in ("pi-psds1", "pi-psds2")]
    se.evaluate(SCORES, TRUTH, [*chosen, "psds1"], audio_durations=DURATIONS)
    assert lengths == [0.0, 0.5]


def test_filters_of_nearly_the_same_length_are_different_variants():
    metric = se.metric("pi-psds1", filter_lengths=[0.5, 0.50000001])
    result = se.evaluate(SCORES, TRUTH, metric, audio_durations=DURATIONS)["pi-psds1"]
    assert result.variant_names == ("0.5 s", "0.5 s (1)")


def test_statistics_of_filters_and_of_scores_are_told_apart():
    metric = se.metric("pi-psds1")
    stats = se.statistics(SCORES, TRUTH, metric.criterion, audio_durations=DURATIONS)
    with pytest.raises(TypeError, match="pi-psds1 takes the statistics of every filter"):
        metric.of(stats)
    with pytest.raises(TypeError, match="psds1 takes Statistics, got dict"):
        se.metric("psds1").of({"0 s": stats})
    assert metric.of({"0 s": stats}).value == se.metric("psds1").of(stats).value


def test_all_metrics_at_once_are_each_alone():
    together = se.evaluate(SCORES, TRUTH, NAMES, audio_durations=DURATIONS)
    assert list(together) == NAMES
    for name in NAMES:
        alone = se.evaluate(SCORES, TRUTH, name, audio_durations=DURATIONS)
        assert alone[name] == together[name]


def test_headlines_are_macro_averages_or_values():
    result = se.evaluate(SCORES, TRUTH, ["collar-f1@0.5", "clip-ap", "segment-er@0.5"])
    assert result.value("collar-f1@0.5") == result["collar-f1@0.5"].macro.f_score
    assert result.value("clip-ap") == result["clip-ap"].value
    assert result.value("segment-er@0.5") == result["segment-er@0.5"].macro.error_rate
    classes = result["collar-f1@0.5"].per_class
    assert result.per_class("collar-f1@0.5") == {n: c.f_score for n, c in classes.items()}


def test_each_criterion_is_counted_once(stores):
    names = ["collar-f1@0.5", "collar-best-f1", "collar-ap", "segment-ap", "psds-2020", "psds"]
    result = se.evaluate(SCORES, TRUTH, names, audio_durations=DURATIONS)
    criteria = [se.Collar(), se.Segment(), se.Intersection(0.5, 0.5)]
    assert [store.criterion for store in stores] == criteria
    assert list(result.statistics) == criteria
    assert result.statistics[se.Collar()].f_score(0.5) == result["collar-f1@0.5"]


def test_a_stream_is_read_once_and_every_batch_goes_to_all_criteria(stores):
    reads = []

    def stream():
        for clip in "abcd":
            reads.append((clip, [len(store.batches) for store in stores]))
            yield clip, np.array([[0.25], [0.75], [0.5], [0.125]]), EDGES

    truth = {clip: [(1.0, 2.0, "Dog")] for clip in "abcd"}
    names = ["collar-ap", "segment-ap", "clip-ap"]
    result = se.evaluate(stream(), truth, names, event_classes=["Dog"])
    # The second batch has not begun before the first is in all three stores.
    assert [clip for clip, _ in reads] == list("abcd")
    assert reads[1] == ("b", [1, 1, 1])
    assert [store.batches for store in stores] == [[["a"], ["b", "c"], ["d"]]] * 3
    assert result.n_clips == 4
    assert result.n_events == {"Dog": 4}


def test_batches_that_were_counted_are_let_go():
    held = []

    def stream():
        for i in range(64):
            array = np.zeros((4, 1))
            held.append(weakref.ref(array))
            yield f"{i}", array, EDGES
            del array

    truth = {f"{i}": [(1.0, 2.0, "Dog")] for i in range(64)}
    alive = []

    def watched():
        for clip in stream():
            alive.append(sum(ref() is not None for ref in held))
            yield clip

    se.evaluate(watched(), truth, ["collar-ap", "segment-ap"], event_classes=["Dog"])
    # Batches double: never more than the one that fills up and the one before it.
    assert max(alive) <= 48


def test_files_are_read_once(monkeypatch):
    from soundeval import score_files

    read, read_files = [], score_files.read_files
    monkeypatch.setattr(
        score_files, "read_files", lambda paths: read.extend(paths) or read_files(paths)
    )
    se.evaluate(SCORES, TRUTH, ["collar-ap", "segment-ap", "clip-ap"])
    # The first twice, for its classes.
    assert len(read) == 32 + 1


def test_names_of_ones_own_tell_metrics_apart():
    result = small(
        {
            "strict": se.metric("collar-f1@0.3", onset_collar=0.1),
            "loose": se.metric("collar-f1@0.3", offset_collar=1.0),
            "segments": "segment-f1@0.3",
        }
    )
    assert [result.value(name) for name in result] == [0.0, 1.0, 2.0 / 3.0]
    assert len(result.statistics) == 3
    assert result.metrics["loose"].changed == {"offset_collar": 1.0}
    assert list(result.to_dict())[:3] == ["strict", "loose", "segments"]


def test_metrics_of_one_name_with_other_parameters_are_an_error():
    metrics = ["collar-f1@0.3", se.metric("collar-f1@0.3", onset_collar=0.1)]
    with pytest.raises(se.InputError, match=r"two metrics are called 'collar-f1@0.3'.*strict"):
        small(metrics)
    assert list(small(["collar-f1@0.3", "Collar-F1@0.30"])) == ["collar-f1@0.3"]


def test_results_are_found_in_any_spelling():
    result = small(["collar-f1@0.3", "segment-map"])
    assert result["Collar_F1@.30"] is result["collar-f1@0.3"]
    assert result.value("segment-map") == result.value("segment-ap")
    assert "segment-ap" in result
    assert "clip-ap" not in result
    with pytest.raises(KeyError, match=r"was not evaluated; did you mean 'collar-f1@0.3'"):
        result["collar-f1@0.5"]
    with pytest.raises(KeyError):
        result[5]


def test_durations_are_only_needed_by_psds():
    result = small(["segment-ap", "intersection-f1@0.5"])
    assert result.dataset_duration is None
    with pytest.raises(se.InputError, match=r"durations of the clips.*'psds1', 'psds'"):
        small({"psds1": "psds1", "ap": "clip-ap", "psds": "intersection-psds"})
    assert small("psds1", audio_durations={"a": 4.0}).dataset_duration == 4.0


def test_segments_are_cut_by_the_durations():
    result = small(["segment-ap"], audio_durations={"a": 8.0})
    assert result.statistics[se.Segment()]["Dog"].n_negatives == 7


def test_thresholds_of_one_data_set_are_applied_to_another(tmp_path):
    small("collar-best-f1")["collar-best-f1"].thresholds.to_json(tmp_path / "best.json")
    name = f"collar-f1@{tmp_path / 'best.json'}"
    assert small(name).value(name) == 1.0
    se.Thresholds({"Cat": 0.5}).to_json(tmp_path / "best.json")
    with pytest.raises(se.InputError, match=r"best.json: no threshold for 1 class: 'Dog'"):
        small(name)


def test_everything_is_looked_at_before_scores_are_read():
    def stream():
        pytest.fail("reading has begun")
        yield

    for metrics, error in [
        (["psds3"], se.InputError),
        (["psds1"], se.InputError),
        ([], se.InputError),
        ({"": "clip-ap"}, se.InputError),
        ({5: "clip-ap"}, TypeError),
        ([5], TypeError),
        (5, TypeError),
    ]:
        with pytest.raises(error):
            se.evaluate(stream(), {}, metrics, event_classes=["Dog"])
    with pytest.raises(se.InputError, match="extra_clips"):
        se.evaluate(stream(), {}, ["clip-ap"], event_classes=["Dog"], extra_clips="drop")


def test_policies_are_told_once():
    result = se.evaluate(
        {"a": np.array([[0.25, 0.5], [0.75, 0.5]])},
        {"a": [(1.0, 2.0, "Dog"), (0.0, 0.0, "Dog")], "b": []},
        ["collar-ap", "segment-ap"],
        timestamps=EDGES[:3],
        event_classes=["Dog", "Cat"],
        extra_clips="ignore",
        missing_classes="exclude",
        zero_length="drop",
    )
    assert result.event_classes == ("Dog",)
    assert result.n_events == {"Dog": 1}
    assert len(result.notes) == 3
    assert repr(result).count("note: ") == 3


def test_to_dict_is_flat_json():
    result = se.evaluate(SCORES, TRUTH, NAMES, audio_durations=DURATIONS)
    flat = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert flat["psds1"] == result.value("psds1")
    assert flat["collar-f1@0.5/micro_recall"] == result["collar-f1@0.5"].micro.recall
    assert flat["segment-auroc/auroc/Dog"] == result["segment-auroc"].per_class["Dog"]
    assert not any(isinstance(value, dict) for value in flat.values())


def test_undefined_numbers_are_none_in_json_and_nan_in_tables():
    # Every clip has a dog: there is nothing to be right about elsewhere.
    result = small("clip-auroc")
    assert math.isnan(result.value("clip-auroc"))
    assert result.to_dict()["clip-auroc"] is None
    assert "nan" in repr(result)


def test_repr_has_headlines_then_classes():
    lines = repr(se.evaluate(SCORES, TRUTH, audio_durations=DURATIONS)).splitlines()
    assert lines[0] == "Evaluation of 32 clips, 5.33 min of audio, 5 classes, 147 events"
    assert lines[1:3] == ["  psds1  0.2201", "  psds2  0.4900"]
    assert lines[4].split() == ["psds1", "psds2"]
    assert lines[5].split() == ["Alarm", "0.8769", "0.9444"]


def test_repr_of_many_metrics_stays_narrow():
    text = repr(se.evaluate(SCORES, TRUTH, NAMES, audio_durations=DURATIONS))
    assert max(map(len, text.splitlines())) <= 100


def test_html_escapes_names():
    result = se.evaluate(
        {"a": np.array([[0.25], [0.75]])},
        {"a": [(1.0, 2.0, "<b>")]},
        {"<i>": "segment-ap"},
        timestamps=EDGES[:3],
        event_classes=["<b>"],
    )
    html = result._repr_html_()
    assert "<i>" not in html
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_evaluations_can_be_pickled():
    result = se.evaluate(SCORES, TRUTH, audio_durations=DURATIONS)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict()
    assert repr(again) == repr(result)


def test_results_do_not_depend_on_the_number_of_threads():
    def run():
        names = ["psds1", "collar-best-f1", "segment-auroc"]
        return se.evaluate(SCORES, TRUTH, names, audio_durations=DURATIONS).to_dict()

    try:
        se.set_num_threads(1)
        alone = run()
        se.set_num_threads(2)
        assert run() == alone
    finally:
        se.set_num_threads(os.cpu_count() or 1)
