"""Bags of one id each: nn.EmbeddingBag."""

import torch.nn.functional as F
from torch import nn


def one_hot(ids, num):
    return F.one_hot(ids, num).float()


class Embedding(nn.Module):
    def __init__(self, num, width):
        super().__init__()
        self.emb = nn.EmbeddingBag(num, width, mode="sum")

    def forward(self, ids):
        return self.emb(ids.reshape(-1, 1)).reshape(*ids.shape, -1)


def load_weights(module, weights):
    module.emb.weight.copy_(weights["weight"])
