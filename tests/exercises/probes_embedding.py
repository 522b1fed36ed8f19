"""Questions that tell the known bugs of one_hot and Embedding apart."""

from typing import Any

import torch

from grader.run.suite import Case, Proxy, Table, fill, probe

IDS = Table.of(
    {"ids": [2, 0, 3], "V": 5, "d": 2},
    {"ids": [[1, 4, 1], [0, 0, 1]], "V": 6, "d": 4},
    {"ids": [[0, 1], [2, 3], [3, 2]], "V": 4, "d": 3},
    {"ids": [[[3, 1]], [[1, 1]]], "V": 4, "d": 4},
    {"ids": 2, "V": 3, "d": 2},
)


@probe("one_hot", IDS)
def vectors(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The vectors, ids after the call, and whether anything stays behind when ids is on another device."""
    ids = torch.tensor(case.ids)
    return {
        "vectors": side.call("one_hot", ids.clone(), case.V),
        "inputs": side.inputs_after("one_hot", ids.clone(), case.V),
        "on the CPU": side.device_problem("one_hot", ids.clone(), case.V) is not None,
    }


@probe("Embedding", IDS)
def look_up(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The rows, and the gradient of the table along a direction, so that it does not matter how it is kept."""
    module, ids = fill(side, reference, case, "Embedding", case.V, case.d), torch.tensor(case.ids)
    directions = {"weight": case.normal(case.V, case.d)}
    return module.gradients(ids, cotangents=[case.normal(*ids.shape, case.d)], directions=directions)


@probe("Embedding", Table.of({"V": 4, "d": 3}))
def new_table(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How many numbers can be trained, and whether the rows of a new table differ, within and from each other."""
    module = side.construct("Embedding", case.V, case.d)
    rows = module(torch.arange(case.V))
    module.to(torch.float64)
    return {
        "trainable": sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad),
        "hidden": [what for _, what in module.unregistered()],
        "moves": module(torch.arange(case.V)).dtype,
        "rows": len(rows.unique(dim=0)),
        "one number": len(rows.unique()) == 1,
        "zero rows": [bool((row == 0).all()) for row in rows],
        "zero": bool((rows == 0).all()),
    }


@probe("Embedding", Table.of({"V": 5, "d": 3}))
def modes_and_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Another mode, another dtype, and what became of ids."""
    module, ids = fill(side, reference, case, "Embedding", case.V, case.d), case.integers(0, case.V, 2, 4)
    answers = [module.inputs_after(ids.clone())]
    module.train()
    answers.append(module(ids.clone()))
    module.to(torch.float64)
    return [*answers, module(ids)]
