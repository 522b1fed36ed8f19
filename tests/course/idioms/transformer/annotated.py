"""Small classes for the ends, encode and decode as methods, and a loss that picks the targets first."""

import torch.nn.functional as F
from torch import nn

from exercises.decoder import Decoder
from exercises.encoder import Encoder
from exercises.positional_encoding import PositionalEncoding


class Embeddings(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.lut = nn.Embedding(args.vocab_size, args.n_embd)
        self.position = PositionalEncoding(args)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, ids):
        return self.dropout(self.position(self.lut(ids)))


class Generator(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.proj = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, x):
        return self.proj(x)


class Transformer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.encoder = Encoder(args)
        self.decoder = Decoder(args)
        self.embed = Embeddings(args)
        self.generator = Generator(args)
        for _, p in self.named_parameters():
            if p.dim() > 1:
                nn.init.normal_(p, 0.0, 0.02)

    def encode(self, src, src_mask):
        return self.encoder(self.embed(src), src_mask)

    def decode(self, memory, src_mask, tgt):
        return self.decoder(self.embed(tgt), memory, src_mask)

    def forward(self, src, tgt=None, targets=None, src_mask=None):
        out = self.decode(self.encode(src, src_mask), src_mask, src if tgt is None else tgt)
        if targets is None:
            return self.generator(out[:, out.size(1) - 1 :]), None
        logits = self.generator(out)
        kept = targets.ne(-1)
        return logits, F.cross_entropy(logits[kept], targets[kept])


def load_weights(module, weights):
    if isinstance(module, Transformer):
        module.embed.lut.weight.copy_(weights["embedding.weight"])
        module.generator.proj.weight.copy_(weights["lm_head.weight"])
