r"""The ontology-aware loss as a module of PyTorch.

Liu, Kong, Liu, Mei, Liu, Li, Plumbley, Wang, "Ontology-aware Learning and Evaluation for Audio
Tagging", ICASSP 2023.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

try:
    import torch
    from torch.nn import functional
except ImportError as error:
    raise ImportError(
        "soundeval.integrations.torch needs PyTorch: https://pytorch.org says how to install it"
    ) from error

from soundeval.checks import choice, non_negative
from soundeval.ontology import obce_weights

__all__ = ["OntologyBCELoss"]


class OntologyBCELoss(torch.nn.Module):  # type: ignore[misc,unused-ignore]
    r"""Mean of binary cross entropy and ontology-aware binary cross entropy.

    .. math::

        \mathcal{L} = -\frac{1}{2NC} \sum_{n,c} (1 + r_{n,c})
        \left( y_{n,c} \log p_{n,c} + (1 - y_{n,c}) \log (1 - p_{n,c}) \right)

    with the weights r of Algorithm 1 of the paper, see `soundeval.ontology.obce_weights`. The paper
    prints the sums without the minus sign.

    Parameters
    ----------
    distances : array-like of shape (n_classes, n_classes)
        Distances of classes, as from `Ontology.distance_matrix`.
    beta : float, default 1.0
        Exponent of the distances, 0 or more; with 0 it is plain binary cross entropy.
    from_logits : bool, default False
        Whether the input are logits, of which a sigmoid is taken, or probabilities.
    variant : {"paper", "code"}, default "paper"
        Whether weights have the mean 1 in every clip, as in the paper, or in the whole batch and
        with labels' distances to other labels, as in the published code.

    Notes
    -----
    Where a target is above 0 it is a label, so targets may be soft. Clips without labels have
    weights of 1. Weights are constants: no gradient flows through them.

    Examples
    --------
    >>> import numpy as np
    >>> import torch
    >>> from soundeval.integrations.torch import OntologyBCELoss
    >>> path = np.abs(np.subtract.outer(range(3), range(3)))
    >>> loss = OntologyBCELoss(path)
    >>> loss(torch.tensor([[0.9, 0.5, 0.1]]), torch.tensor([[1.0, 0.0, 0.0]]))
    tensor(0.2621)
    """

    def __init__(
        self,
        distances: ArrayLike,
        beta: float = 1.0,
        *,
        from_logits: bool = False,
        variant: Literal["paper", "code"] = "paper",
    ) -> None:
        super().__init__()
        self.variant = choice("variant", variant, ("paper", "code"))
        self.beta = non_negative("beta", beta)
        self.from_logits = from_logits
        self._distances = np.array(distances, dtype=np.float64)

    def forward(self, input: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Return the loss of a batch.

        Parameters
        ----------
        input, target : Tensor of shape (n_clips, n_classes)
            Probabilities (or logits), and labels from 0 to 1.

        Returns
        -------
        Tensor of shape ()
            The loss.

        Raises
        ------
        InputError
            If the number of classes is not that of the distances.
        """
        weights = obce_weights(
            (target.detach() > 0).cpu().numpy(),
            self._distances,
            self.beta,
            normalize="batch" if self.variant == "code" else "clip",
            target_distance="other" if self.variant == "code" else "zero",
        )
        of_pairs = (1.0 + torch.from_numpy(weights).to(input)) / 2.0
        cross_entropy = (
            functional.binary_cross_entropy_with_logits
            if self.from_logits
            else functional.binary_cross_entropy
        )
        return cross_entropy(input, target.to(input), weight=of_pairs)
