"""As in the Annotated Transformer: clones, a SublayerConnection with dropout on the branch, and lambdas."""

import copy

from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


class SublayerConnection(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.norm = LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.sublayer = clones(SublayerConnection(args.n_embd, args.dropout), 3)

    def forward(self, x, enc_out, src_mask=None):
        memory = enc_out
        x = self.sublayer[0](x, lambda x: self.mask_attention(x, x, x))
        x = self.sublayer[1](x, lambda x: self.attention(x, memory, memory, src_mask))
        return self.sublayer[2](x, self.feed_forward)


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = clones(DecoderLayer(args), args.n_layer)
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)


def load_weights(module, weights):
    if isinstance(module, DecoderLayer):
        names = ("attention_norm_1", "attention_norm_2", "ffn_norm")
        for sublayer, name in zip(module.sublayer, names, strict=True):
            sublayer.norm.weight.copy_(weights[name + ".weight"])
            sublayer.norm.bias.copy_(weights[name + ".bias"])
