"""An ontology: classes, which of them are kinds of which, and how far apart they are."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval.checks import choice, existing_path
from soundeval.errors import InputError
from soundeval.names import counted, did_you_mean, listed
from soundeval.ontology.class_lists import class_list, read_table
from soundeval.ontology.distances import between

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Ontology"]

ClassesInput: TypeAlias = "str | Iterable[str]"


class Ontology:
    """Classes of sounds and the links from parents to children.

    Make one with `Ontology.audioset`, `Ontology.from_audioset_json`, `Ontology.from_networkx` or
    `Ontology.from_edges`. It does not change; `with_edges` makes a larger one.

    Wherever a class is asked for, its id or its name will do.

    Examples
    --------
    >>> import soundeval as se
    >>> ontology = se.ontology.Ontology.from_edges(
    ...     [("animal", "dog"), ("animal", "cat"), ("dog", "bark")]
    ... )
    >>> ontology.distance_matrix(["bark", "dog", "cat"])
    array([[0, 1, 3],
           [1, 0, 2],
           [3, 2, 0]])
    >>> ontology.ancestors("bark")
    ('dog', 'animal')
    """

    def __init__(self, graph: nx.Graph, names: Mapping[str, str]) -> None:
        """Keep a graph of ids; use the named constructors instead."""
        self._graph = graph
        self._names = dict(names)
        self._ids: dict[str, str | None] = {}
        for node, name in self._names.items():
            # A name that two nodes share says nothing; their ids do.
            self._ids[name] = None if name in self._ids else node

    @classmethod
    def audioset(cls) -> Ontology:
        """Return the ontology of AudioSet: 632 classes, 670 links.

        It comes with soundeval and needs no network. Ids are machine ids such as "/m/0bt9lr".

        Returns
        -------
        Ontology

        Notes
        -----
        The table derives from the AudioSet ontology (Gemmeke et al., ICASSP 2017), (c) Google Inc.,
        licensed CC BY-SA 4.0; so is the table. Descriptions and examples are not in it.

        Examples
        --------
        >>> import soundeval as se
        >>> ontology = se.ontology.Ontology.audioset()
        >>> ontology
        Ontology(632 classes, 670 links)
        >>> ontology.ancestors("Bark")
        ('/m/0bt9lr', '/m/068hy', '/m/0jbk')
        >>> int(ontology.distance_matrix("audioset").max())
        21
        """
        return _audioset()

    @classmethod
    def from_audioset_json(cls, path: str | os.PathLike[str]) -> Ontology:
        """Read an ``ontology.json`` in the format of AudioSet.

        Parameters
        ----------
        path : path-like
            A list of objects with ``"id"``, ``"name"`` and ``"child_ids"``.

        Returns
        -------
        Ontology

        Raises
        ------
        InputError
            If the file is no such list, or a child is no entry of it.
        FileNotFoundError
            If there is no such file.
        """
        name = existing_path(path)
        with open(name, encoding="utf-8") as file:
            try:
                entries = json.load(file)
                names = {entry["id"]: entry["name"] for entry in entries}
                edges = [(entry["id"], child) for entry in entries for child in entry["child_ids"]]
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f'{name}: expected a list of objects with "id", "name" and "child_ids", as in '
                    "the ontology.json of AudioSet"
                ) from None
        if len(names) != len(entries):
            raise InputError(f"{name}: {len(entries) - len(names)} of the ids are there twice")
        unknown = [child for _, child in edges if child not in names]
        if unknown:
            raise InputError(f"{name}: children that are no entries: {listed(unknown)}")
        return cls.from_edges(edges, names=names)

    @classmethod
    def from_networkx(
        cls, graph: nx.Graph | nx.DiGraph, *, names: Mapping[str, str] | None = None
    ) -> Ontology:
        """Take a graph of NetworkX.

        Parameters
        ----------
        graph : networkx.Graph or networkx.DiGraph
            Nodes are ids of classes. Edges of a directed graph go from parents to children; without
            directions there are distances, but no ancestors.
        names : mapping of id to name, optional
            Names of the classes; by default the attribute ``"name"`` of a node, or its id.

        Returns
        -------
        Ontology
            A copy: later changes of the graph do not reach it.

        Raises
        ------
        InputError
            If nodes are not text, or names are given to no node.

        Examples
        --------
        >>> import networkx as nx
        >>> import soundeval as se
        >>> se.ontology.Ontology.from_networkx(nx.DiGraph([("animal", "dog")]))
        Ontology(2 classes, 1 link)
        """
        strange = [node for node in graph if not isinstance(node, str)]
        if strange:
            raise InputError(
                f"nodes must be class ids as text, got {strange[0]!r}; "
                "networkx.relabel_nodes(graph, str) makes text of them"
            )
        if graph.is_multigraph():
            raise InputError("graph must have at most one edge between two nodes, got a multigraph")
        given = dict(names or {})
        unknown = [node for node in given if node not in graph]
        if unknown:
            raise InputError(f"names are given to ids that are not in the graph: {listed(unknown)}")
        said = {node: str(its.get("name", node)) for node, its in graph.nodes(data=True)}
        return cls(graph.copy(), {**said, **given})

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str] | tuple[str, str, float]],
        *,
        names: Mapping[str, str] | None = None,
    ) -> Ontology:
        """Make an ontology from a list of links.

        Parameters
        ----------
        edges : iterable of (parent, child) or (parent, child, weight)
            Links; weights are used by ``distance_matrix(weight="weight")``.
        names : mapping of id to name, optional
            Names of the classes; ids that no edge has become classes of their own.

        Returns
        -------
        Ontology

        Raises
        ------
        InputError
            If an edge has not two or three parts.
        """
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(names or ())
        _add(graph, edges)
        return cls.from_networkx(graph, names=names)

    def with_edges(
        self,
        edges: Iterable[tuple[str, str] | tuple[str, str, float]],
        *,
        names: Mapping[str, str] | None = None,
    ) -> Ontology:
        """Return an ontology with more links, for classes that this one lacks.

        AudioSet-strong has 32 classes that the AudioSet ontology has not.

        Parameters
        ----------
        edges : iterable of (parent, child) or (parent, child, weight)
            Links; classes of this ontology by id or by name, others by id.
        names : mapping of id to name, optional
            Names of new classes.

        Returns
        -------
        Ontology

        Examples
        --------
        >>> import soundeval as se
        >>> larger = se.ontology.Ontology.audioset().with_edges([("Domestic sounds, home sounds",
        ...     "/m/0174k2")], names={"/m/0174k2": "Washing machine"})
        >>> larger.distance_matrix(["Washing machine", "Domestic sounds, home sounds"])
        array([[0, 1],
               [1, 0]])
        """
        graph = self._graph.copy()
        own = {name: node for name, node in self._ids.items() if node is not None}
        edges = [(own.get(e[0], e[0]), own.get(e[1], e[1]), *e[2:]) for e in edges]
        _add(graph, edges)
        return Ontology.from_networkx(
            graph, names={**{node: self._names[node] for node in self._names}, **(names or {})}
        )

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all classes."""
        return tuple(self._names)

    @property
    def graph(self) -> nx.Graph | nx.DiGraph:
        """A copy of the graph, with the names of nodes as their attribute ``"name"``."""
        graph = self._graph.copy()
        for node, name in self._names.items():
            graph.nodes[node]["name"] = name
        return graph

    def id(self, class_: str) -> str:
        """Return the id of a class that is given by its id or its name.

        Raises
        ------
        InputError
            If there is no such class, or more than one of that name.
        """
        if class_ in self._names:
            return class_
        if class_ not in self._ids:
            hint = did_you_mean(str(class_), [*self._ids, *self._names])
            raise InputError(f"the ontology has no class {class_!r}{hint}")
        node = self._ids[class_]
        if node is None:
            same = [node for node, name in self._names.items() if name == class_]
            raise InputError(f"several classes are called {class_!r}, say which: {listed(same)}")
        return node

    def name(self, class_: str) -> str:
        """Return the name of a class that is given by its id or its name."""
        return self._names[self.id(class_)]

    def parents(self, class_: str) -> tuple[str, ...]:
        """Return the ids of the classes that a class is directly a kind of."""
        return tuple(self._directed().predecessors(self.id(class_)))

    def children(self, class_: str) -> tuple[str, ...]:
        """Return the ids of the direct kinds of a class."""
        return tuple(self._directed().successors(self.id(class_)))

    def ancestors(self, class_: str) -> tuple[str, ...]:
        """Return the ids of all classes that a class is a kind of, the nearest first."""
        graph = self._directed()
        found: dict[str, None] = {}
        layer = [self.id(class_)]
        start = layer[0]
        while layer:
            layer = [p for node in layer for p in graph.predecessors(node) if p not in found]
            found.update(dict.fromkeys(layer))
        found.pop(start, None)
        return tuple(found)

    def distance_matrix(
        self,
        classes: ClassesInput | None = None,
        *,
        root: bool = False,
        weight: str | None = None,
        unreachable: Literal["error", "farthest"] = "error",
    ) -> NDArray[np.int64] | NDArray[np.float64]:
        """Return the lengths of the shortest paths between classes, links taken both ways.

        Paths go through the whole ontology, also through classes that are not asked for.

        Parameters
        ----------
        classes : sequence of str, or "audioset" or "fsd50k", optional
            Ids or names in the order of the columns of a data set; by default all classes.
        root : bool, default False
            Whether to add a node above all classes without a parent. The published OmAP has none:
            in AudioSet the classes with several parents hold the seven families together, and the
            greatest distance is 21; with a root it is 11.
        weight : str, optional
            Attribute of edges to add up; by default every link counts 1.
        unreachable : {"error", "farthest"}, default "error"
            What two classes without a path have: ``"farthest"`` is the greatest distance there is
            plus 1.

        Returns
        -------
        int64 ndarray of shape (n_classes, n_classes), or float64 with `weight`

        Raises
        ------
        InputError
            If a class is unknown or there twice, or there is no path between two of them.

        Examples
        --------
        >>> import soundeval as se
        >>> ontology = se.ontology.Ontology.audioset()
        >>> ontology.distance_matrix(["Speech", "Dog", "Bark"])
        array([[ 0, 11, 12],
               [11,  0,  1],
               [12,  1,  0]])
        """
        choice("unreachable", unreachable, ("error", "farthest"))
        wanted = self._resolved(classes)
        graph = self._graph.to_undirected(as_view=True)
        if root:
            tops = [n for n in self._directed() if not self._directed().in_degree(n)]
            graph = graph.copy()
            # No id is an empty text here, so that the new node takes none away.
            graph.add_edges_from((_ROOT, top, {weight: 1} if weight else {}) for top in tops)
        matrix = between(graph, wanted, weight)
        apart = ~np.isfinite(matrix)
        if apart.any():
            if unreachable == "error":
                raise InputError(self._why_apart(graph, wanted, apart))
            matrix[apart] = matrix[~apart].max() + 1.0
        return matrix if weight is not None else matrix.astype(np.int64)

    def propagate_labels(self, y_true: ArrayLike, classes: ClassesInput) -> NDArray[np.generic]:
        """Return labels in which every clip also has the ancestors of its labels.

        Parameters
        ----------
        y_true : array-like of shape (n_clips, n_classes)
            0 and 1, or bools.
        classes : sequence of str, or "audioset" or "fsd50k"
            Ids or names of the columns.

        Returns
        -------
        ndarray of shape (n_clips, n_classes)
            A copy of the same type. Ancestors that are no column are passed through.

        Examples
        --------
        >>> import soundeval as se
        >>> ontology = se.ontology.Ontology.audioset()
        >>> ontology.propagate_labels([[1, 0, 0], [0, 0, 1]], ["Bark", "Cat", "Animal"])
        array([[1, 0, 1],
               [0, 0, 1]])
        """
        return self._propagated("y_true", y_true, classes)

    def propagate_scores(self, y_score: ArrayLike, classes: ClassesInput) -> NDArray[np.generic]:
        """Return scores in which a class has at least the greatest score of its descendants.

        Parameters and result are as in `propagate_labels`.

        Examples
        --------
        >>> import soundeval as se
        >>> ontology = se.ontology.Ontology.audioset()
        >>> ontology.propagate_scores([[0.9, 0.2, 0.4]], ["Bark", "Cat", "Animal"])
        array([[0.9, 0.2, 0.9]])
        """
        return self._propagated("y_score", y_score, classes)

    def _propagated(
        self, name: str, values: ArrayLike, classes: ClassesInput
    ) -> NDArray[np.generic]:
        wanted = self._resolved(classes)
        given = np.asarray(values)
        if given.ndim != 2 or given.shape[1] != len(wanted):
            raise InputError(
                f"{name} must have the shape (n_clips, {len(wanted)}), a column for each class, "
                f"got {given.shape}"
            )
        columns = {node: i for i, node in enumerate(wanted)}
        out = given.copy()
        for node, i in columns.items():
            for ancestor in self.ancestors(node):
                j = columns.get(ancestor)
                if j is not None:
                    np.maximum(out[:, j], given[:, i], out=out[:, j])
        return out

    def _resolved(self, classes: ClassesInput | None) -> list[str]:
        if classes is None:
            return list(self._names)
        if isinstance(classes, str):
            classes = class_list(classes).ids
        wanted: list[str] = []
        seen: set[str] = set()
        missing = []
        for class_ in classes:
            try:
                node = self.id(class_)
            except InputError:
                if class_ in self._ids:
                    raise
                missing.append(class_)
                continue
            if node in seen:
                raise InputError(f"class {class_!r} is there twice; every class is one column")
            seen.add(node)
            wanted.append(node)
        if missing:
            hint = did_you_mean(str(missing[0]), [*self._ids, *self._names])
            raise InputError(
                f"the ontology does not have {counted(len(missing), 'class')}: {listed(missing)}"
                f"{hint}; with_edges adds classes"
            )
        if not wanted:
            raise InputError("classes must name at least one class")
        return wanted

    def _directed(self) -> nx.DiGraph:
        if not self._graph.is_directed():
            raise InputError(
                "the graph has no directions, so that nothing is a parent; give a networkx.DiGraph "
                "with edges from parents to children"
            )
        return self._graph

    def _why_apart(self, graph: nx.Graph, wanted: Sequence[str], apart: NDArray[np.bool_]) -> str:
        import networkx as nx

        one, other = (wanted[int(i)] for i in np.argwhere(apart)[0])
        sizes = [len(nx.node_connected_component(graph, node)) for node in (one, other)]
        one, other = (f"{node!r} ({self._names[node]})" for node in (one, other))
        return (
            f"there is no path between {one} and {other}: the one is connected with "
            f"{counted(sizes[0], 'class')}, the other with {counted(sizes[1], 'class')}, "
            "themselves included; root=True connects all families, "
            'unreachable="farthest" gives such pairs the greatest distance plus 1'
        )

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self._names)

    def __contains__(self, class_: Hashable) -> bool:
        """Return whether there is a class with this id or name."""
        return class_ in self._names or class_ in self._ids

    def __repr__(self) -> str:
        """Return the size."""
        n_edges = self._graph.number_of_edges()
        return f"Ontology({counted(len(self), 'class')}, {counted(n_edges, 'link')})"


_ROOT = object()


def _add(graph: nx.DiGraph, edges: Iterable[tuple[str, str] | tuple[str, str, float]]) -> None:
    for edge in edges:
        parts = tuple(edge)
        if len(parts) not in (2, 3) or isinstance(edge, str):
            raise InputError(
                f"an edge must be (parent, child) or (parent, child, weight), got {edge!r}"
            )
        graph.add_edge(parts[0], parts[1], **({"weight": parts[2]} if len(parts) == 3 else {}))


@lru_cache(maxsize=1)
def _audioset() -> Ontology:
    rows = read_table()
    edges = [(parent, row.id) for row in rows for parent in row.parents]
    return Ontology.from_edges(edges, names={row.id: row.name for row in rows})
