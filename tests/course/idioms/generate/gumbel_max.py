"""Draws by the Gumbel-max trick; the loss is logsumexp minus the target's logit."""

import torch
from torch import Tensor, nn


def gumbel_like(x: Tensor, generator: torch.Generator | None) -> Tensor:
    uniform = torch.rand(x.shape, generator=generator, dtype=torch.float64, device=x.device)
    return -(-uniform.clamp(min=1e-300).log()).log()


@torch.no_grad()
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
    try:
        for _ in range(num_new_tokens):
            logits = model(ids[:, -block_size:])[:, -1]
            if do_sample:
                logits = logits.double() / temperature
                if top_k is not None and top_k < logits.shape[-1]:
                    bar = logits.sort(-1, descending=True).values[:, top_k - 1, None]
                    logits = torch.where(logits < bar, -torch.inf, logits)
                logits = logits + gumbel_like(logits, generator)
            ids = torch.cat((ids, logits.argmax(-1)[:, None]), -1)
    finally:
        model.train(training)
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    logits, targets = logits[:, :-1], tokens[:, 1:]
    counted = targets != ignore_index
    chosen = logits.gather(-1, targets.masked_fill(~counted, 0).unsqueeze(-1)).squeeze(-1)
    losses = logits.logsumexp(-1) - chosen
    return losses[counted].sum() / counted.sum()


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return lm_loss(model(input_ids), input_ids)
