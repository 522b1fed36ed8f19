"""The table is the weight of an nn.Linear without bias, on one-hot vectors; load_weights transposes it."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def one_hot(ids: Tensor, num: int) -> Tensor:
    return F.one_hot(ids, num_classes=num).to(torch.float32)


class Embedding(nn.Module):
    def __init__(self, num: int, width: int) -> None:
        super().__init__()
        self.num = num
        self.table = nn.Linear(num, width, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        return self.table(one_hot(ids, self.num).type_as(self.table.weight))


def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
    module.table.weight.copy_(weights["weight"].T)
