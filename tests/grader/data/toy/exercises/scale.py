"""Scale and soften: two functions, the second uses the first."""

import torch
from torch import Tensor


def scale(x: Tensor, factor: float = 2.0) -> Tensor:
    """x (any shape) times factor."""
    raise NotImplementedError("scale: write the body (stuck? run `grade hint scale`)")


def soften(x: Tensor, factor: float = 2.0) -> Tensor:
    """softmax of scale(x, factor) over the last axis."""
    raise NotImplementedError("soften: write the body (stuck? run `grade hint scale`)")
