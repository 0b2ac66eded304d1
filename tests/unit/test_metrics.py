"""Names of metrics: what each stands for, and what is said of those that stand for nothing."""

import math
import pickle

import pytest

import soundeval as se
from soundeval import metrics
from soundeval.metric_catalogue import CRITERIA, NUMBERS, PARAMETERS

CLIP, SEGMENT, COLLAR = se.Clip(), se.Segment(1.0), se.Collar(0.2, 0.2, 0.2)
INTERSECTION = se.Intersection(0.5, 0.5)


@pytest.mark.parametrize(
    ("name", "criterion", "method", "arguments"),
    [
        ("collar-f1@0.5", COLLAR, "f_score", {"threshold": 0.5, "beta": 1.0}),
        ("clip-f0.5@0.3", CLIP, "f_score", {"threshold": 0.3, "beta": 0.5}),
        ("segment-f2@-1", SEGMENT, "f_score", {"threshold": -1.0, "beta": 2.0}),
        (
            "intersection-best-f1",
            INTERSECTION,
            "best_f_score",
            {"beta": 1.0, "min_precision": 0.0, "min_recall": 0.0},
        ),
        ("segment-er@.25", SEGMENT, "error_rate", {"threshold": 0.25}),
        (
            "collar-best-er",
            COLLAR,
            "best_error_rate",
            {"max_insertion_rate": None, "max_deletion_rate": None},
        ),
        ("intersection-ap", INTERSECTION, "average_precision", {}),
        ("clip-auroc", CLIP, "auroc", {"max_fpr": None, "mcclish_correction": False}),
        ("segment-accuracy@0.5", SEGMENT, "accuracy", {"threshold": 0.5, "factor": 0.5}),
        ("clip-overall-er@0.5", CLIP, "overall_error_rate", {"threshold": 0.5}),
    ],
)
def test_a_name_is_a_criterion_and_a_method_of_statistics(name, criterion, method, arguments):
    metric = se.metric(name)
    assert metric.criterion == criterion
    assert (metric.method, metric.arguments) == (method, arguments)


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        ("psds1", se.scenarios.PSDS1),
        ("psds2", se.scenarios.PSDS2),
        ("psds-2020", se.scenarios.PSDS_2020),
        ("psds-2020-ct", se.scenarios.PSDS_2020_CT),
        ("psds-2020-st", se.scenarios.PSDS_2020_ST),
    ],
)
def test_scenarios_are_those_of_the_challenges(name, scenario):
    metric = se.metric(name)
    assert metric.criterion == scenario.criterion
    assert metric.arguments == scenario.curve_arguments | {"oracle": True}
    assert metric.needs_durations
    assert metric.changed == {}


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("Collar-F1@0.50", "collar-f1@0.5"),
        ("collar_f1@5e-1", "collar-f1@0.5"),
        (" psds1 ", "psds1"),
        ("PSDS_2020_CT", "psds-2020-ct"),
        ("psds", "intersection-psds"),
        ("segment-map", "segment-ap"),
        ("clip-f1.0@1", "clip-f1@1"),
        ("clip-f1@inf", "clip-f1@inf"),
    ],
)
def test_a_metric_has_one_name_in_any_spelling(spelling, name):
    assert se.metric(spelling).name == name
    assert se.metric(spelling) == se.metric(name)
    assert hash(se.metric(spelling)) == hash(se.metric(name))


def test_defaults_are_those_of_the_field():
    assert se.metric("collar-ap").parameters == {
        "onset_collar": 0.2,
        "offset_collar": 0.2,
        "offset_collar_rate": 0.2,
        "time_decimals": 6,
    }
    assert se.metric("segment-ap").parameters == {"segment_length": 1.0, "time_decimals": 6}
    # As the intersection-based F1-score of the baselines of DCASE, unlike Intersection().
    shares = se.metric("intersection-f1@0.5").criterion
    assert (shares.dtc_threshold, shares.gtc_threshold, shares.cttc_threshold) == (0.5, 0.5, None)


