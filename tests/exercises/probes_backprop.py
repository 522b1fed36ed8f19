"""Questions that tell the known bugs of backprop apart."""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Given, Proxy, Table, probe

MATRICES = Table.of({"m": 2, "n": 3}, {"m": 3, "n": 3}, {"m": 1, "n": 1}, {"m": 3, "n": 2, "dtype": torch.float64})
CLASSIFIERS = Table.of(
    {"m": 2, "n": 3},
    {"m": 3, "n": 3},
    {"m": 1, "n": 2},
    {"m": 1, "n": 1},
    {"m": 4, "n": 3, "dtype": torch.float64},
    {"m": 3, "n": 2, "shift": (150.0, -150.0, 0.5)},
)


@probe("jacobian_linear", MATRICES)
def linear(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The Jacobian, and the inputs after the call."""
    W, x = case.normal(case.m, case.n), case.normal(case.n)
    return [side.call("jacobian_linear", W, x), *side.inputs_after("jacobian_linear", W, x)]


@probe("jacobian_elementwise", Table.of({"n": 3}, {"n": 1}, {"n": 2, "dtype": torch.float64}))
def elementwise(side: Proxy, reference: Proxy, case: Case) -> Any:
    """For a derivative that is not 0 at 0, and for one that is; the input after the call."""
    z = case.normal(case.n)
    answers = [side.call("jacobian_elementwise", Given("polynomial", f), z) for f in ((0.5, 1.0, 0.3), (0.0, 2.0, 0.0))]
    return [*answers, side.inputs_after("jacobian_elementwise", Given("polynomial", (0.5, 1.0, 0.3)), z)[1]]


@probe("gradient_dot", Table.of({"n": 3}, {"n": 1}, {"n": 2, "dtype": torch.float64}))
def dot(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The gradient, and the inputs after the call."""
    u, h = case.normal(case.n), case.normal(case.n)
    return [side.call("gradient_dot", u, h), *side.inputs_after("gradient_dot", u, h)]


@probe("classifier_forward", CLASSIFIERS)
def score(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The score, and the inputs after the call."""
    given = variables(case)
    (s, _), _ = side.call_keeping(1, "classifier_forward", *given)
    return [s, *side.inputs_after("classifier_forward", *given)]


@probe("classifier_backward", CLASSIFIERS)
def gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """All four, twice from the same cache, and after another forward."""
    _, cache = side.call_keeping(1, "classifier_forward", *variables(case))
    answers = [side.call("classifier_backward", cache) for _ in range(2)]
    side.call_keeping(1, "classifier_forward", *variables(case))
    return [*answers, side.call("classifier_backward", cache)]


def variables(case: Case) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x, W, b, u."""
    x, W, u = case.normal(case.n), case.normal(case.m, case.n), case.normal(case.m)
    return x, W, case.normal(case.m) + torch.tensor(case.dims.get("shift", (0.0,)), dtype=x.dtype), u
