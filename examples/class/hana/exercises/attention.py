"""attention, one nn.Module per head"""

import torch
from torch import Tensor, nn

from .masking import causal_mask, masked_softmax
from .model_args import ModelArgs


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    return masked_softmax(x, None, dim)


def attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, dropout=None):
    scale = query.new_tensor(query.size(-1)).sqrt()
    weights = masked_softmax(query @ key.transpose(-2, -1) / scale, mask)
    dropped = weights if dropout is None else dropout(weights)
    return dropped @ value, dropped


class Head(nn.Module):
    def __init__(self, n_embd: int, width: int, dropout: float):
        super().__init__()
        self.query = nn.Linear(n_embd, width, bias=False)
        self.key = nn.Linear(n_embd, width, bias=False)
        self.value = nn.Linear(n_embd, width, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        return attention(self.query(q), self.key(k), self.value(v), mask, self.dropout)[0]


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal: bool = False):
        super().__init__()
        self.args, self.is_causal = args, is_causal
        self.width = args.dim // args.n_heads
        self.heads = nn.ModuleList(Head(args.n_embd, self.width, args.dropout) for _ in range(args.n_heads))
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        B, T, S = len(query), query.size(1), key.size(1)
        if self.is_causal:
            if T > self.args.max_seq_len:
                raise ValueError(f"sequence too long: {T} > {self.args.max_seq_len}")
            causal = causal_mask(T).to(query.device)
            mask = causal if mask is None else mask.bool() & causal
        if mask is None:
            masks = [None] * len(self.heads)
        else:
            masks = mask.expand(B, len(self.heads), T, S).unbind(1)
        outputs = [head(query, key, value, m) for head, m in zip(self.heads, masks)]
        return self.wo(torch.cat(outputs, dim=-1))


def load_weights(module, weights):
    for i, head in enumerate(module.heads):
        rows = slice(i * module.width, (i + 1) * module.width)
        head.query.weight.copy_(weights["wq.weight"][rows])
        head.key.weight.copy_(weights["wk.weight"][rows])
        head.value.weight.copy_(weights["wv.weight"][rows])
    module.wo.weight.copy_(weights["wo.weight"])
