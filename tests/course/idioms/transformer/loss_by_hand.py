"""Cross entropy written out: logsumexp less the target's logit, a mask, and one division; all logits, then a slice."""

import torch
from torch import nn

from exercises.decoder import Decoder
from exercises.encoder import Encoder
from exercises.positional_encoding import PositionalEncoding


class Transformer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)
        self.decoder = Decoder(args)
        self.encoder = Encoder(args)
        self.positional_encoding = PositionalEncoding(args)
        self.embedding = nn.Embedding(args.vocab_size, args.n_embd)
        for module in (self, *self.children()):
            self._draw(module)

    @torch.no_grad()
    def _draw(self, module):
        for name, parameter in module.named_parameters():
            if "norm" not in name:
                parameter.copy_(torch.randn_like(parameter) * 0.02)

    def forward(self, src, tgt=None, targets=None, src_mask=None):
        embedded = {}
        for name, ids in {"src": src, "tgt": src if tgt is None else tgt}.items():
            embedded[name] = self.positional_encoding(self.embedding(ids))
        memory = self.encoder(embedded["src"], mask=src_mask)
        logits = self.lm_head(self.decoder(embedded["tgt"], memory, src_mask=src_mask))
        if targets is None:
            return logits[:, -1:, :], None
        counts = targets >= 0
        wanted = logits.gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)  # (B, T)
        losses = torch.logsumexp(logits, dim=-1) - wanted
        return logits, losses[counts].sum() / counts.sum()
