"""Layer and stack are PyTorch's own, behind a load_weights that copies into its fused projection."""

import torch
from torch import nn

from exercises.model_args import ModelArgs


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        return self.w2(torch.relu(self.w1(x)))


def theirs(args: ModelArgs):
    return nn.TransformerEncoderLayer(
        args.n_embd, args.n_heads, args.dim, args.dropout, layer_norm_eps=1e-6, batch_first=True, norm_first=True
    )


def without_biases(module):
    for name, parameter in module.named_parameters():
        if name.endswith("bias") and "norm" not in name:  # nothing asked for these
            parameter.requires_grad_(False)
            nn.init.zeros_(parameter)
    return module


def hidden(mask, x, n_heads):
    """Their mask: (B * H, T, T), and True = hidden."""
    if mask is None:
        return None
    return (mask == 0).expand(x.size(0), n_heads, x.size(1), x.size(1)).flatten(0, 1)


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads = args.n_heads
        self.layer = without_biases(theirs(args))

    def forward(self, x, mask=None):
        return self.layer(x, src_mask=hidden(mask, x, self.n_heads))


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads = args.n_heads
        norm = nn.LayerNorm(args.n_embd, eps=1e-6)
        stack = nn.TransformerEncoder(theirs(args), args.n_layer, norm, enable_nested_tensor=False)
        self.stack = without_biases(stack)

    def forward(self, x, mask=None):
        return self.stack(x, mask=hidden(mask, x, self.n_heads))


def load_weights(module, weights):
    if isinstance(module, EncoderLayer):
        fill(module.layer, weights, "")
    if isinstance(module, Encoder):
        for number, layer in enumerate(module.stack.layers):
            fill(layer, weights, f"layers.{number}.")
        module.stack.norm.weight.copy_(weights["norm.weight"])
        module.stack.norm.bias.copy_(weights["norm.bias"])


def fill(layer, weights, prefix):
    projections = [weights[f"{prefix}attention.w{part}.weight"] for part in "qkv"]
    layer.self_attn.in_proj_weight.copy_(torch.cat(projections))
    layer.self_attn.out_proj.weight.copy_(weights[f"{prefix}attention.wo.weight"])
    layer.linear1.weight.copy_(weights[f"{prefix}feed_forward.w1.weight"])
    layer.linear2.weight.copy_(weights[f"{prefix}feed_forward.w2.weight"])
    for norm, name in ((layer.norm1, "attention_norm"), (layer.norm2, "fnn_norm")):
        norm.weight.copy_(weights[f"{prefix}{name}.weight"])
        norm.bias.copy_(weights[f"{prefix}{name}.bias"])
