"""The device check: right code is told at once from code that leaves a tensor on the CPU, which `meta` confirms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from grader.subject.worker.actor import Actor
from grader.subject.worker.travel import Travel
from grader.subject.worker.values import Handle

X = torch.arange(6.0).reshape(2, 3)


def arange_there(x: Tensor) -> Tensor:
    return x + torch.arange(3, device=x.device)


def mask_like(x: Tensor) -> Tensor:
    return x.masked_fill(torch.ones_like(x).tril() == 0, float("-inf"))


def new_and_cast(x: Tensor) -> Tensor:
    return x.new_zeros(2, 3) + torch.tril(torch.ones(2, 3, device=x.device)).type_as(x)


def sent_there(x: Tensor) -> Tensor:
    return torch.cat([x, torch.zeros(2, 3).to(x.device)]) + torch.zeros(4, 3).to(x)


def in_place(x: Tensor) -> Tensor:
    out = torch.empty(2, 3, device=x.device)
    out[:, 0::2] = x[:, 0::2].sin()
    out[:, 1] = x[:, 1]
    return out


def by_rows(x: Tensor) -> Tensor:
    return torch.stack([row / row.sum() for row in x])


def arange_here(x: Tensor) -> Tensor:
    return x + torch.arange(3)


def through_numpy(x: Tensor) -> Tensor:
    return x + torch.from_numpy(np.ones(3, dtype=np.float32))


def named_cpu(x: Tensor) -> Tensor:
    return x + torch.ones(3, device="cpu")


def answer_from_here(x: Tensor) -> Tensor:
    return torch.zeros(x.shape)


def looked_up_there(x: Tensor) -> Tensor:
    return nn.functional.embedding(torch.arange(2, device=x.device), x) + x.gather(0, torch.ones_like(x).long())


def looked_up_with_a_list(x: Tensor) -> Tensor:
    return x[[1, 0]] + x[torch.tensor([0, 1])]  # square brackets take indices on the CPU everywhere


def looked_up_here(x: Tensor) -> Tensor:
    return nn.functional.embedding(torch.arange(2), x)


def gathered_here(x: Tensor) -> Tensor:
    return x.gather(1, torch.zeros(2, 1, dtype=torch.long))


class Kept(nn.Module):
    """A table that moves with the module, or does not."""

    def __init__(self, registered: bool) -> None:
        super().__init__()
        if registered:
            self.register_buffer("table", torch.ones(3), persistent=False)
        else:
            self.table = torch.ones(3)
        self.linear = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.table


RIGHT = [arange_there, mask_like, new_and_cast, sent_there, in_place, by_rows, looked_up_there]
WRONG = [arange_here, through_numpy, named_cpu, answer_from_here, looked_up_here, gathered_here]


def actor(task: Any) -> Actor:
    return Actor(lambda _: task, frozenset(["task"]))


@pytest.mark.parametrize("function", RIGHT)
def test_right_code_is_told_without_the_meta_device(function: Callable[[Tensor], Tensor]) -> None:
    with Travel([X]) as travel:
        assert travel.travels(function(X))
    assert not travel.clash
    assert actor(function).op_device("task", [X], {}) is None


@pytest.mark.parametrize("function", WRONG)
def test_wrong_code_is_found(function: Callable[[Tensor], Tensor]) -> None:
    if function is through_numpy:
        with Travel([X]) as travel:
            function(X)
        assert travel.clash
    else:
        assert actor(function).op_device("task", [X], {}) is not None


@pytest.mark.parametrize("registered", [True, False])
def test_a_table_of_a_module_moves_when_it_is_registered(registered: bool) -> None:
    side = actor(Kept)
    handle = Handle(1)
    side.op_construct(handle, "task", (registered,), {})
    assert (side.op_device(handle, [X], {}) is None) is registered


def test_a_number_in_a_tensor_is_a_suspicion_and_no_verdict() -> None:
    """PyTorch takes a single number from the CPU anywhere."""

    def scaled(x: Tensor) -> Tensor:
        return x / torch.sqrt(torch.tensor(3.0))

    with Travel([X]) as travel:
        scaled(X)
    assert travel.clash
    assert actor(scaled).op_device("task", [X], {}) is None


def test_square_brackets_take_indices_on_the_cpu() -> None:
    assert actor(looked_up_with_a_list).op_device("task", [X], {}) is None
