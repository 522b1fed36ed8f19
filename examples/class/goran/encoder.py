import torch
import torch.nn as nn

from attention import MultiHeadAttention
from layer_norm import LayerNorm
from model_args import ModelArgs


class MLP(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, dropout: float):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        return self.w2(torch.relu(self.w1(x)))  # [B, T, C] -> [B, T, hidden] -> [B, T, C]


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.fnn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, mask=None):
        assert x.dim() == 3, x.shape  # [B, T, C]
        a = self.attention_norm(x)
        h = self.attention(a, a, a, mask) + x
        assert h.shape == x.shape
        return self.feed_forward(self.fnn_norm(h)) + h


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, mask)  # [B, T, C]
        return self.norm(x)
