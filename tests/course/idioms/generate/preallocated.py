"""The answer is allocated whole and filled in; top-k by scatter; the loss of (B, V, T - 1) against (B, T - 1)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@torch.inference_mode()
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
    B, T = ids.shape
    mode = model.training
    model.eval()
    answer = ids.new_empty(B, T + num_new_tokens)
    answer[:, :T] = ids
    for end in range(T, T + num_new_tokens):
        logits = model(answer[:, max(0, end - block_size) : end])[:, -1, :]
        if not do_sample:
            answer[:, end] = logits.argmax(dim=1)
            continue
        logits = logits / temperature
        if top_k is not None:
            best = logits.topk(min(top_k, logits.size(1)), dim=1)
            logits = torch.full_like(logits, -torch.inf).scatter(1, best.indices, best.values)
        answer[:, end] = torch.multinomial(F.softmax(logits, dim=1), 1, generator=generator).squeeze(1)
    model.train(mode)
    return answer


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], ignore_index=ignore_index)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    logits = model(input_ids[:, :-1])
    return F.cross_entropy(logits.permute(0, 2, 1), input_ids[:, 1:])
