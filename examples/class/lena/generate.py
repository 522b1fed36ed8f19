from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def generate(
    model: nn.Module,
    ids: Tensor,
    num_new_tokens: int,
    block_size: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    do_sample: bool = False,
    generator: torch.Generator | None = None,
) -> Tensor:
    mode = model.training
    model.eval()
    written = 0
    with torch.no_grad():
        while written < num_new_tokens:
            logits = model(ids[:, -block_size:])[:, -1]
            if do_sample:
                probabilities = F.softmax(cut(logits / temperature, top_k), dim=-1)
                token = torch.multinomial(probabilities, 1, generator=generator)
            else:
                token = logits.argmax(-1, keepdim=True)
            ids = torch.cat((ids, token), dim=1)
    model.train(mode)
    return ids


def cut(logits: Tensor, top_k: int | None) -> Tensor:
    if top_k is None or top_k >= logits.shape[-1]:
        return logits
    bar = logits.topk(top_k).values.amin(-1, keepdim=True)
    return logits.masked_fill(logits < bar, -torch.inf)


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    ahead = tokens.roll(-1, dims=1)
    ahead[:, -1] = ignore_index  # what came round from the front is nobody's target
    return F.cross_entropy(logits.flatten(0, 1), ahead.flatten(), ignore_index=ignore_index)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return lm_loss(model(input_ids), input_ids)
