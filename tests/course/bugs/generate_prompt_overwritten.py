"""A known bug: the window of the context is a view of the prompt, and moves along inside it."""

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
    model.eval()
    answer = ids.clone()
    window = ids[:, -block_size:]
    with torch.no_grad():
        for _ in range(num_new_tokens):
            logits = model(window)[:, -1]
            if do_sample:
                logits = logits / temperature
                if top_k is not None:
                    kth = logits.topk(min(top_k, logits.shape[-1]))[0][:, -1:]
                    logits = logits.masked_fill(logits < kth, float("-inf"))
                new = torch.multinomial(logits.softmax(-1), 1, generator=generator)
            else:
                new = logits.argmax(-1, keepdim=True)
            answer = torch.cat([answer, new], dim=1)
            if window.shape[1] < block_size:
                window = torch.cat([window, new], dim=1)
            else:
                window[:, :-1] = window[:, 1:].clone()
                window[:, -1:] = new
    model.train(was_training)
    return answer


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    predictions = logits[:, :-1].flatten(0, 1)  # (B * (T - 1), V)
    targets = tokens[:, 1:].flatten()  # (B * (T - 1),): one step ahead of the predictions
    return F.cross_entropy(predictions, targets, ignore_index=ignore_index)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return lm_loss(model(input_ids), input_ids)
