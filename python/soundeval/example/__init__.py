"""A small example data set: the output of an imaginary sound event detector in a household.

Thirty-two clips of ten seconds and five classes, made by :mod:`soundeval.example.generate`. The
detector is good at speech, late at ends, deaf to some dog barks and takes running water for a
blender now and then, so every part of a result has something to show.

The folder has the layout of the DCASE challenge:

``scores/<clip>.tsv``
    One row per frame: ``onset``, ``offset`` in seconds, then one score per class.
``ground_truth.tsv``
    One row per event: ``filename``, ``onset``, ``offset``, ``event_label``. A clip without events
    has one row with empty cells.
``durations.tsv``
    One row per clip: ``filename``, ``duration`` in seconds.
"""

from pathlib import Path

__all__ = ["path"]


def path() -> Path:
    """Return the folder that holds the example data set.

    Returns
    -------
    pathlib.Path
        Folder with ``scores/``, ``ground_truth.tsv`` and ``durations.tsv``.

    Examples
    --------
    >>> from soundeval import example
    >>> sorted(entry.name for entry in example.path().iterdir())
    ['durations.tsv', 'ground_truth.tsv', 'scores']
    """
    return Path(__file__).parent / "data"
