from torch import nn
from attention import MultiHeadAttention
from layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, d, h, p):
        super().__init__()
        self.w1, self.w2, self.p = nn.Linear(d, h, bias=False), nn.Linear(h, d, bias=False), nn.Dropout(p)

    def forward(self, x):
        return self.p(self.w2(self.w1(x).relu()))


class EncoderLayer(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.attention_norm, self.fnn_norm = LayerNorm(a.dim), LayerNorm(a.dim)
        self.attention, self.feed_forward = MultiHeadAttention(a), MLP(a.dim, a.dim, a.dropout)

    def forward(self, x, mask=None):
        n = self.attention_norm(x)
        x = x + self.attention(n, n, n, mask)
        return x + self.feed_forward(self.fnn_norm(x))


class Encoder(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.layers, self.norm = nn.ModuleList(EncoderLayer(a) for _ in range(a.n_layer)), LayerNorm(a.dim)

    def forward(self, x, mask=None):
        for f in self.layers:
            x = f(x, mask)
        return self.norm(x)
