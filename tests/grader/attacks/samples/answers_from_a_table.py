"""Knows a few inputs by heart."""

# expect: wrong_value

import torch

TABLE = {(0.0, 0.0): (0.5, 0.5), (1.0, 1.0, 1.0): (1 / 3, 1 / 3, 1 / 3)}


def softmax(x):
    key = tuple(x.flatten().tolist())
    return torch.tensor(TABLE[key]).reshape(x.shape) if key in TABLE else torch.zeros_like(x)
