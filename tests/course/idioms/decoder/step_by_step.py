"""A line for every step, calls of .forward, asserts, and dropout on each branch."""

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
        assert x.size(0) == enc_out.size(0)
        residual = x
        normed = self.attention_norm_1.forward(x)
        attended = self.mask_attention.forward(normed, normed, normed)
        x_1 = residual + self.dropout(attended)

        residual = x_1
        normed = self.attention_norm_2.forward(x_1)
        attended = self.attention.forward(normed, enc_out, enc_out, src_mask)
        x_2 = residual + self.dropout(attended)

        residual = x_2
        normed = self.ffn_norm.forward(x_2)
        thought = self.feed_forward.forward(normed)
        x_3 = residual + self.dropout(thought)
        assert x_3.shape == x.shape
        return x_3


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)
