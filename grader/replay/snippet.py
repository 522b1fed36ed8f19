"""The failing case as a few lines of plain Python, to be copied into a file or a notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from grader.replay.case import Asked
from grader.replay.play import Played
from grader.subject.worker import given, weights
from grader.subject.worker.values import Given, Handle

MOST = 15  # lines
WRITTEN = 12  # numbers of a tensor that is written out; larger ones are loaded
OURS = {"GIVEN[": "GIVEN", "GivenModel(": "GivenModel"}  # what is handed in comes from worker/given.py


class Snippet:
    """`lines`, and the tensors that they load from `file`.

    `own_parts`: the tasks of the course, if the case was played with right parts in place of the student's. The
    student's own may have other parameters, so they are filled as the grader fills them. `flat`: files import each
    other by their bare names.
    """

    def __init__(
        self, exercise: str, played: Played, file: str, *, own_parts: Sequence[str] = (), flat: bool = False
    ) -> None:
        self.tensors: dict[str, Any] = {}
        self._own_parts = list(own_parts)
        self._objects = played.objects
        wanted = _of_the_last(played.asked)
        body = [line for asked in wanted for line in self._lines(asked, asked is wanted[-1])]
        names = dict.fromkeys(name for asked in wanted for name in _names(asked))
        head = ["import torch", f"from exercises.{exercise} import {', '.join(names)}"] if names else ["import torch"]
        head[0] = "import sys, torch; sys.path.append('exercises')" if flat else head[0]
        head += [f"from {weights.__name__} import load"] if any(line.startswith("load(") for line in body) else []
        ours = [name for use, name in OURS.items() if any(use in line for line in body)]
        head += ["from exercises.model_args import ModelArgs"] if any("ModelArgs(" in line for line in body) else []
        head += [f"from {given.__name__} import {', '.join(ours)}"] if ours else []
        if self.tensors:
            head.append(f"case = torch.load({file!r})")
        head.append(f"torch.manual_seed({wanted[-1].seed})")
        self.lines = [*head, *body[max(0, len(body) + len(head) - MOST) :]]

    def _lines(self, asked: Asked, last: bool) -> list[str]:
        fields = asked.fields
        if asked.op in ("construct", "given_model"):
            return self._made(fields)
        if asked.op == "load":
            return self._filled(fields["handle"], fields)
        if asked.op == "to":
            return [f"{_name(fields['handle'])}.to({fields['dtype']})"]
        if asked.op == "mode":
            return [f"{_name(fields['handle'])}.{'train' if fields['training'] else 'eval'}()"]
        if asked.op == "call":
            return self._called(fields, last)
        if asked.op == "device":
            return [f"# on another device: {self._call(fields)}"]
        if asked.op == "parameters":
            return [f"print([(n, tuple(p.shape)) for n, p in {_name(fields['handle'])}.named_parameters()])"]
        return [f"print({_name(fields['handle'])})"] if "handle" in fields else []

    def _made(self, fields: dict[str, Any]) -> list[str]:
        name = _name(fields["handle"])
        if "task" not in fields:
            return [f"{name} = GivenModel({', '.join(f'{k}={self._value(v)}' for k, v in fields['settings'].items())})"]
        made = f"{name} = {fields['task']}({self._arguments(fields)})"
        return [
            made,
            *(self._filled(fields["handle"], {**fields, **fields["filling"]}) if fields.get("filling") else []),
        ]

    def _filled(self, handle: Handle, told: dict[str, Any]) -> list[str]:
        """With the numbers that the student's own parameters have after it."""
        name = _name(handle)
        if self._own_parts:
            self.tensors[name] = {key: told[key] for key in ("task", "weights", "tree")} | {"tasks": self._own_parts}
            return [f"load({name}, **case[{name!r}])", f"{name}.eval()"]
        self.tensors[name] = {key: value.clone() for key, value in self._objects[handle.id].state_dict().items()}
        return [f"{name}.load_state_dict(case[{name!r}])", f"{name}.eval()"]

    def _called(self, fields: dict[str, Any], last: bool) -> list[str]:
        call = self._call(fields)
        kept = fields.get("keep")
        if kept is not None:
            return [f"{_name(kept['handle'])} = {call}{'' if kept['at'] is None else '[' + str(kept['at']) + ']'}"]
        if fields.get("grad") is None:
            without = "with torch.no_grad(): " if fields.get("no_grad") else ""
            return [without + (f"print({call})" if last else call)]
        inputs = [v for v in (*fields["args"], *fields["kwargs"].values()) if isinstance(v, Tensor)]
        floats = [v for v in inputs if v.is_floating_point()]
        self.tensors["cotangents"] = fields["grad"]["cotangents"]
        self.tensors["inputs"] = floats
        written = call
        for number, value in enumerate(floats):
            written = written.replace(self._value(value), f"inputs[{number}]", 1)
        return [
            'inputs = [x.requires_grad_() for x in case["inputs"]]',
            f"outputs = {written}",
            "outputs = outputs if isinstance(outputs, tuple) else (outputs,)",
            'total = sum((y * c).sum() for y, c in zip(outputs, case["cotangents"]) if c is not None)',
            "print(torch.autograd.grad(total, inputs, allow_unused=True))",
        ]

    def _call(self, fields: dict[str, Any]) -> str:
        target = fields["target"]
        name = _name(target) if isinstance(target, Handle) else target
        return f"{name}{'.' + fields['method'] if fields.get('method') else ''}({self._arguments(fields)})"

    def _arguments(self, fields: dict[str, Any]) -> str:
        given = [self._value(v) for v in fields["args"]]
        return ", ".join([*given, *(f"{k}={self._value(v)}" for k, v in fields["kwargs"].items())])

    def _value(self, value: Any) -> str:
        if isinstance(value, Handle):
            return _name(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, Given):
            return f"GIVEN[{value.name!r}]({', '.join(map(self._value, value.values))})"
        if isinstance(value, torch.Generator):
            return f"torch.Generator().manual_seed({value.initial_seed()})"
        if isinstance(value, (list, tuple)):
            inside = ", ".join(map(self._value, value))
            return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
        return repr(value)

    def _tensor(self, value: Tensor) -> str:
        if value.numel() <= WRITTEN:
            dtype = "" if value.dtype in (torch.float32, torch.int64, torch.bool) else f", dtype={value.dtype}"
            return f"torch.tensor({_written(value.tolist(), value.dtype)}{dtype})"
        known = next((name for name, other in self.tensors.items() if other is value), None)
        name = known or f"x{sum(isinstance(v, Tensor) for v in self.tensors.values()) + 1}"
        self.tensors[name] = value
        return f'case["{name}"]'


