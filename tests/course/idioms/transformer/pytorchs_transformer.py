"""The layers are PyTorch's own, pre-norm; only embedding, positions and head are the student's."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def position(length, width, like):
    place = torch.arange(length, device=like.device, dtype=torch.float64)[:, None]
    pair = torch.arange(width, device=like.device) // 2 * 2
    angle = place * torch.exp(pair * (-math.log(10000.0) / width)) + (torch.arange(width, device=like.device) % 2) * (
        math.pi / 2
    )
    return angle.sin().to(like.dtype)


class Transformer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        sizes = (args.n_embd, args.n_heads, args.dim, args.dropout)
        how = {"layer_norm_eps": 1e-6, "batch_first": True, "norm_first": True}
        norms = [nn.LayerNorm(args.n_embd, 1e-6) for _ in range(2)]
        self.words = nn.Embedding(args.vocab_size, args.n_embd)
        self.reader = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(*sizes, **how), args.n_layer, norms[0], enable_nested_tensor=False
        )
        self.writer = nn.TransformerDecoder(nn.TransformerDecoderLayer(*sizes, **how), args.n_layer, norms[1])
        self.head = nn.Linear(args.n_embd, args.vocab_size, bias=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)
            elif name.endswith("bias") and "norm" not in name:  # nothing asked for these
                nn.init.zeros_(parameter)
                parameter.requires_grad_(False)

    def embed(self, ids):
        if ids.size(1) > self.args.block_size:
            raise ValueError("too many tokens")
        words = self.words(ids)
        return words + position(ids.size(1), words.size(2), words)

    def forward(self, src, tgt=None, targets=None, src_mask=None):
        tgt = src if tgt is None else tgt
        if tgt.size(1) > self.args.max_seq_len:
            raise ValueError("too many tokens in the target")
        hidden = None if src_mask is None else (src_mask == 0)[:, 0, 0]
        memory = self.reader(self.embed(src), src_key_padding_mask=hidden)
        future = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool, device=tgt.device).triu(1)
        answer = self.writer(self.embed(tgt), memory, tgt_mask=future, memory_key_padding_mask=hidden)
        if targets is None:
            return self.head(answer)[:, -1:], None
        logits = self.head(answer)
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)


def load_weights(module, weights):
    if not isinstance(module, Transformer):
        return
    module.words.weight.copy_(weights["embedding.weight"])
    module.head.weight.copy_(weights["lm_head.weight"])
    for stack, name in ((module.reader, "encoder"), (module.writer, "decoder")):
        fill_norm(stack.norm, weights, f"{name}.norm")
        for number, layer in enumerate(stack.layers):
            fill(layer, weights, f"{name}.layers.{number}.")


def fill(layer, weights, prefix):
    attentions, norms = {"self_attn": "attention"}, {"norm1": "attention_norm", "norm2": "fnn_norm"}
    if isinstance(layer, nn.TransformerDecoderLayer):
        attentions = {"self_attn": "mask_attention", "multihead_attn": "attention"}
        norms = {"norm1": "attention_norm_1", "norm2": "attention_norm_2", "norm3": "ffn_norm"}
    for theirs, ours in attentions.items():
        attention = getattr(layer, theirs)
        attention.in_proj_weight.copy_(torch.cat([weights[f"{prefix}{ours}.w{part}.weight"] for part in "qkv"]))
        attention.out_proj.weight.copy_(weights[f"{prefix}{ours}.wo.weight"])
    for theirs, ours in norms.items():
        fill_norm(getattr(layer, theirs), weights, prefix + ours)
    layer.linear1.weight.copy_(weights[f"{prefix}feed_forward.w1.weight"])
    layer.linear2.weight.copy_(weights[f"{prefix}feed_forward.w2.weight"])


def fill_norm(norm, weights, name):
    norm.weight.copy_(weights[f"{name}.weight"])
    norm.bias.copy_(weights[f"{name}.bias"])
