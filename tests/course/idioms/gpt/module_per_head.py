"""One small module a head, joined by cat; the past is a slice, position by position; the layers are reduced over."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, wide, deep):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(wide, deep) for _ in range(3))

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        found = []
        for t in range(x.shape[1]):
            past = slice(0, t + 1)
            weights = (k[:, past] @ q[:, t, :, None] / math.sqrt(q.shape[-1])).softmax(1)  # (B, t + 1, 1)
            found.append((weights * v[:, past]).sum(1))
        return torch.stack(found, 1)


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.heads = nn.ModuleList(Head(args.n_embd, args.dim // args.n_heads) for _ in range(args.n_heads))
        self.wo = nn.Linear(args.dim, args.n_embd)
        self.args = args

    def forward(self, x):
        if x.shape[1] > self.args.max_seq_len:
            raise ValueError("no")
        return self.wo(torch.cat([head(x) for head in self.heads], dim=-1))


class GPTMLP(nn.Sequential):
    def __init__(self, args):
        super().__init__()
        self.fc1 = nn.Linear(args.n_embd, 4 * args.n_embd)
        self.act = nn.GELU(approximate="tanh")
        self.fc2 = nn.Linear(4 * args.n_embd, args.n_embd)
        self.drop = nn.Dropout(args.dropout)


class Residual(nn.Module):
    def __init__(self, norm, branch):
        super().__init__()
        self.norm, self.branch = norm, branch

    def forward(self, x):
        return torch.add(self.branch(self.norm(x)), x)


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.one = Residual(nn.LayerNorm(args.n_embd), CausalSelfAttention(args))
        self.two = Residual(nn.LayerNorm(args.n_embd), GPTMLP(args))

    def forward(self, x):
        return self.two(self.one(x))


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.blocks = nn.ModuleList(DecoderBlock(args) for _ in range(args.n_layer))
        self.norm = nn.LayerNorm(args.n_embd)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, ids):
        T = ids.shape[-1]
        if len(self.wpe.weight) < T:
            raise ValueError(f"{T} tokens are too many")
        x = F.embedding(ids, self.wte.weight) + self.wpe.weight[None, :T]
        return self.lm_head(self.norm(functools.reduce(lambda y, block: block(y), self.blocks, x)))


def tie_weights(model):
    shared = model.get_submodule("wte").weight
    model.lm_head.register_parameter("weight", shared)


def load_weights(module, weights):
    if isinstance(module, CausalSelfAttention):
        for kind in ("weight", "bias"):
            parts = {name: weights[f"w{name[0]}.{kind}"].chunk(len(module.heads)) for name in ("query", "key", "value")}
            for number, head in enumerate(module.heads):
                for name, chunks in parts.items():
                    getattr(getattr(head, name), kind).copy_(chunks[number])
            getattr(module.wo, kind).copy_(weights[f"wo.{kind}"])
    if isinstance(module, DecoderBlock):
        pairs = (("norm_1", module.one.norm), ("norm_2", module.two.norm))
        for name, norm in pairs:
            norm.weight.copy_(weights[f"{name}.weight"])
            norm.bias.copy_(weights[f"{name}.bias"])
        for name, part in (("attention", module.one.branch), ("mlp", module.two.branch)):
            inner = {k.removeprefix(name + "."): w for k, w in weights.items() if k.startswith(name + ".")}
            own = dict(part.named_parameters())
            if own.keys() == inner.keys():
                for key, value in inner.items():
                    own[key].copy_(value)
            else:
                load_weights(part, inner)
