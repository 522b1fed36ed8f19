"""Parameters a head, (H, C, D), and einsum; weights as in TransformerLens, and softmax by hand."""

import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        heads, wide, deep = args.n_heads, args.n_embd, args.dim // args.n_heads
        self.limit = args.max_seq_len
        self.W = nn.Parameter(torch.randn(3, heads, wide, deep) * 0.02)
        self.b = nn.Parameter(torch.zeros(3, heads, 1, deep))
        self.W_O = nn.Parameter(torch.randn(heads, deep, wide) * 0.02)
        self.b_O = nn.Parameter(torch.zeros(wide))

    def forward(self, x):
        length = x.shape[1]
        if length > self.limit:
            raise ValueError("the context is full")
        q, k, v = torch.einsum("bpc,nhcd->nbhpd", x, self.W) + self.b[:, None]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * k.shape[-1] ** -0.5
        seen = torch.arange(length, device=x.device)
        scores = torch.where(seen[:, None] >= seen, scores, torch.full_like(scores, -1e9))
        powers = torch.exp(scores - scores.amax(-1, keepdim=True))
        z = torch.einsum("bhqk,bhkd->bhqd", powers, v) / powers.sum(-1, keepdim=True)
        return torch.einsum("bhqd,hdc->bqc", z, self.W_O) + self.b_O


class GPTMLP(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.W_in = nn.Parameter(torch.randn(args.n_embd, 4 * args.n_embd) * 0.02)
        self.b_in = nn.Parameter(torch.zeros(4 * args.n_embd))
        self.W_out = nn.Parameter(torch.randn(4 * args.n_embd, args.n_embd) * 0.02)
        self.b_out = nn.Parameter(torch.zeros(args.n_embd))

    def forward(self, x):
        pre = x @ self.W_in + self.b_in
        post = pre * torch.sigmoid(1.5957691216057308 * (pre + 0.044715 * pre.pow(3)))  # 1 + tanh(y) = 2 sigmoid(2 y)
        return post @ self.W_out + self.b_out


class DecoderBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.norm_1 = nn.LayerNorm(args.n_embd, 1e-5)
        self.attention = CausalSelfAttention(args)
        self.norm_2 = nn.LayerNorm(args.n_embd, 1e-5)
        self.mlp = GPTMLP(args)

    def forward(self, resid_pre):
        resid_mid = self.attention(self.norm_1(resid_pre)) + resid_pre
        return self.mlp(self.norm_2(resid_mid)) + resid_mid


class GPT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.wte = nn.Embedding(args.vocab_size, args.n_embd)
        self.wpe = nn.Embedding(args.block_size, args.n_embd)
        self.blocks = nn.ModuleList([DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = nn.LayerNorm(args.n_embd, 1e-5)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, tokens):
        batch, length = tokens.shape
        if length > self.wpe.num_embeddings:
            raise ValueError("the context is full")
        residual = self.wte.weight[tokens] + self.wpe.weight[:length].unsqueeze(0).expand(batch, -1, -1)
        for block in self.blocks:
            residual = block(residual)
        return torch.einsum("bpc,vc->bpv", self.norm(residual), self.lm_head.weight)


def tie_weights(model):
    model.lm_head._parameters["weight"] = model.wte._parameters["weight"]


def load_weights(module, weights):
    if isinstance(module, CausalSelfAttention):
        _, heads, wide, deep = module.W.shape
        for number, letter in enumerate("qkv"):
            module.W[number].copy_(weights[f"w{letter}.weight"].view(heads, deep, wide).transpose(1, 2))
            module.b[number, :, 0].copy_(weights[f"w{letter}.bias"].view(heads, deep))
        module.W_O.copy_(weights["wo.weight"].T.view(heads, deep, wide))
        module.b_O.copy_(weights["wo.bias"])
    if isinstance(module, GPTMLP):
        module.W_in.copy_(weights["fc1.weight"].T)
        module.b_in.copy_(weights["fc1.bias"])
        module.W_out.copy_(weights["fc2.weight"].T)
        module.b_out.copy_(weights["fc2.bias"])
