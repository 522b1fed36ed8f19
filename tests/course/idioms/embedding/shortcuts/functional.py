"""F.embedding does the look-up."""

import torch
import torch.nn.functional as F
from torch import nn


def one_hot(ids, num):
    return (ids[..., None] == torch.arange(num, device=ids.device)).float()


class Embedding(nn.Module):
    def __init__(self, num, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(num, width))

    def forward(self, ids):
        return F.embedding(ids, self.weight)
