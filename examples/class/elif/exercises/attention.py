# Homework 2 - attention
# Elif, group B

import math

import torch
from torch import Tensor, nn

from exercises.masking import additive_mask, causal_mask
from exercises.model_args import ModelArgs


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    maximum = torch.amax(x, dim=dim, keepdim=True)
    exponentials = torch.exp(x - maximum)
    total = torch.sum(exponentials, dim=dim, keepdim=True)
    return torch.div(exponentials, total)


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.shape[-1]

    # how well does each query match each key?
    key_transposed = torch.transpose(key, -1, -2)
    scores = torch.matmul(query, key_transposed)
    scores = scores / math.sqrt(d_k)

    # forbidden places get minus infinity
    if mask is not None:
        scores = scores + additive_mask(mask, scores.dtype)

    attention_weights = softmax(scores, dim=-1)

    if dropout is not None:
        attention_weights = dropout(attention_weights)

    output = torch.matmul(attention_weights, value)
    return output, attention_weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal: bool = False) -> None:
        super().__init__()
        self.number_of_heads = args.n_heads
        self.width_of_head = args.dim // args.n_heads
        self.maximal_length = args.max_seq_len
        self.is_causal = is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def split_into_heads(self, x: Tensor) -> Tensor:
        batch_size, length, _ = x.shape
        x = x.reshape(batch_size, length, self.number_of_heads, self.width_of_head)
        return x.permute(0, 2, 1, 3)

    def join_heads(self, x: Tensor) -> Tensor:
        batch_size, _, length, _ = x.shape
        x = x.permute(0, 2, 1, 3)
        return x.reshape(batch_size, length, self.number_of_heads * self.width_of_head)

    def make_mask(self, length: int, mask: Tensor | None, device: torch.device) -> Tensor | None:
        if not self.is_causal:
            return mask
        if length > self.maximal_length:
            raise ValueError("The sequence has " + str(length) + " tokens. I can only do " + str(self.maximal_length))
        causal = causal_mask(length).to(device)
        if mask is None:
            return causal
        return torch.logical_and(causal, mask)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        mask = self.make_mask(query.shape[1], mask, query.device)
        query_heads = self.split_into_heads(self.wq(query))
        key_heads = self.split_into_heads(self.wk(key))
        value_heads = self.split_into_heads(self.wv(value))
        result, _ = attention(query_heads, key_heads, value_heads, mask=mask, dropout=self.dropout)
        return self.wo(self.join_heads(result))
