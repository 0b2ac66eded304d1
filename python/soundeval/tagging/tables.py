"""Tables of tags in files: a row for each clip, a column for each class.

| file | holds |
|---|---|
| ``.csv``, ``.tsv`` | a header, then rows; the first column is the clip |
| ``.parquet`` | the same; needs pandas or polars |
| ``.npz`` | the arrays ``clip_ids``, ``classes`` and ``values`` |
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from soundeval.checks import existing_path
from soundeval.errors import InputError
from soundeval.names import counted, did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["TagTable", "read_tags"]


@dataclass(frozen=True, slots=True, eq=False)
class TagTable:
    """Labels or scores of clips.

    Attributes
    ----------
    clip_ids : tuple of str
        Rows.
    class_names : tuple of str
        Columns.
    values : ndarray of shape (n_clips, n_classes)
        Labels or scores.
    """

    clip_ids: tuple[str, ...]
    class_names: tuple[str, ...]
    values: NDArray[Any]

    def arranged(self, name: str, like: TagTable, other: str) -> TagTable:
        """Return the rows and columns in the order of another table, which must have the same.

        Parameters
        ----------
        name, other : str
            What the tables are, for errors.
        like : TagTable
            The other table.

        Returns
        -------
        TagTable
            The same values.

        Raises
        ------
        InputError
            If clips or classes differ.
        """
        rows = _places(self.clip_ids, like.clip_ids, "clip", name, other)
        columns = _places(self.class_names, like.class_names, "class", name, other)
        return TagTable(like.clip_ids, like.class_names, self.values[np.ix_(rows, columns)])


def read_tags(path: str | os.PathLike[str]) -> TagTable:
    """Read a table of labels or scores.

    Parameters
    ----------
    path : path
        A file that ends in .csv, .tsv, .parquet or .npz; see the table above.

    Returns
    -------
    TagTable
        The table; numbers of text files as float64.

    Raises
    ------
    InputError
        If the file holds something else; the message names the line.
    OSError
        If it cannot be read.
    """
    text = existing_path(path)
    suffix = os.path.splitext(text)[1].lower()
    if suffix in (".csv", ".tsv"):
        table = _from_text(text, "," if suffix == ".csv" else "\t")
    elif suffix == ".npz":
        table = _from_npz(text)
    elif suffix == ".parquet":
        table = _from_parquet(text)
    else:
        raise InputError(f"{text}: expected a name that ends in .csv, .tsv, .parquet or .npz")
    for kind, names in (("clip", table.clip_ids), ("class", table.class_names)):
        if repeated := [name for name, n in Counter(names).items() if n > 1]:
            raise InputError(f"{text}: {kind} {listed(repeated)} stands there more than once")
    if not table.clip_ids or not table.class_names:
        raise InputError(f"{text}: there must be at least one clip and one class")
    return table


def _from_text(path: str, delimiter: str) -> TagTable:
    clips, rows = [], []
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, delimiter=delimiter)
        header = next(lines, [])
        if len(header) < 2:
            raise InputError(
                f"{path}, line 1: expected a header with the clip and at least one class, got "
                f"{header}"
            )
        for row in lines:
            where = f"{path}, line {lines.line_num}"
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{where}: expected {len(header)} columns as in the header, got {len(row)}"
                )
            try:
                rows.append(np.array(row[1:], dtype=np.float64))
            except ValueError:
                column, value = next(_not_numbers(header, row))
                raise InputError(f"{where}: {column!r} must be a number, got {value!r}") from None
            clips.append(row[0])
    values = np.array(rows) if rows else np.zeros((0, len(header) - 1))
    return TagTable(tuple(clips), tuple(header[1:]), values)


def _not_numbers(header: Sequence[str], row: Sequence[str]) -> Any:
    for column, value in zip(header[1:], row[1:], strict=True):
        try:
            float(value)
        except ValueError:
            yield column, value


def _from_npz(path: str) -> TagTable:
    with np.load(path, allow_pickle=False) as arrays:
        wanted = ("clip_ids", "classes", "values")
        if missing := [name for name in wanted if name not in arrays]:
            raise InputError(
                f"{path}: the arrays {listed(wanted)} are needed, and {listed(missing)} "
                f"{'is' if len(missing) == 1 else 'are'} missing; there are {listed(arrays.files)}"
            )
        clips, classes, values = (arrays[name] for name in wanted)
    if values.shape != (len(clips), len(classes)):
        raise InputError(
            f"{path}: values must have a row for each of {counted(len(clips), 'clip')} and a "
            f"column for each of {counted(len(classes), 'class')}, got the shape {values.shape}"
        )
    return TagTable(tuple(map(str, clips)), tuple(map(str, classes)), values)


def _from_parquet(path: str) -> TagTable:
    table: Any
    if find_spec("polars"):
        import polars

        table = polars.read_parquet(path)
    elif find_spec("pandas"):
        import pandas as pd

        table = pd.read_parquet(path)
    else:
        raise InputError(f"{path}: reading Parquet needs the package polars or pandas")
    clip, *classes = list(table.columns)
    values = np.column_stack([np.asarray(table[name]) for name in classes])
    return TagTable(tuple(map(str, table[clip])), tuple(map(str, classes)), values)


def _places(
    names: Sequence[str], wanted: Sequence[str], kind: str, name: str, other: str
) -> list[int]:
    index = {each: place for place, each in enumerate(names)}
    if missing := [each for each in wanted if each not in index]:
        hint = did_you_mean(missing[0], names)
        raise InputError(
            f"{counted(len(missing), kind)} of the {other} not in the {name}: "
            f"{listed(missing)}{hint}"
        )
    wanted_too = set(wanted)
    if extra := [each for each in names if each not in wanted_too]:
        hint = did_you_mean(extra[0], wanted)
        raise InputError(
            f"{counted(len(extra), kind)} of the {name} not in the {other}: {listed(extra)}{hint}"
        )
    return [index[each] for each in wanted]
