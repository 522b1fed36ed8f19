"""nn.MultiheadAttention for the attention, and a block that is PyTorch's pre-norm encoder layer under a mask."""

import torch
import torch.nn.functional as F
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.max_seq_len = args.max_seq_len
        self.inner = nn.MultiheadAttention(args.n_embd, args.n_heads, dropout=args.dropout, batch_first=True)

    def forward(self, x):
        T = x.size(1)
        assert x.size(1) <= self.max_seq_len
        future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), 1)
        return self.inner(x, x, x, attn_mask=future, need_weights=False)[0]


class GPTMLP(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(args.n_embd, 4 * args.n_embd), nn.Linear(4 * args.n_embd, args.n_embd)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.max_seq_len = args.max_seq_len
        self.layer = nn.TransformerEncoderLayer(
            args.n_embd,
            args.n_heads,
            4 * args.n_embd,
            args.dropout,
            activation=lambda y: F.gelu(y, approximate="tanh"),
            layer_norm_eps=1e-5,
            batch_first=True,
            norm_first=True,
        )

    def forward(self, x):
        T = x.size(1)
        assert x.size(1) <= self.max_seq_len
        return self.layer(x, src_mask=torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), 1))


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.block_size = args.block_size
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.blocks = nn.ModuleList([DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = nn.LayerNorm(args.n_embd)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, ids):
        assert ids.size(1) <= self.block_size
        x = self.wte(ids) + self.wpe(torch.arange(ids.size(1), device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.lm_head.weight.T


def tie_weights(model):
    model.lm_head.weight = model.wte.weight


def load_weights(module, weights):
    if isinstance(module, CausalSelfAttention):
        fill(module.inner, weights, "")
    if isinstance(module, DecoderBlock):
        fill(module.layer.self_attn, weights, "attention.")
        pairs = {"norm_1": "norm1", "norm_2": "norm2", "mlp.fc1": "linear1", "mlp.fc2": "linear2"}
        for name, theirs in pairs.items():
            for kind in ("weight", "bias"):
                getattr(getattr(module.layer, theirs), kind).copy_(weights[f"{name}.{kind}"])


def fill(attention, weights, prefix):
    attention.in_proj_weight.copy_(torch.cat([weights[f"{prefix}w{letter}.weight"] for letter in "qkv"]))
    attention.in_proj_bias.copy_(torch.cat([weights[f"{prefix}w{letter}.bias"] for letter in "qkv"]))
    attention.out_proj.weight.copy_(weights[f"{prefix}wo.weight"])
    attention.out_proj.bias.copy_(weights[f"{prefix}wo.bias"])
