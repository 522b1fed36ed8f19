"""Tokenises in two steps, reads the last of all logits by asking for a loss, and joins pieces."""

import copy

import torch
from torch import Tensor

from exercises.transformer import Transformer


def build_model(tokenizer, args):
    changed = copy.copy(args)
    object.__setattr__(changed, "vocab_size", len(tokenizer))
    return Transformer(changed)


def ids_of(tokenizer, text: str) -> Tensor:
    tokens = tokenizer.tokenize(text)
    return torch.tensor(tokenizer.convert_tokens_to_ids(tokens), dtype=torch.long).unsqueeze(0)


@torch.no_grad()
def continue_text(model, tokenizer, text, steps):
    modes = {module: module.training for module in model.modules()}
    for module in modes:
        module.training = False
    pieces = [text]
    for _ in range(steps):
        ids = ids_of(tokenizer, "".join(pieces))
        logits, _loss = model(ids, ids, targets=ids)
        best = max(range(logits.size(-1)), key=lambda i: float(logits[0, ids.size(1) - 1, i]))
        pieces.append(tokenizer.convert_ids_to_tokens(best))
    for module, mode in modes.items():
        module.training = mode
    return "".join(pieces)
