"""Shortest paths between some nodes of a graph."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from soundeval.errors import InputError

if TYPE_CHECKING:
    import networkx as nx


def between(graph: nx.Graph, wanted: Sequence[Hashable], weight: str | None) -> NDArray[np.float64]:
    """Return path lengths between nodes, infinite where there is no path."""
    if weight is not None:
        return _weighted(graph, wanted, weight)
    numbers = {node: i for i, node in enumerate(graph)}
    neighbours = [[numbers[other] for other in graph[node]] for node in numbers]
    places = [numbers[node] for node in wanted]
    matrix = np.empty((len(places), len(places)))
    for row, start in zip(matrix, places, strict=True):
        hops = [math.inf] * len(neighbours)
        hops[start] = 0.0
        layer, depth = [start], 0.0
        while layer:
            depth += 1.0
            following = []
            for node in layer:
                for other in neighbours[node]:
                    if hops[other] == math.inf:
                        hops[other] = depth
                        following.append(other)
            layer = following
        row[:] = [hops[place] for place in places]
    return matrix


def _weighted(graph: nx.Graph, wanted: Sequence[Hashable], weight: str) -> NDArray[np.float64]:
    import networkx as nx

    for parent, child, value in graph.edges(data=weight):
        usable = isinstance(value, (int, float)) and 0.0 <= value < math.inf
        if not usable:
            raise InputError(
                f"every edge must have a number of 0 or more as {weight!r}, but the edge between "
                f"{parent!r} and {child!r} has {value!r}"
            )
    matrix = np.full((len(wanted), len(wanted)), math.inf)
    for i, start in enumerate(wanted):
        lengths = nx.single_source_dijkstra_path_length(graph, start, weight=weight)
        for j, end in enumerate(wanted):
            matrix[i, j] = lengths.get(end, math.inf)
    # Sums along a path and back may differ in their last digit.
    symmetric: NDArray[np.float64] = np.minimum(matrix, matrix.T)
    return symmetric
