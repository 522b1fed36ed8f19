"""Things the grader hands to the student's code: callables, parameters, a tokenizer, a small language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .tokenizer import GivenTokenizer


def halve(x: Tensor) -> Tensor:
    return x * 0.5


def fixed_mask(mask: Tensor) -> Callable[[Tensor], Tensor]:
    """A dropout that always drops the same places: multiplies by `mask`."""
    return lambda x: x * mask.to(x.dtype)


def polynomial(a: float, b: float, c: float) -> Callable[[Any], Any]:
    """z -> a + b z + c z², entry by entry, of tensors, arrays and plain numbers alike."""
    return lambda z: a + b * z + c * z * z


class GivenParameters:
    """Parameters that are handed in. What became of them is told afterwards."""

    def told(self) -> Any:
        raise NotImplementedError


class GivenLeaves(GivenParameters):
    """Parameters whose .grad is set, or None, as a model's parameters() after backward().

    `once`: as a generator, it can be gone through one time only.
    """

    def __init__(self, values: list[Tensor], grads: list[Tensor | None], once: bool) -> None:
        self._parameters = [nn.Parameter(value.clone()) for value in values]
        for parameter, grad in zip(self._parameters, grads, strict=True):
            parameter.grad = None if grad is None else grad.clone()
        self._once = iter(self._parameters) if once else None

    def __iter__(self) -> Iterator[nn.Parameter]:
        return iter(self._parameters) if self._once is None else self._once

    def told(self) -> list[list[Tensor | None]]:
        """Of each: value and gradient."""
        return [[parameter.detach(), parameter.grad] for parameter in self._parameters]


class GivenStateDict(dict[str, Tensor], GivenParameters):
    """A model's parameters by name.

    Once it is told, its tensors are overwritten with NaN: a model that shares their memory shows it from then on.
    """

    def __init__(self, tensors: dict[str, Tensor]) -> None:
        super().__init__({name: tensor.clone() for name, tensor in tensors.items()})
        self._own = [tensor for tensor in self.values() if tensor.is_floating_point()]

    def told(self) -> dict[str, Any]:
        after = {name: value.detach().clone() if isinstance(value, Tensor) else value for name, value in self.items()}
        for tensor in self._own:
            tensor.detach().fill_(torch.nan)
        return after


GIVEN: dict[str, Callable[..., Any]] = {
    "halve": lambda: halve,
    "mask": fixed_mask,
    "parameters": GivenLeaves,
    "polynomial": polynomial,
    "state_dict": GivenStateDict,
    "tokenizer": GivenTokenizer,
}


class Sign(nn.Module):
    """Negates in train mode: a part of the model, as dropout would be, that has a mode of its own."""

    def forward(self, x: Tensor) -> Tensor:
        return -x if self.training else x


class GivenModel(nn.Module):
    """Token ids (B, T) -> logits (B, T, V) that depend on every id seen so far, and on the mode.

    logits at t = now[ids[t]] + sum over s <= t of 0.7^(t - s) past[ids[s]]; negated by its part `sign` in train mode,
    so that a forgotten eval() shows, also one that does not reach the parts. More than `block_size` ids are refused.
    Every call is recorded.

    `pair`: it is called, and answers, as the course's Transformer does: (logits, loss), without targets the last
    position's logits and None. What it reads is the target, and where there is none the source.
    """

    def __init__(self, now: Tensor, past: Tensor, block_size: int, pair: bool = False) -> None:
        super().__init__()
        self.now = nn.Parameter(now)
        self.past = nn.Parameter(past)
        for parameter in self.parameters():  # as an earlier backward() left it, for an optimiser still to come
            parameter.grad = torch.ones_like(parameter)
        self.block_size = block_size
        self.pair = pair
        self.sign = Sign()
        self.calls: list[list[Any]] = []

    def forward(
        self, src: Tensor, tgt: Tensor | None = None, targets: Tensor | None = None, src_mask: Tensor | None = None
    ) -> Any:
        logits = self._logits(src if tgt is None else tgt)
        if not self.pair:
            return logits
        if targets is None:
            return logits[:, -1:], None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)

    def _logits(self, ids: Tensor) -> Tensor:
        batch, length = ids.shape
        if length > self.block_size:
            raise ValueError(f"the model takes at most block_size={self.block_size} ids, got {length}")
        mode = any(m.training for m in self.modules())
        self.calls.append([length, mode, torch.is_grad_enabled(), batch, torch.initial_seed()])
        steps = torch.arange(length, device=ids.device)
        age = steps[:, None] - steps[None, :]  # (T, T)
        decay = torch.where(age >= 0, 0.7 ** age.clamp(min=0).to(self.past.dtype), 0.0)
        logits = self.now[ids] + decay.to(self.past.dtype) @ self.past[ids]  # (B, T, V)
        return torch.as_tensor(self.sign(logits))  # (B, T, V)

    def record(self) -> dict[str, Any]:
        """Its mode now (train if all of it is), frozen parameters, what became of the .grad they were made with.

        Of each call: length, mode, grad mode, batch, and the seed of torch's own stream.
        """
        frozen = sum(not p.requires_grad for p in self.parameters())
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in self.parameters()]
        numbers = {number for g in grads for number in g.flatten().tolist()}
        known = "as it was" if numbers == {1.0} else "cleared" if numbers == {0.0} else ""
        return {
            "training": all(m.training for m in self.modules()),
            "frozen": frozen,
            "grads": known or ("scaled" if len(numbers) == 1 else "other numbers"),
            "calls": list(self.calls),
        }
