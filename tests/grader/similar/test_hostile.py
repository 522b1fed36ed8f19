"""Whatever the text, reading it ends soon, and never in a traceback."""

from __future__ import annotations

import pytest

from grader.similar import tree, words
from grader.similar.fingerprints import Place
from grader.similar.page import sides
from grader.similar.pairs import compare
from grader.similar.regions import regions
from grader.similar.shallow import is_shallow
from grader.submission.model import SourceFile

DEEP = {
    "brackets": "x = " + "(" * 10_000 + ")" * 10_000,
    "brackets never closed": "x = " + "[" * 20_000,
    "signs": "x = " + "-" * 20_000 + "1",
    "a sum": "x = a" + " + a" * 10_000,
    "a sum over lines": "x = (a\n" + "+ a\n" * 10_000 + ")",
    "a sum over joined lines": "x = a \\\n" + "+ a \\\n" * 8_000 + "+ a",
    "branches": "if x:\n    y\n" + "elif x:\n    y\n" * 3_000,
    "a choice": "x = " + "a if b else " * 5_000 + "c",
    "attributes": "x" + ".a" * 20_000,
    "calls": "x" + "()" * 20_000,
    "a formatted text": 'x = f"{' + "(" * 10_000 + '}"',
    "blocks": "\n".join(" " * n + "if x:" for n in range(600)),
    "strings never closed": "x = '''" + "'\"" * 20_000,
}
ODD = {
    "nothing": "",
    "a NUL": "x = 1\0",
    "a surrogate": "x = '\ud800'",
    "an odd escape": r"x = '\d'",
    "one line": "x;" * 99,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=list(DEEP))
def test_a_deep_text_is_read_as_words(text: str) -> None:
    assert tree.units(text) is None
    assert sum(map(len, words.units(text))) <= len(text)


@pytest.mark.parametrize("text", [*DEEP.values(), *ODD.values()], ids=[*DEEP, *ODD])
def test_two_students_with_it_are_compared_and_shown(text: str) -> None:
    files = {student: SourceFile("x", text) for student in ("ada", "ben")}
    for shared in compare("x", files, [""]).values():
        left, right = sides(shared)
        assert len(left) == len(right) <= 400


def test_ordinary_code_is_not_taken_for_deep() -> None:
    for text in (
        '"""Half open: [0, 1)."""\n' * 200,
        "x = (\n    1,\n" + "    2,\n" * 100 + ")\n",
        "x = 'a" + "b" * 5000 + "'\n",
    ):
        assert is_shallow(text)


def test_passages_that_lie_together_are_one_region() -> None:
    text = "def f(x):\n    y = x.sum(0) + x.mean(1)\n    z = y * y - 2\n    return z.sqrt() / y\n"
    files = {"ada": SourceFile("x", text), "ben": SourceFile("x", "import a\n\n\n" + text)}
    (shared,) = compare("x", files, []).values()
    (region,) = regions(shared.passages)
    assert (region.left, region.right) == (Place(1, 4), Place(4, 7))


def test_a_line_of_a_notebook_is_named_as_its_reader_finds_it() -> None:
    text = "def f(x):\n    y = x.sum(0) + x.mean(1)\n    z = y * y - 2\n    return z.sqrt() / y\n"
    notebook = SourceFile("x", text, notebook=True, spans=((1, "cell 3", 5),))
    (shared,) = compare("x", {"ada": notebook, "ben": SourceFile("x", text)}, []).values()
    left, right = sides(shared)
    assert (left[0].where, right[0].where) == ("3:5", "1")
