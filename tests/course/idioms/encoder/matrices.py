"""Bare matrices in (in, out) layout with @ and torch.maximum; the norms are written out inside the layer."""

import torch
from torch import nn

from exercises.attention import MultiHeadAttention


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.W_in = nn.Parameter(torch.randn(dim, hidden_dim) * dim**-0.5)
        self.W_out = nn.Parameter(torch.randn(hidden_dim, dim) * hidden_dim**-0.5)

    def forward(self, x):
        hidden = x @ self.W_in
        return torch.maximum(hidden, torch.zeros_like(hidden)) @ self.W_out


def normalised(x, scale, shift):
    centred = x - x.mean(-1, keepdim=True)
    return centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + 1e-6) * scale + shift


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.scales = nn.Parameter(torch.ones(2, args.n_embd))
        self.shifts = nn.Parameter(torch.zeros(2, args.n_embd))
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, mask=None):
        y = normalised(x, self.scales[0], self.shifts[0])
        x = x + self.attention(y, y, y, mask)
        return x + self.feed_forward(normalised(x, self.scales[1], self.shifts[1]))


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
        self.scale = nn.Parameter(torch.ones(args.n_embd))
        self.shift = nn.Parameter(torch.zeros(args.n_embd))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return normalised(x, self.scale, self.shift)


def load_weights(module, weights):
    if isinstance(module, MLP):
        module.W_in.copy_(weights["w1.weight"].T)
        module.W_out.copy_(weights["w2.weight"].T)
    if isinstance(module, EncoderLayer):
        for row, name in enumerate(("attention_norm", "fnn_norm")):
            module.scales[row] = weights[f"{name}.weight"]
            module.shifts[row] = weights[f"{name}.bias"]
        if "feed_forward.w1.weight" in weights:
            module.feed_forward.w1.weight.copy_(weights["feed_forward.w1.weight"])
            module.feed_forward.w2.weight.copy_(weights["feed_forward.w2.weight"])
    if isinstance(module, Encoder):
        module.scale.copy_(weights["norm.weight"])
        module.shift.copy_(weights["norm.bias"])
