from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm_1, self.attention_norm_2, self.ffn_norm = (LayerNorm(args.n_embd) for _ in range(3))
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        steps = [
            lambda s: self.mask_attention(*[self.attention_norm_1(s)] * 3),
            lambda s: self.attention(self.attention_norm_2(s), enc_out, enc_out, src_mask),
            lambda s: self.feed_forward(self.ffn_norm(s)),
        ]
        for step in steps:
            x = x + step(x)
        return x


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList([DecoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)
