"""einsum throughout; the weights are bare parameters (H, C, d) in input-first layout, filled by load_weights."""

import torch
from torch import Tensor, einsum, nn


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    odds = (x - x.amax(dim, keepdim=True).detach()).exp()
    return odds * odds.sum(dim, keepdim=True).reciprocal()


def attention(query, key, value, mask=None, dropout=None):
    scores = einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    used = dropout(weights) if dropout else weights
    return einsum("...qk,...kv->...qv", used, value), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        h, c, d = args.n_heads, args.n_embd, args.dim // args.n_heads
        self.W_Q, self.W_K, self.W_V = (nn.Parameter(torch.empty(h, c, d)) for _ in range(3))
        self.W_O = nn.Parameter(torch.empty(h, d, c))
        for p in self.parameters():
            nn.init.normal_(p, std=0.02)
        self.p, self.limit, self.is_causal = args.dropout, args.max_seq_len, is_causal

    def forward(self, query, key, value, mask=None):
        t = query.shape[1]
        if self.is_causal:
            if t > self.limit:
                raise ValueError(f"n_ctx is {self.limit}, got {t}")
            position = torch.arange(t, device=query.device)
            causal = position[:, None] >= position[None, :]
            mask = causal if mask is None else causal * (mask != 0)
        q = einsum("bqc,hcd->bhqd", query, self.W_Q)
        k = einsum("bkc,hcd->bhkd", key, self.W_K)
        v = einsum("bkc,hcd->bhkd", value, self.W_V)
        z, _ = attention(q, k, v, mask, lambda w: nn.functional.dropout(w, self.p, training=self.training))
        return einsum("bhqd,hdc->bqc", z, self.W_O)


def load_weights(module, weights):
    h, c, d = module.W_Q.shape
    for name, parameter in (("wq", module.W_Q), ("wk", module.W_K), ("wv", module.W_V)):
        parameter.copy_(weights[f"{name}.weight"].view(h, d, c).transpose(1, 2))
    module.W_O.copy_(weights["wo.weight"].view(c, h, d).permute(1, 2, 0))
