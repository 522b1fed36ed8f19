"""A subclass of nn.LayerNorm."""

from torch import nn


class LayerNorm(nn.LayerNorm):
    def __init__(self, features, eps=1e-6):
        super().__init__(features, eps=eps)
