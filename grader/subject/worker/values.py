"""What may cross between the two processes besides plain data, and the budgets of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

MAX_HEADER, MAX_BODY = 1 << 20, 256 << 20
MAX_DEPTH, MAX_NODES, MAX_TENSORS, MAX_DIMS, MAX_STRING = 16, 20_000, 2_000, 8, 1 << 16
MAX_SPAN = 1 << 33  # of a shape's product, zeros counted as ones

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8,
    "bool": torch.bool, "c64": torch.complex64, "c128": torch.complex128,
}  # fmt: skip
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class WireError(Exception):
    """The bytes are not a frame of ours, or a value is not one that may cross."""


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that stays on the other side."""

    id: int


@dataclass(frozen=True, slots=True)
class Given:
    """A callable of the grader's own, by name: halve, mask (with one tensor)."""

    name: str
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that came back and is no plain data; only what it calls itself is known."""

    kind: str
