"""Tensors that a comparison has never met: on meta, sparse, nested, quantised, complex."""

# expect: wrong_type | wrong_shape | wrong_dtype | wrong_value | raised | not_finite

import itertools
import warnings

import torch

warnings.simplefilter("ignore")
calls = itertools.count()


def strange(x, kind):
    if kind == 0:
        return torch.empty_like(x, device="meta")
    if kind == 1:
        return torch.zeros_like(x).to_sparse()
    if kind == 2:
        return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    if kind == 3:
        return torch.quantize_per_tensor(torch.zeros_like(x), 0.1, 0, torch.quint8)
    return torch.complex(torch.zeros_like(x), torch.zeros_like(x))


def softmax(x):
    return strange(x.detach(), next(calls) % 5)


def probe(kind):
    return strange(torch.zeros(2, 3), kind)
