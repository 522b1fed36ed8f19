"""The lecture notes' form: all parts in one ModuleDict, weights drawn by self.apply, view for the loss."""

import torch
import torch.nn.functional as F
from torch import nn

from exercises.decoder import Decoder
from exercises.encoder import Encoder
from exercises.positional_encoding import PositionalEncoding


class Transformer(nn.Module):
    def __init__(self, args):
        super().__init__()
        assert args.vocab_size is not None
        assert args.block_size is not None
        self.args = args
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(args.vocab_size, args.n_embd),
                "wpe": PositionalEncoding(args),
                "drop": nn.Dropout(args.dropout),
            }
        )
        self.encoder, self.decoder = Encoder(args), Decoder(args)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def embed(self, idx):
        _, t = idx.size()
        assert t <= self.args.block_size, f"{t} tokens, at most {self.args.block_size} fit"
        return self.transformer.drop(self.transformer.wpe(self.transformer.wte(idx)))

    def forward(self, src, tgt=None, targets=None, src_mask=None):
        x = self.embed(src)
        enc_out = self.encoder(x, src_mask)
        y = x if tgt is None else self.embed(tgt)
        x = self.decoder(y, enc_out, src_mask)
        if targets is not None:
            logits = self.lm_head(x)
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        else:
            logits = self.lm_head(x[:, [-1], :])
            loss = None
        return logits, loss


def load_weights(module, weights):
    if isinstance(module, Transformer):
        module.transformer.wte.weight.copy_(weights["embedding.weight"])
        module.lm_head.weight.copy_(weights["lm_head.weight"])
