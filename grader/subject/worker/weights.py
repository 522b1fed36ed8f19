"""Put the reference's weights into a student's module: by name, or through the file's own load_weights.

All or none: names and shapes of the whole tree are compared before the first number is written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

Adapter = Callable[[nn.Module, dict[str, Tensor]], Any]

# The notes' own names, and the ones two of them disagree about, each to one spelling.
ALIASES = {
    "a_2": "weight", "b_2": "bias", "gamma": "weight", "beta": "bias",
    "weight_matrix_of_query": "wq", "weight_matrix_of_key": "wk", "weight_matrix_of_value": "wv",
    "weight_matrix_to_output": "wo", "w_q": "wq", "w_k": "wk", "w_v": "wv", "w_o": "wo",
    "weight_matrix_1": "w1", "weight_matrix_2": "w2",
    "attention_norm_layer": "attention_norm", "attention_norm_layer_1": "attention_norm_1",
    "attention_norm_layer_2": "attention_norm_2", "fnn_norm_layer": "fnn_norm", "ffn_norm": "fnn_norm",
    "ffn_norm_layer": "fnn_norm",
}  # fmt: skip


class StructureError(Exception):
    """The module cannot take the weights; `code` and `values` are those of a check."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


@dataclass
class Loaded:
    """Where the weights went: by name to a parameter, or through adapters."""

    parameters: dict[str, nn.Parameter] = field(default_factory=dict)
    copies: list[tuple[nn.Parameter, Tensor]] = field(default_factory=list)
    adapters: list[tuple[Adapter, nn.Module, dict[str, Tensor]]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)


def load(
    module: nn.Module, task: str, weights: dict[str, Tensor], tree: dict[str, str], tasks: frozenset[str]
) -> Loaded:
    """Fill `module`. `tree`: paths of the reference's sub-modules that are tasks."""
    plan = Loaded()
    _plan(plan, module, "", weights, tree, tasks)
    for name in plan.missing:
        value = _plain_attribute(module, name)
        if isinstance(value, Tensor) and not isinstance(value, nn.Parameter):
            raise StructureError("unregistered", task=task, what="a plain tensor", path=name)
    if plan.missing or plan.unexpected:
        names = {"missing": ", ".join(plan.missing) or "none", "unexpected": ", ".join(plan.unexpected) or "none"}
        raise StructureError("wrong_structure", task=task, **names)
    for name, parameter in plan.parameters.items():
        if parameter.shape != weights[name].shape:
            shapes = {"got": list(parameter.shape), "want": list(weights[name].shape)}
            raise StructureError("wrong_parameter_shape", task=task, name=name, **shapes)
    with torch.no_grad():
        for parameter, value in plan.copies:
            parameter.copy_(value)
        for adapter, owner, values in plan.adapters:
            adapter(owner, {name: value.clone() for name, value in values.items()})
    return plan


def directional(
    module: nn.Module, task: str, weights: dict[str, Tensor], tree: dict[str, str], tasks: frozenset[str],
    gradients: dict[nn.Parameter, Tensor | None], directions: dict[str, Tensor],
) -> dict[str, Tensor]:  # fmt: skip
    """For each named weight alone: <gradient, load(w + d) - load(w)>, for modules filled by an adapter."""
    before = {p: p.detach().clone() for p in gradients}
    found = {}
    for name, d in directions.items():
        load(module, task, {**weights, name: weights[name] + d}, tree, tasks)
        terms = [(g * (p.detach() - before[p])).sum().double() for p, g in gradients.items() if g is not None]
        found[name] = torch.stack(terms).sum() if terms else torch.tensor(0.0, dtype=torch.float64)
    load(module, task, weights, tree, tasks)
    return found


def task_tree(module: nn.Module, tasks: frozenset[str]) -> dict[str, str]:
    """Paths of the sub-modules, below `module` itself, whose class is a task."""
    return {path: type(sub).__name__ for path, sub in module.named_modules() if path and _is_task(sub, tasks)}


def _is_task(module: nn.Module, tasks: frozenset[str]) -> bool:
    """PyTorch has classes of the same names: LayerNorm, Embedding."""
    return type(module).__name__ in tasks and not type(module).__module__.startswith("torch.")


def _plan(
    plan: Loaded,
    module: nn.Module,
    prefix: str,
    weights: dict[str, Tensor],
    tree: dict[str, str],
    tasks: frozenset[str],
) -> None:
    rest, done = dict(weights), []
    for path in _outermost(tree):
        sub = _submodule(module, path)
        if sub is None or not _is_task(sub, tasks):
            continue
        inner = {n.removeprefix(path + "."): w for n, w in weights.items() if n.startswith(path + ".")}
        below = {p.removeprefix(path + "."): t for p, t in tree.items() if p.startswith(path + ".")}
        _plan(plan, sub, f"{prefix}{path}.", inner, below, tasks)
        rest = {n: w for n, w in rest.items() if not n.startswith(path + ".")}
        done.append(sub)
    adapter = _adapter_of(module, tasks)
    if adapter is not None:
        named = Loaded()
        _by_name(named, module, prefix, rest, done)
        if not named.missing and not named.unexpected and all(p.shape == w.shape for p, w in named.copies):
            plan.copies += named.copies  # the adapter may be meant for another class of the file
        plan.adapters.append((adapter, module, rest))
    else:
        _by_name(plan, module, prefix, rest, done)


def _by_name(plan: Loaded, module: nn.Module, prefix: str, weights: dict[str, Tensor], done: list[nn.Module]) -> None:
    taken = {id(p) for sub in done for p in sub.parameters()}
    theirs = {_canonical(name): (name, p) for name, p in module.named_parameters() if id(p) not in taken}
    for name, value in weights.items():
        if _canonical(name) not in theirs:
            plan.missing.append(prefix + name)
            continue
        _, parameter = theirs.pop(_canonical(name))
        plan.parameters[prefix + name] = parameter
        plan.copies.append((parameter, value))
    plan.unexpected += [prefix + name for name, _ in theirs.values()]


def _adapter_of(module: nn.Module, tasks: frozenset[str]) -> Adapter | None:
    if not _is_task(module, tasks):
        return None
    return getattr(sys.modules.get(type(module).__module__), "load_weights", None)


def _submodule(module: nn.Module, path: str) -> nn.Module | None:
    """By the reference's path, under any of the names that mean the same."""
    here: nn.Module | None = module
    for part in path.split("."):
        children = dict(here.named_children()) if here is not None else {}
        here = next((child for name, child in children.items() if _canonical(name) == _canonical(part)), None)
    return here


def _plain_attribute(module: nn.Module, name: str) -> Any:
    """What stands under a missing parameter's name, if something does."""
    value: Any = module
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _outermost(tree: dict[str, str]) -> list[str]:
    return [p for p in tree if not any(p.startswith(other + ".") for other in tree)]


def _canonical(name: str) -> str:
    return ".".join(ALIASES.get(part, part) for part in name.split("."))
