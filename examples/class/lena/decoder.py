from __future__ import annotations

from torch import Tensor, nn

from attention import MultiHeadAttention
from encoder import MLP, Residual
from layer_norm import LayerNorm
from model_args import ModelArgs


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.residuals = nn.ModuleList(Residual(args.n_embd) for _ in range(3))

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        look_back, look_over, think = self.residuals
        x = look_back(x, lambda y: self.mask_attention(y, y, y))
        x = look_over(x, lambda y: self.attention(y, enc_out, enc_out, src_mask))
        return think(x, self.feed_forward)


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)


def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
    if isinstance(module, DecoderLayer):
        for residual, name in zip(module.residuals, ("attention_norm_1", "attention_norm_2", "ffn_norm")):
            residual.norm.weight.copy_(weights[f"{name}.weight"])
            residual.norm.bias.copy_(weights[f"{name}.bias"])
