"""The causal mask is a buffer of the layer, cut to the length of the call; keyword arguments throughout."""

import torch
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(dim=args.dim, hidden_dim=args.dim, dropout=args.dropout)
        triangle = torch.ones(args.max_seq_len, args.max_seq_len, dtype=torch.long).tril()
        self.register_buffer("causal", triangle, persistent=False)

    def forward(self, x, enc_out, src_mask=None):
        T = x.shape[1]
        assert len(self.causal) >= T
        y = self.attention_norm_1(x)
        x = x + self.mask_attention(query=y, key=y, value=y, mask=self.causal[:T, :T])
        x = x + self.attention(query=self.attention_norm_2(x), key=enc_out, value=enc_out, mask=src_mask)
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
