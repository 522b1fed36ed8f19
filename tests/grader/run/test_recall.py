"""References are asked once: later the same questions have the recorded answers, and others are computed."""

from __future__ import annotations

import types

import pytest
import torch
from torch import Tensor, nn

from grader.run.recall import Memory, Recalling
from grader.subject.local import Local
from grader.subject.proxy import Proxy

calls: list[str] = []


class Cell(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        calls.append("construct")
        self.w = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        calls.append("forward")
        return torch.as_tensor(self.w(x))


def double(x: Tensor) -> Tensor:
    calls.append("double")
    return x * 2


@pytest.fixture
def memory() -> Memory:
    calls.clear()
    return Memory(recording=True)


def proxy(memory: Memory) -> tuple[Proxy, Recalling]:
    module = types.ModuleType("m")
    module.__dict__.update(Cell=Cell, double=double)
    transport = Recalling(Local(module, frozenset({"Cell"})), memory)
    return Proxy(transport), transport


def check(reference: Proxy, x: Tensor, extra: Tensor | None = None) -> list[Tensor]:
    cell = reference.construct("Cell", 2)
    cell.load({"w.weight": torch.eye(2)})
    answers = [cell(x), reference.call("double", x)]
    return answers if extra is None else [*answers, cell(extra)]


def test_the_same_questions_are_answered_from_memory(memory: Memory) -> None:
    reference, transport = proxy(memory)
    transport.start_check("a")
    first = check(reference, torch.ones(1, 2))
    assert calls == ["construct", "forward", "double"]
    memory.recording = False
    again, transport = proxy(memory)
    transport.start_check("a")
    second = check(again, torch.ones(1, 2))
    assert calls == ["construct", "forward", "double"], "nothing was computed again"
    assert all(map(torch.equal, first, second))


def test_another_question_is_computed_with_the_objects_it_needs(memory: Memory) -> None:
    reference, transport = proxy(memory)
    transport.start_check("a")
    check(reference, torch.ones(1, 2))
    memory.recording = False
    again, transport = proxy(memory)
    transport.start_check("a")
    answers = check(again, torch.ones(1, 2), extra=torch.full((1, 2), 3.0))
    assert torch.equal(answers[-1], torch.full((1, 2), 3.0))
    transport.start_check("a")
    assert torch.equal(check(again, torch.full((1, 2), 5.0))[0], torch.full((1, 2), 5.0))


def test_a_check_that_was_not_recorded_is_computed(memory: Memory) -> None:
    memory.recording = False
    reference, transport = proxy(memory)
    transport.start_check("new")
    assert torch.equal(reference.call("double", torch.ones(2)), torch.full((2,), 2.0))
    assert calls == ["double"]


def test_the_seed_is_part_of_the_question(memory: Memory) -> None:
    reference, transport = proxy(memory)
    transport.start_check("a")
    reference.call("double", torch.ones(2))
    memory.recording = False
    transport.start_check("a")
    reference.seed = 7
    reference.call("double", torch.ones(2))
    assert calls == ["double", "double"]
