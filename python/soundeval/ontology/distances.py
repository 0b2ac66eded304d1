"""Shortest paths between some nodes of a graph."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from soundeval.errors import InputError

if TYPE_CHECKING:
    import networkx as nx


def between(graph: nx.Graph, wanted: Sequence[Hashable], weight: str | None) -> NDArray[np.float64]:
    """Return path lengths between nodes, infinite where there is no path."""
    import networkx as nx

    if weight is None:
        lengths_from = partial(nx.single_source_shortest_path_length, graph)
    else:
        _check_weights(graph, weight)
        lengths_from = partial(nx.single_source_dijkstra_path_length, graph, weight=weight)
    matrix = np.empty((len(wanted), len(wanted)))
    for row, start in zip(matrix, wanted, strict=True):
        lengths = lengths_from(start)
        row[:] = [lengths.get(end, math.inf) for end in wanted]
    # Sums along a path and back may differ in their last digit.
    symmetric: NDArray[np.float64] = np.minimum(matrix, matrix.T)
    return symmetric


def _check_weights(graph: nx.Graph, weight: str) -> None:
    for parent, child, value in graph.edges(data=weight):
        usable = isinstance(value, (int, float)) and 0.0 <= value < math.inf
        if not usable:
            raise InputError(
                f"every edge must have a number of 0 or more as {weight!r}, but the edge between "
                f"{parent!r} and {child!r} has {value!r}"
            )
