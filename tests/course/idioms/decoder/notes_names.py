"""The names of the lecture notes, a feed-forward network of the file's own, and the mask made explicit."""

import torch
import torch.nn.functional as F
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class FeedForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w1 = nn.Linear(width, width, bias=False)
        self.w2 = nn.Linear(width, width, bias=False)

    def forward(self, x):
        return self.w2(F.relu(self.w1(x)))


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm_layer_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_layer_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.fnn_norm_layer = LayerNorm(args.n_embd)
        self.feed_forward = FeedForward(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        if src_mask is None:
            src_mask = torch.ones(x.size(1), enc_out.size(1), dtype=torch.bool, device=x.device)
        norm_x = self.attention_norm_layer_1(x)
        x = x + self.mask_attention.forward(norm_x, norm_x, norm_x)
        norm_x = self.attention_norm_layer_2(x)
        h = x + self.attention.forward(norm_x, enc_out, enc_out, src_mask)
        return h + self.feed_forward.forward(self.fnn_norm_layer(h))


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)
