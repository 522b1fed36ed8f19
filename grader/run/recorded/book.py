"""All recorded answers of one exercise: two files, NAME.safetensors with the tensors and NAME.json with the rest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

from grader.errors import CourseError, UsageError
from grader.results.store import write_atomic
from grader.run.diagnosis.answers import Answer
from grader.run.diagnosis.landmarks import Landmark, Way
from grader.run.recorded.draws import draws
from grader.run.recorded.plain import Tensors, decode, encode

RIGHT = ""  # in the place of a known bug's name


@dataclass
class Book:
    """Equal answers and equal tensors are kept once.

    `answers`: by the digest of a question to the reference, the key of a value. `probes`: by task and known bug, the
    keys of the answers to all cases. `pairs`: the same of two known bugs at once, where these answer as no single one;
    0 or 1 where they answer as the first or the second alone.
    `ways`: by task what the reference makes on its way, case by case, call by call.
    `draws`: of the torch that it was recorded with (draws.py).
    """

    tensors: Tensors = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    probes: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    pairs: dict[str, dict[str, list[str | int]]] = field(default_factory=dict)
    ways: dict[str, list[list[str]]] = field(default_factory=dict)
    torch: str = torch.__version__
    draws: str = field(default_factory=draws)

    def keep(self, value: Any) -> str:
        """The key of a value. Raises CourseError for one that cannot be recorded."""
        tree = encode(value, self.tensors)
        key = hashlib.sha256(json.dumps(tree).encode()).hexdigest()[:16]
        self.values[key] = tree
        return key

    def value(self, key: str) -> Any:
        return decode(self.values[key], self.tensors)

    def answer_to(self, digest: str) -> Any:
        """Raises KeyError for a question that was not recorded."""
        return self.value(self.answers[digest])

    def probed(self, task: str, bug: str, index: int) -> Answer:
        return Answer(self.value(self.probes[task][bug][index]))

    def keep_probed(self, task: str, bug: str, answers: Iterable[Answer]) -> None:
        self.probes.setdefault(task, {})[bug] = [self.keep(answer.parts) for answer in answers]

    def keep_pair(self, task: str, bugs: tuple[str, str], answers: Iterable[Answer]) -> None:
        keys = [self.keep(answer.parts) for answer in answers]
        if keys in self.probes[task].values():
            return
        alone = zip(*(self.probes[task][bug] for bug in bugs), strict=True)
        told = [one.index(key) if key in one else key for key, one in zip(keys, alone, strict=True)]
        self.pairs.setdefault(task, {})[" ".join(bugs)] = told

    def probed_pair(self, task: str, bugs: tuple[str, str]) -> Iterator[Answer] | None:
        """One by one, since most are told by the first; None for two that were not recorded."""
        told = self.pairs.get(task, {}).get(" ".join(bugs))
        if told is None:
            return None
        alone = zip(*(self.probes[task][bug] for bug in bugs), strict=True)
        keys = (one[key] if isinstance(key, int) else key for key, one in zip(told, alone, strict=True))
        return (Answer(self.value(key)) for key in keys)

    def keep_way(self, way: Way) -> str:
        marks = [[mark.name, mark.value, list(mark.parents), list(mark.between)] for mark in way.landmarks]
        return self.keep([marks, way.values, way.answer.parts])

    def ways_of(self, task: str, index: int) -> list[Way]:
        told = [self.value(key) for key in self.ways[task][index]]
        return [
            Way([Landmark(n, v, tuple(p), tuple(b)) for n, v, p, b in marks], values, Answer(parts))
            for marks, values, parts in told
        ]

    def save(self, path: Path) -> None:
        """`path` ends in .safetensors. The same answers give the same bytes."""
        tensors = {name: tensor.contiguous() for name, tensor in sorted(self.tensors.items())}
        write_atomic(path, save(tensors or {"nothing": torch.zeros(0)}))
        rest = {name: value for name, value in vars(self).items() if name != "tensors"}
        write_atomic(path.with_suffix(".json"), json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())


def read_book(path: Path) -> Book:
    """Raises CourseError; UsageError where torch draws other inputs here than the answers were recorded for."""
    try:
        book = Book(load_file(path), **json.loads(path.with_suffix(".json").read_bytes()))
    except (OSError, ValueError, TypeError, SafetensorError) as error:
        raise CourseError(f"{path} cannot be read: {error}. Get the release once more.") from error
    if book.draws != draws():
        recorded, here, wanted = book.torch, torch.__version__, book.torch.partition("+")[0]
        raise UsageError(
            f"This release was recorded with torch {recorded}, and torch {here} draws other random numbers here: "
            f"install torch {wanted}."
        )
    return book
