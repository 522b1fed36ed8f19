import torch
import torch.nn as nn

from masking import causal_mask, masked_softmax
from model_args import ModelArgs


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    x = x - x.amax(dim=dim, keepdim=True)
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    # query [..., T, d]   key [..., S, d]   value [..., S, dv]
    assert query.size(-1) == key.size(-1), (query.shape, key.shape)
    assert key.size(-2) == value.size(-2), (key.shape, value.shape)
    query = query / query.size(-1) ** 0.5
    logits = torch.matmul(query, key.transpose(-1, -2))  # [..., T, S]
    weights = softmax(logits) if mask is None else masked_softmax(logits, mask)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights  # [..., T, dv], [..., T, S]


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal: bool = False):
        super().__init__()
        self.H = args.n_heads
        self.d = args.dim // args.n_heads
        self.is_causal = is_causal
        self.max_seq_len = args.max_seq_len
        self.wq = nn.Linear(args.n_embd, self.H * self.d, bias=False)
        self.wk = nn.Linear(args.n_embd, self.H * self.d, bias=False)
        self.wv = nn.Linear(args.n_embd, self.H * self.d, bias=False)
        self.wo = nn.Linear(self.H * self.d, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        B, T, _ = query.shape
        S = key.size(1)
        if self.is_causal:
            if T > self.max_seq_len:
                raise ValueError(f"T={T} is more than max_seq_len={self.max_seq_len}")
            causal = causal_mask(T).to(query.device)  # [T, T]
            mask = causal if mask is None else torch.logical_and(mask, causal)

        q = self.wq(query).view(B, T, self.H, self.d).transpose(1, 2)  # [B, H, T, d]
        k = self.wk(key).view(B, S, self.H, self.d).transpose(1, 2)  # [B, H, S, d]
        v = self.wv(value).view(B, S, self.H, self.d).transpose(1, 2)  # [B, H, S, d]

        out, _ = attention(q, k, v, mask, self.dropout)  # [B, H, T, d]
        assert out.shape == (B, self.H, T, self.d)
        out = out.reshape(B, T, self.H * self.d)  # [B, T, H*d]
        return self.wo(out)  # [B, T, C]
