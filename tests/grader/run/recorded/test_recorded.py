"""Answers written down, and found again by their questions; nothing else has an answer."""

from __future__ import annotations

import json
import types
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from grader.errors import CourseError, UsageError
from grader.run.diagnosis.answers import Answer
from grader.run.diagnosis.landmarks import Landmark, Way
from grader.run.recorded.book import Book, read_book
from grader.run.recorded.digest import Digest
from grader.run.recorded.plain import decode, encode
from grader.run.recorded.transport import Recorded, Recorder
from grader.subject.failure import NotRecorded
from grader.subject.local import Local
from grader.subject.proxy import Given, Opaque, Proxy


class Cell(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.w = nn.Linear(width, width, bias=False)
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return torch.as_tensor(self.w(x)) * self.calls


def double(x: Tensor) -> Tensor:
    return x * 2


def sides() -> tuple[Proxy, Proxy]:
    """One that records, and one that answers from what the first has recorded so far."""
    module = types.ModuleType("m")
    module.__dict__.update(Cell=Cell, double=double)
    book = Book()
    recorder = Recorder(Local(module, frozenset({"Cell"})), book.answers, book.keep)
    return Proxy(recorder), Proxy(Recorded(book.answer_to))


def two_cells(side: Proxy, order: str) -> list[Tensor]:
    """Two objects, with a weight each, asked in this order."""
    side.start_case(3)
    cells = {}
    for name, scale in (("a", 1.0), ("b", 2.0)):
        cells[name] = side.construct("Cell", 2)
        cells[name].load({"w.weight": torch.eye(2) * scale})
    return [cells[name](torch.ones(1, 2)) for name in order]


def digest(value: object) -> str:
    found = Digest({})
    found.add(value)
    return found.hex()


def test_what_was_answered_is_answered_again() -> None:
    real, told = sides()
    answers = [real.call("double", torch.ones(2)), *two_cells(real, "ab"), *two_cells(real, "aab")]
    again = [told.call("double", torch.ones(2)), *two_cells(told, "ab"), *two_cells(told, "aab")]
    assert all(map(torch.equal, answers, again))
    assert answers[1].tolist() != answers[2].tolist()


def test_objects_may_be_asked_in_another_order_but_not_more_often() -> None:
    real, told = sides()
    two_cells(real, "ab")
    assert [a.tolist() for a in two_cells(told, "ba")] == [a.tolist() for a in two_cells(real, "ba")]
    with pytest.raises(NotRecorded):
        two_cells(told, "aa")


@pytest.mark.parametrize("x", [torch.ones(3), torch.ones(2, 1), torch.full((2,), 1.5), torch.ones(2).double()])
def test_another_question_has_no_answer(x: Tensor) -> None:
    real, told = sides()
    real.call("double", torch.ones(2))
    with pytest.raises(NotRecorded):
        told.call("double", x)


def test_another_seed_is_another_question() -> None:
    real, told = sides()
    real.call("double", torch.ones(2))
    told.seed = 1
    with pytest.raises(NotRecorded):
        told.call("double", torch.ones(2))


def test_what_was_recorded_cannot_be_changed_through_an_answer() -> None:
    real, told = sides()
    real.call("double", torch.ones(2)).fill_(0.0)
    told.call("double", torch.ones(2)).fill_(0.0)
    assert told.call("double", torch.ones(2)).tolist() == [2.0, 2.0]


def test_the_last_bits_of_float64_are_the_machines_own() -> None:
    x = torch.tensor([1.0, -3.7, 1e-30, 1e300, 0.0], dtype=torch.float64)
    up = torch.nextafter(x, torch.full_like(x, torch.inf))
    up[4] = 0.0
    assert digest(x) == digest(up)
    assert digest(1.0) == digest(1.0 + 2**-52)
    assert digest(x) != digest(x * (1 + 1e-6))
    assert digest(x.float()) != digest(torch.nextafter(x.float(), torch.zeros(5)))


def test_order_in_memory_does_not_matter_and_kind_does() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert digest(x) == digest(x.T.contiguous().T)
    different = [x, x.long(), [x], (x,), {"x": x}, Given("mask", (x,)), 1, True, "1", None, 1.0, torch.float32]
    assert len({digest(value) for value in different}) == len(different)
    with pytest.raises(TypeError, match="of which there is no digest"):
        digest(object())


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, 1 << 70, -0.5, float("inf"), "…", b"\xff", torch.float64, [], (), {},
        {0: (1, [2]), "b": None, (1, 2): b"".decode()}, Opaque("module"),
    ],
)  # fmt: skip
def test_plain_values_come_back_as_they_were(value: object) -> None:
    tree = json.loads(json.dumps(encode(value, {})))
    back = decode(tree, {})
    assert back == value
    assert type(back) is type(value)


