from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from masking import as_bool, causal_mask
from model_args import ModelArgs


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    e = torch.exp(x - torch.amax(x, dim, keepdim=True))
    return e / torch.sum(e, dim, keepdim=True)


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout: Callable[[Tensor], Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    fourth_root = query.shape[-1] ** 0.25  # half of the scale on either side keeps the products small
    scores = (query / fourth_root) @ (key / fourth_root).transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~as_bool(mask), -1e9)
    weights = softmax(scores)
    return (dropout(weights) if dropout else weights) @ value, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal: bool = False) -> None:
        super().__init__()
        self.n_heads, self.max_seq_len, self.is_causal = args.n_heads, args.max_seq_len, is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        if self.is_causal:
            mask = self._with_causal(mask, query)
        q, k, v = self._split(self.wq(query)), self._split(self.wk(key)), self._split(self.wv(value))
        out, _ = attention(q, k, v, mask, self.dropout)
        return self.wo(self._join(out))

    def _with_causal(self, mask: Tensor | None, query: Tensor) -> Tensor:
        length = query.shape[1]
        if length > self.max_seq_len:
            raise ValueError(f"{length=} > {self.max_seq_len=}")
        causal = causal_mask(length).to(query.device)
        return causal if mask is None else causal & as_bool(mask)

    def _split(self, x: Tensor) -> Tensor:
        return torch.stack(x.chunk(self.n_heads, dim=-1), dim=1)  # (B, H, L, dim / H)

    def _join(self, x: Tensor) -> Tensor:
        return torch.cat(x.unbind(1), dim=-1)  # (B, L, dim)
