"""The wire format: what may cross does, whole; anything else is a WireError and never another exception."""

from __future__ import annotations

import contextlib
import json
import math
import random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.subject.worker.values import Given, Handle, Opaque, WireError
from grader.subject.worker.wire import HEAD, lengths, pack, unpack

MUTATIONS = 20_000


def parts(frame: bytes) -> tuple[bytes, bytes]:
    header, _ = lengths(frame[: HEAD.size])
    return frame[HEAD.size : HEAD.size + header], frame[HEAD.size + header :]


def across(value: Any, **options: Any) -> Any:
    return unpack(*parts(pack(value)), **options)


scalars = st.none() | st.booleans() | st.integers(-(10**60), 10**60) | st.floats() | st.text() | st.binary(max_size=20)
keys = st.text() | st.integers(-100, 100) | st.booleans() | st.tuples(st.integers(0, 3), st.text(max_size=2))
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=4) | st.tuples(v, v) | st.dictionaries(keys, v, max_size=4), max_leaves=12
)


@given(values)
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_plain_data_comes_back_equal(value: Any) -> None:
    back = across(value)
    assert repr(back) == repr(value) or back == value


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.complex64]
)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
def test_tensors_come_back_equal(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    tensor = torch.randn(shape).mul(3).to(dtype)
    back = across(tensor)
    assert type(back) is torch.Tensor
    assert (back.dtype, back.shape) == (dtype, tensor.shape)
    assert torch.equal(back, tensor)


def test_nan_and_infinities_survive() -> None:
    back = across([math.nan, math.inf, -math.inf, torch.tensor([math.nan, math.inf])])
    assert math.isnan(back[0])
    assert back[1:3] == [math.inf, -math.inf]
    assert back[3].isnan()[0]


def test_only_the_trusted_side_keeps_strides() -> None:
    tensor = torch.arange(6.0).reshape(2, 3).T
    assert not across(tensor, trusted={}).is_contiguous()
    assert across(tensor).is_contiguous()
    assert torch.equal(across(tensor, trusted={}), tensor)


def test_a_tensor_subclass_is_only_named() -> None:
    class Liar(torch.Tensor):
        pass

    assert across(torch.zeros(2).as_subclass(Liar)) == Opaque("tensor subclass Liar")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.bool, torch.int64])
def test_a_single_number_that_was_expanded_crosses(dtype: torch.dtype) -> None:
    for tensor in (torch.ones((), dtype=dtype).expand(1), torch.ones((), dtype=dtype).expand(1, 1, 1)):
        assert torch.equal(across(tensor), tensor)


@pytest.mark.parametrize("tensor", [torch.zeros(2, device="meta"), torch.eye(2).to_sparse()])
def test_exotic_tensors_are_only_named(tensor: torch.Tensor) -> None:
    assert isinstance(across(tensor), Opaque)


def test_what_only_the_grader_may_send_is_shown_but_never_rebuilt() -> None:
    assert across(Given("halve")) == Opaque("callable")
    assert across(torch.Generator()) == Opaque("torch.Generator")
    assert across(Handle(3)) == Handle(3)


def test_lone_surrogates_are_made_harmless() -> None:
    assert across("a\ud800b") == "a\\ud800b"


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(WireError, match="deeper"):
        pack(endless)


BAD_HEADERS = [
    '{"$":"t","dt":"f32","sh":[0,2147483647,2147483647],"o":0,"n":0}',
    '{"$":"t","dt":"f32","sh":[1],"o":0,"n":0}',
    '{"$":"t","dt":"f32","sh":[-1],"o":0,"n":4}',
    '{"$":"t","dt":"object","sh":[1],"o":0,"n":8}',
    '{"$":"t","sh":[1]}',
    '{"$":"d","v":[[1,2],[1,3]]}',
    '{"$":"d","v":[[[1],2]]}',
    '{"$":"l","v":7}',
    '{"$":"int","v":"' + "9" * 65 + '"}',
    '{"$":"int","v":"1e9"}',
    '{"$":"f","v":"1.5"}',
    '{"$":"pickle","v":"gASV"}',
    '{"$":["t"]}',
    "[1,2]",
    "NaN",
    "Infinity",
    "9007199254740993000",
    '"\\ud800"',
    "[" * 5000,
    "",
    '{"$":"given","v":["halve"',
]


@pytest.mark.parametrize("header", BAD_HEADERS)
def test_bad_headers_are_wire_errors(header: str) -> None:
    with pytest.raises(WireError):
        unpack(header.encode(), b"")


def test_bytes_that_belong_to_nothing_are_refused() -> None:
    with pytest.raises(WireError, match="belong to no"):
        unpack(b"1", b"x")


def test_tensors_may_not_share_bytes() -> None:
    tensor = {"$": "t", "dt": "u8", "sh": [2], "o": 0, "n": 2}
    with pytest.raises(WireError):
        unpack(json.dumps({"$": "l", "v": [tensor, tensor]}).encode(), b"ab")


def test_mutated_frames_are_values_or_wire_errors() -> None:
    frame = pack({"ok": True, "value": [torch.ones(2, 3), "text", 1.5, {"k": (1, None)}], "frames": []})
    rng = random.Random(0)
    survived = 0
    for _ in range(MUTATIONS):
        data = bytearray(frame)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            data[at : at + rng.randint(0, 2)] = bytes(rng.choices(range(256), k=rng.randint(0, 2)))
        if len(data) < HEAD.size:  # never reached: the reader waits for a whole head
            continue
        with contextlib.suppress(WireError):
            header, body = lengths(bytes(data[: HEAD.size]))
            unpack(bytes(data[HEAD.size : HEAD.size + header]), bytes(data[HEAD.size + header :][:body]))
            survived += 1
    assert survived < MUTATIONS / 2
