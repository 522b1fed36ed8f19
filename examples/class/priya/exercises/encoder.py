import torch.nn.functional as F
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.w2(F.relu(self.w1(x))))


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.fnn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, mask=None):
        norm_x = self.attention_norm(x)
        h = x + self.attention(norm_x, norm_x, norm_x, mask)
        norm_h = self.fnn_norm(h)
        return h + self.feed_forward(norm_h)


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for layer in elf.layers:
            x = layer(x, mask)
        return self.norm(x)
