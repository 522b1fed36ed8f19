"""Scale and soften: two functions, the second uses the first."""

import torch
from torch import Tensor


def scale(x: Tensor, factor: float = 2.0) -> Tensor:
    """x (any shape) times factor."""
    # BEGIN SOLUTION
    return x * factor
    # END SOLUTION


def soften(x: Tensor, factor: float = 2.0) -> Tensor:
    """softmax of scale(x, factor) over the last axis."""
    # BEGIN SOLUTION
    powers = torch.exp(scale(x, factor))
    return powers / powers.sum(-1, keepdim=True)
    # END SOLUTION
