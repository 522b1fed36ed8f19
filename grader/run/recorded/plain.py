"""Answers as JSON and tensors by name. What is neither plain nor a tensor is refused; nothing is ever pickled."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from grader.errors import CourseError
from grader.subject.proxy import Opaque
from grader.subject.worker.values import DTYPES, NAMES

Tensors = dict[str, Tensor]


def encode(value: Any, tensors: Tensors) -> Any:
    """The value for JSON; its tensors go into `tensors`, equal ones once. Raises CourseError."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Tensor):
        return {"tensor": _kept(value, tensors)}
    if isinstance(value, int):
        return {"int": str(value)} if abs(value) >= 1 << 53 else value
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, torch.dtype) and value in NAMES:
        return {"dtype": NAMES[value]}
    if isinstance(value, Opaque):
        return {"opaque": value.kind}
    if isinstance(value, (list, tuple)):
        return {"list" if isinstance(value, list) else "tuple": [encode(part, tensors) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key, tensors), encode(part, tensors)] for key, part in value.items()]}
    raise CourseError(f"an answer of a reference holds a {type(value).__name__}, which cannot be recorded")


def decode(tree: Any, tensors: Tensors) -> Any:
    """The other way round; tensors are fresh ones. KeyError or ValueError for what `encode` never writes."""
    if not isinstance(tree, dict):
        return tree
    ((tag, value),) = tree.items()
    if tag == "tensor":
        return tensors[value].clone()
    if tag in ("list", "tuple"):
        parts = [decode(part, tensors) for part in value]
        return parts if tag == "list" else tuple(parts)
    if tag == "dict":
        return {decode(key, tensors): decode(part, tensors) for key, part in value}
    return _MAKERS[tag](value)


_MAKERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "bytes": bytes.fromhex,
    "float": float,
    "dtype": DTYPES.__getitem__,
    "opaque": Opaque,
}


def _kept(value: Tensor, tensors: Tensors) -> str:
    plain = value.detach().clone(memory_format=torch.contiguous_format)
    data = plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
    name = hashlib.sha256(f"{plain.dtype} {tuple(plain.shape)} ".encode() + data).hexdigest()[:24]
    tensors.setdefault(name, plain)
    return name
