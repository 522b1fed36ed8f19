"""Frames between the two processes: a tagged JSON header, then raw tensor bytes. Never pickle.

A frame is `>4s B B H I Q 16s`: magic, version, kind, flags, header length, body length, and the number of the question
that it asks or answers. What arrives from the student's side is untrusted: every field has a budget, and any surprise
is a WireError.
"""

from __future__ import annotations

import json
import math
import numbers
import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import torch

from .decode import Decoder
from .values import MAX_BODY, MAX_DEPTH, MAX_HEADER, NAMES, Given, Handle, WireError

MAGIC, VERSION = b"TGW1", 2
HEAD = struct.Struct(">4sBBHIQ16s")
NUMBER = 16  # bytes of a question's number, the last of a head


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
    """The value of a frame. `trusted`: makers of tags that only the grader may send (serve.py)."""
    try:
        tree = _READER.decode(header.decode("utf-8"))
        decoder = Decoder(body, trusted)
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
        if isinstance(value, str):  # numpy has one of its own
            return _clean(value)
        if type(value) is int:
            return value if abs(value) < 1 << 53 else {"$": "int", "v": str(value)[:64]}
        if type(value) is float:
            return value if math.isfinite(value) else {"$": "f", "v": repr(value)}
        return self._tagged(value, depth)

    def _tagged(self, value: Any, depth: int) -> Any:
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
        if isinstance(value, numbers.Real):  # of numpy
            return self.encode(int(value) if isinstance(value, numbers.Integral) else float(value), depth)
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
        flat = plain.contiguous().resolve_conj().resolve_neg().reshape(-1)
        if flat.stride() != (1,):  # a single number that was expanded counts as contiguous, with a stride of 0
            flat = flat.clone(memory_format=torch.contiguous_format).as_strided(flat.shape, (1,))
        chunk = flat.view(torch.uint8).numpy().tobytes() if size else b""
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


def _clean(text: str) -> str:
    return str.encode(text, "utf-8", "backslashreplace").decode("utf-8")


def _no_constant(name: str) -> Any:
    raise WireError(f"a literal {name}")


_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_READER = json.JSONDecoder(parse_constant=_no_constant)
