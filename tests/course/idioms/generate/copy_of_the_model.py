"""Reads with a copy of the model in eval mode, so the model itself is never touched; the loss by F.nll_loss."""

import copy

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
    reader = copy.deepcopy(model).eval().requires_grad_(False)
    columns = list(ids.unbind(1))
    for _ in range(num_new_tokens):
        logits = reader(torch.stack(columns[-block_size:], dim=1))[:, -1]
        if do_sample:
            logits = logits / temperature
            if top_k is not None:
                k = min(top_k, logits.size(-1))
                bar = logits.kthvalue(logits.size(-1) - k + 1, dim=-1, keepdim=True).values
                logits = logits.masked_fill(logits < bar, torch.finfo(logits.dtype).min)
            columns.append(torch.multinomial(logits.softmax(-1), 1, generator=generator)[:, 0])
        else:
            columns.append(logits.argmax(-1))
    return torch.stack(columns, dim=1)


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    log_p = logits.log_softmax(dim=2)[:, :-1]
    return F.nll_loss(log_p.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=ignore_index)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return lm_loss(model(input_ids), tokens=input_ids)
