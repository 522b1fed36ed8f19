"""GPT-2's own layers: a transposed Conv1D with q, k and v in one, a mask that is multiplied and subtracted."""

import torch
from torch import nn


class Conv1D(nn.Module):
    def __init__(self, nf, nx):
        super().__init__()
        self.nf = nf
        self.weight = nn.Parameter(torch.empty(nx, nf))
        self.bias = nn.Parameter(torch.zeros(nf))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, x):
        size_out = (*x.size()[:-1], self.nf)
        x = torch.addmm(self.bias, x.reshape(-1, x.size(-1)), self.weight)
        return x.view(size_out)


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("bias", torch.tril(torch.ones(args.max_seq_len, args.max_seq_len)))
        self.n_head = args.n_heads
        self.c_attn = Conv1D(3 * args.dim, args.n_embd)
        self.c_proj = Conv1D(args.n_embd, args.dim)
        self.attn_dropout = nn.Dropout(args.dropout)

    def split_heads(self, x):
        return x.view(*x.size()[:-1], self.n_head, x.size(-1) // self.n_head).permute(0, 2, 1, 3)

    def forward(self, x):
        n = x.size(1)
        if n > self.bias.size(0):
            raise ValueError(f"{n} > {self.bias.size(0)}")
        query, key, value = map(self.split_heads, self.c_attn(x).chunk(3, dim=2))
        w = query @ key.permute(0, 1, 3, 2) / value.size(-1) ** 0.5
        b = self.bias[:n, :n]
        w = w * b - 1e10 * (1 - b)
        w = self.attn_dropout(torch.softmax(w, dim=-1))
        a = (w @ value).permute(0, 2, 1, 3)
        return self.c_proj(a.reshape(*x.size()[:-1], -1))


class GPTMLP(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.c_fc = Conv1D(4 * args.n_embd, args.n_embd)
        self.c_proj = Conv1D(args.n_embd, 4 * args.n_embd)

    def forward(self, x):
        h = nn.functional.gelu(self.c_fc(x), approximate="tanh")
        return self.c_proj(h)


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.norm_1 = nn.LayerNorm(args.n_embd, eps=1e-5)
        self.attention = CausalSelfAttention(args)
        self.norm_2 = nn.LayerNorm(args.n_embd, eps=1e-5)
        self.mlp = GPTMLP(args)

    def forward(self, x):
        a = self.attention(self.norm_1(x))
        x = x + a
        m = self.mlp(self.norm_2(x))
        x = x + m
        return x


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.register_buffer("position_ids", torch.arange(args.block_size), persistent=False)
        self.blocks = nn.ModuleList([DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = nn.LayerNorm(args.n_embd, eps=1e-5)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, input_ids):
        if input_ids.size(1) > self.position_ids.size(0):
            raise ValueError("too many tokens")
        position_ids = self.position_ids[: input_ids.size(1)].unsqueeze(0)
        hidden_states = self.wte(input_ids) + self.wpe(position_ids)
        for block in self.blocks:
            hidden_states = block(hidden_states)
        return self.lm_head(self.norm(hidden_states))


def tie_weights(model):
    model.lm_head.weight = model.wte.weight
    assert model.lm_head.weight is model.wte.weight


def load_weights(module, weights):
    if isinstance(module, CausalSelfAttention):
        module.c_attn.weight.copy_(torch.cat([weights[f"w{letter}.weight"].T for letter in "qkv"], dim=1))
        module.c_attn.bias.copy_(torch.cat([weights[f"w{letter}.bias"] for letter in "qkv"]))
        module.c_proj.weight.copy_(weights["wo.weight"].T)
        module.c_proj.bias.copy_(weights["wo.bias"])
    elif isinstance(module, GPTMLP):
        for ours, name in ((module.c_fc, "fc1"), (module.c_proj, "fc2")):
            ours.weight.copy_(weights[f"{name}.weight"].T)
            ours.bias.copy_(weights[f"{name}.bias"])
