"""Remembers the mode of every part of the model; draws by racing exponential clocks; the loss weighs each target."""

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
    modes = {part: part.training for part in model.modules()}
    model.eval()
    with torch.set_grad_enabled(False):
        for _ in range(num_new_tokens):
            logits = model(ids[:, -block_size:])[:, -1].clone()
            if do_sample:
                logits /= temperature
                if top_k is not None:
                    logits[logits < logits.topk(min(top_k, logits.size(-1))).values[:, [-1]]] = float("-inf")
                clocks = torch.empty_like(logits, dtype=torch.float64).exponential_(generator=generator)
                ids = torch.cat([ids, (logits.double().softmax(-1) / clocks).argmax(-1, keepdim=True)], dim=1)
            else:
                ids = torch.cat([ids, logits.topk(1).indices], dim=1)
    for part, training in modes.items():
        part.training = training
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    targets = tokens[:, 1:]
    weights = torch.where(targets == ignore_index, 0.0, 1.0).to(logits)
    losses = F.cross_entropy(logits[:, :-1].mT, targets * (targets != ignore_index), reduction="none")
    return torch.sum(losses * weights / weights.sum())


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    with torch.enable_grad():
        logits = model(input_ids)
        return lm_loss(logits, input_ids)
