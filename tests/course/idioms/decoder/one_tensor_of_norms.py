"""Layers in an nn.ModuleDict, scales and shifts of all norms in one tensor."""

import torch
import torch.nn.functional as F
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP

NORMS = ("attention_norm_1", "attention_norm_2", "ffn_norm")


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.affine = nn.Parameter(torch.stack([torch.ones(3, args.n_embd), torch.zeros(3, args.n_embd)]))
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def norm(self, x, number):
        return F.layer_norm(x, x.shape[-1:], *self.affine[:, number], 1e-6)

    def forward(self, x, enc_out, src_mask=None):
        stream = x.clone()
        y = self.norm(stream, 0)
        stream = stream.add(self.mask_attention(y, y, y))
        stream = stream.add(self.attention(self.norm(stream, 1), enc_out, enc_out, src_mask))
        return stream.add(self.feed_forward(self.norm(stream, 2)))


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleDict({f"{i}": DecoderLayer(args) for i in range(args.n_layer)})
        self.norm = nn.LayerNorm(args.n_embd, eps=1e-6)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers.values():
            x = layer(x, enc_out, src_mask)
        return self.norm(x)


def load_weights(module, weights):
    if isinstance(module, DecoderLayer):
        for number, name in enumerate(NORMS):
            module.affine[0, number] = weights[f"{name}.weight"]
            module.affine[1, number] = weights[f"{name}.bias"]
