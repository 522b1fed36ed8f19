"""No nn.Embedding and no nn.Linear: one-hot products with two parameters, and log_softmax at the targets that count."""

import torch
import torch.nn.functional as F
from torch import nn

from exercises.decoder import Decoder
from exercises.encoder import Encoder
from exercises.model_args import ModelArgs
from exercises.positional_encoding import sinusoidal_table


class Transformer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.args = args
        self.table = nn.Parameter(torch.empty(args.vocab_size, args.n_embd).normal_(0, 0.02))
        self.scores = nn.Parameter(torch.empty(args.n_embd, args.vocab_size).normal_(0, 0.02))
        self.register_buffer("places", sinusoidal_table(args.block_size, args.n_embd))
        self.encoder = Encoder(args)
        self.decoder = Decoder(args)
        for part in (self.encoder, self.decoder):
            for module in part.modules():
                if isinstance(module, nn.Linear):
                    nn.init.trunc_normal_(module.weight, std=0.02)

    def embed(self, ids):
        if ids.shape[1] > self.args.block_size:
            raise ValueError(f"{ids.shape[1]} tokens are more than {self.args.block_size}")
        words = F.one_hot(ids, self.args.vocab_size).to(self.table.dtype) @ self.table
        return F.dropout(words + self.places[: ids.shape[1]], self.args.dropout, training=self.training)

    def forward(self, src, tgt=None, targets=None, src_mask=None):
        memory = self.encoder(self.embed(src), src_mask)
        stream = self.decoder(self.embed(src if tgt is None else tgt), memory, src_mask)
        if targets is None:
            return torch.einsum("btc,cv->btv", stream[:, -1:], self.scores), None
        logits = torch.einsum("btc,cv->btv", stream, self.scores)
        row, place = (targets != -1).nonzero(as_tuple=True)
        loss = -F.log_softmax(logits, dim=-1)[row, place, targets[row, place]].mean()
        return (logits, loss)


def load_weights(module, weights):
    if isinstance(module, Transformer):
        module.table.copy_(weights["embedding.weight"])
        module.scores.copy_(weights["lm_head.weight"].T)
