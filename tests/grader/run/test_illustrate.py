"""The numbers of the pictures, asked of right code, of wrong code and of code that does not answer."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from grader.catalogue.load import load_course
from grader.results.schema import Check, Picture
from grader.run.illustrate import QUESTIONS, pictures
from grader.subject.failure import CheckFailed, NotStarted, SubjectLost
from grader.subject.local import Local
from grader.subject.proxy import Proxy

COURSE = load_course(Path(__file__).parents[3], configured=False)


class Pool:
    """As much of a SubjectPool as is needed, on a module of this process."""

    def __init__(self, module: ModuleType | SimpleNamespace, seconds: float = 0.0) -> None:
        self.proxy = Proxy(Local(module, frozenset(COURSE.tasks)))  # type: ignore[arg-type]
        self.seconds = seconds
        self.closed = False

    def start_check(self, check: str) -> None:
        self.proxy.start_case()

    def cpu_seconds(self) -> float:
        return self.seconds

    def close(self) -> None:
        self.closed = True


def check(exercise: str, task: str, status: Any = "passed", **more: Any) -> Check:
    return Check(id=f"{exercise}.c", task=task, title="", status=status, points=0, possible=1, **more)


def drawn(exercise: str, module: Any, checks: list[Check] | None = None) -> list[Picture]:
    pool: Any = Pool(module)
    found = pictures(COURSE.exercise(exercise), checks or [], lambda _: pool)
    assert pool.closed or not found
    return found


def reference(name: str) -> ModuleType:
    import importlib

    return importlib.import_module(f"solutions.{name}")


@pytest.mark.parametrize("name", sorted({q.exercise for q in QUESTIONS}))
def test_the_references_have_all_their_pictures(name: str) -> None:
    found = drawn(name, reference(name))
    assert [p.kind for p in found] == [q.kind for q in QUESTIONS if q.exercise == name]
    assert all(len(a.values) <= 24 * 24 for p in found for a in p.arrays)


def test_what_they_show_is_what_the_code_answers() -> None:
    causal, padding = drawn("masking", reference("masking"))
    assert causal.arrays[0].values == torch.ones(7, 7).tril().flatten().tolist()
    assert padding.arrays[0].values == [float(word != "·") for word in padding.words]
    plain, masked = drawn("attention", reference("attention"))
    rows = torch.tensor(plain.arrays[0].values).view(7, 7)
    assert torch.allclose(rows.sum(-1), torch.ones(7), atol=1e-3)
    assert not torch.tensor(masked.arrays[0].values).view(7, 7).triu(1).any()
    (norm,) = drawn("layer_norm", reference("layer_norm"))
    after = torch.tensor(norm.arrays[1].values).view(5, 8)
    assert torch.allclose(after.std(-1, correction=0), torch.ones(5), atol=1e-3)


def test_wrong_code_is_shown_as_it_is() -> None:
    module = SimpleNamespace(causal_mask=lambda size: torch.ones(size, size), padding_mask=lambda ids, pad: ids == pad)
    causal, padding = drawn("masking", module)
    assert set(causal.arrays[0].values) == {1.0}
    assert padding.arrays[0].values == [float(word == "·") for word in padding.words]


@pytest.mark.parametrize(
    "answer", [None, "mask", torch.ones(7), torch.ones(8, 7), torch.ones(7, 7, dtype=torch.cfloat)]
)
def test_an_answer_of_another_form_has_no_picture(answer: Any) -> None:
    module = SimpleNamespace(causal_mask=lambda size: answer, padding_mask=reference("masking").padding_mask)
    assert [p.kind for p in drawn("masking", module)] == ["padding"]


@pytest.mark.parametrize(("error", "left"), [
    (CheckFailed("raised", {}), ["padding"]), (NotStarted("causal_mask"), ["padding"]), (SubjectLost("killed", {}), []),
])  # fmt: skip
def test_code_that_does_not_answer_has_none(error: BaseException, left: list[str]) -> None:
    def causal_mask(size: int) -> None:
        raise error

    module = SimpleNamespace(causal_mask=causal_mask, padding_mask=reference("masking").padding_mask)
    assert [p.kind for p in drawn("masking", module)] == left


def test_nothing_is_asked_of_what_is_not_written_cannot_run_or_never_ends() -> None:
    checks = [
        check("masking", "causal_mask", "not_started"),
        check("masking", "padding_mask", "failed", code="missing_name"),
    ]
    assert drawn("masking", SimpleNamespace(), checks) == []
    endless = [check("layer_norm", "LayerNorm", "failed", code="cpu_timeout", reason="time-out")]
    assert drawn("layer_norm", SimpleNamespace(), endless) == []


def test_nothing_is_asked_when_the_time_is_used_up() -> None:
    exercise = COURSE.exercise("masking")
    pool: Any = Pool(reference("masking"), seconds=exercise.limits.exercise + 1)
    assert pictures(exercise, [], lambda _: pool) == []
