"""What a reference makes on its way, under the names its own lines give it: scores, weights, output."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor

from grader.run.diagnosis.answers import Answer, seen
from grader.subject.local import Local
from grader.subject.proxy import Proxy
from grader.subject.worker.record import MAX_NUMBERS, Record

OUTPUT = "output"
MAX_AXES = 5


@dataclass(frozen=True)
class Landmark:
    """`parents`: places, in the list of all, of the ones it is made of; `between`: in the way's values, of the rest."""

    name: str
    value: Tensor
    parents: tuple[int, ...]
    between: tuple[int, ...] = ()


@dataclass(frozen=True)
class Way:
    """One call of the reference: its landmarks in order, and every value on the way, named or not."""

    landmarks: list[Landmark]
    values: list[Tensor]
    answer: Answer


class Reference(Proxy):
    """A proxy of the reference that remembers the way of every call."""

    def __init__(self, local: Local, path: str, task: str) -> None:
        super().__init__(local)
        self.path = path
        self.task = task
        self.ways: list[Way] = []

    def _ask(self, op: str, /, **fields: Any) -> Any:
        if op != "call":
            return super()._ask(op, **fields)
        names = _Names(self.path, self.task)
        before = sys.gettrace()
        with Record(lambda filename: filename == self.path) as record:
            sys.settrace(names.enter)
            try:
                answer = super()._ask(op, **fields)
            finally:
                sys.settrace(before)
        self.ways.append(Way(list(_landmarks(names, record)), [step.value for step in record.steps], seen(answer)))
        return answer


class _Names:
    """Follows the local variables of the task itself, and of functions of the same file that its forward calls."""

    def __init__(self, path: str, task: str) -> None:
        self.path = path
        self.own = {task, f"{task}.forward"}
        self.inputs: set[int] = set()
        self.found: dict[int, tuple[str, Tensor, Tensor]] = {}  # by id: name, the tensor itself, a copy of its value

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self.path or not (code.co_qualname in self.own or self._helps(code, frame)):
            return None
        if not self.inputs:
            self.inputs = {id(value) for value in frame.f_locals.values()}
        return self._follow

    def _helps(self, code: CodeType, frame: FrameType) -> bool:
        caller = frame.f_back.f_code.co_qualname if frame.f_back else ""
        return caller.endswith(".forward") and caller in self.own and "." not in code.co_qualname

    def _follow(self, frame: FrameType, event: str, arg: Any) -> Any:
        named = list(frame.f_locals.items())
        if event == "return" and frame.f_code.co_qualname in self.own:
            named += [(OUTPUT, part) for part in (arg if isinstance(arg, tuple) else (arg,))]
        for name, value in named:
            if isinstance(value, Tensor) and id(value) not in self.inputs and id(value) not in self.found:
                self.found[id(value)] = (name, value, value.detach().clone())
        return self._follow


def _landmarks(names: _Names, record: Record) -> Iterator[Landmark]:
    """Only numbers that say something and are recorded: no masks, nothing that is the same everywhere or very large.

    Nor what no step has made, as a table that is filled row by row: when it was first seen it held memory of others.
    """
    made_of: dict[int, set[int]] = {}
    for step in record.steps:  # what returns its argument, as dropout in eval mode does, makes nothing new
        made_of.setdefault(id(step.result), set()).update(id(t) for t in step.inputs if t is not step.result)
    telling = {key: entry for key, entry in names.found.items() if key in made_of and _tells(entry[2])}
    places = {key: place for place, key in enumerate(telling)}
    seen: dict[str, int] = {}
    for key, (name, _, value) in telling.items():
        seen[name] = seen.get(name, 0) + 1
        label = name if seen[name] == 1 else f"{name}, number {seen[name]}"
        parents, passed = _above(key, made_of, places)
        between = (n for n, step in enumerate(record.steps) if id(step.result) in passed and _tells(step.value))
        yield Landmark(label, value, tuple(sorted(parents)), tuple(between))


def _tells(value: Tensor) -> bool:
    return value.is_floating_point() and 1 < value.numel() <= MAX_NUMBERS and bool((value != value.flatten()[0]).any())


def _above(key: int, made_of: dict[int, set[int]], places: dict[int, int]) -> tuple[set[int], set[int]]:
    """The nearest landmarks on every way up, and what has no name before them."""
    found, passed = set[int](), set[int]()
    waiting, done = list(made_of.get(key, ())), {key}
    while waiting:
        one = waiting.pop()
        if one in done:
            continue
        done.add(one)
        if one in places:
            found.add(places[one])
        else:
            passed.add(one)
            waiting += made_of.get(one, ())
    return found, passed


def alike(value: Tensor, known: Tensor) -> bool:
    """The numbers of `known`, its axes in any order, joined or split. What is hidden may be -inf, or -1e9."""
    if value.numel() != known.numel() or value.is_complex() or known.is_complex():
        return False
    x, y = (t.detach().double().nan_to_num(1e30).clamp(min=-1e4).squeeze() for t in (value, known))
    if y.dim() > MAX_AXES or not _close(x.flatten().sort().values, y.flatten().sort().values):
        return False
    return any(_close(x.flatten(), y.permute(axes).flatten()) for axes in itertools.permutations(range(y.dim())))


def _close(x: Tensor, y: Tensor) -> bool:
    return bool(torch.allclose(x, y, rtol=1e-3, atol=1e-5))
