"""Train the student's own GPT on a small text, letter by letter: an illustration, not a check."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from grader.results.schema import Training
from grader.show.student import Files
from grader.show.text import TEXT

SEED = 0
BLOCK, BATCH, RATE = 64, 24, 3e-3
EVERY = 10  # steps between two points of the curve
LAST = 600  # the text is known by heart by then
PROMPT, LETTERS, TEMPERATURE = "the ", 160, 0.5
GUESS = math.log(len(set(TEXT)))  # the loss of a model that knows nothing
Progress = Callable[[int, float, float], None]  # step, loss, share of the time that is used


@dataclass(frozen=True)
class Letters:
    """The letters of a text, as ids."""

    known: str

    def encode(self, text: str) -> Tensor:
        return torch.tensor([self.known.index(letter) for letter in text])

    def decode(self, ids: Tensor) -> str:
        return "".join(self.known[i] for i in ids.tolist())


def train(files: Files, seconds: float, progress: Progress = lambda *_: None) -> Training:
    """As many steps as fit into `seconds`, at most LAST; the losses, and what it writes before and after."""
    gpt, settings = files.get("gpt", "GPT"), files.get("model_args", "ModelArgs")
    letters = Letters("".join(sorted(set(TEXT))))
    ids = letters.encode(TEXT)
    torch.set_num_threads(1)  # so small a model gains nothing from more, and a busy machine loses
    torch.manual_seed(SEED)
    args = settings(
        n_embd=64, dim=64, n_heads=4, n_layer=2, dropout=0.0,
        vocab_size=len(letters.known), block_size=BLOCK, max_seq_len=BLOCK,
    )  # fmt: skip
    with files.running("your GPT"):
        model = gpt(args)
        before = write(model, letters)
        steps, losses = _learn(model, ids, seconds, progress)
        return Training(steps=steps, losses=losses, before=before, after=write(model, letters))


def _learn(model: Any, ids: Tensor, seconds: float, progress: Progress) -> tuple[list[int], list[float]]:
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    began, steps, losses = time.monotonic(), [], []
    model.train()
    for step in range(LAST + 1):
        loss = _loss(model, ids)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        used = (time.monotonic() - began) / seconds
        if step % EVERY == 0:
            steps.append(step)
            losses.append(round(loss.item(), 4))
        progress(step, loss.item(), max(used, step / LAST))
        if used >= 1:
            break
    return steps, losses


def _loss(model: Any, ids: Tensor) -> Tensor:
    """Mean cross entropy of the next letter, over BATCH pieces of the text."""
    starts = torch.randint(len(ids) - BLOCK, (BATCH,))
    pieces = torch.stack([ids[s : s + BLOCK + 1] for s in starts])  # (B, T + 1)
    logits = model(pieces[:, :-1])  # (B, T, V)
    return F.cross_entropy(logits.flatten(0, 1), pieces[:, 1:].flatten())


@torch.no_grad()
def write(model: Any, letters: Letters, prompt: str = PROMPT) -> str:
    """What the model writes after `prompt`, the same on every call."""
    model.eval()
    generator = torch.Generator().manual_seed(SEED)
    ids = letters.encode(prompt)[None]  # (1, T)
    for _ in range(LETTERS):
        logits = model(ids[:, -BLOCK:])[:, -1]  # (1, V)
        chosen = torch.multinomial((logits / TEMPERATURE).softmax(-1), 1, generator=generator)
        ids = torch.cat([ids, chosen], dim=1)
    model.train()
    return letters.decode(ids[0])
