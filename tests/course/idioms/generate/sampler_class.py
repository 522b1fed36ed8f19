"""Settings of the draw in a dataclass, the loss in an nn.Module; both functions only make one and call it."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Sampler:
    temperature: float
    top_k: int | None
    generator: torch.Generator | None

    def keep(self, logits: Tensor) -> Tensor:
        if self.top_k is None or self.top_k >= logits.shape[-1]:
            return torch.ones_like(logits, dtype=torch.bool)
        kept = torch.zeros_like(logits, dtype=torch.bool)
        return kept.scatter(-1, logits.topk(self.top_k).indices, True)

    def __call__(self, logits: Tensor) -> Tensor:
        masked = torch.where(self.keep(logits), logits / self.temperature, torch.tensor(float("-inf")).to(logits))
        return torch.multinomial(nn.functional.softmax(masked, -1), num_samples=1, generator=self.generator)


class Greedy:
    def __call__(self, logits: Tensor) -> Tensor:
        return torch.argmax(logits, dim=-1, keepdim=True)


class NextTokenLoss(nn.Module):
    def __init__(self, ignore_index: int = -100) -> None:
        super().__init__()
        self.cross_entropy = nn.CrossEntropyLoss(ignore_index=ignore_index)

    def forward(self, logits: Tensor, tokens: Tensor) -> Tensor:
        V = logits.size(-1)
        return self.cross_entropy(logits[:, :-1].contiguous().view(-1, V), tokens[:, 1:].contiguous().view(-1))


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
    choose = Sampler(temperature, top_k, generator) if do_sample else Greedy()
    mode = model.training
    model.eval()
    with torch.no_grad():
        for _ in range(num_new_tokens):
            ids = torch.cat([ids, choose(model(ids[:, -block_size:])[:, -1])], dim=1)
    model.train(mode)
    return ids


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    return NextTokenLoss(ignore_index)(logits, tokens)


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    return NextTokenLoss()(model(input_ids), input_ids)
