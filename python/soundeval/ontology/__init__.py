"""Ontologies of sounds: which classes are near each other.

| what you want | look at |
|---|---|
| the AudioSet ontology, offline | `Ontology.audioset` |
| an ontology of your own | `Ontology.from_networkx`, `.from_edges`, `.from_audioset_json` |
| distances for `soundeval.tagging.omap` | `Ontology.distance_matrix` |
| the classes of AudioSet and FSD50K, by name | `class_list`, `ClassList` |
| labels and scores of ancestors | `Ontology.propagate_labels`, `.propagate_scores` |
| weights of the ontology-aware loss | `obce_weights`, `nearest_label_distances` |
"""

from soundeval.ontology.class_lists import ClassList, class_list
from soundeval.ontology.graph import Ontology
from soundeval.ontology.obce import nearest_label_distances, obce_weights

__all__ = ["ClassList", "Ontology", "class_list", "nearest_label_distances", "obce_weights"]
