"""Cuts the probabilities instead of the logits, and makes them sum to 1 again; the loss in float64 and cast back."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@torch.no_grad
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
    training = model.training
    model.eval()
    for _ in range(num_new_tokens):
        p = torch.softmax(model(ids[:, -block_size:])[:, -1].float() / (temperature if do_sample else 1.0), dim=-1)
        if do_sample:
            if top_k is not None:
                best = torch.topk(p, min(top_k, p.size(-1)), dim=-1)
                p = torch.zeros_like(p).scatter_(-1, best.indices, best.values)
                p /= p.sum(dim=-1, keepdim=True)
            token = torch.multinomial(p, 1, generator=generator)
        else:
            token = p.argmax(dim=-1, keepdim=True)
        ids = torch.cat([ids, token], dim=-1)
    model.train(training)
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    wide = logits[:, :-1].double()
    wide = wide - wide.amax(-1, keepdim=True).detach()
    log_p = wide - wide.exp().sum(-1, keepdim=True).log()
    targets = tokens[:, 1:].reshape(-1)
    return F.nll_loss(log_p.reshape(len(targets), -1), targets, ignore_index=ignore_index).to(logits.dtype)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    logits = model(input_ids)
    return lm_loss(logits, input_ids).type_as(logits)
