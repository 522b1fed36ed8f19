"""The causal mask is made in the layer for every call, and handed to an attention that is not causal by itself."""

import torch
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.max_seq_len = args.max_seq_len
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        T = x.size(1)
        if self.max_seq_len < T:
            raise ValueError(f"{T} tokens are too many")
        past = torch.tril(torch.ones(T, T, dtype=torch.bool, device=x.device))
        y = self.attention_norm_1(x)
        x = x + self.mask_attention(y, y, y, past)
        x = x + self.attention(self.attention_norm_2(x), enc_out, enc_out, src_mask)
        return x + self.feed_forward(self.ffn_norm(x))


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)
