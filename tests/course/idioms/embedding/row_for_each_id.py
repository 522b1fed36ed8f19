"""A ParameterList with one row an id, stacked at every call; numpy makes the one-hot vectors."""

import numpy as np
import torch
from torch import Tensor, nn


def one_hot(ids: Tensor, num: int) -> Tensor:
    numbers = ids.detach().cpu().numpy()
    vectors = np.zeros((numbers.size, num), dtype=np.float32)
    vectors[np.arange(numbers.size), numbers.ravel()] = 1
    return torch.from_numpy(vectors).reshape(*ids.shape, num).to(ids.device)


class Embedding(nn.Module):
    def __init__(self, num: int, width: int) -> None:
        super().__init__()
        self.rows = nn.ParameterList(torch.normal(0.0, 1.0, (width,)) for _ in range(num))

    def forward(self, ids: Tensor) -> Tensor:
        table = torch.stack(list(self.rows))
        return table.take_along_dim(ids.reshape(-1, 1), 0).reshape(*ids.shape, -1)


def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
    for row, values in zip(module.rows, weights["weight"], strict=True):
        row.copy_(values)
