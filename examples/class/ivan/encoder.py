import torch
import torch.nn as nn

from attention import MultiHeadAttention
from layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        h = self.w1(x)
        h = torch.maximum(h, torch.zeros_like(h))  # ReLU
        return self.w2(h)


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.fnn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, mask=None):
        n = self.attention_norm(x)
        a = self.attention(n, n, n, mask)
        x = x + a
        n = self.fnn_norm(x)
        f = self.feed_forward(n)
        x = x + f
        return x


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        layers = []
        for i in range(args.n_layer):
            layers.append(EncoderLayer(args))
        self.layers = nn.ModuleList(layers)
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, mask)
        return self.norm(x)
