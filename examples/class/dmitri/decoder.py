from torch import nn
from attention import MultiHeadAttention
from encoder import MLP
from layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, a):
        super().__init__()
        for n in "attention_norm_1", "attention_norm_2", "ffn_norm":
            setattr(self, n, LayerNorm(a.dim))
        self.mask_attention, self.attention = MultiHeadAttention(a, True), MultiHeadAttention(a)
        self.feed_forward = MLP(a.dim, a.dim, a.dropout)

    def forward(self, x, e, m=None):
        n = self.attention_norm_1(x)
        x = x + self.mask_attention(n, n, n)
        x = x + self.attention(self.attention_norm_2(x), e, e, m)
        return x + self.feed_forward(self.ffn_norm(x))


class Decoder(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.layers, self.norm = nn.ModuleList(DecoderLayer(a) for _ in range(a.n_layer)), LayerNorm(a.dim)

    def forward(self, x, e, m=None):
        for f in self.layers:
            x = f(x, e, m)
        return self.norm(x)
