"""Stand-ins of the toy course."""

import torch


def scale(x, factor=2.0):
    return torch.mul(x, factor)
