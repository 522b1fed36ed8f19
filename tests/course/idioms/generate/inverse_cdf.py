"""Draws one uniform number a row and looks it up in the cumulated probabilities; the loss by one-hot targets."""

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
    with torch.no_grad():
        for _ in range(num_new_tokens):
            logits = model(ids[:, -block_size:])[:, -1]
            if do_sample:
                p = F.softmax(logits.double() / temperature, dim=-1)
                if top_k is not None:
                    rank = p.argsort(-1, descending=True).argsort(-1)
                    p = p * (rank < top_k)
                cumulated = p.cumsum(-1)
                total = cumulated[:, -1:]
                u = total * torch.rand(total.shape, generator=generator, dtype=p.dtype, device=p.device)
                new = torch.searchsorted(cumulated, u, right=True)
                new = new.clamp(max=p.shape[-1] - 1)
            else:
                new = logits.argmax(-1, keepdim=True)
            ids = torch.cat([ids, new], dim=1)
    model.train(mode)
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    targets = tokens[:, 1:]
    counted = (targets != ignore_index).to(logits.dtype)
    chosen = F.one_hot(targets.masked_fill(targets == ignore_index, 0), logits.shape[-1]).to(logits.dtype)
    losses = -(chosen * F.log_softmax(logits[:, :-1], dim=-1)).sum(-1)
    return (losses * counted).sum() / counted.sum()


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    inputs, targets = input_ids[:, :-1], input_ids[:, 1:]
    log_p = F.log_softmax(model(inputs), dim=-1)
    return -log_p.gather(-1, targets[..., None]).mean()
