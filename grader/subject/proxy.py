"""What a suite talks to: functions and modules that live elsewhere, in the student's process or among the references.

    out = subject.call("softmax", x, dim=-1)
    layer = subject.construct("EncoderLayer", args)
    layer.load(weights)
    y = layer(x, mask=mask)
    grads = layer.gradients(x, mask=mask, cotangents=[g])

Arguments and answers are plain data: tensors, numbers, strings, lists, tuples, dicts, dtypes, ModelArgs,
torch.Generator (sent as its seed), `Given` callables, and proxies of objects that stay on the other side.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from grader.subject.failure import CheckFailed
from grader.subject.worker.values import Given, Handle, Opaque

__all__ = ["Given", "Gradients", "Module", "Object", "Opaque", "Parameter", "Proxy", "Transport"]


class Transport(Protocol):
    """Carries one request, and brings the answer or raises what the suite should see."""

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    requires_grad: bool


@dataclass(frozen=True, slots=True)
class Gradients:
    """Of sum(output * cotangent): for every float input, by position or keyword, and for every named weight.

    None means that nothing arrived there. `value` is the output of the same call.
    """

    value: Any
    inputs: dict[int | str, Tensor | None]
    weights: dict[str, Tensor | None]


class Proxy:
    """The functions and classes of one exercise."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.start_case()

    def start_case(self, seed: int = 0) -> None:
        """What is asked from now on belongs to another case, and objects made so far are not asked any more.

        torch, random and numpy are seeded with `seed` before every call.
        """
        self.seed = seed
        self.asked: list[tuple[str, int, dict[str, Any]]] = []  # op, seed and fields, since the case began
        self._numbers = itertools.count(1)

    def call(self, task: str, *args: Any, **kwargs: Any) -> Any:
        """The value of task(*args, **kwargs)."""
        return _value(self._ask("call", target=task, args=args, kwargs=kwargs))

    def inputs_after(self, task: str, *args: Any, **kwargs: Any) -> list[Any]:
        """The arguments as they are after the call: positional ones first, then the keyword ones in order."""
        return _inputs(self._ask("call", target=task, args=args, kwargs=kwargs, want_inputs=True), args, kwargs)

    def gradients(self, task: str, *args: Any, cotangents: list[Tensor | None], **kwargs: Any) -> Gradients:
        """Call, then send one cotangent per output tensor backwards (None: that output is left out)."""
        return self._gradients(task, args, kwargs, cotangents, {})

    def construct(self, task: str, *args: Any, **kwargs: Any) -> Module:
        """An instance of the class `task`. Its default initialisation is seeded."""
        handle = Handle(next(self._numbers))
        self._ask("construct", handle=handle, task=task, args=args, kwargs=kwargs)
        return Module(self, handle, task)

    def filled(
        self, task: str, *args: Any, weights: dict[str, Tensor], tree: dict[str, str] | None = None, **kwargs: Any
    ) -> Module:
        """As `construct` and then `load`, in one round trip."""
        filling = {"weights": weights, "tree": tree or {}}
        module = Module(self, Handle(next(self._numbers)), task)
        answer = self._ask("construct", handle=module.handle, task=task, args=args, kwargs=kwargs, filling=filling)
        with _readable():
            module.adapted = bool(answer["adapted"])
        return module

    def make(self, task: str, *args: Any, **kwargs: Any) -> Object:
        """An instance of the class `task`, which is no nn.Module."""
        made = Object(self, Handle(next(self._numbers)), task)
        self._ask("construct", handle=made.handle, task=task, args=args, kwargs=kwargs, plain=True)
        return made

    def call_keeping(self, at: int, task: str, *args: Any, **kwargs: Any) -> tuple[Any, Object]:
        """Call; the answer's part `at` stays on the other side, None stands in its place, and it comes as an Object."""
        kept = Object(self, Handle(next(self._numbers)), task)
        keep = {"handle": kept.handle, "at": at}
        return _value(self._ask("call", target=task, args=args, kwargs=kwargs, keep=keep)), kept

    def built(self, task: str, *args: Any, of: str, **kwargs: Any) -> Module:
        """What the function `task` returns: an nn.Module of the class `of`, which stays on the other side."""
        module = Module(self, Handle(next(self._numbers)), of)
        keep = {"handle": module.handle, "at": None}
        self._ask("call", target=task, args=args, kwargs=kwargs, keep=keep)
        return module

    def given_model(self, **settings: Any) -> Module:
        """A small language model of the grader's own on the other side: see worker/given.py."""
        handle = Handle(next(self._numbers))
        self._ask("given_model", handle=handle, settings=settings)
        return Module(self, handle, "the given model")

    def forbidden_calls(self, task: str) -> list[dict[str, Any]]:
        """What an own-work check saw: name, file, line and source of each forbidden call of `task` itself."""
        with _readable():
            return [dict(note) for note in self._ask("notes", task=task)]

    def device_problem(self, task: str, *args: Any, **kwargs: Any) -> str | None:
        """As Module.device_problem, for a function."""
        answer: str | None = self._ask("device", target=task, args=args, kwargs=kwargs)
        return answer

    def _ask(self, op: str, /, **fields: Any) -> Any:
        plain = {name: _handles(value) for name, value in fields.items()}
        self.asked.append((op, self.seed, plain))
        return self.transport.ask(op, seed=self.seed, **plain)

    def _gradients(
        self, target: Any, args: Any, kwargs: Any, cotangents: Any, directions: dict[str, Tensor]
    ) -> Gradients:
        grad = {"cotangents": cotangents, "directions": directions}
        answer = self._ask("call", target=target, args=args, kwargs=kwargs, grad=grad)
        with _readable():
            return Gradients(answer["value"], dict(answer["input_grads"]), dict(answer["weight_grads"]))


