"""As in fairseq: heads are folded into the batch, the query is scaled first, scores come from baddbmm and bmm."""

import torch
from torch import nn

from exercises.masking import additive_mask, causal_mask


def softmax(x, dim=-1):
    e = torch.sub(x, torch.amax(x, dim, True)).exp_()
    return torch.div(e, torch.sum(e, dim, True))


def attention(query, key, value, mask=None, dropout=None):
    batch, (t, d), s = query.shape[:-2], query.shape[-2:], key.size(-2)
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (query, key, value))
    bias = q.new_zeros(1, t, s)
    if mask is not None:
        bias = additive_mask(mask, q.dtype).expand(*batch, t, s).reshape(-1, t, s)
    scores = torch.baddbmm(bias.expand(q.size(0), t, s), q, k.transpose(1, 2), alpha=d**-0.5)
    weights = torch.softmax(scores, -1).view(*batch, t, s)
    if dropout is not None:
        weights = dropout(weights)
    return torch.bmm(weights.reshape(-1, t, s), v).view(*batch, t, -1), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.num_heads, self.head_dim = args.n_heads, args.dim // args.n_heads
        self.scaling = self.head_dim**-0.5
        self.w_q = nn.Linear(args.n_embd, args.dim, bias=False)
        self.w_k = nn.Linear(args.n_embd, args.dim, bias=False)
        self.w_v = nn.Linear(args.n_embd, args.dim, bias=False)
        self.w_o = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout_module = nn.Dropout(args.dropout)
        self.self_attention, self.max_target_positions = is_causal, args.max_seq_len

    def fold(self, x):
        """Sequence first, as fairseq has it: (L, B, dim) -> (B * H, L, head_dim)."""
        length, bsz, _ = x.shape
        return x.contiguous().view(length, bsz * self.num_heads, self.head_dim).transpose(0, 1)

    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, embed_dim = query.shape
        src_len = key.size(1)
        if self.self_attention and tgt_len > self.max_target_positions:
            raise ValueError("too many target positions")
        q = self.fold((self.w_q(query) * self.scaling).transpose(0, 1))
        k = self.fold(self.w_k(key).transpose(0, 1))
        v = self.fold(self.w_v(value).transpose(0, 1))
        attn_weights = torch.bmm(q, k.transpose(1, 2)).view(bsz, self.num_heads, tgt_len, src_len)
        if mask is not None:
            attn_weights = attn_weights.masked_fill(mask.eq(0), float("-inf"))
        if self.self_attention:
            attn_weights = attn_weights.masked_fill(~causal_mask(tgt_len).to(query.device), float("-inf"))
        attn_probs = self.dropout_module(softmax(attn_weights))
        attn = torch.bmm(attn_probs.view(-1, tgt_len, src_len), v)
        attn = attn.transpose(0, 1).contiguous().view(tgt_len, bsz, embed_dim)
        return self.w_o(attn).transpose(0, 1)
