"""A buffer with a lower triangle and masked_fill, as in lecture notes; softmax in float32, cast back."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.n_heads = args.n_heads
        self.d_attention = args.dim // args.n_heads
        self.w_q = nn.Linear(args.n_embd, args.dim)
        self.w_k = nn.Linear(args.n_embd, args.dim)
        self.w_v = nn.Linear(args.n_embd, args.dim)
        self.w_o = nn.Linear(args.dim, args.n_embd)
        mask = torch.tril(torch.ones(args.max_seq_len, args.max_seq_len))
        self.register_buffer("causal_mask", mask.view(1, 1, args.max_seq_len, args.max_seq_len))

    def forward(self, x):
        B, T, C = x.size()
        if x.size(1) > self.causal_mask.size(-1):
            raise ValueError(f"at most {self.causal_mask.size(-1)} tokens, got {T}")
        q = self.w_q(x).reshape(B, T, self.n_heads, self.d_attention).transpose(1, 2)
        k = self.w_k(x).reshape(B, T, self.n_heads, self.d_attention).transpose(1, 2)
        v = self.w_v(x).reshape(B, T, self.n_heads, self.d_attention).transpose(1, 2)
        logits = q @ k.transpose(-2, -1) / math.sqrt(self.d_attention)
        mask = self.causal_mask[:, :, :T, :T]
        logits = logits.masked_fill(mask == 0, float("-inf"))
        scores = F.softmax(logits.float(), dim=-1).type_as(x)
        output = (scores @ v).transpose(1, 2).reshape(B, T, C)
        return self.w_o(output)


class GPTMLP(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.fc1 = nn.Linear(args.n_embd, 4 * args.n_embd)
        self.gelu = nn.GELU("tanh")
        self.fc2 = nn.Linear(4 * args.n_embd, args.n_embd)

    def forward(self, x):
        return self.fc2(self.gelu(self.fc1(x)))


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.pre_layer_norm = nn.LayerNorm(args.n_embd, eps=1e-5)
        self.attention = CausalSelfAttention(args)
        self.post_layer_norm = nn.LayerNorm(args.n_embd, eps=1e-5)
        self.mlp = GPTMLP(args)

    def forward(self, x):
        x = x + self.attention(self.pre_layer_norm(x))
        x = x + self.mlp(self.post_layer_norm(x))
        return x


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.block_size = args.block_size
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.blocks = nn.ModuleList([DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = nn.LayerNorm(args.n_embd, eps=1e-5)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, x):
        T = x.shape[1]
        if x.shape[1] > self.block_size:
            raise ValueError(f"at most {self.block_size} tokens, got {T}")
        pos = torch.arange(T, device=x.device)
        input = self.wte(x) + self.wpe(pos)
        for block in self.blocks:
            input = block(input)
        return self.lm_head(self.norm(input))


def tie_weights(model):
    del model.lm_head.weight
    model.lm_head.weight = model.wte.weight


def load_weights(module, weights):
    if isinstance(module, DecoderBlock):
        for name, norm in (("norm_1", module.pre_layer_norm), ("norm_2", module.post_layer_norm)):
            norm.weight.copy_(weights[f"{name}.weight"])
            norm.bias.copy_(weights[f"{name}.bias"])
