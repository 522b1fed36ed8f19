"""Questions that tell the known bugs of additive attention apart."""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Module, Proxy, Table, probe

ASKED = Table.of(
    {"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6},
    {"B": 3, "S": 3, "q": 3, "k": 3, "hidden": 3},
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5, "mask": torch.bool},
    {"B": 3, "S": 3, "q": 2, "k": 4, "hidden": 5, "mask": torch.int64},
    {"B": 1, "S": 5, "q": 2, "k": 4, "hidden": 3, "mask": torch.bool},
    {"B": 1, "S": 1, "q": 2, "k": 3, "hidden": 4},
    {"B": 2, "S": 1, "q": 2, "k": 3, "hidden": 4},
    {"B": 1, "S": 3, "q": 2, "k": 3, "hidden": 1},
)
SCORES = Table.of(
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5, "size": 150.0, "first": 1.0},
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5, "size": 150.0, "first": -1.0},
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5, "size": 150.0, "first": (1.0, -1.0)},
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5, "size": 10.0, "first": 1.0},
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5, "size": 10.0, "first": -1.0},
)


@probe("AdditiveAttention", ASKED)
def values_and_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Context, weights and all gradients, those of the parameters along a direction."""
    module = filled(side, case, case.weights(shapes(case)))
    query, keys = case.normal(case.B, case.q), case.normal(case.B, case.S, case.k)
    cotangents: list[Tensor | None] = [case.normal(case.B, case.k), case.normal(case.B, case.S)]
    directions = {name: case.normal(*shape, dtype=torch.float32) for name, shape in shapes(case).items()}
    given = (query, keys) if "mask" not in case.dims else (query, keys, mask_of(case).to(case.mask))
    found = module.gradients(*given, cotangents=cotangents, directions=directions if module.adapted else {})
    slopes = {}
    for name, gradient in found.weights.items():
        slope = gradient if gradient is None or module.adapted else (gradient.double() * directions[name]).sum()
        slopes[name] = torch.tensor(0.0, dtype=torch.float64) if slope is None else slope.double()
    return {"value": found.value, "inputs": found.inputs, "weights": slopes}


@probe("AdditiveAttention", SCORES)
def far_from_zero(side: Proxy, reference: Proxy, case: Case) -> Any:
    """All scores far above or far below 0, without a mask and with one.

    Every number is exact in float32, so that large scores add no noise: tanh gives 1, 0 or -1.
    """
    weights = {name: torch.zeros(shape) for name, shape in shapes(case).items()}
    weights["W.weight"][0, case.q], weights["W.weight"][1, case.q + 1] = 30.0, 30.0
    weights["v.weight"][0, 0], weights["v.weight"][0, 1] = case.size, 0.5
    module = filled(side, case, weights)
    query, keys = case.normal(case.B, case.q), case.normal(case.B, case.S, case.k)
    keys[..., 0], keys[..., 1] = torch.tensor(case.first).view(-1, 1), torch.tensor([1.0, 0.0, -1.0, 1.0])
    return [module(query.clone(), keys.clone()), module(query.clone(), keys.clone(), mask_of(case))]


@probe("AdditiveAttention", Table.of({"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 5}))
def a_new_module(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How many numbers can be trained, and whether anything is hidden from PyTorch."""
    module = side.construct("AdditiveAttention", case.q, case.k, case.hidden)
    trainable = sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad)
    return [trainable, [what for _, what in module.unregistered()]]


@probe("AdditiveAttention", Table.of({"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6}))
def calls_and_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What became of the inputs, other calls, the same with another seed, and float64."""
    module = filled(side, case, case.weights(shapes(case)))
    query, keys, mask = case.normal(case.B, case.q), case.normal(case.B, case.S, case.k), mask_of(case)
    answers = [module(query.clone(), keys.clone(), mask.roll(1, 1))]
    answers += [module.inputs_after(query.clone(), keys.clone(), mask.to(kind)) for kind in (torch.bool, torch.int64)]
    answers.append(module(query[:2].clone(), keys[:2, :3].clone()))
    side.seed += 1
    answers.append(module(query.clone(), keys.clone(), mask.clone()))
    side.seed -= 1
    module.to(torch.float64)
    return [*answers, module(query.double(), keys.double(), mask.clone())]


def shapes(case: Case) -> dict[str, tuple[int, ...]]:
    return {"W.weight": (case.hidden, case.q + case.k), "W.bias": (case.hidden,), "v.weight": (1, case.hidden)}


def filled(side: Proxy, case: Case, weights: dict[str, Tensor]) -> Module:
    return side.filled("AdditiveAttention", case.q, case.k, case.hidden, weights=weights)


def mask_of(case: Case) -> Tensor:
    """A chequered mask: every sequence has a key that may be seen and one that is hidden."""
    steps = torch.arange(case.B)[:, None] + torch.arange(case.S)
    return steps % 2 == 0
