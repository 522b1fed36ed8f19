"""All that can be seen of an answer, and how far apart two answers are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.run.suite.cases import Case
from grader.run.suite.compare import ABSOLUTE, RELATIVE
from grader.run.suite.probes import Probe
from grader.subject.failure import CheckFailed, NotStarted, SubjectLost
from grader.subject.proxy import Gradients, Opaque, Proxy
from grader.subject.worker.weights import StructureError

PLAIN = (Tensor, bool, int, float, str, bytes, torch.dtype, type(None))
TOLD = ("values to unpack", "view size is not compatible", "is invalid for input of size")


@dataclass(frozen=True, slots=True)
class Answer:
    """Tensors and plain values by the place they stand in; an exception stands at the place `raised`."""

    parts: dict[str, Any]


def ask(probe: Probe, case: Case, side: Proxy, reference: Proxy) -> Answer:
    """What `side` answers to one case, exceptions of the student's included. NotStarted goes on."""
    for proxy in (side, reference):
        proxy.start_case(case.seed)
    try:
        with torch.enable_grad():  # a known bug may have left them off, here
            return seen(probe.ask(side, reference, case.again()))
    except NotStarted:
        raise
    except CheckFailed as failure:
        values = failure.values
        return Answer({"raised": _raised(str(values.get("etype", failure.code)), str(values.get("text", "")))})
    except (SubjectLost, StructureError) as failure:
        return Answer({"raised": failure.code})
    except Exception as error:  # a known bug runs in this process, where nothing translates what it raises
        return Answer({"raised": _raised(type(error).__name__, str(error))})


def _raised(name: str, text: str) -> str:
    """The type of an exception, and what it speaks of where one type stands for mistakes of many kinds."""
    return next((f"{name}: {words}" for words in TOLD if words in text), name)


def seen(value: Any) -> Answer:
    """A value by its parts."""
    return Answer(dict(_parts("", value)))


def distance(a: Answer, b: Answer) -> float:
    """The largest difference of two numbers in limits of a comparison: above 1 they differ; infinite for all else."""
    if a.parts.keys() != b.parts.keys():
        return math.inf
    return max((_apart(a.parts[place], b.parts[place]) for place in a.parts), default=0.0)


def farthest(a: Iterable[Answer], b: Iterable[Answer]) -> float:
    """The largest distance over the same cases."""
    return max((distance(x, y) for x, y in zip(a, b, strict=True)), default=0.0)


def _apart(a: Any, b: Any) -> float:
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return 0.0 if type(a) is type(b) and a == b else math.inf
    if a.shape != b.shape or a.dtype != b.dtype:
        return math.inf
    if torch.equal(a, b):
        return 0.0
    x, y = a.detach().to(torch.float64), b.detach().to(torch.float64)
    same = (x == y) | (x.isnan() & y.isnan())
    if not bool((same | (x.isfinite() & y.isfinite())).all()):
        return math.inf
    error = torch.where(same, 0.0, (x - y).abs() / (ABSOLUTE + RELATIVE * torch.maximum(x.abs(), y.abs())))
    return float(error.max()) if error.numel() else 0.0


def _parts(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Gradients):
        value = {"value": value.value, "inputs": value.inputs, "weights": value.weights}
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _parts(f"{place}.{key}", part)
    elif isinstance(value, (list, tuple)):
        yield f"{place} holds", len(value)
        for index, part in enumerate(value):
            yield from _parts(f"{place}[{index}]", part)
    elif isinstance(value, PLAIN):
        yield place, value
    else:  # it stayed where it was made, or was made here: of either only the name of its class can be compared
        yield place, value.kind.rpartition(".")[2] if isinstance(value, Opaque) else type(value).__name__