def _written(numbers: Any, dtype: torch.dtype) -> str:
    """No more digits than make the same number again."""
    if isinstance(numbers, list):
        return f"[{', '.join(_written(n, dtype) for n in numbers)}]"
    short = f"{numbers:.9g}" if dtype == torch.float32 else ""
    if not short or not math.isfinite(numbers):
        return f"float('{numbers}')" if isinstance(numbers, float) and not math.isfinite(numbers) else repr(numbers)
    return short if set(short) & set(".e") else f"{short}.0"


def _of_the_last(asked: list[Asked]) -> list[Asked]:
    """The last question, and those to the objects that it is about."""
    if not asked:
        return []
    objects, found = _handles(asked[-1].fields), [asked[-1]]
    for question in reversed(asked[:-1]):
        mine = _handles(question.fields)
        if mine & objects:
            objects |= mine
            found.insert(0, question)
    return found


def _handles(value: Any) -> set[int]:
    if isinstance(value, Handle):
        return {value.id}
    inside: Iterable[Any] = (
        value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    )
    return {number for part in inside for number in _handles(part)}


def _names(asked: Asked) -> list[str]:
    """Functions and classes of the exercise that a question needs."""
    return [name for key in ("task", "target") if isinstance(name := asked.fields.get(key), str) and asked.op != "load"]


def _name(handle: Handle) -> str:
    return f"module{handle.id}"
