"""One number, which a careless comparison spreads over every place."""

# expect: wrong_shape

import torch


def softmax(x):
    return torch.full((1,), 1.0 / x.shape[-1])
