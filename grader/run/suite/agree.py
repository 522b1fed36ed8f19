"""The questions a suite asks again and again, each with one sentence for an answer.

`subject` is the student's side, `reference` the course's own answer, computed in float64. Both take the same calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.run.suite.cases import Case
from grader.run.suite.compare import ABSOLUTE, close, close_gradient, equal, kind, number, of_shape, place
from grader.subject.failure import CheckFailed, fail
from grader.subject.proxy import Gradients, Module, Proxy

Names = Sequence[str]
OUTPUT = ("the output",)


def in_float64(value: Any) -> Any:
    """Float tensors in float64, everything else as it is; looks into tuples, lists and dicts."""
    if isinstance(value, Tensor):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return type(value)(in_float64(v) for v in value)
    if isinstance(value, dict):
        return {k: in_float64(v) for k, v in value.items()}
    return value


def same(got: Any, want: Any, names: Names = OUTPUT, dtype: torch.dtype | None = None, scale: float = 1.0) -> None:
    """Compare an answer with the wanted one: a tensor, or a tuple of them with one name each."""
    if isinstance(want, tuple):
        if not isinstance(got, (tuple, list)):
            fail("wrong_type", what="the answer", got=kind(got), want=f"tuple of {len(want)} values")
        if len(got) != len(want):
            fail("wrong_count", what="the answer", got=len(got), want=len(want))
        for g, w, name in zip(got, want, names, strict=True):
            same(g, w, (name,), dtype, scale)
    elif isinstance(want, Tensor) and want.is_floating_point():
        close(got, want, names[0], dtype=dtype, scale=scale)
    else:
        equal(got, want, names[0])


def agree(
    subject: Proxy, reference: Proxy, task: str, *args: Any,
    names: Names = OUTPUT, dtype: torch.dtype | None = None, scale: float = 1.0, **kwargs: Any,
) -> None:  # fmt: skip
    """The student's function gives what the reference gives. `dtype` defaults to that of the first float input."""
    want = reference.call(task, *in_float64(args), **in_float64(kwargs))
    got = subject.call(task, *args, **kwargs)
    same(got, want, names, dtype or _float_dtype(args), scale)


def agree_gradients(
    subject: Proxy,
    reference: Proxy,
    case: Case,
    task: str,
    *args: Any,
    inputs: Names = (),
    scale: float = 1.0,
    **kwargs: Any,
) -> None:
    """A random cotangent through every output gives every float input the reference's gradient."""
    cotangents = _cotangents(case, reference.call(task, *in_float64(args), **in_float64(kwargs)), _float_dtype(args))
    want = reference.gradients(task, *in_float64(args), cotangents=in_float64(cotangents), **in_float64(kwargs))
    got = subject.gradients(task, *args, cotangents=cotangents, **kwargs)
    _same_input_gradients(got, want, inputs, scale)


def leaves_inputs_alone(target: Proxy | Module, *args: Any, inputs: Names = (), **kwargs: Any) -> None:
    """Every tensor argument is the same after the call. Of a Proxy the first argument is the task."""
    values = list(args[1:] if isinstance(target, Proxy) else args) + list(kwargs.values())
    labels = _labels(list(range(len(values) - len(kwargs))) + list(kwargs), inputs)
    for label, before, after in zip(labels, values, target.inputs_after(*args, **kwargs), strict=True):
        if isinstance(before, Tensor) and not _same_tensor(before, after):
            fail("input_changed", what=label)


def unmoved(before: Tensor, after: Tensor, change: str, where: str) -> None:
    """`change` (a noun phrase) must leave `where` as it was, up to float32 noise."""
    _move(before, after, change, where, must_move=False)


def moved(before: Tensor, after: Tensor, change: str, where: str) -> None:
    """`change` must show in `where`."""
    _move(before, after, change, where, must_move=True)


def refused(call: Any, what: str) -> None:
    """Calling `call()` raises ValueError or AssertionError on the student's side. `what` is a noun phrase."""
    try:
        call()
    except CheckFailed as failure:
        if failure.code == "raised" and failure.values.get("etype") in ("ValueError", "AssertionError"):
            return
        raise
    fail("not_refused", what=what)


