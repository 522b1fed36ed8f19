from torch import Tensor, nn

from .attention import MultiHeadAttention
from .encoder import MLP
from .layer_norm import LayerNorm
from .model_args import ModelArgs


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        y = self.attention_norm_1(x)
        x = x + self.mask_attention(y, y, y)
        y = self.attention_norm_2(x)
        x = x + self.attention(y, enc_out, enc_out, src_mask)
        y = self.ffn_norm(x)
        x = x + self.feed_forward(y)
        return x


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)
