"""Questions that tell the known bugs of masking apart."""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Proxy, Table, probe


@probe("causal_mask", Table.of({"T": 1}, {"T": 2}, {"T": 4}, {"T": 140}))
def causal_mask(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The mask itself; the largest one is larger than int8 can count."""
    return side.call("causal_mask", case.T)


IDS = Table.of(
    {"ids": [[3, 1, 0], [2, 0, 0]], "pad": 0},
    {"ids": [[0, 5, 2, 1], [5, 5, 0, 7], [7, 2, 5, 5]], "pad": 5},
    {"ids": [[-1, 4, 1], [1, 0, -1]], "pad": -1},
    {"ids": [[1, 65537, 257]], "pad": 1},
    {"ids": [[16777216, 16777217, 16777117], [16777217, 16777217, 16777216]], "pad": 16777217},
)


@probe("padding_mask", IDS)
def padding_mask(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The mask for padding of any id and anywhere, and what became of the ids."""
    ids = torch.tensor(case.ids)
    return [side.call("padding_mask", ids.clone(), case.pad), side.inputs_after("padding_mask", ids, case.pad)[0]]


MASKS = Table.of(
    {"shape": (3,), "kind": torch.bool, "dtype": torch.float32},
    {"shape": (2, 1, 1, 3), "kind": torch.bool, "dtype": torch.float32},
    {"shape": (2, 3), "kind": torch.int64, "dtype": torch.float64},
    {"shape": (2, 3), "kind": torch.bool, "dtype": torch.float16},
    {"shape": (3, 2), "kind": torch.bool, "dtype": torch.float32, "turned": True},
)


@probe("additive_mask", MASKS)
def additive_mask(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The numbers for masks of any shape and kind, and what became of the mask."""
    mask = part_of(case, *case.shape).to(case.kind)
    mask = mask.T if case.dims.get("turned") else mask
    value = side.call("additive_mask", mask, case.dtype)
    return [value, side.inputs_after("additive_mask", part_of(case, *case.shape).to(case.kind), case.dtype)[0]]


SOFTMAX = Table.of(
    {"shape": (2, 3), "mask": None},
    {"shape": (3, 3), "mask": (3, 3)},
    {"shape": (2, 2, 3, 4), "mask": (2, 1, 1, 4)},
    {"shape": (2, 3), "mask": (2, 3), "kind": torch.int64},
    {"shape": (2, 3, 4), "mask": (2, 3, 4), "dim": 1},
    {"shape": (2, 3, 4), "mask": None, "dim": 0},
    {"shape": (3, 4), "mask": (3, 4), "mean": -400.0},
    {"shape": (3, 4), "mask": None, "mean": 400.0},
    {"shape": (3, 4), "mask": None, "scale": 250.0},
    {"shape": (3, 4), "mask": (3, 4), "lead": 300.0},
    {"shape": (3, 4), "mask": (3, 4), "lead": 300.0, "dtype": torch.float64},
    {"shape": (3, 4), "mask": (3, 4), "lead": 1e5},
    {"shape": (3, 4), "mask": (3, 4), "empty": 1},
    {"shape": (3, 4), "mask": (3, 4), "empty": 1, "dim": 0},
)


@probe("masked_softmax", SOFTMAX)
def masked_softmax(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Weights, and what became of the inputs."""
    dim = [case.dim] if "dim" in case.dims else []
    value = side.call("masked_softmax", *question(case), *dim)
    return [value, side.inputs_after("masked_softmax", *question(case), *dim)[:2]]


@probe("masked_softmax", Table.of({"shape": (2, 3), "mask": None}, {"shape": (3, 4), "mask": (3, 4)}))
def gradients_of_masked_softmax(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What reaches the scores, in float64 too."""
    found = side.gradients("masked_softmax", *question(case), cotangents=[case.normal(*case.shape)])
    scores, mask = question(case)
    return [found.value, found.inputs[0], side.call("masked_softmax", scores.double(), mask)]


def question(case: Case) -> tuple[Tensor, Tensor | None]:
    """Scores and mask; hidden scores lead by `lead`."""
    scores = case.normal(*case.shape, scale=case.dims.get("scale", 1.0), mean=case.dims.get("mean", 0.0))
    if case.mask is None:
        return scores, None
    mask = part_of(case, *case.mask)
    if "empty" in case.dims:
        mask[case.empty] = False
        mask[:, case.empty] = False
    return scores + case.dims.get("lead", 0.0) * ~mask, mask.to(case.dims.get("kind", torch.bool))


def part_of(case: Case, *shape: int) -> Tensor:
    """A random mask with something allowed and something hidden along its last axis, and along the one before."""
    draw = case.normal(*shape, dtype=torch.float64)
    return (draw > 0) & (draw != draw.amin(-1, keepdim=True)) | (draw == draw.amax(-1, keepdim=True))