@dataclass(frozen=True)
class Twins:
    """The student's module and the reference, with equal weights, both in eval mode; the reference in float64."""

    case: Case
    student: Module
    teacher: Module
    weights: dict[str, Tensor]

    def agree(self, *args: Any, names: Names = OUTPUT, scale: float = 1.0, **kwargs: Any) -> None:
        """Both give the same output."""
        want = self.teacher(*in_float64(args), **in_float64(kwargs))
        same(self.student(*args, **kwargs), want, names, _float_dtype(args), scale)

    def agree_gradients(self, *args: Any, inputs: Names = (), scale: float = 1.0, **kwargs: Any) -> None:
        """A random cotangent gives inputs and weights the same gradients on both sides."""
        cotangents = _cotangents(self.case, self.teacher(*in_float64(args), **in_float64(kwargs)), _float_dtype(args))
        directions = {name: self.case.normal(*w.shape, dtype=torch.float32) for name, w in self.weights.items()}
        want = self.teacher.gradients(*in_float64(args), cotangents=in_float64(cotangents), **in_float64(kwargs))
        sent = directions if self.student.adapted else {}
        got = self.student.gradients(*args, cotangents=cotangents, directions=sent, **kwargs)
        _same_input_gradients(got, want, inputs, scale)
        for name, expected in want.weights.items():
            if self.student.adapted and expected is not None:
                expected = (expected * directions[name].double()).sum()
            if expected is not None:
                close_gradient(got.weights.get(name), expected, name, scale=scale)

    def own_weights(self, other: Twins, *args: Any, **kwargs: Any) -> None:
        """Every call reads the module's own weights: not those of `other`, a second one, nor those of earlier calls."""
        for twin in (self, other, self):
            twin.agree(*args, names=("the output beside a second one with other weights",), **kwargs)
        self.student.load(other.weights, other.teacher.tree())
        changed = Twins(self.case, self.student, other.teacher, other.weights)
        changed.agree(*args, names=("the output after a change of the weights",), **kwargs)

    def repeatable(self, *args: Any, **kwargs: Any) -> None:
        """A second call in eval mode gives the same answer, also with another seed, and without gradients."""
        first = self.student(*args, **kwargs)
        self.student.proxy.seed += 1
        second = self.student.without_gradients(*args, **kwargs)
        self.student.proxy.seed -= 1
        second = of_shape(second, tuple(of_shape(first, tuple(getattr(first, "shape", ()))).shape))
        error = (first.double() - second.double()).abs().max() if first.numel() else torch.tensor(0.0)
        if not bool(error <= ABSOLUTE):
            fail("not_repeatable", what="the output", error=number(error))

    def follows_dtype(self, *args: Any, **kwargs: Any) -> None:
        """Module and input in float64 give a float64 output with the right values."""
        self.student.to(torch.float64)
        wide = in_float64(args)
        same(
            self.student(*wide, **in_float64(kwargs)), self.teacher(*wide, **in_float64(kwargs)), OUTPUT, torch.float64
        )

    def follows_device(self, *args: Any, **kwargs: Any) -> None:
        """No tensor of the module stays on the CPU when module and input are elsewhere."""
        if self.student.device_problem(*args, **kwargs):
            fail("wrong_device", task=self.student.task)

    def same_parameters(self) -> None:
        """As many trainable numbers as the reference, and nothing kept where PyTorch cannot see it."""
        for path, what in self.student.unregistered():
            fail("unregistered", task=self.student.task, what=what, path=path)
        got, want = (
            sum(_size(p.shape) for p in m.parameters() if p.requires_grad) for m in (self.student, self.teacher)
        )
        if got != want:
            fail("parameter_count", task=self.student.task, got=got, want=want)


def twins(
    subject: Proxy,
    reference: Proxy,
    case: Case,
    task: str,
    *args: Any,
    weights: dict[str, Tensor] | None = None,
    **kwargs: Any,
) -> Twins:
    """Build the class on both sides, fill both with the case's weights (or `weights`), and switch both to eval."""
    teacher = reference.construct(task, *args, **kwargs)
    weights = weights or case.weights({p.name: p.shape for p in teacher.parameters()})
    student = subject.filled(task, *args, weights=weights, tree=teacher.tree(), **kwargs)
    teacher.to(torch.float64)
    teacher.load(in_float64(weights))
    return Twins(case, student, teacher, weights)


def zero_weights(reference: Proxy, task: str, *args: Any) -> dict[str, Tensor]:
    """All weights of the class at zero: a residual layer is then the identity."""
    return {p.name: torch.zeros(p.shape) for p in reference.construct(task, *args).parameters()}


def _same_tensor(before: Tensor, after: Any) -> bool:
    return isinstance(after, Tensor) and before.dtype == after.dtype and bool(torch.equal(before, after))


def _move(before: Tensor, after: Tensor, change: str, where: str, *, must_move: bool) -> None:
    difference = (before.double() - after.double()).abs()
    difference = torch.where(difference.isnan(), torch.inf, difference)
    if must_move and not bool((difference > ABSOLUTE).any()):
        fail("no_effect", change=change, where=where)
    if not must_move and bool((difference > ABSOLUTE).any()):
        at = place(difference)
        fail("moved", change=change, where=where, error=number(difference.max()), index=at)


def _same_input_gradients(got: Gradients, want: Gradients, names: Names, scale: float) -> None:
    for label, key in zip(_labels(list(want.inputs), names), want.inputs, strict=True):
        expected = want.inputs[key]
        if expected is not None:
            close_gradient(got.inputs.get(key), expected, label, scale=scale)


def _labels(keys: list[int | str], names: Names) -> list[str]:
    return [
        names[k] if isinstance(k, int) and k < len(names) else f"input {k + 1}" if isinstance(k, int) else k
        for k in keys
    ]


def _cotangents(case: Case, value: Any, dtype: torch.dtype | None) -> list[Tensor | None]:
    outputs = value if isinstance(value, tuple) else (value,)
    return [
        case.normal(*o.shape, dtype=dtype) if isinstance(o, Tensor) and o.is_floating_point() else None for o in outputs
    ]


def _float_dtype(args: Sequence[Any]) -> torch.dtype | None:
    return next((a.dtype for a in args if isinstance(a, Tensor) and a.is_floating_point()), None)


def _size(shape: tuple[int, ...]) -> int:
    return int(torch.Size(shape).numel())
