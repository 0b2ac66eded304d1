"""The ontology-aware loss of PyTorch: its value is that of the weights, and gradients flow."""

import doctest
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import soundeval as se

torch = pytest.importorskip("torch", reason="torch is optional")

from soundeval.integrations.torch import OntologyBCELoss  # noqa: E402

CASES = json.loads((Path(__file__).parents[1] / "golden" / "omap" / "cases.json").read_text())
PATH = np.abs(np.subtract.outer(range(3), range(3)))


def by_hand(p, y, weights):
    cross_entropy = -(y * np.log(p) + (1 - y) * np.log(1 - p))
    return float(((1 + weights) / 2 * cross_entropy).mean())


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("from_logits", [False, True])
def test_the_loss_is_half_plain_and_half_weighted(beta, from_logits):
    p = np.array([[0.9, 0.5, 0.1], [0.2, 0.6, 0.7], [0.3, 0.3, 0.4]])
    y = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    expected = by_hand(p, y, se.ontology.obce_weights(y, PATH, beta))
    given = torch.tensor(np.log(p / (1 - p)) if from_logits else p)
    loss = OntologyBCELoss(PATH, beta, from_logits=from_logits)
    assert float(loss(given, torch.tensor(y))) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("variant", ["paper", "code"])
def test_values_of_the_cases(variant):
    n_compared = 0
    for case in CASES["cases"]:
        scores = np.array(case["scores"], np.float64)
        if "obce" not in case or not ((scores > 0) & (scores < 1)).all():
            continue
        for beta, values in case["obce"].items():
            loss = OntologyBCELoss(case["D"], float(beta), variant=variant)
            target = torch.tensor(np.array(case["target"], np.float64))
            value = float(loss(torch.tensor(scores), target))
            assert value == pytest.approx(values[variant]["total"], rel=1e-10)
            n_compared += 1
    assert n_compared >= 8


def test_gradients_flow_through_scores_only():
    scores = torch.tensor([[0.9, 0.5, 0.1]], requires_grad=True)
    target = torch.tensor([[1.0, 0.0, 0.0]])
    OntologyBCELoss(PATH)(scores, target).backward()
    assert torch.isfinite(scores.grad).all()
    assert (scores.grad[0, 1:] > 0).all()
    assert scores.grad[0, 0] < 0


def test_the_examples_run():
    result = doctest.testmod(sys.modules["soundeval.integrations.torch"])
    assert result.failed == 0
    assert result.attempted > 0


def test_parameters_are_checked():
    with pytest.raises(se.InputError, match="variant must be one of 'paper', 'code'"):
        OntologyBCELoss(PATH, variant="thesis")
    with pytest.raises(se.InputError, match="beta must be finite and 0 or more"):
        OntologyBCELoss(PATH, -1.0)
    with pytest.raises(se.InputError, match="a column for each of the 2 classes"):
        OntologyBCELoss(PATH)(torch.rand(1, 2), torch.ones(1, 2))
