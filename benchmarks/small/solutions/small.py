"""Softmax, layer normalisation and attention, as three functions."""

import math

import torch
from torch import Tensor


def softmax(x: Tensor) -> Tensor:
    """x (..., n) -> positive numbers of the same shape that add up to 1 along the last axis."""
    # BEGIN SOLUTION
    powers = (x - x.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)
    # END SOLUTION


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """x (..., C), weight and bias (C) -> x with mean 0 and variance 1 along the last axis, scaled and shifted."""
    # BEGIN SOLUTION
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
    # END SOLUTION


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """q (B, T, D), k and v (B, S, D) -> (B, T, D)."""
    # BEGIN SOLUTION
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, T, S)
    return softmax(scores) @ v
    # END SOLUTION
