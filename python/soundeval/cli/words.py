"""What the parameters of a metric mean, in whole sentences."""

from __future__ import annotations

import soundeval as se
from soundeval.display import number, parameter
from soundeval.metrics import Metric


def in_words(name: str, metric: Metric) -> list[str]:
    """Say every parameter of a metric in words.

    Parameters
    ----------
    name : str
        The name of the metric in this evaluation, which may be the user's own.
    metric : Metric
        The metric, with the parameters that are really used.

    Returns
    -------
    list of str
        The metric and where it comes from, then one sentence per parameter.
    """
    return [title(name, metric), *_criterion(metric), *_number(metric)]


def label(name: str, metric: Metric) -> str:
    """Return the short name of a metric for tables: the user's own, or its heading."""
    return metric.heading if name == metric.name else name


def title(name: str, metric: Metric) -> str:
    """Return a line that says which metric this is."""
    what = metric.origin or metric.description.rstrip(".")
    own = "" if name == metric.name else f"{metric.heading}; "
    text = f"{label(name, metric)}: {own}{what}"
    if metric.origin and metric.changed:
        changes = ", ".join(f"{key} {parameter(value)}" for key, value in metric.changed.items())
        text += f"; here with {changes}"
    return text


# -- criteria -------------------------------------------------------------------------------------


def _criterion(metric: Metric) -> list[str]:
    match metric.criterion:
        case se.Clip():
            return [
                "A clip is positive if it has an event of the class, and detected if any of its "
                "frames is active."
            ]
        case se.Segment() as segment:
            return [
                f"Clips are cut into segments of {number(segment.segment_length)} s "
                f"(segment_length {number(segment.segment_length)}). One is positive where an "
                "event of the class overlaps it, and detected where a frame that overlaps it is "
                "active."
            ]
        case se.Collar() as collar:
            return [
                _collar(collar),
                "Detections and events are paired one to one, as many as possible.",
            ]
        case se.Intersection() as intersection:
            dtc, gtc = intersection.dtc_threshold, intersection.gtc_threshold
            return [
                f"A detection is relevant if events of its class cover at least {_percent(dtc)} of "
                f"it (dtc_threshold {dtc:g}).",
                f"An event is found if relevant detections cover at least {_percent(gtc)} of it "
                f"(gtc_threshold {gtc:g}).",
            ]


def _collar(collar: se.Collar) -> str:
    onset = (
        f"A detection hits an event of its class if the onsets are at most "
        f"{number(collar.onset_collar)} s apart (onset_collar {number(collar.onset_collar)})"
    )
    if collar.offset_collar is None:
        return f"{onset}; offsets are not compared (offset_collar none)."
    offset = number(collar.offset_collar)
    text = f"{onset}, and the offsets at most {offset} s (offset_collar {offset})"
    if collar.offset_collar_rate > 0.0:
        text += (
            f" or {_percent(collar.offset_collar_rate)} of the length of the event "
            f"(offset_collar_rate {number(collar.offset_collar_rate)}), whichever is more"
        )
    return f"{text}."


# -- numbers --------------------------------------------------------------------------------------


def _number(metric: Metric) -> list[str]:
    arguments = metric.arguments
    match metric.method:
        case "psds":
            return [_cross_triggers(metric), _area(metric)]
        case "psds_of_variants":
            return [_filters(metric), _cross_triggers(metric), _area(metric)]
        case "average_precision":
            return [
                "Average precision is the area under precision against recall; Overall is its mean "
                "over classes."
            ]
        case "auroc":
            return [_auroc(metric)]
        case "f_score":
            return [_threshold(metric), _beta(metric)]
        case "best_f_score":
            limits = {"precision": "min_precision", "recall": "min_recall"}
            kept = [
                f"a {name} of at least {number(_float(arguments[key]))} ({key})"
                for name, key in limits.items()
                if arguments[key]
            ]
            return [_best("highest F-score", kept), _beta(metric)]
        case "error_rate":
            return [_threshold(metric), _ERROR_RATE]
        case "best_error_rate":
            limits = {"insertion": "max_insertion_rate", "deletion": "max_deletion_rate"}
            kept = [
                f"{'an' if name == 'insertion' else 'a'} {name} rate of at most "
                f"{number(_float(arguments[key]))} ({key})"
                for name, key in limits.items()
                if arguments[key] is not None
            ]
            return [_best("lowest error rate", kept), _ERROR_RATE]
        case "accuracy":
            factor = number(_float(arguments["factor"]))
            return [
                _threshold(metric),
                "Accuracy is the share of decisions that are right. Balanced accuracy weighs "
                f"specificity with {factor} (factor {factor}), and sensitivity with the rest.",
            ]
        case "overall_error_rate":
            return [
                _threshold(metric),
                "Missed and false classes of one segment or clip make a substitution, two by two; "
                "what is left over is a deletion or an insertion. All are counted per target.",
            ]
        case _:
            return []


