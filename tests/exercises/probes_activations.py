"""Questions that tell the known bugs of the activations apart."""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Proxy, Table, fill, probe

NUMBERS = Table.of(
    {"shape": (5, 8)},
    {"shape": (2, 3, 7), "scale": 3.0},
    {"shape": (6,), "scale": 20.0},
    {"shape": (2, 2, 3, 2), "scale": 0.2},
    {"shape": (3, 4), "dtype": torch.float64},
    {"shape": ()},
)
SIZES = Table.of({"sizes": (-900.0, -300.0, -30.0, 0.0, 30.0, 300.0, 900.0)})
LAYERS = Table.of(
    {"shape": (3,), "hidden": 4},
    {"shape": (2, 4), "hidden": 3},
    {"shape": (2, 3, 5), "hidden": 7, "scale": 2.0},
    {"shape": (3, 4, 4), "hidden": 4},
)


def _numbers(case: Case) -> Tensor:
    """On both sides of 0, near to it and far, but not in 0, where the gradient of a bend is open."""
    x = case.normal(*case.shape, scale=case.dims.get("scale", 1.0))
    return x + 0.05 * x.sign()


def _values(task: str, side: Proxy, case: Case) -> Any:
    """Values, and x after the call."""
    x = _numbers(case)
    return {"inputs": side.inputs_after(task, x.clone()), "value": side.call(task, x.clone())}


def _gradients(task: str, side: Proxy, case: Case) -> Any:
    return side.gradients(task, _numbers(case), cotangents=[case.normal(*case.shape)])


def _large(task: str, side: Proxy, case: Case) -> Any:
    return side.call(task, torch.tensor(case.sizes))


@probe("relu", NUMBERS)
def relu_values(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values on both sides of 0, and x after the call."""
    return _values("relu", side, case)


@probe("relu", NUMBERS)
def relu_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The gradient of x."""
    return _gradients("relu", side, case)


@probe("relu", SIZES)
def relu_large(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Hundreds, and 0."""
    return _large("relu", side, case)


@probe("gelu", NUMBERS)
def gelu_values(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values on both sides of 0, and x after the call."""
    return _values("gelu", side, case)


@probe("gelu", NUMBERS)
def gelu_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The gradient of x."""
    return _gradients("gelu", side, case)


@probe("gelu", SIZES)
def gelu_large(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Hundreds, and 0."""
    return _large("gelu", side, case)


@probe("gelu_tanh", NUMBERS)
def gelu_tanh_values(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values on both sides of 0, and x after the call."""
    return _values("gelu_tanh", side, case)


@probe("gelu_tanh", NUMBERS)
def gelu_tanh_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The gradient of x."""
    return _gradients("gelu_tanh", side, case)


@probe("gelu_tanh", SIZES)
def gelu_tanh_large(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Hundreds, and 0."""
    return _large("gelu_tanh", side, case)


@probe("SwiGLU", LAYERS)
def layer(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values and all gradients; those of the weights along a direction: it does not matter how they are kept."""
    module = fill(side, reference, case, "SwiGLU", case.shape[-1], case.hidden)
    x, cotangent = case.normal(*case.shape, scale=case.dims.get("scale", 1.0)), case.normal(*case.shape)
    width, hidden = case.shape[-1], case.hidden
    shapes = {"w1.weight": (hidden, width), "w2.weight": (width, hidden), "w3.weight": (hidden, width)}
    directions = {name: case.normal(*shape) for name, shape in shapes.items()}
    return module.gradients(x, cotangents=[cotangent], directions=directions)


@probe("SwiGLU", Table.of({"shape": (2, 3, 4), "hidden": 6}))
def new_layer(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How many numbers can be trained."""
    module = side.construct("SwiGLU", case.shape[-1], case.hidden)
    return {
        "trainable": sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad),
        "hidden": [what for _, what in module.unregistered()],
    }


@probe("SwiGLU", Table.of({"shape": (2, 3, 4), "hidden": 5}))
def modes_and_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Another mode, another dtype, and what became of the input."""
    module, x = fill(side, reference, case, "SwiGLU", case.shape[-1], case.hidden), case.normal(*case.shape)
    answers = [*module.inputs_after(x.clone())]
    module.train()
    answers.append(module(x.clone()))
    module.to(torch.float64)
    return [*answers, module(x.double())]
