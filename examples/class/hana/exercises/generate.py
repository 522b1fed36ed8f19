import torch
import torch.nn.functional as F
from torch import Tensor, nn


def next_token(logits: Tensor, temperature: float, top_k: int | None, do_sample: bool, generator) -> Tensor:
    """(B, V) -> (B, 1)"""
    if not do_sample:
        return logits.max(dim=-1, keepdim=True).indices
    logits = logits / temperature
    k = logits.size(-1) if top_k is None else min(top_k, logits.size(-1))
    worst = logits.topk(k).values[:, -1:]
    logits = torch.where(logits >= worst, logits, -torch.inf)
    return torch.multinomial(F.softmax(logits, dim=-1), 1, generator=generator)


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
    model.train(False)
    try:
        with torch.no_grad():
            while num_new_tokens > 0:
                logits = model(ids[:, -block_size:])[:, -1]
                ids = torch.cat([ids, next_token(logits, temperature, top_k, do_sample, generator)], dim=1)
                num_new_tokens -= 1
    finally:
        model.train(mode)
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    targets = tokens[:, 1:]
    counted = targets != ignore_index
    log_p = F.log_softmax(logits[:, :-1], dim=-1)
    picked = log_p.gather(-1, targets.masked_fill(~counted, 0).unsqueeze(-1)).squeeze(-1)
    return -(picked * counted).sum() / counted.sum()


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return lm_loss(model(input_ids), input_ids)
