from __future__ import annotations

from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor, nn

from attention import MultiHeadAttention
from layer_norm import LayerNorm
from model_args import ModelArgs


class MLP(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, dropout: float) -> None:
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.dropout(self.w2(F.relu(self.w1(x))))


class Residual(nn.Module):
    """x + f(norm(x))"""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = LayerNorm(width)

    def forward(self, x: Tensor, f: Callable[[Tensor], Tensor]) -> Tensor:
        return x + f(self.norm(x))


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.first, self.second = Residual(args.n_embd), Residual(args.n_embd)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.first(x, lambda y: self.attention(y, y, y, mask))
        return self.second(x, self.feed_forward)


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
    if isinstance(module, MLP):
        module.w1.weight.copy_(weights["w1.weight"])
        module.w2.weight.copy_(weights["w2.weight"])
    if isinstance(module, EncoderLayer):
        for residual, name in ((module.first, "attention_norm"), (module.second, "fnn_norm")):
            residual.norm.weight.copy_(weights[f"{name}.weight"])
            residual.norm.bias.copy_(weights[f"{name}.bias"])
