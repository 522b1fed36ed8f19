# Homework 6 - decoder
# Elif, group B

import torch
from torch import Tensor, nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm
from exercises.model_args import ModelArgs


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        # part one: look at the words written so far
        residual = x
        normalised = self.attention_norm_1(x)
        x = residual + self.dropout(self.mask_attention(normalised, normalised, normalised))

        # part two: look at the source sentence
        residual = x
        normalised = self.attention_norm_2(x)
        x = residual + self.dropout(self.attention(normalised, enc_out, enc_out, src_mask))

        # part three: think
        residual = x
        normalised = self.ffn_norm(x)
        x = residual + self.dropout(self.feed_forward(normalised))
        return x


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(args.n_layer):
            self.layers.append(DecoderLayer(args))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        x = self.norm(x)
        return x
