"""Named settings are mappings of the arguments of psds."""

import inspect

import numpy as np
import pytest

import soundeval as se

SETTINGS = {
    # name: dtc, gtc, cttc, alpha_ct, alpha_st
    "PSDS1": (0.7, 0.7, None, 0.0, 1.0),
    "PSDS2": (0.1, 0.1, 0.3, 0.5, 1.0),
    "PSDS_2020": (0.5, 0.5, None, 0.0, 0.0),
    "PSDS_2020_CT": (0.5, 0.5, 0.3, 1.0, 0.0),
    "PSDS_2020_ST": (0.5, 0.5, None, 0.0, 1.0),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_those_of_the_challenges(name):
    scenario = getattr(se.scenarios, name)
    names = ("dtc_threshold", "gtc_threshold", "cttc_threshold", "alpha_ct", "alpha_st")
    expected = dict(zip(names, SETTINGS[name], strict=True))
    assert dict(scenario) == {**expected, "unit_of_time": "hour", "max_efpr": 100.0}
    assert scenario.name == name
    assert scenario.criterion == se.Intersection(*SETTINGS[name][:3])


def test_all_scenarios_are_listed():
    scenarios = {n for n, v in vars(se.scenarios).items() if isinstance(v, se.Scenario)}
    assert scenarios == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_scenario_can_be_unpacked_into_psds(name):
    scenario = getattr(se.scenarios, name)
    assert set(scenario) <= set(inspect.signature(se.psds).parameters)
    data = (
        {"a": np.array([[0.1, 0.2], [0.9, 0.8], [0.2, 0.1]])},
        {"a": [(1.0, 2.0, "Dog"), (1.0, 2.0, "Cat")]},
    )
    frames = {"timestamps": [0.0, 1.0, 2.0, 3.0], "event_classes": ["Dog", "Cat"]}
    result = se.psds(*data, {"a": 3.0}, **frames, **scenario)
    assert result.value == 1.0
    stats = se.statistics(*data, scenario.criterion, **frames)
    assert stats.psds({"a": 3.0}, **scenario.curve_arguments) == result


def test_a_scenario_is_a_printable_value():
    text = str(se.scenarios.PSDS2)
    for word in ("PSDS2", "DCASE", "2021", "2024", "DTC 0.1", "CTTC 0.3", "alpha_ct 0.5", "100"):
        assert word in text
    with pytest.raises(AttributeError):
        se.scenarios.PSDS1.alpha_st = 0.0
    with pytest.raises(KeyError):
        se.scenarios.PSDS1["name"]
    assert {**se.scenarios.PSDS1, "max_efpr": 50.0}["max_efpr"] == 50.0
    assert len({se.scenarios.PSDS1, se.scenarios.PSDS2, se.scenarios.PSDS1}) == 2
