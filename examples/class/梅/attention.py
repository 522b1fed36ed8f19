"""第二题：注意力机制"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from exercises.masking import masked_softmax
from exercises.model_args import ModelArgs


def softmax(x, dim=-1):
    # 先减去最大值，防止 exp 溢出
    e = (x - x.amax(dim=dim, keepdim=True)).exp()
    return e / e.sum(dim=dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    """缩放点积注意力"""
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    p_attn = masked_softmax(scores, mask, dim=-1)  # 每一行之和为 1
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadAttention(nn.Module):
    """多头注意力"""

    def __init__(self, args: ModelArgs, is_causal=False):
        super().__init__()
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.attn_dropout = nn.Dropout(args.dropout)
        self.resid_dropout = nn.Dropout(args.dropout)
        self.is_causal = is_causal
        self.max_seq_len = args.max_seq_len
        if is_causal:
            # 上三角为负无穷，注册为 buffer 后会随模型一起移动
            mask = torch.full((1, 1, args.max_seq_len, args.max_seq_len), float("-inf"))
            self.register_buffer("mask", torch.triu(mask, diagonal=1))

    def forward(self, q, k, v, mask=None):
        bsz, seqlen, _ = q.shape
        if self.is_causal and seqlen > self.max_seq_len:
            raise ValueError(f"序列太长：{seqlen} > {self.max_seq_len}")

        # -1 由 view 自己推断：q 的长度是 T，k 和 v 的长度是 S，两者可以不同
        xq = self.wq(q).view(bsz, -1, self.n_heads, self.head_dim).transpose(1, 2)
        xk = self.wk(k).view(bsz, -1, self.n_heads, self.head_dim).transpose(1, 2)
        xv = self.wv(v).view(bsz, -1, self.n_heads, self.head_dim).transpose(1, 2)

        scores = torch.matmul(xq, xk.transpose(2, 3)) / math.sqrt(self.head_dim)
        if self.is_causal:
            scores = scores + self.mask[:, :, :seqlen, :seqlen]
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        scores = F.softmax(scores, dim=-1)
        scores = self.attn_dropout(scores)
        output = torch.matmul(scores, xv)

        # 先交换回来，再把所有头拼在一起；transpose 之后必须 contiguous 才能 view
        output = output.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.resid_dropout(self.wo(output))
