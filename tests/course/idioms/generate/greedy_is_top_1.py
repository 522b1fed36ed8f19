"""Greedy is drawing with top_k = 1; ruled out tokens get -1e30; the loss sums and divides."""

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
    if not do_sample:
        temperature, top_k, generator = 1.0, 1, None
    mode = model.training
    model.eval()
    step = 0
    with torch.no_grad():
        while step < num_new_tokens:
            logits = model(ids[:, -min(block_size, ids.shape[1]) :])[:, -1]
            V = logits.shape[-1]
            bar = logits.topk(min(top_k or V, V), dim=-1).values.min(dim=-1, keepdim=True).values
            logits = torch.where(logits >= bar, logits / temperature, -1e30)
            ids = torch.cat([ids, logits.softmax(-1).multinomial(1, generator=generator)], dim=1)
            step += 1
    model.train(mode)
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    V = logits.shape[-1]
    targets = tokens[:, 1:].reshape(-1)
    total = F.cross_entropy(logits[:, :-1].reshape(-1, V), targets, ignore_index=ignore_index, reduction="sum")
    return total / (targets != ignore_index).sum()


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    B, T = input_ids.shape
    logits = model(input_ids)[:, :-1]
    return F.cross_entropy(logits.reshape(B * (T - 1), -1), input_ids[:, 1:].reshape(-1), reduction="sum") / (
        B * (T - 1)
    )
