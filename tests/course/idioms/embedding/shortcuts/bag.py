"""Bags of one id each: F.embedding_bag."""

import torch
import torch.nn.functional as F
from torch import nn


def one_hot(ids, num):
    return F.one_hot(ids, num).float()


class Embedding(nn.Module):
    def __init__(self, num, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(num, width))

    def forward(self, ids):
        return F.embedding_bag(ids.reshape(-1, 1), self.weight, mode="sum").reshape(*ids.shape, -1)
