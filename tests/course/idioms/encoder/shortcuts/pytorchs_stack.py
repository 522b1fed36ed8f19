"""The stack is PyTorch's own, of the student's layers, which are handed their mask on the side."""

from types import SimpleNamespace

import torch.nn.functional as F
from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm
from exercises.model_args import ModelArgs


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.w2(F.relu(self.w1(x))))


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.fnn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, mask=None):
        y = self.attention_norm(x)
        x = x + self.attention(y, y, y, mask)
        return x + self.feed_forward(self.fnn_norm(x))


class Masked(nn.Module):
    self_attn = SimpleNamespace(batch_first=True)  # the stack looks it up there
    mask = None

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, src, src_mask=None, is_causal=False, src_key_padding_mask=None):
        return self.layer(src, self.mask)


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        layer, norm = Masked(EncoderLayer(args)), LayerNorm(args.n_embd)
        self.stack = nn.TransformerEncoder(layer, args.n_layer, norm, enable_nested_tensor=False)

    def forward(self, x, mask=None):
        for layer in self.stack.layers:
            layer.mask = mask
        return self.stack(x)


def load_weights(module, weights):
    if isinstance(module, Encoder):
        names = dict(module.stack.named_parameters())
        for name, value in weights.items():
            layer, _, rest = name.removeprefix("layers.").partition(".")
            names[name if name.startswith("norm") else f"layers.{layer}.layer.{rest}"].copy_(value)
