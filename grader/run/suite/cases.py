"""Finite tables of cases, and the decorator that runs a check on every one of them, smallest first.

A case names its dimensions; its numbers come from a seed made of the course's salt, the check and the case's index.
So a verdict is the same on every machine, and the first case that fails is the smallest one.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, example, given, seed, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.subject.proxy import Proxy

_salt = b""


def set_salt(salt: bytes) -> None:
    """Use `salt` for every case from now on. Official runs keep theirs secret, so inputs cannot be foreseen."""
    global _salt
    _salt = salt


@dataclass(frozen=True)
class Table:
    """An ordered, finite set of cases: dicts of dimensions and a kind, smallest first."""

    rows: tuple[dict[str, Any], ...]

    @classmethod
    def of(cls, *rows: dict[str, Any]) -> Table:
        return cls(rows)

    def where(self, **wanted: Any) -> Table:
        """The rows whose entries equal all of `wanted`."""
        return Table(tuple(r for r in self.rows if all(r.get(k) == v for k, v in wanted.items())))

    def __add__(self, other: Table) -> Table:
        return Table(self.rows + other.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Case:
    """One row of a table, and a private stream of random numbers for it. `case.T` reads the row's entry T."""

    check: str
    index: int
    dims: dict[str, Any]
    generator: torch.Generator = field(compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.dims[name]
        except KeyError:
            raise AttributeError(
                f"case {self.index} of {self.check} has no entry {name!r}, only {sorted(self.dims)}"
            ) from None

    @property
    def seed(self) -> int:
        """A seed for the student's process: torch, random and numpy are seeded with it before every call."""
        return self.generator.initial_seed() % 2**31

    def again(self) -> Case:
        """The same case with its stream at the start."""
        return replace(self, generator=torch.Generator().manual_seed(self.generator.initial_seed()))

    def normal(self, *shape: int, scale: float = 1.0, mean: float = 0.0, dtype: torch.dtype | None = None) -> Tensor:
        """Normal numbers. Drawn in float64 and rounded, so float32 and float64 cases see the same values."""
        draws = torch.randn(shape, generator=self.generator, dtype=torch.float64) * scale + mean
        return draws.to(dtype or self.dims.get("dtype", torch.float32))

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """Integers of low <= n < high, int64."""
        return torch.randint(low, high, shape, generator=self.generator)

    def shuffled(self, n: int) -> Tensor:
        """A permutation of 0 … n - 1."""
        return torch.randperm(n, generator=self.generator)

    def weights(self, shapes: dict[str, tuple[int, ...]]) -> dict[str, Tensor]:
        """Weights that hide nothing: std 0.6, norm scales around 1 (a default initialisation hides bugs, BUGS 6.3)."""
        return {name: self._weight(name, shape) for name, shape in shapes.items()}

    def _weight(self, name: str, shape: tuple[int, ...]) -> Tensor:
        norm_scale = len(shape) == 1 and name.endswith("weight")
        return self.normal(
            *shape, scale=0.4 if norm_scale else 0.6, mean=1.0 if norm_scale else 0.0, dtype=torch.float32
        )


def make_case(check: str, index: int, dims: dict[str, Any], salt: bytes | None = None) -> Case:
    """The case at `index` of `check`, with its stream at the start: two calls give equal numbers."""
    start = hashlib.sha256((_salt if salt is None else salt) + f"|{check}|{index}".encode()).digest()[:8]
    return Case(check, index, dims, torch.Generator().manual_seed(int.from_bytes(start, "big") >> 1))


_PROFILE = settings(
    phases=(Phase.explicit,),
    derandomize=True,
    database=None,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def cases(table: Table) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run the check below once per row of `table`, in order, with the row as its argument `case`.

    Every row is an explicit Hypothesis example over its index: none is left out, none is drawn twice, and the first
    failure is the smallest, so there is nothing to shrink (docs/decisions.md).
    """
    rows = list(table)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        name = f"{check.__module__.rpartition('.')[2]}.{check.__name__}"

        @functools.wraps(check)
        def at_index(*args: Any, index: int, **kwargs: Any) -> None:
            case = make_case(name, index, rows[index])
            forget_case()
            _current.update(rows[index])
            for value in kwargs.values():
                if isinstance(value, Proxy):
                    value.start_case(case.seed)
            check(*args, case=case, **kwargs)

        at_index.__signature__ = _renamed(inspect.signature(check), "case", "index")  # type: ignore[attr-defined]
        test: Any = given(index=st.integers(0, len(rows) - 1))(at_index)
        for index in reversed(range(len(rows))):  # the decorator applied last runs first
            test = example(index=index)(test)
        # A fixed seed, or Hypothesis would derive one from the source text at every run.
        return seed(0)(_PROFILE(test))  # type: ignore[no-any-return]

    return decorate


def _renamed(signature: inspect.Signature, old: str, new: str) -> inspect.Signature:
    """pytest and Hypothesis read a test's arguments from its signature."""
    parameters = [p.replace(name=new) if p.name == old else p for p in signature.parameters.values()]
    return signature.replace(parameters=[p.replace(kind=p.KEYWORD_ONLY) if p.name == new else p for p in parameters])


_current: dict[str, Any] = {}


def current_dims() -> dict[str, Any]:
    """The row that ran last: what a failing check failed on."""
    return dict(_current)


def forget_case() -> None:
    _current.clear()
