"""The one comparison of what came back with what should have: type, shape, dtype, finiteness, then values.

Values are compared in float64 with a limit of ABSOLUTE + RELATIVE * |wanted|. For float32 on CPU, right answers
written in different orders differ by some 1e-6 on these inputs, and the nearest known bug by more than 1e-3.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from grader.results.schema import Array, Evidence
from grader.subject.failure import CheckFailed, fail
from grader.subject.proxy import Opaque

ABSOLUTE, RELATIVE = 1e-5, 1e-4
EXPECTED_CORNER, GOT_SIDE, GOT_LIMIT = 6, 32, 200  # what a results file may hold (docs/results.md)


def close(
    got: Any, want: Tensor, what: str = "the output", *, dtype: torch.dtype | None = None, scale: float = 1.0
) -> None:
    """`got` equals `want` (a float tensor) within the limit, in shape, and in dtype if one is given.

    `scale` widens the limit for outputs whose float32 noise is larger by nature; give the reason beside it.
    """
    tensor = of_shape(got, tuple(want.shape), what)
    if not tensor.is_floating_point() or (dtype is not None and tensor.dtype != dtype):
        fail("wrong_dtype", what=what, got=_name(tensor.dtype), want=_name(dtype) if dtype else "a float type")
    _same_values("wrong_value", tensor, want, what, scale)


def close_gradient(got: Tensor | None, want: Tensor, what: str, *, scale: float = 1.0) -> None:
    """A gradient equals the reference's; None (nothing arrives) stands for zeros."""
    if got is None and not bool(want.abs().max() > ABSOLUTE):
        return
    if got is None:
        raise CheckFailed("no_gradient", {"what": what})
    _same_values("wrong_gradient", of_shape(got, tuple(want.shape), f"the gradient of {what}"), want, what, scale)


def equal(got: Any, want: Any, what: str = "the output", *, dtype: torch.dtype | None = None) -> None:
    """Integers, booleans, strings and nested lists of them, exactly. Tensors also in shape, and dtype if given."""
    if isinstance(want, Tensor):
        tensor = of_shape(got, tuple(want.shape), what)
        if dtype is not None and tensor.dtype != dtype:
            fail("wrong_dtype", what=what, got=_name(tensor.dtype), want=_name(dtype))
        wrong = (tensor.to(torch.float64) != want.to(torch.float64)).nonzero()
        if len(wrong):
            at = wrong[0].tolist()
            spot = tuple(at)
            values = {"what": what, "got": _plain(tensor[spot]), "want": _plain(want[spot]), "index": at}
            raise CheckFailed("wrong_integer", values, evidence(tensor, want, at))
    elif type(got) is not type(want):
        raise CheckFailed("wrong_type", {"what": what, "got": kind(got), "want": kind(want)})
    elif got != want:
        raise CheckFailed("wrong_number", {"what": what, "got": repr(got)[:200], "want": repr(want)[:200]})


def of_shape(got: Any, shape: tuple[int, ...], what: str = "the output") -> Tensor:
    """`got` as a tensor of exactly this shape; broadcasting is no excuse."""
    if not isinstance(got, Tensor):
        raise CheckFailed("wrong_type", {"what": what, "got": kind(got), "want": "tensor"})
    if tuple(got.shape) != tuple(shape):
        raise CheckFailed("wrong_shape", {"what": what, "got": list(got.shape), "want": list(shape)})
    return got


def _same_values(code: str, got: Tensor, want: Tensor, what: str, scale: float) -> None:
    a, b = got.detach().to(torch.float64), want.detach().to(torch.float64)
    strange = torch.where(b.isfinite(), ~a.isfinite(), (a != b) & ~(a.isnan() & b.isnan())).nonzero()
    if len(strange):
        at = strange[0].tolist()
        values = {"what": what, "got": number(a[tuple(at)]), "want": number(b[tuple(at)]), "index": at}
        raise CheckFailed("not_finite" if at else "wrong_number", values, evidence(got, want, at))
    error = torch.where(b.isfinite(), a - b, 0.0).abs()
    limit = scale * (ABSOLUTE + RELATIVE * torch.where(b.isfinite(), b, 0.0).abs())
    if a.numel() and bool((error > limit).any()):
        at = place(error / limit)
        spot = tuple(at)
        if not at:  # a single number has no place
            code, what = "wrong_scalar", what if code == "wrong_value" else f"the gradient of {what}"
        size = {"error": number(error[spot]), "limit": number(limit[spot])}
        values = {"what": what, "got": number(a[spot]), "want": number(b[spot]), "index": at, **size}
        raise CheckFailed(code, values, evidence(got, want, at))


def place(tensor: Tensor) -> list[int]:
    """The index of the largest entry. By hand: the first torch.unravel_index of a process costs half a second."""
    flat, at = int(tensor.argmax()), []
    for size in reversed(tensor.shape):
        flat, rest = divmod(flat, size)
        at.append(rest)
    return at[::-1]


def evidence(got: Tensor, want: Tensor | None, worst: list[int] | None) -> Evidence:
    """Small arrays for a picture: at most a 6 x 6 corner of what was expected, 32 x 32 or 200 numbers of theirs."""
    return Evidence(
        expected=None if want is None else corner(want, "expected", EXPECTED_CORNER, EXPECTED_CORNER**2),
        got=corner(got, "yours", GOT_SIDE, GOT_LIMIT if got.dim() != 2 else GOT_SIDE**2),
        worst=worst,
    )


def corner(tensor: Tensor, label: str, side: int, limit: int) -> Array:
    """The leading corner of the last two axes, at index 0 of all others."""
    keep = [1] * max(tensor.dim() - 2, 0) + [min(n, side) for n in tensor.shape[-2:]]
    if tensor.dim() == 1:
        keep = [min(tensor.shape[0], limit)]
    elif len(keep) >= 2 and keep[-1] * keep[-2] > limit:
        keep[-2] = max(1, limit // max(keep[-1], 1))
    part = tensor[tuple(slice(0, n) for n in keep)] if tensor.dim() else tensor
    values = [number(v) for v in part.reshape(-1)]
    return Array(label=label, shape=list(tensor.shape), corner=keep, values=values)


def number(value: Any) -> float | str:
    """Four significant digits, for people; non-finite numbers spelt out, for JSON."""
    x = float(value.detach() if isinstance(value, Tensor) else value)
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return float(f"{x:.4g}")


def _plain(entry: Tensor) -> float | str | bool:
    """True and False as such, whole numbers without a point."""
    value = entry.item()
    return value if isinstance(value, (bool, int)) else number(value)


def kind(value: Any) -> str:
    """What a value is, in a student's words."""
    if isinstance(value, Opaque):
        return value.kind
    return {"NoneType": "None", "Tensor": "tensor"}.get(type(value).__name__, type(value).__name__)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
