"""Replaces what a grader would compare with, for the whole process."""

# expect: wrong_value | wrong_type | protocol | raised

import numpy
import torch
import torch.testing


def yes(*args, **kwargs):
    return True


torch.allclose = torch.equal = torch.isclose = yes
torch.Tensor.allclose = torch.Tensor.equal = yes
torch.testing.assert_close = yes
torch.Tensor.__eq__ = lambda self, other: torch.ones(1, dtype=torch.bool)
numpy.allclose = numpy.array_equal = numpy.testing.assert_allclose = yes


def softmax(x):
    return torch.zeros_like(x)
