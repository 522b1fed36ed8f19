"""Twelve plain checks on three functions."""

import torch
from torch import Tensor

from grader.run.suite import Case, Proxy, Table, agree, agree_gradients, cases

SIZES = Table.of({"B": 1, "T": 2, "S": 2, "C": 4}, {"B": 2, "T": 3, "S": 3, "C": 8}, {"B": 2, "T": 5, "S": 5, "C": 16})
KEYS = Table.of({"B": 1, "T": 2, "S": 3, "C": 4}, {"B": 2, "T": 3, "S": 7, "C": 8}, {"B": 2, "T": 5, "S": 2, "C": 16})


def _norm(case: Case, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    return [case.normal(*shape, dtype=dtype) for shape in ((case.B, case.T, case.C), (case.C,), (case.C,))]


def _heads(case: Case, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    return [case.normal(case.B, n, case.C, dtype=dtype) for n in (case.T, case.S, case.S)]


@cases(SIZES)
def test_softmax_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The softmax of small numbers."""
    agree(subject, reference, "softmax", case.normal(case.B, case.C))


@cases(SIZES)
def test_softmax_large_numbers(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The softmax of large numbers."""
    agree(subject, reference, "softmax", case.normal(case.B, case.C, scale=200.0))


@cases(SIZES)
def test_softmax_float64(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The softmax in float64."""
    agree(subject, reference, "softmax", case.normal(case.B, case.C, dtype=torch.float64))


@cases(SIZES)
def test_softmax_gradient(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradient of softmax."""
    agree_gradients(subject, reference, case, "softmax", case.normal(case.B, case.C))


@cases(SIZES)
def test_layer_norm_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The normalised values."""
    agree(subject, reference, "layer_norm", *_norm(case))


@cases(SIZES)
def test_layer_norm_eps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Another eps."""
    agree(subject, reference, "layer_norm", *_norm(case), eps=0.1)


@cases(SIZES)
def test_layer_norm_float64(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The normalised values in float64."""
    agree(subject, reference, "layer_norm", *_norm(case, torch.float64))


@cases(SIZES)
def test_layer_norm_gradient(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradients of all three inputs."""
    agree_gradients(subject, reference, case, "layer_norm", *_norm(case))


@cases(SIZES)
def test_attention_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Weighted sums of the values."""
    agree(subject, reference, "attention", *_heads(case))


@cases(KEYS)
def test_attention_more_keys(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Another number of keys than queries."""
    agree(subject, reference, "attention", *_heads(case))


@cases(SIZES)
def test_attention_float64(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Weighted sums in float64."""
    agree(subject, reference, "attention", *_heads(case, torch.float64))


@cases(SIZES)
def test_attention_gradient(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradients of q, k and v."""
    agree_gradients(subject, reference, case, "attention", *_heads(case))
