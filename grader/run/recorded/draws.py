"""Whether torch draws the same random numbers: the inputs of every case are made of them."""

from __future__ import annotations

import torch

from grader.run.recorded.digest import Digest
from grader.run.suite.cases import make_case


def draws() -> str:
    """A digest of some numbers of every kind, few and many at a time."""
    case = make_case("draws", 0, {}, salt=b"")
    digest = Digest({})
    for shape in ((1,), (3, 5), (64, 33)):
        digest.add([case.normal(*shape, dtype=torch.float64), case.normal(*shape), case.integers(0, 97, *shape)])
    digest.add(case.shuffled(40))
    return digest.hex()