def test_tensors_come_back_bit_for_bit_and_equal_ones_are_kept_once(tmp_path: Path) -> None:
    kinds = (torch.float64, torch.float32, torch.bfloat16, torch.int64, torch.bool)
    values = [torch.arange(6).reshape(2, 3).to(kind) for kind in kinds]
    values += [values[0].T, values[0].clone(), torch.zeros(0, 3), torch.tensor(torch.nan)]
    book = Book()
    key = book.keep(values)
    assert len(book.tensors) == len(values) - 1
    book.save(tmp_path / "a.safetensors")
    back = read_book(tmp_path / "a.safetensors").value(key)
    for mine, other in zip(values, back, strict=True):
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
        assert mine.contiguous().view(-1).tolist() == other.view(-1).tolist() or mine.isnan().all()


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(CourseError, match="cannot be recorded"):
        encode(object(), {})


def test_two_bugs_at_once_come_back_and_only_where_no_single_one_answers_so(tmp_path: Path) -> None:
    def told(*values: object) -> list[Answer]:
        return [Answer({"": value}) for value in values]

    book = Book()
    for name, values in {"": (1, 2, 3), "a": (7, 2, 3), "b": (1, 8, 3)}.items():
        book.keep_probed("t", name, told(*values))
    book.keep_pair("t", ("a", "b"), told(7, 8, torch.ones(2)))
    for same in ((1, 2, 3), (7, 2, 3)):
        book.keep_pair("t", ("b", "a"), told(*same))
    assert list(book.pairs["t"]) == ["a b"]
    assert book.pairs["t"]["a b"][:2] == [0, 1], "as the first answers alone, and as the second"
    book.save(tmp_path / "a.safetensors")
    again = read_book(tmp_path / "a.safetensors")
    back = again.probed_pair("t", ("a", "b"))
    assert back is not None
    assert [answer.parts[""] for answer in back][:2] == [7, 8]
    assert again.probed_pair("t", ("b", "a")) is None


def test_ways_and_probes_come_back(tmp_path: Path) -> None:
    book = Book(probes={"t": {"": []}}, ways={"t": []})
    marks = [Landmark("scores", torch.ones(2), ()), Landmark("out", torch.zeros(2), (0,))]
    way = Way(marks, [torch.ones(3)], Answer({}))
    book.ways["t"].append([book.keep_way(way)])
    book.probes["t"][""].append(book.keep({"raised": "ValueError"}))
    book.save(tmp_path / "a.safetensors")
    again = read_book(tmp_path / "a.safetensors")
    (back,) = again.ways_of("t", 0)
    assert [(mark.name, mark.parents, mark.value.tolist()) for mark in back.landmarks] == [
        ("scores", (), [1.0, 1.0]),
        ("out", (0,), [0.0, 0.0]),
    ]
    assert again.probed("t", "", 0) == Answer({"raised": "ValueError"})


def test_a_book_of_other_random_numbers_is_refused(tmp_path: Path) -> None:
    Book(draws="other", torch="9.9.9+cpu").save(tmp_path / "a.safetensors")
    with pytest.raises(UsageError, match=r"install torch 9\.9\.9\."):
        read_book(tmp_path / "a.safetensors")
