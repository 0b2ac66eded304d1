"""Ontologies: reading, names, ancestors, distances, and mistakes."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

import soundeval as se

Ontology = se.ontology.Ontology
EDGES = [("sound", "animal"), ("sound", "thing"), ("animal", "dog"), ("dog", "bark")]


@pytest.fixture
def ontology():
    return Ontology.from_edges(EDGES, names={"dog": "Dog", "bark": "Bark"})


def test_ids_and_names(ontology):
    assert ontology.ids == ("dog", "bark", "sound", "animal", "thing")
    assert ontology.name("dog") == "Dog"
    assert ontology.id("Dog") == ontology.id("dog") == "dog"
    assert "Dog" in ontology
    assert "cat" not in ontology
    assert len(ontology) == 5
    assert repr(ontology) == "Ontology(5 classes, 4 links)"


def test_family(ontology):
    assert ontology.ancestors("Bark") == ("dog", "animal", "sound")
    assert ontology.parents("dog") == ("animal",)
    assert ontology.children("sound") == ("animal", "thing")
    assert ontology.ancestors("sound") == ()


def test_paths_go_through_classes_that_are_not_asked_for(ontology):
    matrix = ontology.distance_matrix(["bark", "thing", "sound"])
    assert matrix.tolist() == [[0, 4, 3], [4, 0, 1], [3, 1, 0]]
    assert matrix.dtype == np.int64
    assert ontology.distance_matrix().shape == (5, 5)


def test_a_root_stands_above_all_classes_without_parents():
    ontology = Ontology.from_edges([("a", "b"), ("c", "d")])
    assert ontology.distance_matrix(["b", "d"], root=True).tolist() == [[0, 4], [4, 0]]


def test_weights_of_edges_are_added_up():
    ontology = Ontology.from_edges([("a", "b", 0.5), ("b", "c", 0.25), ("a", "c", 2.0)])
    matrix = ontology.distance_matrix(["a", "b", "c"], weight="weight")
    assert matrix.tolist() == [[0, 0.5, 0.75], [0.5, 0, 0.25], [0.75, 0.25, 0]]
    with pytest.raises(se.InputError, match=r"every edge must have a number .* 'w'"):
        ontology.distance_matrix(weight="w")


def test_classes_without_a_path():
    ontology = Ontology.from_edges([("a", "b"), ("b", "e"), ("c", "d")])
    with pytest.raises(se.InputError, match=r"no path between 'a' .* and 'd' .*3 classes.*2 clas"):
        ontology.distance_matrix(["a", "e", "d"])
    matrix = ontology.distance_matrix(["a", "e", "d"], unreachable="farthest")
    assert matrix.tolist() == [[0, 2, 3], [2, 0, 3], [3, 3, 0]]


def test_labels_and_scores_of_ancestors(ontology):
    classes = ["Bark", "thing", "sound", "Dog"]
    labels = ontology.propagate_labels(np.array([[1, 0, 0, 0], [0, 1, 0, 0]], bool), classes)
    assert labels.tolist() == [[True, False, True, True], [False, True, True, False]]
    scores = ontology.propagate_scores([[0.9, 0.1, 0.2, 0.95]], classes)
    assert scores.tolist() == [[0.9, 0.1, 0.95, 0.95]]
    with pytest.raises(se.InputError, match=r"shape \(n_clips, 4\)"):
        ontology.propagate_labels([[1, 0]], classes)


def test_fsd50k_style_closure_is_idempotent():
    ontology = Ontology.audioset()
    rng = np.random.default_rng(0)
    once = ontology.propagate_labels(rng.random((20, 200)) < 0.02, "fsd50k")
    np.testing.assert_array_equal(ontology.propagate_labels(once, "fsd50k"), once)


def test_networkx_graphs_with_and_without_directions():
    graph = nx.DiGraph(EDGES)
    graph.nodes["dog"]["name"] = "Hund"
    ontology = Ontology.from_networkx(graph)
    graph.remove_node("dog")
    assert ontology.name("Hund") == "Hund"
    assert set(ontology.graph.edges) == set(EDGES)
    assert ontology.graph.nodes["dog"]["name"] == "Hund"
    plain = Ontology.from_networkx(nx.Graph(EDGES))
    np.testing.assert_array_equal(
        plain.distance_matrix(["bark", "thing"]), ontology.distance_matrix(["bark", "thing"])
    )
    with pytest.raises(se.InputError, match="no directions"):
        plain.ancestors("dog")
    with pytest.raises(se.InputError, match="as text, got 1"):
        Ontology.from_networkx(nx.DiGraph([(1, 2)]))
    with pytest.raises(se.InputError, match="multigraph"):
        Ontology.from_networkx(nx.MultiDiGraph(EDGES))
    with pytest.raises(se.InputError, match="not in the graph: 'cat'"):
        Ontology.from_networkx(nx.DiGraph(EDGES), names={"cat": "Cat"})


def test_reading_a_file(tmp_path):
    path = tmp_path / "ontology.json"
    entries = [
        {"id": "/m/1", "name": "Sound", "child_ids": ["/m/2"]},
        {"id": "/m/2", "name": "Dog", "child_ids": []},
    ]
    path.write_text(json.dumps(entries))
    assert Ontology.from_audioset_json(path).ancestors("Dog") == ("/m/1",)
    entries[1]["child_ids"] = ["/m/3"]
    path.write_text(json.dumps(entries))
    with pytest.raises(se.InputError, match=r"ontology.json: children that are no entries: '/m/3'"):
        Ontology.from_audioset_json(path)
    path.write_text(json.dumps([*entries, entries[0]]))
    with pytest.raises(se.InputError, match="1 of the ids are there twice"):
        Ontology.from_audioset_json(path)
    for wrong in ("{}x", '["a"]', "[1]"):
        path.write_text(wrong)
        with pytest.raises(se.InputError, match="expected a list of objects"):
            Ontology.from_audioset_json(path)
    with pytest.raises(FileNotFoundError):
        Ontology.from_audioset_json(tmp_path / "missing.json")


def test_unknown_classes_are_named(ontology):
    with pytest.raises(se.InputError, match=r"no class 'dgo'; did you mean 'D?d?og'"):
        ontology.id("dgo")
    with pytest.raises(se.InputError, match=r"2 classes: 'cat', 'cow'.*with_edges adds classes"):
        ontology.distance_matrix(["dog", "cat", "cow"])
    with pytest.raises(se.InputError, match="'Dog' is there twice"):
        ontology.distance_matrix(["dog", "Dog"])
    with pytest.raises(se.InputError, match="at least one class"):
        ontology.distance_matrix([])
    with pytest.raises(se.InputError, match="'audioset', 'fsd50k', got 'esc50'"):
        ontology.distance_matrix("esc50")
    same = Ontology.from_edges([("a", "b")], names={"a": "X", "b": "X"})
    with pytest.raises(se.InputError, match=r"several classes are called 'X', say which: 'a', 'b'"):
        same.id("X")
    with pytest.raises(se.InputError, match="an edge must be"):
        Ontology.from_edges(["ab"])


def test_class_lists():
    audioset, fsd50k = se.ontology.class_list("audioset"), se.ontology.class_list("fsd50k")
    assert (len(audioset), len(fsd50k)) == (527, 200)
    assert (audioset.labels[0], audioset.labels[526]) == ("Speech", "Field recording")
    assert list(fsd50k.labels) == sorted(fsd50k.labels)
    assert "Dishes_and_pots_and_pans" in fsd50k.labels
    assert len({*audioset.ids} & {*fsd50k.ids}) == 192
    assert repr(fsd50k) == "ClassList('fsd50k', 200 classes)"
