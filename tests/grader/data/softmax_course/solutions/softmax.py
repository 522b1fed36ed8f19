"""Softmax over the last axis."""

from torch import Tensor

# BEGIN SOLUTION
CANARY = "GRADER-CANARY in the reference"


def grader_canary_answer(x: Tensor) -> Tensor:
    """What a submission must never find."""
    return softmax(x)


# END SOLUTION


def softmax(x: Tensor) -> Tensor:
    """x (any shape) -> numbers above 0 of the same shape that add up to 1 along the last axis."""
    # BEGIN SOLUTION
    powers = (x - x.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)
    # END SOLUTION
