"""The class lists of AudioSet and FSD50K, and the table of the AudioSet ontology."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from soundeval.checks import choice

__all__ = ["ClassList", "class_list"]

# FSD50K writes labels as names without commas and blanks; this name has one comma more.
_FSD50K_EXCEPTIONS = {"Dishes, pots, and pans": "Dishes_and_pots_and_pans"}


@dataclass(frozen=True, slots=True)
class Row:
    """A class of the AudioSet ontology."""

    id: str
    name: str
    parents: tuple[str, ...]
    lists: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassList:
    """The classes of a data set in the order of its columns.

    Attributes
    ----------
    name : str
        Name of the data set.
    ids : tuple of str
        Machine ids.
    labels : tuple of str
        How the data set writes the classes.
    """

    name: str
    ids: tuple[str, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self.ids)

    def __repr__(self) -> str:
        """Return the name and the size."""
        return f"ClassList({self.name!r}, {len(self)} classes)"


@lru_cache(maxsize=4)
def class_list(name: str) -> ClassList:
    """Return the classes of a data set in the order of its columns.

    Parameters
    ----------
    name : {"audioset", "fsd50k"}
        The 527 classes of AudioSet in the order of ``class_labels_indices.csv``, or the 200 of
        FSD50K in that of ``vocabulary.csv``.

    Returns
    -------
    ClassList
        Machine ids, and the labels that the data set uses.

    Raises
    ------
    InputError
        If the name is another.

    Examples
    --------
    >>> import soundeval as se
    >>> se.ontology.class_list("audioset").labels[:2]
    ('Speech', 'Male speech, man speaking')
    >>> se.ontology.class_list("fsd50k").labels[:2]
    ('Accelerating_and_revving_and_vroom', 'Accordion')
    """
    choice("name", name, ("audioset", "fsd50k"))
    rows = [row for row in read_table() if name in row.lists]
    if name == "audioset":
        # The list of AudioSet has the order of the ontology.
        return ClassList(name, tuple(r.id for r in rows), tuple(r.name for r in rows))
    pairs = sorted((_fsd50k_label(row.name), row.id) for row in rows)
    return ClassList(name, tuple(id_ for _, id_ in pairs), tuple(label for label, _ in pairs))


def _fsd50k_label(name: str) -> str:
    label = _FSD50K_EXCEPTIONS.get(name)
    return label or name.replace(", ", "_and_").replace(" ", "_")


@lru_cache(maxsize=1)
def read_table() -> tuple[Row, ...]:
    """Return the classes of the AudioSet ontology; see the folder ``audioset`` for its licence."""
    table = resources.files("soundeval.ontology") / "audioset" / "classes.tsv"
    rows = []
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        id_, name, parents, lists = line.split("\t")
        rows.append(Row(id_, name, _split(parents), _split(lists)))
    return tuple(rows)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