_ERROR_RATE = (
    "The error rate counts false detections (insertions) and missed targets (deletions) per "
    "target: 0 is best, and it can be above 1."
)


def _filters(metric: Metric) -> str:
    lengths = [number(length) for length in metric.filter_lengths]
    return (
        f"Scores go through median filters of {', '.join(lengths)} s (filter_lengths), and at each "
        "point of its curve each class has the one that is best there."
    )


def _cross_triggers(metric: Metric) -> str:
    cttc = metric.criterion.cttc_threshold  # type: ignore[union-attr]
    if cttc is None:
        return "Cross-triggers cost nothing extra (alpha_ct 0)."
    return (
        f"A detection that is not relevant, but for at least {_percent(cttc)} covered by "
        f"events of another class (cttc_threshold {cttc:g}), is a cross-trigger, whose rate "
        f"adds to that of false positives with weight {metric.arguments['alpha_ct']:g} (alpha_ct)."
    )


def _area(metric: Metric) -> str:
    alpha_st = _float(metric.arguments["alpha_st"])
    spread = "their standard deviation"
    if alpha_st != 1.0:
        spread = f"{alpha_st:g} times {spread}" if alpha_st else "nothing"
    return (
        f"Overall is the area under the mean of the classes' curves minus {spread} "
        f"(alpha_st {alpha_st:g}), up to {metric.arguments['max_efpr']:g} effective false "
        f"positives per {metric.arguments['unit_of_time']} (max_efpr)."
    )


def _auroc(metric: Metric) -> str:
    max_fpr = metric.arguments["max_fpr"]
    text = "AUROC is the area under true against false positive rate"
    if max_fpr is None:
        return f"{text}, 0.5 by chance; Overall is its mean over classes."
    scaled = "divided by that rate"
    if metric.arguments["mcclish_correction"]:
        scaled = "scaled so that chance is 0.5 (mcclish_correction)"
    return f"{text} up to {max_fpr:g} (max_fpr), {scaled}; Overall is its mean over classes."


def _threshold(metric: Metric) -> str:
    threshold = metric.arguments["threshold"]
    if isinstance(threshold, float):
        return f"Frames with a score above {number(threshold)} are active."
    origin = f" from {file}" if (file := metric.name.partition("@")[2]) else ""
    return f"Frames with a score above the threshold of the class{origin} are active."


def _best(what: str, limits: list[str]) -> str:
    among = f", among those with {' and '.join(limits)}" if limits else ""
    return (
        f"The threshold of each class is the one with the {what} on these very clips{among}: what "
        "the system could reach."
    )


def _beta(metric: Metric) -> str:
    beta = _float(metric.arguments["beta"])
    if beta == 1.0:
        return "Precision and recall weigh the same (beta 1)."
    more, less = ("recall", "precision") if beta > 1.0 else ("precision", "recall")
    ratio = number(beta if beta > 1.0 else 1.0 / beta)
    return f"{more.capitalize()} weighs {ratio} times as much as {less} (beta {number(beta)})."


def _float(value: object) -> float:
    assert isinstance(value, (int, float))
    return float(value)


def _percent(share: float) -> str:
    """Write 0.7 as 70 %."""
    return f"{100 * share:g} %"
