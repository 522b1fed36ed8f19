import torch.nn as nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        y = self.attention_norm_1(x)
        x = x + self.mask_attention(y, y, y)
        x = x + self.attention(self.attention_norm_2(x), enc_out, enc_out, src_mask)
        x = x + self.feed_forward(self.ffn_norm(x))
        return x


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList([DecoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for block in self.layers:
            x = block(x, enc_out, src_mask)
        return self.norm(x)
