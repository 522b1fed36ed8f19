"""References behind the same calls as the student's code, in this process: no wire, no limits."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from grader.subject.worker.actor import Actor


class Local:
    """A transport to the functions and classes of one trusted module."""

    def __init__(self, module: ModuleType, tasks: frozenset[str]) -> None:
        self._module, self._tasks = module, tasks
        self.forget()

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        # The other side gets copies, of a generator its seed: here they must not be changed or used up either.
        if op == "call":
            fields["args"] = [_fresh(v) for v in fields["args"]]
            fields["kwargs"] = {k: _fresh(v) for k, v in fields["kwargs"].items()}
        return self.actor.do(op, seed, fields)

    def forget(self) -> None:
        """Drop all objects made so far; the next one is the first again."""
        self.actor = Actor(lambda task: getattr(self._module, task), self._tasks)


def _fresh(value: Any) -> Any:
    if isinstance(value, torch.Generator):
        return torch.Generator().manual_seed(value.initial_seed())
    return value.clone() if isinstance(value, torch.Tensor) else value
