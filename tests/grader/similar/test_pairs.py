"""Pairs are found whatever was changed at no cost, and what everybody has is no evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.disguises import DISGUISES, all_of_it
from benchmarks.similarity import answers, measure, table
from grader.catalogue.folder import stub_of
from grader.catalogue.load import load_course
from grader.similar.course import pairs
from grader.similar.pairs import FEW, Shared, common_above, compare
from grader.submission.model import SourceFile, Submission

ROOT = Path(__file__).parents[3]
COURSE = load_course(ROOT)
ORIGINAL = answers(COURSE, "attention")[0]
OTHERS = {f"other {n}": text for n, text in enumerate(answers(COURSE, "attention")[1:5])}


def compared(**texts: str) -> dict[tuple[str, str], Shared]:
    files = {student: SourceFile("attention", text) for student, text in (OTHERS | texts).items()}
    return compare("attention", files, [stub_of(COURSE, "attention")])


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=list(DISGUISES))
def test_a_copy_in_disguise_comes_first_by_far(disguise: Callable[[str, int], str]) -> None:
    found = compared(ada=ORIGINAL, ben=disguise(ORIGINAL, 7))
    best, *rest = sorted(found.values(), key=lambda shared: -shared.score)
    assert found["ada", "ben"] == best
    assert all(best.score > 5 * other.score for other in rest)


def test_names_may_be_of_any_script() -> None:
    mine = (
        "def 求和(甲, 乙):\n    丙 = 甲 * 乙 + 甲\n    丁 = [ж - 丙 for ж in 乙 if ж > 3]\n    return 丙, 丁, max(丁)\n"
    )
    yours = "def f(a, b):\n    c = a * b + a\n    d = [e - c for e in b if e > 3]\n    return c, d, max(d)\n"
    files = {"梅": SourceFile("x", mine), "ada": SourceFile("x", yours)}
    (shared,) = compare("x", files, []).values()
    assert len(shared.passages) == shared.own


def test_a_file_that_is_no_python_is_compared_by_its_words() -> None:
    broken = all_of_it(ORIGINAL, 3) + "\ndef broken(:\n"
    found = compared(ada=ORIGINAL, ben=broken)
    assert found["ada", "ben"].as_text
    assert found["ada", "ben"] == max(found.values(), key=lambda shared: shared.score)


def test_what_was_given_is_no_evidence() -> None:
    files = {student: SourceFile("attention", ORIGINAL) for student in ("ada", "ben")}
    assert compare("attention", files, [])
    assert not compare("attention", files, [ORIGINAL])
    stub = {student: SourceFile("attention", stub_of(COURSE, "attention")) for student in ("ada", "ben")}
    assert not compare("attention", stub, [stub_of(COURSE, "attention")])


def test_what_many_have_is_no_evidence_and_what_few_have_is_however_small_the_class() -> None:
    def ring(members: int) -> dict[tuple[str, str], Shared]:
        files = {str(n): SourceFile("attention", all_of_it(ORIGINAL, n)) for n in range(members)}
        return compare("attention", files, [])

    assert (common_above(14), common_above(1000)) == (FEW, 50)
    assert len(ring(FEW)) == FEW * (FEW - 1) / 2
    assert {passage.held for shared in ring(FEW).values() for passage in shared.passages} >= {FEW}
    assert not any(passage.held > FEW for shared in ring(FEW + 1).values() for passage in shared.passages)


def test_the_order_is_the_same_whatever_the_order_of_the_submissions() -> None:
    texts = {**OTHERS, "ada": ORIGINAL, "ben": all_of_it(ORIGINAL, 1), "梅": all_of_it(ORIGINAL, 2)}
    made = [Submission(s, {"attention": SourceFile("attention", text)}) for s, text in texts.items()]
    said: list[str] = []
    once = pairs(COURSE, ["attention"], made, said.append)
    again = pairs(COURSE, ["attention"], made[::-1], said.append)
    assert once == again
    assert said == ["attention", "attention"]


def test_right_answers_written_apart_rank_below_every_copy() -> None:
    for disguise in ("all of these", "and half of the expressions"):
        measured = measure(COURSE, COURSE.graded, disguise)
        assert measured.found == len(measured.copies) > 50
        assert measured.precision == 1
        assert min(measured.copies) > 3 * max(measured.apart)


def test_the_page_on_it_shows_what_was_measured() -> None:
    text = (ROOT / "docs" / "similarity.md").read_text("utf-8")
    assert "\n".join(table(COURSE, COURSE.graded)) in text
