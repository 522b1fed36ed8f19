"""Find modules and parameters that PyTorch cannot see, because they stand in a plain attribute, list or dict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import Tensor, nn


def unregistered(module: nn.Module) -> list[list[str]]:
    """[path, kind] of everything trainable that is not registered. A second reference to a registered one is fine.

    Constant tensors are not listed: whether they follow the module is asked by a call on another device.
    """
    known = {id(m) for m in module.modules()} | {id(p) for p in module.parameters()} | {id(b) for b in module.buffers()}
    found = []
    for path, owner in module.named_modules():
        for name, value in vars(owner).items():
            if name in ("_parameters", "_buffers", "_modules") or name.endswith("_hooks"):
                continue
            for where, item in _items(value, f"{path}.{name}" if path else name):
                if id(item) not in known and (isinstance(item, nn.Module) or item.requires_grad):
                    what = "a module" if isinstance(item, nn.Module) else "a trainable tensor"
                    found.append([where, what])
    return found[:20]


def _items(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (nn.Module, Tensor)):
        yield path, value
    elif isinstance(value, (list, tuple)) and depth < 3:
        for i, item in enumerate(value[:100]):
            yield from _items(item, f"{path}[{i}]", depth + 1)
    elif isinstance(value, dict) and depth < 3:
        for key, item in list(value.items())[:100]:
            yield from _items(item, f"{path}[{str(key)[:40]!r}]", depth + 1)
