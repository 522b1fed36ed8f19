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
    return torch.softmax(scale(x, factor), dim=-1)
    # END SOLUTION
