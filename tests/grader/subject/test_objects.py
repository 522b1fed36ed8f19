"""Objects that stay on the other side: plain classes, parts of answers, modules that a function builds, parameters."""

from __future__ import annotations

import types

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from grader.subject.local import Local
from grader.subject.proxy import Given, Proxy
from grader.subject.worker.wire import HEAD, lengths, pack, unpack


class Words:
    def __init__(self, known: dict[str, int]) -> None:
        self.known = known

    def encode(self, text: str) -> list[int]:
        return [self.known[word] for word in text.split()]


def forward(x: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    return x * 2, {"x": x}


def backward(cache: dict[str, Tensor]) -> Tensor:
    return cache["x"] + 1


def build(width: int) -> nn.Module:
    return nn.Linear(width, 1, bias=False)


def halve_gradients(parameters: list[nn.Parameter]) -> None:
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad *= 0.5


@pytest.fixture
def side() -> Proxy:
    module = types.ModuleType("m")
    module.__dict__.update(
        Words=Words, forward=forward, backward=backward, build=build, halve_gradients=halve_gradients
    )
    return Proxy(Local(module, frozenset({"Words"})))


def test_a_plain_object_is_asked_by_its_methods(side: Proxy) -> None:
    words = side.make("Words", {"a": 1, "b": 2})
    assert words.call("encode", "b a b") == [2, 1, 2]
    with pytest.raises(AttributeError):
        words.call("decode", [1])


def test_a_part_of_an_answer_stays_and_is_given_back(side: Proxy) -> None:
    (value, place), cache = side.call_keeping(1, "forward", torch.ones(2))
    assert torch.equal(value, torch.full((2,), 2.0))
    assert place is None
    assert torch.equal(side.call("backward", cache), torch.full((2,), 2.0))


def test_a_module_that_a_function_builds_is_loaded_and_called(side: Proxy) -> None:
    linear = side.built("build", 2, of="Linear")
    linear.load({"weight": torch.tensor([[1.0, 2.0]])})
    assert linear(torch.tensor([3.0, 4.0])).item() == 11.0


@pytest.mark.parametrize("once", [False, True])
def test_parameters_cross_with_their_gradients_and_are_seen_afterwards(side: Proxy, once: bool) -> None:
    given = Given("parameters", ([torch.ones(2), torch.ones(1)], [torch.full((2,), 4.0), None], once))
    (told,) = side.inputs_after("halve_gradients", given)
    assert torch.equal(told[0][1], torch.full((2,), 2.0))
    assert told[1][1] is None


def test_numbers_and_texts_of_numpy_cross_as_such() -> None:
    frame = pack([np.int64(3), np.float32(0.5), {np.int32(1): np.float64("inf")}, {np.str_("word"): 1}])
    header, _ = lengths(frame[: HEAD.size])
    assert unpack(frame[HEAD.size : HEAD.size + header], b"") == [3, 0.5, {1: float("inf")}, {"word": 1}]