def test_parameters_go_to_the_criterion_or_to_the_number():
    metric = se.metric("segment-auroc", segment_length=2, max_fpr=1, mcclish_correction=True)
    assert metric.criterion == se.Segment(2.0)
    assert metric.arguments == {"max_fpr": 1.0, "mcclish_correction": True}
    assert metric.changed == {
        "segment_length": 2.0,
        "max_fpr": 1.0,
        "mcclish_correction": True,
    }
    onsets = se.metric("collar-f1@0.5", offset_collar=None)
    assert onsets.criterion == se.Collar(0.2, None)
    own = se.metric("psds", dtc_threshold=0.1, cttc_threshold=0.3, alpha_ct=0.5, alpha_st=1)
    assert own.criterion == se.Intersection(0.1, 0.5, 0.3)
    assert own.arguments["alpha_ct"] == 0.5
    assert se.metric("psds1", alpha_st=0, max_efpr=50).changed == {"alpha_st": 0.0, "max_efpr": 50}


def test_thresholds_come_from_a_file_or_a_mapping(tmp_path, monkeypatch):
    thresholds = se.Thresholds({"Dog": 0.25, "Cat": math.inf})
    path = tmp_path / "Tuned.json"
    thresholds.to_json(path)
    monkeypatch.chdir(tmp_path)
    for name in ("collar-f1@Tuned.json", f"collar-f1@{path}"):
        assert se.metric(name).arguments["threshold"] == thresholds
        assert se.metric(name).name == name
    metric = se.metric("collar-f1", threshold={"Dog": 0.25, "Cat": math.inf})
    assert metric.name == "collar-f1"
    assert metric.arguments["threshold"] == thresholds
    assert hash(metric) == hash(se.metric("collar-f1", threshold=thresholds))
    assert se.metric("collar-f1", threshold=0.5) == se.metric("collar-f1@0.5")


def test_metrics_are_values():
    metric = se.metric("collar-f1@0.5", onset_collar=0.1)
    assert metric == se.metric("collar-f1@0.5", onset_collar=0.1)
    assert metric != se.metric("collar-f1@0.5")
    assert pickle.loads(pickle.dumps(metric)) == metric
    with pytest.raises(AttributeError):
        metric.name = "other"


def test_every_metric_says_what_it_is():
    for family in metrics.families():
        metric = se.metric(family.name, **({"threshold": 0.5} if "@T" in family.pattern else {}))
        assert repr(metric).startswith(f"{metric.name}: {metric.description.rstrip('.')}\n  ")
        assert metric.papers
        for paper in metric.papers:
            assert paper.url.startswith("https://doi.org/10.")
            assert str(paper.year) in paper.short
            assert paper.title in str(paper)
        assert metric.defaults == metric.parameters


