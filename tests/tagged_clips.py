"""Clips of one frame, which are positive or negative: counts that are easily done by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import soundeval as se

CLASSES = ["Dog", "Cat", "Owl"]


def of_clips(scores: Any, targets: Any, **arguments: Any) -> se.Statistics:
    """Statistics of one score and one target (0 or 1) per clip, or a row of them for classes."""
    scores, targets = (np.array(values).reshape(len(values), -1) for values in (scores, targets))
    classes = CLASSES[: scores.shape[1]]
    truth = {
        str(clip): [(0.0, 1.0, classes[k]) for k in np.flatnonzero(row)]
        for clip, row in enumerate(targets)
    }
    return se.statistics(
        {str(clip): row[None] for clip, row in enumerate(scores)},
        truth,
        se.Clip(),
        timestamps=[0.0, 1.0],
        event_classes=classes,
        **arguments,
    )


def figure_1() -> se.Statistics:
    """Return the example of Ebbers et al. 2022, Figure 1.

    Of three dogs .9 and .8 find two, .7 is false, .5 finds the third.
    """
    return of_clips([0.7, 0.3, 0.5, 0.9, 0.1, 0.8], [0, 0, 1, 1, 0, 1])


def two_classes() -> se.Statistics:
    """Return the counts of four clips for two classes.

    Dog: .9 right, .6 false, .3 right. Cat: .8 right, .2 false, and .1 finds two more.
    """
    scores = [[0.9, 0.8], [0.6, 0.2], [0.3, 0.1], [0.1, 0.1]]
    return of_clips(scores, [[1, 1], [0, 0], [1, 1], [0, 1]])
