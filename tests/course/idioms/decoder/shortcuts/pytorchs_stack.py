"""The stack is PyTorch's own, of the student's layers, which are handed their mask on the side."""

from types import SimpleNamespace

from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm
from exercises.model_args import ModelArgs


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        y = self.attention_norm_1(x)
        x = x + self.mask_attention(y, y, y)
        x = x + self.attention(self.attention_norm_2(x), enc_out, enc_out, src_mask)
        return x + self.feed_forward(self.ffn_norm(x))


class Masked(nn.Module):
    self_attn = SimpleNamespace(batch_first=True)  # the stack looks it up there
    src_mask = None

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, tgt, memory, **masks):
        return self.layer(tgt, memory, self.src_mask)


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        layer, norm = Masked(DecoderLayer(args)), LayerNorm(args.n_embd)
        self.stack = nn.TransformerDecoder(layer, args.n_layer, norm)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.stack.layers:
            layer.src_mask = src_mask
        return self.stack(x, enc_out)


def load_weights(module, weights):
    if isinstance(module, Decoder):
        names = dict(module.stack.named_parameters())
        for name, value in weights.items():
            layer, _, rest = name.removeprefix("layers.").partition(".")
            names[name if name.startswith("norm") else f"layers.{layer}.layer.{rest}"].copy_(value)
