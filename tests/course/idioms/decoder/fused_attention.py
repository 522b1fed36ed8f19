"""The layer attends by itself, by one class of its own for both attentions, without the course's MultiHeadAttention."""

import math

import torch
from torch import nn

from exercises.layer_norm import LayerNorm


class Attend(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.heads = args.n_heads
        self.q = nn.Linear(args.n_embd, args.dim, bias=False)
        self.kv = nn.Linear(args.n_embd, 2 * args.dim, bias=False)
        self.out = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, x, source, hidden=None):
        B, T, C = x.shape
        q = self.q(x).view(B, T, self.heads, -1).transpose(1, 2)
        k, v = self.kv(source).view(B, source.size(1), 2, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if hidden is not None:
            scores = scores.masked_fill(hidden, -1e9)
        return self.out((self.dropout(scores.softmax(-1)) @ v).transpose(1, 2).reshape(B, T, C))


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.norms = nn.ModuleList(LayerNorm(args.n_embd) for _ in range(3))
        self.look_back, self.look_over = Attend(args), Attend(args)
        self.w1 = nn.Linear(args.dim, args.dim, bias=False)
        self.w2 = nn.Linear(args.dim, args.dim, bias=False)

    def forward(self, x, enc_out, src_mask=None):
        T = x.size(1)
        future = torch.arange(T, device=x.device)[:, None] < torch.arange(T, device=x.device)
        y = self.norms[0](x)
        x = x + self.look_back(y, y, future)
        x = x + self.look_over(self.norms[1](x), enc_out, None if src_mask is None else src_mask == 0)
        return x + self.w2(torch.relu(self.w1(self.norms[2](x))))


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask)
        return self.norm(x)


def load_weights(module, weights):
    if isinstance(module, DecoderLayer):
        for norm, name in zip(module.norms, ("attention_norm_1", "attention_norm_2", "ffn_norm"), strict=True):
            norm.weight.copy_(weights[f"{name}.weight"])
            norm.bias.copy_(weights[f"{name}.bias"])
        for attend, name in ((module.look_back, "mask_attention"), (module.look_over, "attention")):
            attend.q.weight.copy_(weights[f"{name}.wq.weight"])
            attend.kv.weight.copy_(torch.cat([weights[f"{name}.wk.weight"], weights[f"{name}.wv.weight"]]))
            attend.out.weight.copy_(weights[f"{name}.wo.weight"])
        module.w1.weight.copy_(weights["feed_forward.w1.weight"])
        module.w2.weight.copy_(weights["feed_forward.w2.weight"])
