"""Probes: fixed questions to one task, on which known bugs differ from the right answer and from each other.

A probe is no check: nothing is right or wrong in it. It returns all that can be seen of an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.run.suite.cases import Case, Table, make_case
from grader.subject.proxy import Module, Proxy

Ask = Callable[[Proxy, Proxy, Case], Any]


@dataclass(frozen=True)
class Probe:
    """`ask(side, reference, case)` asks `side`; the reference is there for the shapes of weights."""

    task: str
    name: str
    table: Table
    ask: Ask

    def cases(self) -> list[Case]:
        """Without the course's salt: a probe's answers explain, and earn nothing."""
        return [make_case(f"probe.{self.name}", i, row, salt=b"") for i, row in enumerate(self.table)]


def probe(task: str, table: Table) -> Callable[[Ask], Probe]:
    """Make the function below a probe of `task`, asked once per row of `table`."""
    return lambda ask: Probe(task, ask.__name__, table, ask)


def fill(side: Proxy, reference: Proxy, case: Case, task: str, *args: Any, **kwargs: Any) -> Module:
    """An instance of the class `task` on `side`, with the case's weights, in eval mode."""
    shapes = reference.construct(task, *args, **kwargs)
    weights = case.weights({p.name: p.shape for p in shapes.parameters()})
    return side.filled(task, *args, weights=weights, tree=shapes.tree(), **kwargs)