def test_the_catalogue_is_complete():
    used = {name for kind in CRITERIA.values() for name in kind.defaults}
    used |= {name for number in NUMBERS.values() for name in number.defaults}
    assert used == set(PARAMETERS)
    for kind in CRITERIA.values():
        assert set(kind.defaults) == set(kind.make.__dataclass_fields__)
    assert len(set(metrics.names())) == len(metrics.names()) == 7 + 8 + 8 + 5 + 7


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("colar-f1@0.5", ["'colar-f1@0.5'", "did you mean 'collar-f1@0.5'", "auroc", "psds1"]),
        ("psds3", ["did you mean 'psds", "psds-2020-ct"]),
        ("segment-aurok", ["did you mean 'segment-auroc'"]),
        ("", ["no metric is called ''"]),
        ("f1@0.5", ["needs a criterion", "collar-f1@0.5", "clip-f1@0.5"]),
        ("best-f1", ["needs a criterion", "segment-best-f1"]),
        ("collar-auroc", ["AUROC is defined for clip and segment only"]),
        ("segment-psds", ["PSDS is defined for intersection only"]),
        ("collar-f1", ["needs a decision threshold", "'collar-f1@0.5'", "thresholds.json"]),
        ("collar-f1@", ["a threshold must follow the @", "'collar-f1@0.5'"]),
        ("collar-f1@half", ["'half' is neither a number nor a file"]),
        ("collar-f1@nan", ["threshold must be a number, got nan"]),
        ("collar-best-f1@0.5", ["no decision threshold to choose", "'@0.5'"]),
        ("psds1@0.5", ["no decision threshold to choose"]),
        ("collar-f0@0.5", ["beta", "greater than 0"]),
        ("collar-f@0.5", ["no metric is called"]),
    ],
)
def test_a_wrong_name_is_an_error_that_helps(name, words):
    with pytest.raises(se.InputError) as caught:
        se.metric(name)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("collar-ap", {"onset_colar": 0.5}, ["no parameter 'onset_colar'", "'onset_collar'"]),
        ("clip-ap", {"segment_length": 1.0}, ["'clip-ap' has no parameters"]),
        ("segment-ap", {"max_fpr": 0.1}, ["no parameter 'max_fpr'", "'segment_length'"]),
        ("psds1", {"dtc_threshold": 0.5}, ["stands for dtc_threshold 0.7", "intersection-psds"]),
        ("segment-ap", {"threshold": 0.5}, ["no decision threshold"]),
        ("collar-f1@0.5", {"threshold": 0.5}, ["leave the keyword threshold out"]),
        ("segment-auroc", {"max_fpr": 0}, ["max_fpr must be greater than 0 and at most 1, got 0"]),
        ("segment-ap", {"segment_length": 0}, ["segment_length must be finite and greater than 0"]),
        ("collar-ap", {"onset_collar": -1}, ["onset_collar must be finite and 0 or more"]),
        ("collar-best-f1", {"min_recall": 2}, ["min_recall must be between 0 and 1"]),
        ("psds", {"alpha_ct": 0.5}, ["cttc_threshold"]),
        ("psds", {"cttc_threshold": 0.5}, ["alpha_ct=0"]),
        ("psds1", {"unit_of_time": "day"}, ["unit_of_time must be one of", "'hour'"]),
        ("clip-f1", {"threshold": {}}, ["there are no thresholds"]),
    ],
)
def test_a_wrong_parameter_is_an_error_that_helps(name, parameters, words):
    with pytest.raises(se.InputError) as caught:
        se.metric(name, **parameters)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        (5, {}, "the name of a metric must be text, got int"),
        ("psds1", {"oracle": 1}, "oracle must be True or False, got int"),
        ("psds1", {"unit_of_time": 1}, "unit_of_time must be text, got int"),
        ("collar-ap", {"onset_collar": "0.5"}, "onset_collar must be a number, got str"),
        ("collar-ap", {"onset_collar": None}, "onset_collar must be a number, got NoneType"),
        ("collar-ap", {"time_decimals": 6.0}, "time_decimals must be a whole number, got float"),
        ("clip-f1", {"threshold": "0.5"}, "threshold must be a number, got str"),
    ],
)
def test_a_value_of_a_wrong_kind_is_a_type_error(name, parameters, message):
    with pytest.raises(TypeError, match=message):
        se.metric(name, **parameters)


def test_a_missing_file_of_thresholds_is_named():
    with pytest.raises(FileNotFoundError) as caught:
        se.metric("collar-f1@nowhere.json")
    assert caught.value.filename == "nowhere.json"


def test_a_metric_is_made_of_statistics_of_its_criterion_only():
    statistics = se.statistics(
        {"a": [[0.25], [0.75]]},
        {"a": [(1.0, 2.0, "Dog")]},
        se.Segment(),
        timestamps=[0.0, 1.0, 2.0],
        event_classes=["Dog"],
    )
    assert se.metric("segment-ap").of(statistics) == statistics.average_precision()
    with pytest.raises(se.InputError, match=r"clip-ap needs statistics of Clip\(\)"):
        se.metric("clip-ap").of(statistics)
    with pytest.raises(se.InputError, match="segment_length=2"):
        se.metric("segment-ap", segment_length=2.0).of(statistics)
