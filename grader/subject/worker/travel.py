"""Which tensors would be on another device if module and inputs were: the cheap half of the device check.

Everything stays on the CPU. Tensors that would have moved are known one by one, and `x.device` of such a tensor reads
`cpu:0`, an equal place under another name, so that `torch.arange(T, device=x.device)` can be told from
`torch.arange(T)`. A call that mixes both kinds is a suspicion, no verdict: the actor then calls on the `meta` device,
under `LookUps`: that is exact, but its first use makes torch import 800 modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

ELSEWHERE = torch.device("cpu", 0)
HERE = torch.device("cpu")


class Travel(TorchFunctionMode):
    """A context: `clash` is true once a tensor that travels met one that stays behind."""

    def __init__(self, travellers: Iterable[Tensor]) -> None:
        super().__init__()
        self._travels: dict[int, Tensor] = {id(t): t for t in travellers}  # keeps them, so that no id is used twice
        self.clash = False

    def travels(self, tensor: Tensor) -> bool:
        return id(tensor) in self._travels

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func == Tensor.device.__get__:
            return ELSEWHERE if self.travels(args[0]) else HERE
        result = func(*args, **kwargs)
        if self._goes(func, args, kwargs):
            self._travels.update((id(t), t) for t in tensors(result))
        return result

    def _goes(self, func: Any, args: Any, kwargs: dict[str, Any]) -> bool:
        """Whether the result is elsewhere: where it is sent by name, else where its inputs are."""
        if func is Tensor.cpu:
            return False
        named = [p for p in (*args[1:], kwargs.get("device")) if isinstance(p, torch.device)]
        named += [torch.device(p) for p in (*args[1:], kwargs.get("device")) if isinstance(p, str) and p[:3] == "cpu"]
        if named:
            return named[-1] == ELSEWHERE
        if func is Tensor.to and len(args) > 1 and isinstance(args[1], Tensor):
            return self.travels(args[1])
        inputs = {self.travels(t) for t in tensors((*args, *kwargs.values()))}
        self.clash = self.clash or len(inputs) == 2
        return True in inputs


class LookUps(TorchFunctionMode):
    """A context for the `meta` device, which takes indices on the CPU where a GPU refuses them."""

    REFUSED = (F.embedding, torch.index_select, Tensor.index_select, torch.gather, Tensor.gather)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in self.REFUSED and len({t.device for t in tensors((*args, *kwargs.values()))}) > 1:
            raise RuntimeError(f"{func.__name__} wants all tensors on the same device")
        return func(*args, **kwargs)


def tensors(value: Any) -> Iterator[Tensor]:
    """Those in a value, and in its lists and tuples."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors(part)
