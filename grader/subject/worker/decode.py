"""Read a value out of a frame, with a budget on every field: what a student's side sends is believed in nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from .values import DTYPES, MAX_DEPTH, MAX_DIMS, MAX_NODES, MAX_SPAN, MAX_STRING, MAX_TENSORS, Handle, Opaque, WireError


class Decoder:
    def __init__(self, body: bytes, trusted: dict[str, Callable[[Any], Any]] | None) -> None:
        self.body = body
        self.trusted = trusted
        self.used = 0
        self.nodes = 0
        self.tensors = 0

    def decode(self, tree: Any, depth: int = 0) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise WireError("too many values, or nested too deeply")
        if tree is None or type(tree) in (bool, float):
            return tree
        if type(tree) is int:
            return _integer(tree, -(1 << 53), 1 << 53)
        if type(tree) is str:
            return _string(tree, self.trusted is not None)
        if type(tree) is not dict or type(tree.get("$")) is not str:
            raise WireError("a value without a tag")
        return self._tagged(tree["$"], tree, depth + 1)

    def _tagged(self, tag: str, tree: dict[str, Any], depth: int) -> Any:
        value = tree.get("v")
        if tag == "t":
            return self._tensor(tree)
        if tag == "b":
            return self._bytes(tree)
        if tag in ("l", "u"):
            items = [self.decode(v, depth) for v in _list(value)]
            return items if tag == "l" else tuple(items)
        if tag == "d":
            return self._dict(_list(value), depth)
        if tag == "f" and value in ("nan", "inf", "-inf"):
            return float(value)
        if tag == "int" and type(value) is str and len(value) <= 64 and value.isascii() and value.lstrip("-").isdigit():
            return int(value)
        if tag == "h":
            return Handle(_integer(value, 0, 1 << 31))
        if tag == "dt":
            return DTYPES[value] if value in DTYPES else Opaque(_string(value, False)[:200])
        if tag == "x":
            return Opaque(_string(value, False)[:200])
        if tag in ("given", "gen", "args"):
            return self._special(tag, value, depth)
        raise WireError("an unknown tag")

    def _special(self, tag: str, value: Any, depth: int) -> Any:
        if self.trusted is None:  # the student's side sent one back: shown, never rebuilt
            return Opaque({"given": "callable", "gen": "torch.Generator", "args": "ModelArgs"}[tag])
        if tag == "given":
            return self.trusted[tag]([self.decode(v, depth) for v in value])
        return self.trusted[tag](value)

    def _dict(self, pairs: list[Any], depth: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for pair in pairs:
            if len(_list(pair)) != 2:
                raise WireError("a dict entry that is no pair")
            key = self.decode(pair[0], depth)
            if not _plain_key(key) or key in found:
                raise WireError("a dict key that is not plain, or stands twice")
            found[key] = self.decode(pair[1], depth)
        return found

    def _tensor(self, tree: dict[str, Any]) -> torch.Tensor:
        self.tensors += 1
        if self.tensors > MAX_TENSORS or tree.get("dt") not in DTYPES or len(_list(tree.get("sh"))) > MAX_DIMS:
            raise WireError("too many tensors, or a tensor of an unknown kind")
        dtype, shape = DTYPES[tree["dt"]], [_integer(n, 0, 1 << 31) for n in tree["sh"]]
        if math.prod(max(n, 1) for n in shape) > MAX_SPAN:
            raise WireError("a tensor that is too large")
        chunk = bytearray(self._bytes(tree))
        if math.prod(shape) * dtype.itemsize != len(chunk):
            raise WireError("tensor bytes that do not fit their shape")
        if not chunk:
            return torch.empty(shape, dtype=dtype)
        if dtype is torch.bool and max(chunk) > 1:
            raise WireError("a boolean that is neither 0 nor 1")
        tensor = torch.frombuffer(chunk, dtype=dtype).reshape(shape)
        if self.trusted is not None and "st" in tree:
            return torch.empty_strided(shape, tree["st"], dtype=dtype).copy_(tensor)
        return tensor

    def _bytes(self, tree: dict[str, Any]) -> bytes:
        """The next bytes of the body: each is used once, in order."""
        offset, size = _integer(tree.get("o"), 0, len(self.body)), _integer(tree.get("n"), 0, len(self.body))
        if offset != self.used or offset + size > len(self.body):
            raise WireError("bytes that are not the next ones")
        self.used += size
        return self.body[offset : offset + size]


def _plain_key(key: Any) -> bool:
    return key is None or type(key) in (bool, int, str) or (type(key) is tuple and all(_plain_key(k) for k in key))


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise WireError("not a list")
    return value


def _integer(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise WireError("an integer out of range")
    return value


def _string(value: Any, trusted: bool) -> str:
    if type(value) is not str or (len(value) > MAX_STRING and not trusted):
        raise WireError("a text that is too long")
    value.encode("utf-8")  # a lone surrogate raises here
    return value
