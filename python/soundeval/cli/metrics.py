"""The metrics of the command line by name, and what their parameters mean in words."""

from __future__ import annotations

from typing import NamedTuple

import soundeval as se
from soundeval import scenarios


class Metric(NamedTuple):
    """A metric of the command line: its heading in tables, where it comes from, its settings."""

    heading: str
    origin: str
    scenario: scenarios.Scenario


METRICS = {
    "psds1": Metric("PSDS1", "DCASE 2021 to 2024, scenario 1", scenarios.PSDS1),
    "psds2": Metric("PSDS2", "DCASE 2021 to 2024, scenario 2", scenarios.PSDS2),
    "psds-2020": Metric("PSDS 2020", "DCASE 2020", scenarios.PSDS_2020),
    "psds-2020-ct": Metric(
        "PSDS 2020 CT", "DCASE 2020 with cross-triggers", scenarios.PSDS_2020_CT
    ),
    "psds-2020-st": Metric(
        "PSDS 2020 ST", "DCASE 2020 with stability across classes", scenarios.PSDS_2020_ST
    ),
}


def in_words(name: str, result: se.PSDSResult) -> list[str]:
    """Say every parameter of a metric in words.

    Parameters
    ----------
    name : str
        Key of ``METRICS``.
    result : PSDSResult
        The result, which carries the parameters that were really used.

    Returns
    -------
    list of str
        The metric and where it comes from, then one sentence per parameter.
    """
    metric, criterion = METRICS[name], result.criterion
    dtc, gtc, cttc = criterion.dtc_threshold, criterion.gtc_threshold, criterion.cttc_threshold
    if cttc is None:
        cross = "Cross-triggers cost nothing extra (alpha_ct 0)."
    else:
        cross = (
            f"A detection that is not relevant, but for at least {_percent(cttc)} covered by "
            f"events of another class (cttc_threshold {cttc:g}), is a cross-trigger, whose rate "
            f"adds to that of false positives with weight {result.alpha_ct:g} (alpha_ct)."
        )
    spread = "their standard deviation"
    if result.alpha_st != 1.0:
        spread = f"{result.alpha_st:g} times {spread}" if result.alpha_st else "nothing"
    return [
        f"{metric.heading}: {metric.origin}",
        f"A detection is relevant if events of its class cover at least {_percent(dtc)} of it "
        f"(dtc_threshold {dtc:g}).",
        f"An event is found if relevant detections cover at least {_percent(gtc)} of it "
        f"(gtc_threshold {gtc:g}).",
        cross,
        f"Overall is the area under the mean of the classes' curves minus {spread} "
        f"(alpha_st {result.alpha_st:g}), up to {result.max_efpr:g} effective false positives "
        f"per {result.unit_of_time} (max_efpr).",
    ]


def _percent(share: float) -> str:
    """Write 0.7 as 70 %."""
    return f"{100 * share:g} %"
