"""Who is whose: never two in one row, and nobody lost."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.report.exports.people import Person, match, plain_name
from grader.report.rows import Row
from grader.results.schema import Environment, Isolation, Origin, Results

NOTHING = Results(
    student="", isolation=Isolation(level=2, name=""), points=0, possible=1, seconds=0, exercises=[],
    environment=Environment(grader="", python="", torch="", platform="", course="", submission="", salt=""),
)  # fmt: skip
SHORT = st.sampled_from(["", "1", "2", "a", "A", "b"])
IDS = st.dictionaries(st.sampled_from(["canvas", "roster", "login", "email"]), SHORT, max_size=3)


def row(student: str, name: str = "", **ids: str) -> Row:
    return Row(
        student, msgspec.structs.replace(NOTHING, student=student, origin=Origin(name=name, ids=ids)), None, None
    )


@given(ours=st.lists(st.tuples(SHORT, IDS), min_size=1, max_size=4), theirs=st.lists(st.tuples(SHORT, IDS), max_size=4))
def test_everyone_is_somewhere_and_no_row_has_two(ours: list[Any], theirs: list[Any]) -> None:
    rows = [row(f"s{n}", name, **ids) for n, (name, ids) in enumerate(ours)]
    people = [Person(n, name, frozenset(ids.items())) for n, (name, ids) in enumerate(theirs)]
    try:
        found = match(rows, people)
    except UsageError:
        return  # nobody fits
    taken = [person.row for _, person in found.pairs]
    assert len(set(taken)) == len(taken)
    told = [one.student for one, _ in found.pairs] + found.strangers + found.unclear
    assert sorted(told) == sorted(one.student for one in rows)
    assert not found.unclear or len(found.pairs) < len(rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lovelace, Ada", "Ada Lovelace"),
        ("ADA  lovelace", "Ada Lovelace"),
        ("Ａda Lovelace", "Ada Lovelace"),
        ("A\u030astro\u0308m, Liv", "Liv Åström"),
        ("梅", "梅"),
    ],
)
def test_a_name_is_the_same_in_every_spelling(one: str, other: str) -> None:
    assert plain_name(one) == plain_name(other)


def test_the_surest_id_wins() -> None:
    people = [Person(1, "A", frozenset({("canvas", "7")})), Person(2, "B", frozenset({("login", "b")}))]
    assert match([row("b", canvas="7")], people).pairs[0][1].row == 1


def test_an_empty_id_is_nobodys() -> None:
    people = [Person(1, "A", frozenset({("roster", "")})), Person(2, "B", frozenset({("login", "b")}))]
    assert match([row("b", roster="")], people).pairs[0][1].row == 2
