import torch.nn as nn

from attention import MultiHeadAttention
from encoder import MLP
from layer_norm import LayerNorm
from model_args import ModelArgs


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        assert x.size(0) == enc_out.size(0) and x.size(2) == enc_out.size(2)
        a = self.attention_norm_1(x)  # [B, T, C]
        h1 = self.mask_attention(a, a, a) + x  # [B, T, C]
        b = self.attention_norm_2(h1)  # [B, T, C]
        h2 = self.attention(b, enc_out, enc_out, src_mask) + h1  # T queries, S keys -> [B, T, C]
        return self.feed_forward(self.ffn_norm(h2)) + h2


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.layers = nn.ModuleList([DecoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, enc_out, src_mask)  # [B, T, C]
        return self.norm(x)
