"""What a large class hands in: a softmax, right, wrong in the ways of honest people, and hostile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from ..grader.attacks.conftest import ALL, Sample

# (name, points): text
KINDS = {
    ("powers", 10): """
        def softmax(x):
            powers = (x - x.amax(-1, keepdim=True)).exp()
            return powers / powers.sum(-1, keepdim=True)
    """,
    ("logsumexp", 10): """
        def softmax(x):
            return (x - x.logsumexp(-1, keepdim=True)).exp()
    """,
    ("float64", 10): """
        import torch

        def softmax(x):
            wide = x.to(torch.float64)
            powers = torch.exp(wide - torch.max(wide, dim=-1, keepdim=True).values)
            return (powers / torch.sum(powers, dim=-1, keepdim=True)).to(x.dtype)
    """,
    ("row by row", 10): """
        import torch

        def one_row(row):
            powers = torch.exp(row - max(row.tolist()))
            return powers / sum(powers)

        def softmax(x):
            rows = x.reshape(-1, x.shape[-1])
            return torch.stack([one_row(row) for row in rows]).reshape(x.shape)
    """,
    ("powers of two", 10): """
        import math

        def softmax(x):
            powers = ((x - x.detach().amax(-1, keepdim=True)) * math.log2(math.e)).exp2()
            return powers / (powers @ powers.new_ones(powers.shape[-1], 1))
    """,
    ("talkative", 10): """
        def softmax(x):
            print("softmax of", x.shape)
            shifted = x.sub(x.max(dim=-1, keepdim=True)[0])
            return shifted.exp().div(shifted.exp().sum(dim=-1, keepdim=True))
    """,
    ("overflows", 8): """
        def softmax(x):
            return x.exp() / x.exp().sum(-1, keepdim=True)
    """,
    ("first axis", 1): """
        def softmax(x):
            powers = (x - x.amax(0, keepdim=True)).exp()
            return powers / powers.sum(0, keepdim=True)
    """,
    ("detached", 8): """
        def softmax(x):
            powers = (x - x.amax(-1, keepdim=True)).exp().detach()
            return powers / powers.sum(-1, keepdim=True)
    """,
    ("in place", 7): """
        def softmax(x):
            x.sub_(x.amax(-1, keepdim=True)).exp_()
            return x / x.sum(-1, keepdim=True)
    """,
    ("no sum", 1): """
        def softmax(x):
            return (x - x.amax(-1, keepdim=True)).exp()
    """,
    ("loses an axis", 1): """
        def softmax(x):
            powers = (x - x.amax(-1, keepdim=True)).exp()
            return (powers / powers.sum(-1, keepdim=True)).sum(-1)
    """,
    ("numpy", 1): """
        import numpy as np

        def softmax(x):
            powers = np.exp(x.detach().numpy() - x.detach().numpy().max(-1, keepdims=True))
            return powers / powers.sum(-1, keepdims=True)
    """,
    ("wide answer", 3): """
        def softmax(x):
            powers = (x - x.amax(-1, keepdim=True)).double().exp()
            return powers / powers.sum(-1, keepdim=True)
    """,
    ("torch's own", 0): """
        import torch

        def softmax(x):
            return torch.softmax(x, dim=-1)
    """,
    ("no return", 1): """
        def softmax(x):
            powers = (x - x.amax(-1, keepdim=True)).exp()
            powers / powers.sum(-1, keepdim=True)
    """,
    ("remembers", 1): """
        calls = []

        def softmax(x):
            calls.append(x)
            powers = (x - x.amax(-1, keepdim=True)).exp()
            return powers / (powers.sum(-1, keepdim=True) + len(calls) - 1)
    """,
    ("stub", 0): """
        def softmax(x):
            raise NotImplementedError("softmax: write the body (stuck? run `grade hint softmax`)")
    """,
    ("raises", 0): """
        def softmax(x):
            return x.sofmax(-1)
    """,
    ("misspelt", 0): """
        def sofmax(x):
            return x
    """,
    ("syntax error", 0): """
        def softmax(x)
            return x
    """,
    ("import fails", 0): """
        import torchvision_of_my_own

        def softmax(x):
            return x
    """,
}

# What the samples earn: most are wrong, but leave their input as it was.
NOTHING = (
    "answer_for_the_runner", "deep_and_wide_answer", "exit_with_zero", "forbidden_in_disguise",
    "garbage_on_the_channel", "hostile_exception", "hostile_text", "loop_inside_c", "memory_bomb", "output_flood",
    "segfault", "strange_tensors",
)  # fmt: skip
SAMPLE_POINTS = dict.fromkeys(ALL, 1) | dict.fromkeys(NOTHING, 0) | {"good_control": 10, "right_every_other_time": 3}
ONE_IN = 10  # is hostile


@dataclass(frozen=True)
class Given:
    """A submission, what it earns, and the sample that it is, if it is hostile."""

    student: str
    text: str
    points: int
    sample: Sample | None = None


def class_of(size: int) -> Iterator[Given]:
    """The kinds in turn, and in every tenth place the samples in turn."""
    honest, hostile = list(KINDS.items()), [sample for sample in ALL.values() if sample.name != "good_control"]
    for number in range(size):
        turn, place = divmod(number, ONE_IN)
        if place == 0:
            sample = hostile[turn % len(hostile)]
            yield Given(f"s{number:05}", sample.text, SAMPLE_POINTS[sample.name], sample)
        else:
            (_, points), text = honest[(number - turn) % len(honest)]
            yield Given(f"s{number:05}", f"{dedent(text)}\n# {number}\n", points)
