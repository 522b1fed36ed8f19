"""functools.reduce over the layers, and a loop over pairs of norm and branch."""

from functools import reduce

from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, a):
        super().__init__()
        for name in ("attention_norm_1", "attention_norm_2", "ffn_norm"):
            setattr(self, name, LayerNorm(a.dim))
        self.mask_attention, self.attention = MultiHeadAttention(a, True), MultiHeadAttention(a)
        self.feed_forward = MLP(a.dim, a.dim, a.dropout)

    def forward(self, x, e, m=None):
        branches = {
            self.attention_norm_1: lambda y: self.mask_attention(y, y, y),
            self.attention_norm_2: lambda y: self.attention(y, e, e, m),
            self.ffn_norm: self.feed_forward,
        }
        for norm, branch in branches.items():
            x = x + branch(norm(x))
        return x


class Decoder(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.layers, self.norm = nn.ModuleList(DecoderLayer(a) for _ in range(a.n_layer)), LayerNorm(a.dim)

    def forward(self, x, e, m=None):
        return self.norm(reduce(lambda h, layer: layer(h, e, m), self.layers, x))
