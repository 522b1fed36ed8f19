"""A Python generator yields column after column; top-k is a mask made by comparing every two logits."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def stream(model, ids, block_size, choose):
    while True:
        new = choose(model(ids[:, -block_size:])[:, -1])
        yield new
        ids = torch.cat([ids, new], dim=1)[:, -block_size:]


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
    def draw(logits: Tensor) -> Tensor:
        if top_k is not None:
            larger = (logits[:, None, :] > logits[:, :, None]).sum(-1)  # (B, V): how many are above each
            logits = logits.masked_fill(larger >= top_k, -torch.inf)
        return torch.multinomial(F.softmax(logits / temperature, dim=-1), 1, generator=generator)

    def best(logits: Tensor) -> Tensor:
        return logits.argmax(-1, keepdim=True)

    mode = model.training
    model.eval()
    with torch.no_grad():
        tokens = stream(model, ids, block_size, draw if do_sample else best)
        answer = torch.cat([ids, *(next(tokens) for _ in range(num_new_tokens))], dim=1)
    model.train(mode)
    return answer


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    log_p = torch.log_softmax(logits, -1)[:, :-1]
    total, count = 0.0, 0
    for t in range(log_p.shape[1]):
        counted = tokens[:, t + 1] != ignore_index
        rows = counted.nonzero()[:, 0]
        total = total - log_p[rows, t, tokens[rows, t + 1]].sum()
        count += len(rows)
    return total / count


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return lm_loss(logits=model(input_ids), tokens=input_ids)
