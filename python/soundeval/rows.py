"""Rows of a table that is kept as columns: made when they are looked at, not before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

import numpy as np

from soundeval.names import counted, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["Column", "Rows"]

_R = TypeVar("_R", bound=tuple[Any, ...])


class Column(NamedTuple):
    """Values of one column; with `names` they are indices into them."""

    values: NDArray[np.generic]
    names: tuple[str, ...] | None = None

    def take(self, which: NDArray[np.generic] | slice) -> Column:
        """Return some rows of the column."""
        return Column(self.values[which], self.names)

    def to_list(self) -> list[Any]:
        """Return numbers as floats, indices as the names they stand for."""
        values = self.values.tolist()
        return values if self.names is None else [self.names[index] for index in values]


class Rows(Sequence[_R], Generic[_R]):
    """A sequence of named tuples, with filters.

    It behaves like a list of rows: it has a length, can be indexed, sliced and looped over. Rows
    are made when they are asked for, so that counting a million of them makes none.

    Examples
    --------
    >>> import soundeval as se
    >>> matches = se.match(
    ...     {"a": [(0.0, 1.0, "Dog"), (4.0, 5.0, "Cat")]},
    ...     {"a": [(0.1, 1.0, "Dog"), (7.0, 8.0, "Cat")]},
    ...     se.Collar(),
    ... )
    >>> len(matches.misses), matches.misses[0]
    (1, Miss(clip='a', event_class='Cat', onset=7.0, offset=8.0))
    >>> matches.misses.of_class("Dog")
    0 rows of Miss
    """

    __slots__ = ("_columns", "_row")

    def __init__(self, row: Callable[..., _R], columns: dict[str, Column]) -> None:
        # Users get rows from `match`; the columns are those of the named tuple, in its order.
        self._row = row
        self._columns = columns

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self._columns.values())).values)

    @overload
    def __getitem__(self, index: int) -> _R: ...
    @overload
    def __getitem__(self, index: slice) -> Rows[_R]: ...
    def __getitem__(self, index: int | slice) -> _R | Rows[_R]:
        """Return one row, or some of them."""
        if isinstance(index, slice):
            return self.take(index)
        place = range(len(self))[index]
        one = (column.take(slice(place, place + 1)).to_list() for column in self._columns.values())
        return self._row(*(values[0] for values in one))

    def __iter__(self) -> Iterator[_R]:
        """Iterate over the rows."""
        columns = [column.to_list() for column in self._columns.values()]
        return (self._row(*values) for values in zip(*columns, strict=True))

    def __eq__(self, other: object) -> bool:
        """Whether the other has the same rows."""
        if not isinstance(other, Rows):
            return NotImplemented
        return self._row is other._row and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Return the number of rows; the columns are long."""
        return f"{counted(len(self), 'row')} of {getattr(self._row, '__name__', 'a table')}"

    def column(self, name: str) -> NDArray[np.generic]:
        """Return a column as an array: float64, or text for clips and classes.

        Parameters
        ----------
        name : str
            One of `columns`.

        Returns
        -------
        ndarray of shape (n_rows,)
            A copy.
        """
        found = self._columns.get(name)
        if found is None:
            raise KeyError(f"{name!r} is no column{did_you_mean(name, self._columns)}")
        if found.names is None:
            return found.values.copy()
        return np.asarray(found.to_list(), dtype=np.str_)

    def of_class(self, *event_classes: str) -> Rows[_R]:
        """Return the rows in which any of these classes is named, also as the other class."""
        is_kept = np.zeros(len(self), dtype=bool)
        for name, column in self._columns.items():
            if name != "clip" and column.names is not None:
                is_kept |= _is_any(column, event_classes)
        return self.take(is_kept)

    def of_clip(self, *clip_ids: str) -> Rows[_R]:
        """Return the rows of these clips."""
        return self.take(_is_any(self._columns["clip"], clip_ids))

    def take(self, which: NDArray[np.generic] | slice) -> Rows[_R]:
        """Return some rows: a slice, a mask, or their places."""
        columns = {name: column.take(which) for name, column in self._columns.items()}
        return Rows(self._row, columns)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns as lists, as data frames take them and JSON can hold them."""
        return {name: column.to_list() for name, column in self._columns.items()}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the rows as dicts."""
        columns = self.to_dict()
        return [
            dict(zip(columns, values, strict=True))
            for values in zip(*columns.values(), strict=True)
        ]

    def codes(self, name: str) -> NDArray[Any]:
        """Return the numbers of a column, indices where it has names."""
        return self._columns[name].values

    def names(self, name: str) -> tuple[str, ...]:
        """Return the names that the indices of a column stand for."""
        return self._columns[name].names or ()


def _is_any(column: Column, wanted: Sequence[str]) -> NDArray[np.bool_]:
    names = set(wanted)
    indices = [index for index, name in enumerate(column.names or ()) if name in names]
    return np.isin(column.values, np.asarray(indices, dtype=np.int64))
