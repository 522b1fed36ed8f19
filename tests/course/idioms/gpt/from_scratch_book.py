"""Names of a book: a GELU and a norm of its own, a Sequential, a buffer with the upper triangle, -inf in place."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.eps = 1e-5
        self.gamma = nn.Parameter(torch.ones(width))
        self.beta = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.gamma * ((x - mean) / torch.sqrt(var + self.eps)) + self.beta


class GELU(nn.Module):
    def forward(self, x):
        root = torch.sqrt(torch.tensor(2.0 / torch.pi, dtype=x.dtype, device=x.device))
        return 0.5 * x * (1 + torch.tanh(root * (x + 0.044715 * x * x * x)))


class GPTMLP(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(args.n_embd, 4 * args.n_embd), GELU(), nn.Linear(4 * args.n_embd, args.n_embd)
        )

    def forward(self, x):
        return self.layers(x)


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.num_heads, self.head_dim = args.n_heads, args.dim // args.n_heads
        self.W_query = nn.Linear(args.n_embd, args.dim)
        self.W_key = nn.Linear(args.n_embd, args.dim)
        self.W_value = nn.Linear(args.n_embd, args.dim)
        self.out_proj = nn.Linear(args.dim, args.n_embd)
        self.dropout = nn.Dropout(args.dropout)
        self.register_buffer("mask", torch.triu(torch.ones(args.max_seq_len, args.max_seq_len), diagonal=1))

    def forward(self, x):
        b, num_tokens, _ = x.shape
        assert num_tokens <= len(self.mask)
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        keys = keys.view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        values = values.view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        queries = queries.view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context = (self.dropout(attn_weights) @ values).transpose(1, 2)
        return self.out_proj(context.contiguous().view(b, num_tokens, -1))


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention = CausalSelfAttention(args)
        self.mlp = GPTMLP(args)
        self.norm_1, self.norm_2 = Norm(args.n_embd), Norm(args.n_embd)
        self.drop_shortcut = nn.Dropout(args.dropout)

    def forward(self, x):
        shortcut = x
        x = self.drop_shortcut(self.attention(self.norm_1(x)))
        x = x + shortcut
        shortcut = x
        x = self.drop_shortcut(self.mlp(self.norm_2(x)))
        return x + shortcut


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.drop_emb = nn.Dropout(args.dropout)
        self.blocks = nn.Sequential(*[DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = Norm(args.n_embd)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, in_idx):
        _, seq_len = in_idx.shape
        assert seq_len <= self.wpe.num_embeddings
        x = self.wte(in_idx) + self.wpe(torch.arange(seq_len, device=in_idx.device))
        return self.lm_head(self.norm(self.blocks(self.drop_emb(x))))


def tie_weights(model):
    model.lm_head.weight = model.wte.weight


def load_weights(module, weights):
    if isinstance(module, GPTMLP):
        fill(module.layers[0], weights, "fc1")
        fill(module.layers[2], weights, "fc2")
    elif isinstance(module, CausalSelfAttention):
        for layer, name in ((module.W_query, "wq"), (module.W_key, "wk"), (module.W_value, "wv")):
            fill(layer, weights, name)
        fill(module.out_proj, weights, "wo")


def fill(layer, weights, name):
    layer.weight.copy_(weights[f"{name}.weight"])
    layer.bias.copy_(weights[f"{name}.bias"])
