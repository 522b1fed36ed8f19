"""Frames between the two processes: a tagged JSON header, then raw tensor bytes. Never pickle.

A frame is `>4s B B H I Q 16s`: magic, version, kind, flags, header length, body length, and the number of the question
that it asks or answers. What arrives from the student's side is untrusted: every field has a budget, and any surprise
is a WireError.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import torch

MAGIC, VERSION = b"TGW1", 2
HEAD = struct.Struct(">4sBBHIQ16s")
NUMBER = 16  # bytes of a question's number, the last of a head
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


def pack(value: Any, number: bytes = bytes(NUMBER)) -> bytes:
    """One whole frame."""
    encoder = _Encoder()
    header = _JSON.encode(encoder.encode(value)).encode()
    if len(header) > MAX_HEADER:
        raise WireError(f"a header of {len(header)} bytes, at most {MAX_HEADER} may cross")
    return HEAD.pack(MAGIC, VERSION, 0, 0, len(header), encoder.size, number) + header + b"".join(encoder.chunks)


def numbered(frame: bytes, number: bytes) -> bytes:
    """The same frame for the question of this number."""
    return frame[: HEAD.size - NUMBER] + number + frame[HEAD.size :]


def number_of(head: bytes) -> bytes:
    return head[HEAD.size - NUMBER : HEAD.size]


def lengths(head: bytes) -> tuple[int, int]:
    """Header and body length announced by the first HEAD.size bytes."""
    magic, version, _, flags, header, body, _ = HEAD.unpack(head)
    if magic != MAGIC or version != VERSION or flags:
        raise WireError("not a frame of this protocol")
    if header > MAX_HEADER or body > MAX_BODY:
        raise WireError(f"a frame of {header} + {body} bytes is too large")
    return header, body


def unpack(header: bytes, body: bytes, *, trusted: dict[str, Callable[[Any], Any]] | None = None) -> Any:
    """The value of a frame. `trusted`: makers of tags that only the grader may send (worker/live.py)."""
    try:
        tree = _READER.decode(header.decode("utf-8"))
        decoder = _Decoder(body, trusted)
        value = decoder.decode(tree)
    except WireError:
        raise
    except Exception as error:  # whatever the bytes provoke is a protocol error, never a crash of the reader
        raise WireError(type(error).__name__) from None
    if decoder.used != len(body):
        raise WireError("bytes that belong to no tensor")
    return value


class _Encoder:
    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.size = 0

    def encode(self, value: Any, depth: int = 0) -> Any:
        if depth > MAX_DEPTH:
            raise WireError(f"nested deeper than {MAX_DEPTH}")
        if value is None or value is True or value is False:
            return value
        if type(value) is str:
            return _clean(value)
        if type(value) is int:
            return value if abs(value) < 1 << 53 else {"$": "int", "v": str(value)[:64]}
        if type(value) is float:
            return value if math.isfinite(value) else {"$": "f", "v": repr(value)}
        return self._tagged(value, depth)

    def _tagged(self, value: Any, depth: int) -> dict[str, Any]:
        down = depth + 1
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if type(value) is torch.Size:
            return {"$": "u", "v": [int(n) for n in value]}
        if isinstance(value, (list, tuple)):  # a namedtuple is a tuple too
            return {"$": "l" if isinstance(value, list) else "u", "v": [self.encode(v, down) for v in value]}
        if isinstance(value, dict):
            return {"$": "d", "v": [[self.encode(k, down), self.encode(v, down)] for k, v in value.items()]}
        if type(value) is bytes:
            return {"$": "b", **self._chunk(value)}
        if type(value) is torch.dtype:
            return {"$": "dt", "v": NAMES.get(value, str(value))}
        if type(value) is Handle:
            return {"$": "h", "v": value.id}
        if type(value) is Given:
            return {"$": "given", "v": [value.name, *(self.encode(v, down) for v in value.values)]}
        if type(value) is torch.Generator:
            return {"$": "gen", "v": value.initial_seed() % (1 << 53)}
        if is_dataclass(value) and type(value).__name__ == "ModelArgs":
            return {"$": "args", "v": {f.name: getattr(value, f.name) for f in fields(value)}}
        return {"$": "x", "v": _clean(f"{type(value).__module__}.{type(value).__qualname__}")[:200]}

    def _tensor(self, value: torch.Tensor) -> dict[str, Any]:
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            return {"$": "x", "v": _clean(f"tensor subclass {type(value).__name__}")[:200]}
        plain = torch.Tensor.detach(value)  # unbound: an instance with methods of its own has no say in what is sent
        if (
            plain.layout != torch.strided
            or plain.device.type != "cpu"
            or plain.is_quantized
            or plain.dtype not in NAMES
        ):
            return {"$": "x", "v": f"tensor ({plain.layout}, {plain.device}, {plain.dtype})"[:200]}
        size = plain.numel() * plain.element_size()
        if self.size + size > MAX_BODY:
            raise WireError(f"{self.size + size} bytes of tensors, at most {MAX_BODY} may cross")
        flat = plain.contiguous().resolve_conj().resolve_neg()
        chunk = flat.reshape(-1).view(torch.uint8).numpy().tobytes() if size else b""
        tag = {"$": "t", "dt": NAMES[plain.dtype], "sh": list(plain.shape), **self._chunk(chunk)}
        if size and not plain.is_contiguous() and 0 not in plain.stride():
            tag["st"] = list(plain.stride())
        return tag

    def _chunk(self, data: bytes) -> dict[str, int]:
        """Where these bytes stand in the body."""
        if self.size + len(data) > MAX_BODY:
            raise WireError(f"{self.size + len(data)} bytes of data, at most {MAX_BODY} may cross")
        self.chunks.append(data)
        self.size += len(data)
        return {"o": self.size - len(data), "n": len(data)}


class _Decoder:
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


def _clean(text: str) -> str:
    return str.encode(text, "utf-8", "backslashreplace").decode("utf-8")


def _no_constant(name: str) -> Any:
    raise WireError(f"a literal {name}")


_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_READER = json.JSONDecoder(parse_constant=_no_constant)