class Object:
    """A value that stays on the other side: an instance of a student's class, or a part of an answer."""

    def __init__(self, proxy: Proxy, handle: Handle, task: str) -> None:
        self.proxy = proxy
        self.handle = handle
        self.task = task

    def call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """The value of object.method(*args, **kwargs)."""
        return _value(self.proxy._ask("call", target=self.handle, method=method, args=args, kwargs=kwargs))


class Module:
    """An nn.Module that stays on the other side."""

    def __init__(self, proxy: Proxy, handle: Handle, task: str) -> None:
        self.proxy = proxy
        self.handle = handle
        self.task = task
        self.adapted = False  # the student's file fills its own parameters with load_weights

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _value(self.proxy._ask("call", target=self.handle, args=args, kwargs=kwargs))

    def without_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As a call, under torch.no_grad."""
        return _value(self.proxy._ask("call", target=self.handle, args=args, kwargs=kwargs, no_grad=True))

    def inputs_after(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As Proxy.inputs_after."""
        answer = self.proxy._ask("call", target=self.handle, args=args, kwargs=kwargs, want_inputs=True)
        return _inputs(answer, args, kwargs)

    def gradients(
        self, *args: Any, cotangents: list[Tensor | None], directions: dict[str, Tensor] | None = None, **kwargs: Any
    ) -> Gradients:
        """As Proxy.gradients, with the gradients of the weights by the reference's names.

        A module that was filled by the student's `load_weights` has other parameters: for each name in `directions`
        alone, its entry is then the scalar <grad, load(w + d) - load(w)>.
        """
        return self.proxy._gradients(self.handle, args, kwargs, cotangents, directions or {})

    def load(self, weights: dict[str, Tensor], tree: dict[str, str] | None = None) -> None:
        """Fill the parameters, all or none, and switch to eval mode.

        `tree` maps paths of the reference's sub-modules that are tasks to those tasks.
        """
        answer = self.proxy._ask("load", handle=self.handle, task=self.task, weights=weights, tree=tree or {})
        with _readable():
            self.adapted = bool(answer["adapted"])

    def tree(self) -> dict[str, str]:
        """Paths of the sub-modules whose class is a task of the course, with that task's name."""
        return dict(self.proxy._ask("tree", handle=self.handle))

    def train(self) -> None:
        self.proxy._ask("mode", handle=self.handle, training=True)

    def eval(self) -> None:
        self.proxy._ask("mode", handle=self.handle, training=False)

    def to(self, dtype: torch.dtype) -> None:
        """Move parameters and buffers to another dtype."""
        self.proxy._ask("to", handle=self.handle, dtype=dtype)

    def parameters(self) -> list[Parameter]:
        """Every trainable or frozen parameter once, by the student's own names."""
        rows = self.proxy._ask("parameters", handle=self.handle)
        with _readable():
            return [
                Parameter(str(name), tuple(map(int, shape)), dtype, grad is True) for name, shape, dtype, grad in rows
            ]

    def unregistered(self) -> list[tuple[str, str]]:
        """(path, kind) of tensors and modules kept in plain attributes, lists or dicts, right after construction."""
        rows = self.proxy._ask("unregistered", handle=self.handle)
        with _readable():
            return [(str(path), str(what)) for path, what in rows]

    def device_problem(self, *args: Any, **kwargs: Any) -> str | None:
        """The error of a call with module and inputs on the `meta` device, if a CPU tensor got in the way."""
        answer: str | None = self.proxy._ask("device", target=self.handle, args=args, kwargs=kwargs)
        return answer

    def record(self) -> dict[str, Any]:
        """Of a given model: `training` now, and for each call its length, mode and grad state."""
        return dict(self.proxy._ask("record", handle=self.handle))


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """An answer of another form than the question asks for is a protocol failure, whatever reading it raises."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"it has another form than was asked for ({type(error).__name__})"
        raise CheckFailed("protocol", {"task": "your code", "problem": problem}) from None


def _value(answer: Any) -> Any:
    with _readable():
        return answer["value"]


def _inputs(answer: Any, args: Any, kwargs: Any) -> list[Any]:
    with _readable():
        inputs = list(answer["inputs"])
        if len(inputs) != len(args) + len(kwargs):
            raise ValueError("as many as were sent")
        return inputs


def _handles(value: Any) -> Any:
    """Objects among arguments cross as their handles."""
    if isinstance(value, (Module, Object)):
        return value.handle
    if type(value) in (list, tuple):
        return type(value)(_handles(v) for v in value)
    if type(value) is dict:
        return {k: _handles(v) for k, v in value.items()}
    return value
