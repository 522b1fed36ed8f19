"""functools.reduce over the layers, a walrus and setattr."""

from functools import reduce

from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, d, h, p):
        super().__init__()
        for name, sizes in {"w1": (d, h), "w2": (h, d)}.items():
            setattr(self, name, nn.Linear(*sizes, bias=False))

    forward = lambda self, x: self.w2(self.w1(x).relu())  # noqa: E731


class EncoderLayer(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.attention_norm, self.fnn_norm = LayerNorm(a.dim), LayerNorm(a.dim)
        self.attention, self.feed_forward = MultiHeadAttention(a), MLP(a.dim, a.dim, a.dropout)

    def forward(self, x, m=None):
        return (h := x + self.attention(*[self.attention_norm(x)] * 3, m)) + self.feed_forward(self.fnn_norm(h))


class Encoder(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.layers, self.norm = nn.ModuleList(EncoderLayer(a) for _ in range(a.n_layer)), LayerNorm(a.dim)

    def forward(self, x, m=None):
        return self.norm(reduce(lambda h, layer: layer(h, m), self.layers, x))
