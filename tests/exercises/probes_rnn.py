"""Questions that tell the known bugs of rnn apart."""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Given, Proxy, Table, probe

STEPS = Table.of(
    {"d": 2, "n": 3, "V": 4},
    {"d": 3, "n": 3, "V": 3},
    {"d": 1, "n": 1, "V": 2, "dtype": torch.float64},
    {"d": 2, "n": 3, "V": 4, "scores": 300.0},
    {"d": 2, "n": 3, "V": 4, "scores": -300.0},
    {"d": 2, "n": 3, "V": 4, "states": 150.0},
)
TEXTS = Table.of(
    {"T": 2, "d": 2, "n": 3, "V": 4},
    {"T": 5, "d": 2, "n": 3, "V": 4},
    {"T": 4, "d": 3, "n": 3, "V": 3},
    {"T": 3, "d": 3, "n": 2, "V": 5, "dtype": torch.float64},
    {"T": 4, "d": 2, "n": 3, "V": 4, "scores": 300.0},
    {"T": 4, "d": 2, "n": 3, "V": 4, "scores": -300.0},
    {"T": 4, "d": 2, "n": 3, "V": 4, "never": 18.0},
)
# numbers of each gradient, or None
GRADS = Table.of(
    {"grads": ((3.0, -4.0), (12.0,)), "max_norm": 6.5},
    {"grads": ((0.3, -0.4), (0.0, 1.2)), "max_norm": 0.65},
    {"grads": ((0.3, -0.4), (0.0, 1.2)), "max_norm": 1.5},
    {"grads": ((3.0, -4.0), (12.0,)), "max_norm": 15.0},
    {"grads": ((1.0, -2.0), (2.0,)), "max_norm": 2.5},
    {"grads": ((3.0, -4.0), (12.0, 5.0)), "max_norm": 2.0},
    {"grads": ((0.3, -0.4), (0.0,)), "max_norm": 0.8},
    {"grads": ((0.6, 0.8), (0.8, -0.6), (1.0,)), "max_norm": 1.25},
    {"grads": ((3.0, -4.0), None, (12.0,)), "max_norm": 6.5},
    {"grads": (None, (3.0, 4.0)), "max_norm": 10.0},
    {"grads": (None, None), "max_norm": 1.0},
    {"grads": ((0.0, 0.0), (0.0,)), "max_norm": 1.0},
    {"grads": ((3.0, -4.0), (12.0,)), "max_norm": 6.5, "once": True},
)


@probe("rnn_step", STEPS)
def step(side: Proxy, reference: Proxy, case: Case) -> Any:
    """State, probabilities, their gradients, and the inputs after the call.

    No gradients where the state is at its ends: 1 / (1 + exp(-z)) is right there, and autograd's way through it is not.
    """
    given = (case.normal(case.d), case.normal(case.n).sigmoid(), *model(case))
    if "states" in case.dims:
        return side.call("rnn_step", *given)
    cotangents: list[Tensor | None] = [case.normal(case.n), case.normal(case.V)]
    return [side.gradients("rnn_step", *given, cotangents=cotangents), *side.inputs_after("rnn_step", *given)]


@probe("rnn_lm_loss", TEXTS)
def loss(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The loss, its gradients, and the inputs after the call."""
    ids = case.integers(0, case.V - 1 if "never" in case.dims else case.V, case.T)
    given = (ids, case.normal(case.V, case.d), case.normal(case.n).sigmoid(), *model(case))
    one = torch.ones((), dtype=given[1].dtype)
    return [side.gradients("rnn_lm_loss", *given, cotangents=[one]), *side.inputs_after("rnn_lm_loss", *given)]


@probe("clip_grad_norm", GRADS)
def clipping(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values and gradients afterwards, and the norm as a number."""
    dtype = case.dims.get("dtype", torch.float32)
    grads = [None if g is None else torch.tensor(g, dtype=dtype) for g in case.grads]
    values = [case.normal(1 if g is None else len(g), scale=3.0) for g in case.grads]
    given = Given("parameters", (values, grads, case.dims.get("once", False)))
    return {"norm": number(side.call("clip_grad_norm", given, case.max_norm)), "after": after(side, given, case)}


def after(side: Proxy, given: Given, case: Case) -> Any:
    return side.inputs_after("clip_grad_norm", given, case.max_norm)[0]


def number(answer: Any) -> Any:
    """A tensor of one number and a float are the same answer."""
    if isinstance(answer, Tensor) and answer.numel() == 1:
        answer = answer.double().item()
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        return torch.tensor(float(answer), dtype=torch.float64)
    return answer


def model(case: Case) -> tuple[Tensor, ...]:
    """W_h, W_e, b1, U, b2."""
    b1 = case.normal(case.n)
    if "states" in case.dims:
        b1 = torch.linspace(-case.states, case.states, case.n)
    b2 = case.normal(case.V) + case.dims.get("scores", 0.0)
    b2[-1] += case.dims.get("never", 0.0)
    W_h, U = case.normal(case.n, case.n, scale=1.5), case.normal(case.V, case.n, scale=1.5)
    return W_h, case.normal(case.n, case.d), b1, U, b2
