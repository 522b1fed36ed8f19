"""Calls itself for the rest of the tokens; a context manager keeps the mode; the loss by boolean index."""

from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@contextmanager
def reading(model):
    mode = model.training
    gradients = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    try:
        yield model
    finally:
        model.train(mode)
        torch.set_grad_enabled(gradients)


def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    if num_new_tokens == 0:
        return ids
    with reading(model):
        logits = model(ids[:, -block_size:])[:, -1]
    if do_sample:
        k = logits.size(-1) if top_k is None else min(top_k, logits.size(-1))
        values, places = torch.topk(logits / temperature, k, dim=-1)
        new = places.gather(-1, torch.multinomial(values.softmax(-1), 1, generator=generator))
    else:
        new = logits.max(-1, keepdim=True).indices
    longer = torch.cat([ids, new], dim=1)
    return generate(model, longer, num_new_tokens - 1, block_size, temperature, top_k, do_sample, generator)


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    targets = tokens[:, 1:]
    counted = targets != ignore_index
    return F.cross_entropy(logits[:, :-1][counted], targets[counted])


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    logits = model.forward(input_ids)
    return lm_loss(logits, input_ids)
