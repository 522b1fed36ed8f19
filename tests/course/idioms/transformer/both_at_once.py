"""Source and target are embedded in one look-up and split; a list comes back; the mask is made where there is none."""

import torch
import torch.nn.functional as F
from torch import nn

from exercises.decoder import Decoder
from exercises.encoder import Encoder
from exercises.positional_encoding import PositionalEncoding


class Transformer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.embedding = nn.Embedding(args.vocab_size, args.n_embd)
        self.positional_encoding = PositionalEncoding(args)
        self.encoder = Encoder(args)
        self.decoder = Decoder(args)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)
        self.apply(draw)

    def forward(self, source, target=None, targets=None, src_mask=None):
        if src_mask is None:
            src_mask = torch.ones(source.size(0), 1, 1, source.size(1), dtype=torch.bool, device=source.device)
        if target is None:
            target = source
        lengths = [source.size(1), target.size(1)]
        words, heard = self.embedding(torch.cat([source, target], dim=1)).split(lengths, dim=1)
        memory = self.encoder(self.positional_encoding(words), src_mask)
        answer = self.decoder(self.positional_encoding(heard), memory, src_mask)
        logits = self.lm_head(answer if targets is not None else answer.narrow(1, lengths[1] - 1, 1))
        if targets is None:
            return [logits, None]
        total = F.cross_entropy(logits.flatten(end_dim=1), targets.reshape(-1), ignore_index=-1, reduction="sum")
        return [logits, total / (targets != -1).sum()]


def draw(module):
    if type(module) in (nn.Linear, nn.Embedding):
        module.weight.data = torch.normal(0.0, 0.02, size=module.weight.shape)
