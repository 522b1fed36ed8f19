"""Sorts the whole vocabulary and draws a rank; the loss over rolled tokens whose last one is ignored."""

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
    was_training = model.training
    model.train(False)
    text = ids.clone()
    with torch.no_grad():
        for _ in range(num_new_tokens):
            length = min(text.size(1), block_size)
            context = text.narrow(1, text.size(1) - length, length)
            logits = model(context).select(1, -1)
            ranked, tokens = logits.sort(dim=-1, descending=True, stable=True)
            if do_sample:
                ranked = ranked[:, : top_k or ranked.size(-1)].div(temperature)
                rank = torch.multinomial(torch.exp(ranked - ranked[:, :1]), 1, generator=generator)
            else:
                rank = torch.zeros_like(tokens[:, :1])
            text = torch.hstack([text, torch.take_along_dim(tokens, rank, dim=1)])
    model.train(was_training)
    return text


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    B, T, V = logits.shape
    targets = torch.roll(tokens, -1, dims=1)
    targets[:, -1] = ignore_index  # roll has made a new tensor
    return F.cross_entropy(logits.reshape(B * T, V), targets.reshape(B * T), ignore_index=ignore_index)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    assert input_ids.dim() == 2
    return lm_loss(model(input_ids), input_ids, -100)
