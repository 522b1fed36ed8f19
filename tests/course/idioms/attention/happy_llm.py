"""As in happy-llm: an additive -inf buffer, softmax in float32 cast back by type_as, names of the notes."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from exercises.model_args import ModelArgs


def softmax(x, dim=-1):
    scores = x.float() if x.dtype == torch.float16 else x
    e_x = torch.exp(scores - torch.amax(scores, dim=dim, keepdim=True))
    return (e_x / torch.sum(e_x, dim=dim, keepdim=True)).type_as(x)


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(mask == 0, float("-inf"))
    p_attn = F.softmax(scores.float(), dim=-1).type_as(query)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal=False):
        super().__init__()
        assert args.dim % args.n_heads == 0
        self.head_dim = args.dim // args.n_heads
        self.n_local_heads = args.n_heads
        self.args = args
        self.weight_matrix_of_query = nn.Linear(args.n_embd, args.dim, bias=False)
        self.weight_matrix_of_key = nn.Linear(args.n_embd, args.dim, bias=False)
        self.weight_matrix_of_value = nn.Linear(args.n_embd, args.dim, bias=False)
        self.weight_matrix_to_output = nn.Linear(args.dim, args.n_embd, bias=False)
        self.attn_dropout = nn.Dropout(args.dropout)
        self.resid_dropout = nn.Dropout(args.dropout)
        self.is_causal = is_causal
        if is_causal:
            mask = torch.full((1, 1, args.max_seq_len, args.max_seq_len), float("-inf"))
            mask = torch.triu(mask, diagonal=1)
            self.register_buffer("mask", mask)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor = None):
        bsz, seqlen, _ = q.shape
        if self.is_causal and seqlen > self.args.max_seq_len:
            raise ValueError("seqlen > max_seq_len")
        xq = self.weight_matrix_of_query(q)
        xk = self.weight_matrix_of_key(k)
        xv = self.weight_matrix_of_value(v)
        xq = xq.view(bsz, seqlen, self.n_local_heads, self.head_dim).transpose(1, 2)
        xk = xk.view(bsz, k.shape[1], self.n_local_heads, self.head_dim).transpose(1, 2)
        xv = xv.view(bsz, v.shape[1], self.n_local_heads, self.head_dim).transpose(1, 2)
        scores = torch.matmul(xq, xk.transpose(2, 3)) / math.sqrt(self.head_dim)
        if self.is_causal:
            scores = scores + self.mask[:, :, :seqlen, :seqlen]
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        scores = F.softmax(scores.float(), dim=-1).type_as(xq)
        scores = self.attn_dropout(scores)
        output = torch.matmul(scores, xv)
        output = output.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        output = self.weight_matrix_to_output(output)
        return self.resid_dropout(output)
