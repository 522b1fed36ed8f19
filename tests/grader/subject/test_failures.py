"""What is told of an error of the student's: its line, the shapes of the tensors in it, and the name that was meant."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from grader.results.codes import render
from grader.subject.remote import _detail, _where
from grader.subject.worker.failures import describe
from grader.subject.worker.importer import Sources, SubmissionImporter

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.wq = nn.Linear(4, 8)
        self.weight = nn.Parameter(torch.ones(3))
        self.sizes = (2, 3)

    def forward(self, x, y, parts=()):
        {line}

def masked_softmax(scores):
    return scores

def run(x, y):
    return Layer()(x, y, [x, y])
"""
X, Y = torch.ones(2, 3), torch.ones(4, 5)


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    finders, modules = list(sys.meta_path), dict(sys.modules)
    yield
    sys.meta_path[:] = finders
    for name in set(sys.modules) - set(modules):
        del sys.modules[name]


def told(line: str) -> dict[str, Any]:
    """The failure that a forward of this one line is described as."""
    text = HEAD.replace("{line}", line)
    SubmissionImporter(Sources({"file": text, "other": "def helper():\n    pass\n"})).install()
    module = types.ModuleType("exercises.file")
    exec(compile(text, "exercises/file.py", "exec"), module.__dict__)
    try:
        module.run(X, Y)
    except BaseException as error:
        return describe(error)
    raise AssertionError("it raised nothing")


def sentence(line: str) -> str:
    failure = told(line)
    return render(failure["code"], {"task": "Layer", **failure["values"], "where": _where(failure["frames"])})


@pytest.mark.parametrize(
    ("line", "shapes"),
    [
        ("return x @ y", "; x: (2, 3), y: (4, 5)"),
        ("scores = x @ y.transpose(-2, -1)", "; x: (2, 3), y: (4, 5)"),
        ("return torch.softmax(torch.matmul(x, y), -1)", "; x: (2, 3), y: (4, 5)"),
        ("return self.wq(x)", "; self.wq.weight: (8, 4), x: (2, 3)"),
        ("return y * self.weight", "; y: (4, 5), self.weight: (3,)"),
        ("x += y", "; x: (2, 3), y: (4, 5)"),
        ("x[0] = y", "; x: (2, 3), y: (4, 5)"),
        ("return x.view(self.sizes) @ x.T @ y", "; x: (2, 3), x.T: (3, 2), y: (4, 5)"),
        ("return torch.cat([p for p in parts])", ""),
        ("return [p @ y for p in parts]", "; p: (2, 3), y: (4, 5)"),
        ("return x[:, 7] + y", "; x: (2, 3)"),
        ("return x.sum() + torch.ones(2).view(3, x.sum().dim())", "; x: (2, 3)"),
        ("raise ValueError(f'what is {x}?')", ""),
        ("assert x is y", ""),
        ("return nonsense(x)", ""),
        ("return {}['x']", ""),
    ],
)
def test_the_shapes_of_the_tensors_in_the_line_that_torch_refused(line: str, shapes: str) -> None:
    assert sentence(line).endswith(f" (file.py, line 14: `{line}`{shapes})")
    assert _detail(told(line)["frames"]).endswith(f"    {line}{shapes}")


def test_an_expression_of_several_lines() -> None:
    line = "return (x  # é\n            @\n            y)"
    assert _where(told(line)["frames"]).endswith("; x: (2, 3), y: (4, 5))")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return elf.wq(x)", "name 'elf' is not defined. Did you mean: 'self'?"),
        ("return wq(x)", "name 'wq' is not defined. Did you mean: 'self.wq'?"),
        ("return mask_softmax(x)", "name 'mask_softmax' is not defined. Did you mean: 'masked_softmax'?"),
        ("return pritn(x)", "Did you mean: 'print'?"),
        ("return self.wieght", "object has no attribute 'wieght'. Did you mean: 'weight'?"),
        ("return x.transpse(0, 1)", "Did you mean: 'transpose'?"),
        ("return nn.linear(3, 3)", "Did you mean: 'Linear'?"),
        ("return F.sofmax(x)", "Did you mean: 'softmax'?"),
        ("from exercises.other import helpr", "Did you mean: 'helper'?"),
        ("import exercises.othr", "Did you mean: 'exercises.other'?"),
        ("import torhc", "Did you mean: 'torch'?"),
        ("import torch.nn.functionals", "Did you mean: 'torch.nn.functional'?"),
    ],
)
def test_the_name_that_was_meant(line: str, says: str) -> None:
    assert says in sentence(line)


@pytest.mark.parametrize("line", ["return zzz", "return x.zzz", "import zzzz", "raise NameError('x')", "return 1 / 0"])
def test_nothing_is_guessed_where_nothing_is_near(line: str) -> None:
    assert "mean" not in sentence(line)


def test_objects_that_lie_or_raise_when_they_are_asked_cost_the_help_only() -> None:
    bodies = {
        "def __dir__(self): raise SystemExit(3)": "bad.x",
        "def __dir__(self): return [1, 'xy', 'x\\x1b[31m']": "bad.xyz",
        "def __getattribute__(self, name): raise RuntimeError('hidden')": "bad.a @ x",
    }
    classes = (f"class Bad:\n            {b}\n        bad = Bad()\n        return {use}" for b, use in bodies.items())
    said = [sentence(line) for line in classes]
    assert "no attribute 'x'" in said[0]
    assert "RuntimeError: hidden" in said[2]


def test_what_the_subject_tells_of_shapes_is_not_believed() -> None:
    frame = {"file": "f.py", "line": 1, "source": "x"}
    for shapes in (3, "xs", [3], [("x",)], [("x", "y")], [("x", [1.5])], {"x": [1]}, [("x", None)]):
        assert _where([{**frame, "shapes": shapes}]) == " (f.py, line 1: `x`)"
    many = [(f"{'x' * 99}{n}", [10**9] * 99) for n in range(99)]
    assert len(_where([{**frame, "shapes": many}])) < 1000
