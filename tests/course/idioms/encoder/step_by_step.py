"""A line for every step, calls of .forward, asserts, and dropout on each branch."""

import torch
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm
from exercises.model_args import ModelArgs


class MLP(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, dropout: float) -> None:
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.activation = nn.ReLU()
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.w1.forward(x)
        hidden = self.activation(hidden)
        hidden = self.dropout(hidden)
        output = self.w2.forward(hidden)
        output = self.dropout(output)
        return output


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        assert args.n_embd == args.dim
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.fnn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.dropout_1 = nn.Dropout(args.dropout)
        self.dropout_2 = nn.Dropout(args.dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, tokens, width = x.shape
        residual = x
        x = self.attention_norm.forward(x)
        x = self.attention.forward(x, x, x, mask)
        x = self.dropout_1(x)
        x = residual + x

        residual = x
        x = self.fnn_norm.forward(x)
        x = self.feed_forward.forward(x)
        x = self.dropout_2(x)
        x = residual + x
        assert x.shape == (batch, tokens, width)
        return x


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.n_layer = args.n_layer
        self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        h = x
        for layer in self.layers:
            h = layer.forward(h, mask)
        h = self.norm.forward(h)
        return h
