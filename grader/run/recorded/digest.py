"""Digests of questions: equal ones have equal digests, on every machine.

Inputs of checks come from seeds. Their last bits, in float64, come from the mathematical library of the machine. So
floats of 64 bits are compared to 24 of their 53 digits, which is more than float32 has; everything else is exact.
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import torch
from torch import Tensor

from grader.subject.worker.values import Handle

DROPPED = 29  # binary digits of a float64, the last
PLAIN = (bool, int, str, torch.dtype, type(None))


class Digest:
    """Of one value after the other. Handles are known by their history (transport.py), not by their number."""

    def __init__(self, histories: dict[int, str]) -> None:
        self.histories = histories
        self._sum = hashlib.sha256()

    def hex(self) -> str:
        return self._sum.hexdigest()[:24]

    def add(self, value: Any) -> None:
        """Raises TypeError for what can be in no question."""
        if isinstance(value, PLAIN):
            self._say(type(value).__name__, repr(value).encode())
        elif isinstance(value, float):
            self._say("float", _bytes(torch.tensor(value, dtype=torch.float64)))
        elif isinstance(value, Tensor):
            self._say(f"tensor {value.dtype} {tuple(value.shape)}", _bytes(value.detach()))
        elif isinstance(value, torch.Generator):
            self._say("generator", str(value.initial_seed()).encode())
        elif isinstance(value, Handle):
            self._say("object", self.histories.get(value.id, "").encode())
        else:
            self._add_parts(value)

    def _add_parts(self, value: Any) -> None:
        if isinstance(value, (list, tuple)):
            parts = list(value)
        elif isinstance(value, dict):
            parts = [part for entry in value.items() for part in entry]
        elif dataclasses.is_dataclass(value):
            parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
        else:
            raise TypeError(f"a question holds {value!r}, of which there is no digest")
        self._say(type(value).__name__, str(len(parts)).encode())
        for part in parts:
            self.add(part)

    def _say(self, kind: str, data: bytes) -> None:
        self._sum.update(f"{kind} {len(data)} ".encode() + data)


def _bytes(tensor: Tensor) -> bytes:
    flat = tensor.contiguous().reshape(-1).clone()
    if flat.dtype == torch.float64:
        half = 1 << (DROPPED - 1)
        flat = (flat.view(torch.int64) + half) >> DROPPED  # to the nearest number of 24 digits
    return flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
