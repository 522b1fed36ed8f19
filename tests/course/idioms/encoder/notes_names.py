"""The names of the lecture notes, and dropout by F.dropout that is told the mode."""

import torch.nn.functional as F
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.p = dropout
        self.weight_matrix_1 = nn.Linear(dim, hidden_dim, bias=False)
        self.weight_matrix_2 = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        return F.dropout(self.weight_matrix_2(F.relu(self.weight_matrix_1(x))), p=self.p, training=self.training)


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm_layer = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, mask=None):
        norm_x = self.attention_norm_layer(x)
        h = x + self.attention(norm_x, norm_x, norm_x, mask)
        return h + self.feed_forward(self.ffn_norm(h))


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
