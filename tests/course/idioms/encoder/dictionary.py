"""Layers in an nn.ModuleDict, parts by add_module, the mask as a bool, torch.add, ReLU and dropout in place."""

import torch
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout, inplace=True)

    def forward(self, x):
        hidden = self.w1(x).relu_()
        return self.w2(self.dropout(hidden))


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.add_module("attention_norm", LayerNorm(args.n_embd))
        self.add_module("attention", MultiHeadAttention(args))
        self.add_module("fnn_norm", LayerNorm(args.n_embd))
        self.add_module("feed_forward", MLP(args.dim, args.dim, args.dropout))

    def forward(self, x, mask=None):
        mask = None if mask is None else mask.bool()
        stream = x.clone()
        normed = self.attention_norm(stream)
        stream = torch.add(stream, self.attention(normed, normed, normed, mask))
        return torch.add(stream, self.feed_forward(self.fnn_norm(stream)))


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleDict({str(i): EncoderLayer(args) for i in range(args.n_layer)})
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for layer in self.layers.values():
            x = layer(x, mask)
        return self.norm(x)
