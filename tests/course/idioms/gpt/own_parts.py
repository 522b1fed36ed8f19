"""The student's own attention and causal_mask, and a LayerNorm that knows its eps."""

import math

import torch
from torch import nn

from exercises.attention import attention
from exercises.layer_norm import LayerNorm
from exercises.masking import causal_mask


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.wq = nn.Linear(args.n_embd, args.dim, bias=True)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=True)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=True)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=True)
        self.attention_dropout = nn.Dropout(args.dropout)

    def forward(self, x):
        batch, length, _ = x.shape
        if length > self.args.max_seq_len:
            raise ValueError("too long")
        shape = (batch, length, self.args.n_heads, self.args.dim // self.args.n_heads)
        query = self.wq(x).view(shape).transpose(1, 2)
        key = self.wk(x).view(shape).transpose(1, 2)
        value = self.wv(x).view(shape).transpose(1, 2)
        mask = causal_mask(length).to(x.device)
        heads, _ = attention(query, key, value, mask, self.attention_dropout)
        return self.wo(heads.transpose(1, 2).reshape(batch, length, -1))


class GPTMLP(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.fc1 = nn.Linear(args.dim, args.dim * 4)
        self.fc2 = nn.Linear(args.dim * 4, args.dim)

    @staticmethod
    def gelu(x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))

    def forward(self, x):
        return self.fc2(self.gelu(self.fc1(x)))


class Norm(LayerNorm):
    def __init__(self, width):
        super().__init__(width, 1e-5)


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention = CausalSelfAttention(args)
        self.mlp = GPTMLP(args)
        self.norm_1, self.norm_2 = Norm(args.n_embd), Norm(args.n_embd)

    def forward(self, x):
        for norm, branch in ((self.norm_1, self.attention), (self.norm_2, self.mlp)):
            x = x + branch(norm(x))
        return x


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.blocks = nn.Sequential(*[DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = Norm(args.n_embd)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, ids):
        _, length = ids.shape
        if length > self.args.block_size:
            raise ValueError("too long")
        places = torch.arange(length, device=ids.device).expand_as(ids)
        return self.lm_head(self.norm(self.blocks(self.wte(ids) + self.wpe(places))))


def tie_weights(model):
    setattr(model.lm_head, "weight", model.wte.weight)  # noqa: B010
