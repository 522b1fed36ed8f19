import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from exercises.model_args import ModelArgs


def softmax(x, dim=-1):
    x = x - torch.max(x, dim=dim, keepdim=True)[0]
    x_exp = torch.exp(x)
    return x_exp / torch.sum(x_exp, dim=dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    p_attn = F.softmax(scores.float(), dim=-1).type_as(query)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal=False):
        super().__init__()
        assert args.dim % args.n_heads == 0
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        self.weight_matrix_of_query = nn.Linear(args.n_embd, args.dim, bias=False)
        self.weight_matrix_of_key = nn.Linear(args.n_embd, args.dim, bias=False)
        self.weight_matrix_of_value = nn.Linear(args.n_embd, args.dim, bias=False)
        self.weight_matrix_to_output = nn.Linear(args.dim, args.dim, bias=False)
        self.attention_dropout_layer = nn.Dropout(args.dropout)
        self.residual_dropout_layer = nn.Dropout(args.dropout)
        self.is_causal = is_causal
        self.max_seq_len = args.max_seq_len
        if is_causal:
            future = torch.full((1, 1, args.max_seq_len, args.max_seq_len), float("-inf"))
            self.register_buffer("mask", torch.triu(future, diagonal=1))

    def forward(self, query, key, value, mask=None):
        batch_size, query_length, _ = query.shape
        key_length = key.shape[1]  # the notes use the query's length here, which breaks cross attention

        x_query = self.weight_matrix_of_query(query).view(batch_size, query_length, self.n_heads, self.head_dim)
        x_key = self.weight_matrix_of_key(key).view(batch_size, key_length, self.n_heads, self.head_dim)
        x_value = self.weight_matrix_of_value(value).view(batch_size, key_length, self.n_heads, self.head_dim)

        x_query = x_query.transpose(1, 2)
        x_key = x_key.transpose(1, 2)
        x_value = x_value.transpose(1, 2)

        attention_scores = torch.matmul(x_query, x_key.transpose(2, 3)) / math.sqrt(self.head_dim)
        if self.is_causal:
            assert query_length <= self.max_seq_len
            attention_scores = attention_scores + self.mask[:, :, :query_length, :query_length]
        if mask is not None:
            attention_scores = attention_scores.masked_fill(mask == 0, float("-inf"))
        attention_scores = F.softmax(attention_scores.float(), dim=-1).type_as(x_query)
        attention_scores = self.attention_dropout_layer(attention_scores)
        output = torch.matmul(attention_scores, x_value)

        output = output.transpose(1, 2).contiguous().view(batch_size, query_length, -1)
        return self.residual_dropout_layer(self.weight_matrix_to_output(output))
