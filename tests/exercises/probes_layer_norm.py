"""Questions that tell the known bugs of layer normalisation apart."""

from typing import Any

import torch

from grader.run.suite import Case, Proxy, Table, fill, probe

SHAPES = Table.of(
    {"shape": (2, 4), "eps": 1e-6},
    {"shape": (2, 3, 5), "eps": 0.5},
    {"shape": (3, 3), "eps": 1e-6},
    {"shape": (4,), "eps": 0.1},
    {"shape": (2, 2, 3, 5), "eps": 1e-6},
)


@probe("LayerNorm", SHAPES)
def values_and_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values and all gradients, with an ordinary eps and with one that shows where it stands.

    The gradients of the weights are asked for along a direction, so that it does not matter how they are kept.
    """
    module = fill(side, reference, case, "LayerNorm", case.shape[-1], case.eps)
    x, cotangent = (case.normal(*case.shape, mean=0.5) for _ in range(2))
    directions = {name: case.normal(case.shape[-1]) for name in ("weight", "bias")}
    return module.gradients(x, cotangents=[cotangent], directions=directions)


@probe("LayerNorm", Table.of({"shape": (2, 3, 4)}))
def a_new_layer(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How many numbers can be trained, what they do before training, and with nearly equal features."""
    module, x = side.construct("LayerNorm", case.shape[-1]), case.normal(*case.shape, mean=0.5)
    return {
        "trainable": sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad),
        "value": module(x),
        "nearly equal": module(case.normal(*case.shape, scale=1e-3)),
        "equal": module(torch.full(case.shape, 0.5)),
        "hidden": [what for _, what in module.unregistered()],
    }


@probe("LayerNorm", Table.of({"shape": (2, 3, 4)}))
def modes_and_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Another call, another mode, another dtype, and what became of the input."""
    module, x = fill(side, reference, case, "LayerNorm", case.shape[-1]), case.normal(*case.shape, mean=0.5)
    answers = [*module.inputs_after(x.clone()), module(case.normal(*case.shape, scale=2.0))]
    module.train()
    answers.append(module(x.clone()))
    module.to(torch.float64)
    return [*answers, module(x.double())]


@probe("LayerNorm", Table.of({"shape": (3, 2, 4)}))
def transposed(side: Proxy, reference: Proxy, case: Case) -> Any:
    """An input whose axes were exchanged."""
    module = fill(side, reference, case, "LayerNorm", case.shape[-1])
    return module(case.normal(*case.shape).transpose(0, 1))
