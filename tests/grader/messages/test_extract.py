"""Which texts of a file are found, and under which template."""

from __future__ import annotations

import io

from grader.messages import extract


def found(source: str, **options: str) -> list[str]:
    rows = extract.python(io.BytesIO(source.encode()), {}, [], options)
    return [text for _, _, text, _ in rows if isinstance(text, str)]


def test_marks_in_any_form() -> None:
    assert found('_("one"); N_("two"); N_(f"three {x}")') == ["one", "two", "three {x}"]
    assert found('_("one "\n  "sentence")') == ["one sentence"]


def test_plurals_belong_together() -> None:
    (row,) = extract.python(io.BytesIO(b'ngettext("{n} check", "{n} checks", n)'), {}, [], {})
    assert row[1:3] == ("ngettext", ("{n} check", "{n} checks"))


def test_fields_are_called_after_what_stands_in_them() -> None:
    assert found('raise UsageError(f"No {name!r} in {self.place}, {len(x)} {{here}}")') == [
        "No {name} in {place}, {value5} {{here}}"
    ]


def test_constants_of_the_module_stand_for_their_value() -> None:
    assert found('INNER = "exercises"\nraise UsageError(f"{INNER} is missing")') == ["exercises is missing"]


def test_only_our_own_exceptions_speak_to_readers() -> None:
    assert found('raise ValueError("as many as were sent")') == []
    assert found('raise CourseError("a mark without its partner")') == []


def test_values_of_a_sentence() -> None:
    assert found('fail("wrong_type", what="the answer", got=kind(x))') == ["the answer"]
    assert found('x = {"what": "the mask", "index": "not shown"}') == ["the mask"]
    assert found('hint = f"The nearest is {name}." if name else ""') == ["The nearest is {name}."]


def test_help_of_commands() -> None:
    source = '''
@click.command("x", epilog="Example: `grade x`")
@click.option("--y", help="What y is.")
def command(y):
    """First line.

    Second
    paragraph.
    """
'''
    assert sorted(found(source)) == ["Example: `grade x`", "First line.\n\nSecond\nparagraph.", "What y is."]


def test_phrases_of_a_suite_are_all_that_have_a_blank() -> None:
    source = '''
def test_x(subject, case):
    """A title, which is found by another method."""
    holds(ok, f"With {case.T} positions it is not.")
    same(x, y, ("the weights",), "float32", {"kind": "large", "where": "a b"})
'''
    texts = set(found(source, phrases="yes"))
    assert texts == {"With {T} positions it is not.", "the weights", "large", "a b"}


def test_titles_and_tables_of_a_course() -> None:
    suite = b'def test_x():\n    """It holds,\n    and more.\n\n    Not this."""\ndef helper():\n    """Nor this."""\n'
    assert [row[2] for row in extract.titles(io.BytesIO(suite), {}, [], {})] == ["It holds, and more."]
    tasks = b'[[tasks]]\nname = "n"\nhints = ["a", " b\\n", "c"]\n[tasks.checks.x]\nhelp = "h"\n'
    table = b'title = "T"\nsummary = "S"\n' + tasks
    assert [row[2] for row in extract.table(io.BytesIO(table), {}, [], {})] == ["T", "S", "a", "b", "c", "h"]
    bugs = b'[[bugs]]\nname = "n"\nwhat = "w"\nwhy = "y"\nhint = "h"\nfind = "f"\n'
    assert [row[2] for row in extract.table(io.BytesIO(bugs), {}, [], {})] == ["w", "y", "h"]
