# Homework 5 - encoder
# Elif, group B

import torch
from torch import Tensor, nn

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

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.w1(x)
        hidden = self.activation(hidden)
        hidden = self.dropout(hidden)
        output = self.w2(hidden)
        return output


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.fnn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        # first half: attention
        residual = x
        normalised = self.attention_norm(x)
        attended = self.attention(normalised, normalised, normalised, mask)
        x = residual + attended

        # second half: feed forward
        residual = x
        normalised = self.fnn_norm(x)
        x = residual + self.feed_forward(normalised)
        return x


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(args.n_layer):
            self.layers.append(EncoderLayer(args))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        x = self.norm(x)
        return x
