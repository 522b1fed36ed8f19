"""Loops over rows and targets, one at a time, with Python lists in between."""

import torch
from torch import Tensor, nn


def next_token(logits: Tensor, temperature: float, top_k: int | None, generator: torch.Generator | None) -> int:
    order = logits.argsort(descending=True)
    if top_k is not None:
        order = order[:top_k]
    probabilities = torch.softmax(logits[order] / temperature, dim=0)
    return int(order[torch.multinomial(probabilities, 1, generator=generator)])


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
    model.eval()
    rows = []
    with torch.no_grad():
        for prompt in ids:
            row = prompt.tolist()
            while len(row) < len(prompt) + num_new_tokens:
                context = torch.tensor([row[-block_size:]], device=ids.device)
                logits = model(context)[0, -1]
                row.append(next_token(logits, temperature, top_k, generator) if do_sample else int(logits.argmax()))
            rows.append(row)
    if was_training:
        model.train()
    return torch.tensor(rows, dtype=torch.int64, device=ids.device)


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    losses = []
    for row, ids in zip(logits, tokens, strict=True):
        for t in range(len(ids) - 1):
            target = int(ids[t + 1])
            if target != ignore_index:
                losses.append(-torch.log_softmax(row[t], dim=0)[target])
    return torch.stack(losses).mean()


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    losses = [lm_loss(model(row[None]), row[None]) for row in input_ids]  # rows are equally long
    return sum(losses) / len(losses)
