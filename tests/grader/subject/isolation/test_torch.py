"""Everything that honest code does works at every level, the same everywhere, and imports nothing late."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from grader.subject.limits import Limits
from grader.subject.worker.values import Handle

from .conftest import ALL, attack, launcher_of, load

LIBRARY = """
import math, random, typing, dataclasses, itertools, functools, collections, copy, abc, enum, json, re, string, time
import contextlib, inspect, operator, os, sys, warnings, textwrap, statistics, decimal, fractions, heapq, bisect, queue
import threading, unittest, logging, pathlib, pprint, io, struct, hashlib, types, weakref, numbers, tempfile, pickle
import concurrent.futures, urllib.parse, datetime, zlib, base64, csv, argparse, timeit, cProfile, sqlite3
import numpy as np
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
"""

TRAINS = (
    LIBRARY
    + """
def attack():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(11, 8), nn.LayerNorm(8), nn.Linear(8, 11)).double()
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).double()
    optimiser = torch.optim.AdamW([*model.parameters(), *layer.parameters()], lr=1e-2)
    ids = torch.arange(10).view(2, 5)
    for _ in range(3):
        hidden = layer(model[1](model[0](ids)))
        loss = F.cross_entropy(model[2](hidden).view(-1, 11), ids.view(-1))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    q = torch.randn(2, 3, 4, 8)
    attended = F.scaled_dot_product_attention(q, q, q, is_causal=True)
    drawn = torch.multinomial(torch.softmax(q[0, 0], -1), 2)
    half = (q.bfloat16() @ q.bfloat16().transpose(-2, -1)).float()
    array = torch.from_numpy(np.linalg.inv(np.eye(3) * 2 + np.random.rand(3, 3) * 0))
    state = io.BytesIO()
    torch.save(model.state_dict(), state)
    state.seek(0)
    model.load_state_dict(torch.load(state, weights_only=True))
    batch = next(iter(DataLoader(TensorDataset(ids), batch_size=1, num_workers=0)))[0]
    return [loss.detach(), attended, drawn, half, array, batch, copy.deepcopy(model)(ids).sum().detach()]
"""
)

THREADS = """
import threading, concurrent.futures, torch
def attack():
    together = threading.Barrier(8)
    def product(n):
        together.wait()
        return float((torch.ones(n, 300) @ torch.ones(300, n)).sum())
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(product, range(10, 410, 50)))
    torch.set_num_threads(2)
    big = torch.ones(600, 600) @ torch.ones(600, 600)
    return [sums, float(big.sum())]
"""

MODULES = """
import sys, torch
before = set(sys.modules)
def attack(x):
    w = torch.nn.Linear(4, 4)
    torch.nn.functional.scaled_dot_product_attention(w(x), x, x).softmax(-1).sum().backward()
    torch.nn.LayerNorm(4)(x), torch.nn.MultiheadAttention(4, 2)(x, x, x), torch.triu(torch.ones(3, 3))
    x.masked_fill(x > 0, float("-inf")), torch.einsum("ij,kj->ik", x, x), torch.topk(x, 2), torch.cat([x, x])
    return sorted(set(sys.modules) - before)
"""

MODULE = """
import torch
class Scale(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(n))
    def forward(self, x):
        return x * self.weight + torch.arange(x.shape[-1], device=x.device)
"""


@pytest.mark.parametrize("level", ALL)
def test_a_small_training_run_gives_the_same_numbers(level: str) -> None:
    got = attack(launcher_of(level), TRAINS, limits=Limits(call=20))
    want = attack(launcher_of("0"), TRAINS, limits=Limits(call=20))
    for ours, theirs in zip(got, want, strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("level", ALL)
def test_threads_work(level: str) -> None:
    for _ in range(6):  # the first use of torch's pool after a fork is a race, if we leave it to them
        sums, big = attack(launcher_of(level), THREADS, limits=Limits(call=20))
        assert sums == [300.0 * n * n for n in range(10, 410, 50)]
        assert big == 600.0**3


@pytest.mark.parametrize("level", ALL)
def test_common_operations_import_nothing_late(level: str) -> None:
    late: list[str] = attack(launcher_of(level), MODULES, torch.ones(3, 4), limits=Limits(call=20))
    assert late == []


@pytest.mark.parametrize("level", ALL)
def test_gradients_and_the_meta_device_work(level: str) -> None:
    remote = launcher_of(level)(Limits())
    ask: Any = remote.ask
    try:
        load(remote, MODULE)
        handle = Handle(1)
        ask("construct", handle=handle, task="Scale", args=(3,), kwargs={})
        answer = ask("call", target=handle, args=(torch.ones(2, 3),), kwargs={},
                     grad={"cotangents": [torch.ones(2, 3)], "directions": {}})  # fmt: skip
        assert torch.equal(answer["input_grads"][0], torch.ones(2, 3))
        assert ask("device", target=handle, args=(torch.ones(2, 3),), kwargs={}) is None
    finally:
        remote.close()


@pytest.mark.parametrize("level", ALL)
def test_forbidden_operators_are_still_noticed(level: str) -> None:
    remote = launcher_of(level)(Limits())
    try:
        load(remote, "import torch\ndef attack(x):\n    return torch.softmax(x, -1)\n", watched=("softmax",))
        with pytest.raises(AssertionError, match="softmax"):
            remote.ask("call", target="attack", args=(torch.ones(3),), kwargs={})
    finally:
        if remote.alive:
            remote.close()
