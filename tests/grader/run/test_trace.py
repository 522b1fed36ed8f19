"""Where a forward first goes wrong: which line is shown, what is said of it, and what is set beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.run.engine import Engine

from .test_diagnosis import COURSE, grade, noted


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(COURSE, COURSE.names) as made:
        yield made


def test_the_first_value_that_is_never_made_is_shown_with_its_line(engine: Engine) -> None:
    find = "powers = torch.exp(scale(x, factor))\n    return powers / powers.sum(-1, keepdim=True)"
    replace = "p = torch.exp(scale(x, factor))\n    total = p.sum(-1, keepdim=True)\n    return p / (total + 0.5)"
    results = grade(engine, scale=(find, replace))
    (note,) = results.exercises[0].notes
    assert note.code == "right_until"
    assert (note.values["missing"], note.values["line"]) == ("output", 18)
    assert "Look at line 19 of scale.py: `return p / (total + 0.5)`" in note.message
    assert note.evidence is not None
    assert note.evidence.expected is not None
    assert note.evidence.expected.shape == [2, 3]


def test_a_value_of_the_reference_s_name_that_is_another_one_is_shown(engine: Engine) -> None:
    edit = ("torch.exp(scale(x, factor))", "torch.exp(scale(x, factor) * 1.5)")
    note = grade(engine, scale=edit).exercises[0].notes[0]
    line = "Your `powers` is another one than the reference's: line 17, `powers = torch.exp(scale(x, factor) * 1.5)`."
    assert note.message == line
    assert note.evidence is not None
    assert note.evidence.got is not None
    assert note.evidence.got.label == "yours, line 17"


def test_a_line_that_begins_right_and_ends_wrong_is_shown(engine: Engine) -> None:
    edit = ("torch.exp(scale(x, factor))", "torch.exp(scale(x, factor)) + 0.1")
    note = grade(engine, scale=edit).exercises[0].notes[0]
    assert note.message == (
        "In line 17 your numbers leave the reference's: `powers = torch.exp(scale(x, factor)) + 0.1`. Its `output` "
        "appears nowhere in your code."
    )


def test_what_is_nearest_to_the_missing_value_is_shown_beside_it(engine: Engine) -> None:
    """The line goes on to something else: the reference's powers are set beside what they should have been made of."""
    find = "powers = torch.exp(scale(x, factor))\n    return powers / powers.sum(-1, keepdim=True)"
    note = (
        grade(engine, scale=(find, "p = torch.exp(scale(x, factor)) @ torch.eye(3) * 0\n    return p"))
        .exercises[0]
        .notes[0]
    )
    assert note.code == "leaves_in"
    assert note.evidence is not None
    assert note.evidence.got is not None
    assert any(note.evidence.got.values)


def test_what_is_left_out_at_the_end_is_missed_after_the_last_line(engine: Engine) -> None:
    """Nothing wrong comes after it: it is shown what should have been made of its own numbers."""
    find = "powers = torch.exp(scale(x, factor))\n    return powers / powers.sum(-1, keepdim=True)"
    note = grade(engine, scale=(find, "return torch.exp(scale(x, factor))")).exercises[0].notes[0]
    assert note.message == (
        "Your numbers are right up to line 17: `return torch.exp(scale(x, factor))`. What the reference makes of them "
        "next, its `output`, appears nowhere in your code."
    )
    assert note.evidence is not None


def test_a_value_without_a_name_is_right_too(engine: Engine) -> None:
    """Half of what makes the reference's `powers` is made."""
    find = "powers = torch.exp(scale(x, factor))\n    return powers / powers.sum(-1, keepdim=True)"
    half = "moved = scale(x, factor)\n    p = torch.exp(moved * 1.5)\n    return p / p.sum(-1, keepdim=True)"
    note = grade(engine, scale=(find, half)).exercises[0].notes[0]
    assert (note.code, note.values["line"]) == ("right_until", 17)
    assert note.message.endswith(" Look at line 18 of scale.py: `p = torch.exp(moved * 1.5)`")


def test_after_an_exception_nothing_more_is_pointed_at(engine: Engine) -> None:
    find = "return powers / powers.sum(-1, keepdim=True)"
    assert noted(grade(engine, scale=(find, "return powers / totals"))) == []
