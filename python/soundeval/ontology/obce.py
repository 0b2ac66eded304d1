"""Weights of the ontology-aware binary cross entropy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soundeval import _core
from soundeval.checks import choice, non_negative
from soundeval.errors import checked
from soundeval.tagging.inputs import distance_matrix, tagging_input

if TYPE_CHECKING:
    from soundeval.tagging.inputs import TagsInput

__all__ = ["nearest_label_distances", "obce_weights"]


def obce_weights(
    y_true: TagsInput,
    distances: ArrayLike,
    beta: float = 1.0,
    *,
    normalize: Literal["clip", "batch"] = "clip",
    target_distance: Literal["zero", "other"] = "zero",
) -> NDArray[np.float64]:
    r"""Return a weight for each clip and class: Algorithm 1 of Liu et al. (ICASSP 2023).

    For a clip with labels :math:`L`

    .. math::

        r_c = \min_{k \in L} D_{c,k}^\beta, \quad r \leftarrow r / \max(r), \quad
        r_k \leftarrow 1 \text{ for } k \in L, \quad r \leftarrow r / \text{mean}(r)

    so that mistakes between near classes cost less. The loss with these weights is
    ``soundeval.integrations.torch.OntologyBCELoss``.

    Parameters
    ----------
    y_true : array-like or table of shape (n_clips, n_classes)
        0 and 1, or bools. For soft labels decide first what counts as a label: ``y_true > 0``.
    distances : array-like of shape (n_classes, n_classes)
        Distances of classes, as from `Ontology.distance_matrix`.
    beta : float, default 1.0
        Exponent, 0 or more; 0 gives weights of 1.
    normalize : {"clip", "batch"}, default "clip"
        Whether the mean weight is 1 for every clip, as in the paper, or for all clips together, as
        in the published code.
    target_distance : {"zero", "other"}, default "zero"
        What a label has before the greatest weight is looked for: 0 as in the paper, or the
        distance to the nearest other label, as in the published code, where distances of 0 do not
        count.

    Returns
    -------
    float64 ndarray of shape (n_clips, n_classes)
        Clips without labels have weight 1 throughout: plain binary cross entropy.

    Raises
    ------
    InputError
        If labels are not 0 or 1, `beta` is negative, or distances do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> import soundeval as se
    >>> path = np.abs(np.subtract.outer(range(3), range(3)))
    >>> se.ontology.obce_weights([[1, 0, 0]], path)
    array([[1.2, 0.6, 1.2]])
    """
    choice("normalize", normalize, ("clip", "batch"))
    choice("target_distance", target_distance, ("zero", "other"))
    labels, matrix = _checked(y_true, distances)
    return checked(
        _core.obce_weights,
        labels,
        matrix,
        non_negative("beta", beta),
        normalize == "batch",
        target_distance == "other",
    )


def nearest_label_distances(y_true: TagsInput, distances: ArrayLike) -> NDArray[np.float64]:
    """Return the distance of every class to the nearest label of every clip.

    Parameters
    ----------
    y_true : array-like or table of shape (n_clips, n_classes)
        0 and 1, or bools.
    distances : array-like of shape (n_classes, n_classes)
        Distances of classes.

    Returns
    -------
    float64 ndarray of shape (n_clips, n_classes)
        Infinite for clips without labels.

    Examples
    --------
    >>> import soundeval as se
    >>> path = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> se.ontology.nearest_label_distances([[1, 0, 1], [0, 0, 0]], path)
    array([[ 0.,  1.,  0.],
           [inf, inf, inf]])
    """
    labels, matrix = _checked(y_true, distances)
    nearest = np.full(labels.shape, np.inf)
    for row, clip in zip(nearest, labels, strict=True):
        of_labels = matrix[clip == 1]
        if len(of_labels):
            of_labels.min(axis=0, out=row)
    return nearest


def _checked(
    y_true: TagsInput, distances: ArrayLike
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    truth = np.asarray(y_true)
    data = tagging_input(truth, np.zeros(truth.shape, np.float32))
    return data.labels, distance_matrix(distances, len(data.class_names))
