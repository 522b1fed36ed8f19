"""As in lucidrains' code: to_q and to_kv, einops-like helpers, similarity scaled before the mask, -finfo.max."""

import torch
from torch import einsum, nn


def max_neg_value(t):
    return -torch.finfo(t.dtype).max


def softmax(x, dim=-1):
    return (x - x.logsumexp(dim, keepdim=True)).exp()


def attention(query, key, value, mask=None, dropout=None):
    sim = einsum("... i d, ... j d -> ... i j", query, key) * (query.shape[-1] ** -0.5)
    if mask is not None:
        sim.masked_fill_(mask == 0, max_neg_value(sim))
    attn = sim.softmax(dim=-1)
    attn = dropout(attn) if dropout is not None else attn
    return einsum("... i j, ... j d -> ... i d", attn, value), attn


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.heads = args.n_heads
        self.scale = (args.dim // args.n_heads) ** -0.5
        self.causal, self.max_seq_len = is_causal, args.max_seq_len
        self.to_q = nn.Linear(args.n_embd, args.dim, bias=False)
        self.to_kv = nn.Linear(args.n_embd, args.dim * 2, bias=False)
        self.to_out = nn.Sequential(nn.Linear(args.dim, args.n_embd, bias=False), nn.Dropout(args.dropout))
        self.attn_dropout = nn.Dropout(args.dropout)

    def forward(self, x, context, values, mask=None):
        n, h, device = x.shape[1], self.heads, x.device
        to_k, to_v = self.to_kv.weight.chunk(2)
        q, k, v = self.to_q(x), context @ to_k.t(), values @ to_v.t()
        q, k, v = (t.unflatten(-1, (h, -1)).movedim(2, 1) for t in (q, k, v))
        q = q * self.scale
        sim = einsum("b h i d, b h j d -> b h i j", q, k)
        if mask is not None:
            sim = sim.masked_fill(~mask.bool(), max_neg_value(sim))
        if self.causal:
            if n > self.max_seq_len:
                raise ValueError("sequence exceeds max_seq_len")
            i = j = sim.shape[-1]
            causal_mask = torch.ones((i, j), dtype=torch.bool, device=device).triu(j - i + 1)
            sim = sim.masked_fill(causal_mask, max_neg_value(sim))
        attn = self.attn_dropout(sim.softmax(dim=-1))
        out = einsum("b h i j, b h j d -> b h i d", attn, v)
        return self.to_out(out.movedim(1, 2).flatten(2))


def load_weights(module, weights):
    module.to_q.weight.copy_(weights["wq.weight"])
    module.to_kv.weight.copy_(torch.cat((weights["wk.weight"], weights["wv.weight"])))
    module.to_out[0].weight.copy_(weights["wo.weight"])
