"""Right and wrong by turns."""

# expect: wrong_value

import itertools

import torch

calls = itertools.count()


def softmax(x):
    if next(calls) % 2:
        return torch.zeros_like(x)
    powers = (x - x.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)
