"""As in the Annotated Transformer: clones, a SublayerConnection with dropout on the branch, and lambdas."""

import copy

import torch.nn.functional as F
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.w2(self.dropout(F.relu(self.w1(x))))


class SublayerConnection(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.norm = LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.sublayer = clones(SublayerConnection(args.n_embd, args.dropout), 2)

    def forward(self, x, mask=None):
        x = self.sublayer[0](x, lambda x: self.attention(x, x, x, mask))
        return self.sublayer[1](x, self.feed_forward)


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = clones(EncoderLayer(args), args.n_layer)
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


def load_weights(module, weights):
    if isinstance(module, EncoderLayer):
        for sublayer, name in zip(module.sublayer, ("attention_norm", "fnn_norm"), strict=True):
            sublayer.norm.weight.copy_(weights[name + ".weight"])
            sublayer.norm.bias.copy_(weights[name + ".bias"])
