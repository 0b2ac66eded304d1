"""The AudioSet ontology that comes with soundeval gives the published distances."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from gold import shared

import soundeval as se

HISTOGRAM = [
    *(527, 756, 4534, 8918, 21316, 28946, 30842, 37400, 37756, 30968, 24424, 17850, 11994, 8154),
    *(5692, 3268, 1888, 1226, 842, 324, 96, 8),
]


@pytest.fixture(scope="module")
def ontology():
    return se.ontology.Ontology.audioset()


@pytest.fixture(scope="module")
def distances(ontology):
    return ontology.distance_matrix("audioset")


def test_audioset_matrix_entry_by_entry(distances):
    gold = np.load(shared("gold/audioset_distance_reference.npz"))
    assert se.ontology.class_list("audioset").ids == tuple(gold["mids"])
    np.testing.assert_array_equal(distances, gold["distance"])


def test_fsd50k_matrix_entry_by_entry(ontology):
    gold = np.load(shared("gold/fsd50k_distance.npz"))
    classes = se.ontology.class_list("fsd50k")
    assert classes.ids == tuple(gold["mids"])
    assert classes.labels == tuple(gold["names"])
    matrix = ontology.distance_matrix(classes.ids)
    np.testing.assert_array_equal(matrix, gold["distance"])
    assert matrix.max() == 17


def test_facts_of_the_audioset_matrix(distances):
    """Without any file: these numbers were computed with the published code."""
    assert np.bincount(distances.ravel()).tolist() == HISTOGRAM
    assert zlib.crc32(distances.astype(np.uint8).tobytes()) == 904414153


def test_facts_of_the_fsd50k_matrix(ontology):
    matrix = ontology.distance_matrix("fsd50k")
    assert zlib.crc32(matrix.astype(np.uint8).tobytes()) == 1288887786


def test_a_root_brings_the_families_together(ontology):
    assert ontology.distance_matrix("audioset", root=True).max() == 11


def test_the_table_is_the_ontology_of_audioset(ontology):
    path = shared("data/tagging/audioset_ontology.json")
    original = se.ontology.Ontology.from_audioset_json(path)
    assert set(original.graph.edges) == set(ontology.graph.edges)
    assert original.ids == ontology.ids
    assert [original.name(i) for i in original.ids] == [ontology.name(i) for i in ontology.ids]


def test_seven_families_and_classes_with_several_parents(ontology):
    parents = [len(ontology.parents(i)) for i in ontology.ids]
    assert parents.count(0) == 7
    assert sum(n > 1 for n in parents) == 38
    assert len(ontology.parents("Growling")) == 4
