"""The lines of a snippet run, whatever the case was made of."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.replay.case import Asked
from grader.replay.play import Played
from grader.replay.snippet import MOST, Snippet
from grader.subject.worker.actor import Actor
from grader.subject.worker.values import Given, Handle

X, MASK = torch.arange(20.0).reshape(4, 5), torch.ones(2, 2)


def task(x: Any, drop: Any = None) -> Any:
    return x if drop is None else drop(x)


@dataclass
class ModelArgs:
    dim: int


def width(args: ModelArgs) -> torch.Tensor:
    return torch.ones(args.dim)


def pair(x: torch.Tensor) -> tuple[torch.Tensor, torch.nn.Module]:
    return x, torch.nn.Identity()


def logits(model: Any, ids: torch.Tensor) -> torch.Tensor:
    return torch.as_tensor(model(ids))


def call(target: Any, *args: Any, **more: Any) -> Asked:
    return Asked("call", 3, {"target": target, "args": list(args), "kwargs": more.pop("kwargs", {}), **more})


MODEL = {"now": torch.eye(2), "past": torch.eye(2), "block_size": 4}
NUMBERS = torch.tensor([1 / 3, -2.0, 1e20, 1e-30, float("inf"), -float("inf"), 16777217.0])
CASES = {
    "settings": [call("width", ModelArgs(dim=7))],
    "numbers that are not round": [call("task", NUMBERS)],
    "of more digits": [call("task", NUMBERS[:4].double() / 3)],
    "a small tensor": [call("task", MASK)],
    "a loaded tensor": [call("task", X)],
    "a callable of ours": [call("task", X, kwargs={"drop": Given("halve")})],
    "one with a tensor": [call("task", MASK, kwargs={"drop": Given("mask", (MASK * 2,))})],
    "a part that is kept": [call("pair", X, keep={"handle": Handle(1), "at": 1}), call(Handle(1), X)],
    "a whole that is kept": [call("task", X, keep={"handle": Handle(1), "at": None}), call("task", Handle(1))],
    "a model of ours": [
        Asked("given_model", 0, {"handle": Handle(1), "settings": MODEL}),
        call("logits", Handle(1), torch.tensor([[0, 1]])),
    ],
    "without gradients": [call("task", X, no_grad=True)],
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_runs_and_prints_the_answer(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = types.ModuleType("exercises.m")
    module.__dict__.update(task=task, pair=pair, logits=logits, width=width)
    settings = types.ModuleType("exercises.model_args")
    settings.__dict__.update(ModelArgs=ModelArgs)
    monkeypatch.setitem(sys.modules, "exercises.model_args", settings)
    monkeypatch.setitem(sys.modules, "exercises", types.ModuleType("exercises"))
    monkeypatch.setitem(sys.modules, "exercises.m", module)
    actor = Actor(lambda wanted: getattr(module, wanted), frozenset())
    for asked in CASES[name]:
        answer = actor.do(asked.op, asked.seed, dict(asked.fields))
    file = tmp_path / "case.pt"
    snippet = Snippet("m", Played(CASES[name], answer, None, actor.objects), str(file))
    torch.save(snippet.tensors, file)
    torch.set_printoptions(precision=12)
    assert len(snippet.lines) <= MOST
    exec("\n".join(snippet.lines), {})
    wanted = str(answer["value"])
    torch.set_printoptions(profile="default")
    assert capsys.readouterr().out.strip() == wanted
