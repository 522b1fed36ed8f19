"""Does what the grader asks with the exercise's functions, classes and objects; the answers are plain data.

The same code serves the student's process and, on the trusted side, the references.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import random
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .given import GIVEN, GivenModel, GivenParameters
from .record import Record, told
from .scan import unregistered
from .travel import LookUps, Travel
from .values import Given, Handle
from .watch import notes
from .weights import Loaded, StructureError, directional, load, task_tree


class Actor:
    """Objects of one exercise, numbered by whoever asks: a number that is used again means the newer object.

    `find` gives the function or class of a task, or raises StructureError. `file`: where the student wrote it.
    """

    def __init__(self, find: Callable[[str], Any], tasks: frozenset[str], file: str = "") -> None:
        self.find = find
        self.tasks = tasks
        self.file = file
        self.objects: dict[int, Any] = {}
        self.recipes: dict[int, tuple[str, Any, Any]] = {}  # how a module was made, to make it again elsewhere
        self.loads: dict[int, tuple[str, dict[str, Tensor], dict[str, str], Loaded]] = {}

    def do(self, op: str, seed: int, fields: dict[str, Any]) -> Any:
        """One request. Raises whatever the student's code raises."""
        torch.default_generator.manual_seed(seed)  # torch.manual_seed also formats a stack for every accelerator: 3 ms
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)
        return getattr(self, f"op_{op}")(**fields)

    def op_call(
        self, target: Any, args: Any, kwargs: Any, want_inputs: bool = False, grad: dict[str, Any] | None = None,
        record: bool = False, method: str = "", keep: dict[str, Any] | None = None, no_grad: bool = False,
    ) -> Any:  # fmt: skip
        function = getattr(self._target(target), method) if method else self._target(target)
        if record:
            return self._recorded(function, args, kwargs)
        args, kwargs = tuple(self._live(a) for a in args), {k: self._live(v) for k, v in kwargs.items()}
        if grad is not None:
            return self._call_with_gradients(function, target, args, kwargs, **grad)
        with torch.no_grad() if no_grad else contextlib.nullcontext():
            answer = {"value": function(*args, **kwargs)}
        if want_inputs:
            answer["inputs"] = [_told(a) for a in (*args, *kwargs.values())]
        if keep is not None:
            answer["value"] = self._without_kept(answer["value"], **keep)
        return answer

    def _without_kept(self, value: Any, handle: Handle, at: int | None) -> Any:
        """The value, or its part `at`, stays here under the number of `handle`."""
        if at is None:
            self.objects[handle.id] = value
            return None
        if type(value) not in (tuple, list) or not at < len(value):
            return value
        self.objects[handle.id] = value[at]
        return tuple(None if place == at else part for place, part in enumerate(value))

    def op_construct(
        self, handle: Handle, task: str, args: Any, kwargs: Any, filling: dict[str, Any] | None = None,
        plain: bool = False,
    ) -> Any:  # fmt: skip
        module = self.find(task)(*args, **kwargs)
        if not plain and not isinstance(module, nn.Module):
            raise StructureError("wrong_type", what=task, got=type(module).__name__, want="torch.nn.Module")
        self.objects[handle.id] = module
        self.recipes[handle.id] = (task, args, kwargs)
        self.loads.pop(handle.id, None)
        return self.op_load(handle, task, **filling) if filling else {}

    def op_given_model(self, handle: Handle, settings: dict[str, Any]) -> None:
        self.objects[handle.id] = GivenModel(**settings)

    def op_load(self, handle: Handle, task: str, weights: dict[str, Tensor], tree: dict[str, str]) -> Any:
        loaded = load(self.objects[handle.id].eval(), task, weights, tree, self.tasks)
        self.loads[handle.id] = (task, weights, tree, loaded)
        return {"adapted": bool(loaded.adapters)}

    def op_tree(self, handle: Handle) -> dict[str, str]:
        return task_tree(self.objects[handle.id], self.tasks)

    def op_mode(self, handle: Handle, training: bool) -> None:
        self.objects[handle.id].train(training)

    def op_to(self, handle: Handle, dtype: torch.dtype) -> None:
        self.objects[handle.id].to(dtype)

    def op_parameters(self, handle: Handle) -> list[Any]:
        named = self.objects[handle.id].named_parameters()
        return [[name, tuple(p.shape), p.dtype, p.requires_grad] for name, p in itertools.islice(named, 1000)]

    def op_unregistered(self, handle: Handle) -> list[Any]:
        return unregistered(self.objects[handle.id])

    def op_device(self, target: Any, args: Any, kwargs: Any) -> str | None:
        """Whether a tensor would stay on the CPU when module and inputs are elsewhere; None, or the error that gives.

        Only a clash of devices counts; what the `meta` device cannot do does not.
        """
        live = [self._live(a) for a in args], {k: self._live(v) for k, v in kwargs.items()}
        return self._on_meta(target, *live) if self._may_clash(target, *live) else None

    def _may_clash(self, target: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
        """Most code shows at once that it does not; what raises here is told by other checks."""
        function = self._fresh(target)
        given = [v for v in (*args, *kwargs.values(), function) if isinstance(v, (Tensor, nn.Module))]
        parts = [[v] if isinstance(v, Tensor) else [*v.parameters(), *v.buffers()] for v in given]
        travel = Travel(itertools.chain.from_iterable(parts))
        try:
            with travel:
                answer = function(*args, **kwargs)
        except Exception:
            return False
        return travel.clash or any(isinstance(v, Tensor) and not travel.travels(v) for v in _parts(answer))

    def _on_meta(self, target: Any, args: list[Any], kwargs: dict[str, Any]) -> str | None:
        function = self._fresh(target)
        if isinstance(function, nn.Module):
            function.to("meta")
        try:
            with LookUps():
                answer = function(*map(_moved, args), **{k: _moved(v) for k, v in kwargs.items()})
        except Exception as error:
            text = str(error)
            return text[:300] if "on the expected device" in text or "on the same device" in text else None
        left = any(isinstance(v, Tensor) and v.device.type == "cpu" for v in _parts(answer))
        return "the answer is on the CPU" if left and any(isinstance(a, Tensor) for a in args) else None

    def _fresh(self, target: Any) -> Any:
        """The function, or the module made once more, in eval mode."""
        if not isinstance(target, Handle):
            return self.find(target)
        task, made_with, options = self.recipes[target.id]
        return self.find(task)(*made_with, **options).eval()

    def op_record(self, handle: Handle) -> dict[str, Any]:
        return dict(self.objects[handle.id].record())

    def op_notes(self, task: str) -> list[Any]:
        """Forbidden calls seen in this process (watch.py), less those made inside another task: they are its own."""
        others = self.tasks - {task}
        return [note for note in notes() if note["inside"] not in others]

    def _recorded(self, function: Any, args: Any, kwargs: Any) -> dict[str, Any]:
        """The steps of a call, up to its end or to what it raises: lines of this exercise, whoever made its parts."""
        with Record(lambda filename: filename == self.file) as record, contextlib.suppress(Exception):
            function(*(self._live(a) for a in args), **{k: self._live(v) for k, v in kwargs.items()})
        return {"steps": told(record.steps)}

    def _call_with_gradients(
        self, function: Any, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
        cotangents: list[Tensor | None], directions: dict[str, Tensor],
    ) -> Any:  # fmt: skip
        args, kwargs = tuple(_leaf(a) for a in args), {k: _leaf(v) for k, v in kwargs.items()}
        inputs = {k: v for k, v in [*enumerate(args), *kwargs.items()] if _is_float(v)}
        value = function(*args, **kwargs)
        outputs = [v for v in _parts(value) if isinstance(v, Tensor)]
        terms = [(o * c).sum() for o, c in zip(outputs, cotangents, strict=False) if c is not None and o.requires_grad]
        # A function may be handed a model of ours: its weights are then what gradients flow to.
        modules = [function] if isinstance(target, Handle) else [a for a in args if isinstance(a, nn.Module)]
        parameters = [p for module in modules for p in module.parameters()]
        wanted = [*inputs.values(), *(p for p in parameters if p.requires_grad)]
        found = torch.autograd.grad(sum(terms), wanted, allow_unused=True) if terms and wanted else [None] * len(wanted)  # type: ignore[arg-type]
        by_input = dict(zip(inputs, found, strict=False))
        by_parameter = dict(zip(wanted[len(inputs) :], found[len(inputs) :], strict=True))
        return {
            "value": value,
            "input_grads": by_input,
            "weight_grads": self._weight_gradients(target, modules, by_parameter, directions),
        }

    def _weight_gradients(
        self, target: Any, modules: list[nn.Module], gradients: dict[Any, Any], directions: dict[str, Tensor]
    ) -> dict[str, Any]:
        if not isinstance(target, Handle):
            return {name: gradients.get(p) for module in modules for name, p in module.named_parameters()}
        if target.id not in self.loads:
            return {}
        task, weights, tree, loaded = self.loads[target.id]
        if directions:
            return dict(directional(self.objects[target.id], task, weights, tree, self.tasks, gradients, directions))
        return {name: gradients.get(parameter) for name, parameter in loaded.parameters.items()}

    def _target(self, target: Any) -> Any:
        return self.objects[target.id] if isinstance(target, Handle) else self.find(target)

    def _live(self, value: Any) -> Any:
        """A handle becomes its object, a Given its callable."""
        if isinstance(value, Handle):
            return self.objects[value.id]
        if isinstance(value, Given):
            return GIVEN[value.name](*value.values)
        return value


def _told(value: Any) -> Any:
    """An argument as it is after the call, as far as that can be seen."""
    return value.told() if isinstance(value, GivenParameters) else value if isinstance(value, Tensor) else None


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _leaf(value: Any) -> Any:
    return value.detach().clone().requires_grad_() if _is_float(value) else value


def _parts(answer: Any) -> Any:
    return answer if isinstance(answer, (tuple, list)) else [answer]


def _moved(value: Any) -> Any:
    if isinstance(value, nn.Module):
        return copy.deepcopy(value).to("meta")
    return value.to("meta") if isinstance(value, Tensor) else value
