"""GitHub's commands: escaped, short enough, few enough, and on the student's own lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.ci.annotations import annotate
from grader.ci.workflow_commands import LONG, MOST, Annotation, Quiet, command, output
from grader.results.schema import Results

from .imitation import FORGERIES, obeyed

FILES = {
    "scale": ("exercises/scale.py", "import torch\n\n\ndef task_0(x):\n    return x\n\n\nclass task_1:\n    pass\n")
}


@pytest.mark.parametrize("text", ["a%0Ab", "a\r\nb::c", "title=x,file=y::z", "100 %25", *FORGERIES])
def test_what_is_escaped_comes_back_as_one_command(text: str) -> None:
    (found,) = obeyed(command(Annotation("error", text, text, "a,b:c.py", 3)))
    assert found.name == "error"
    assert found.properties["file"] == "a,b:c.py"
    assert found.properties["line"] == "3"
    if "\x1b" not in text and "##" not in text and "\r" not in text:
        assert (found.message, found.properties["title"]) == (text, text)


@pytest.mark.parametrize("letter", ["x", "\U0001f600", "%"])
def test_a_message_is_cut_as_the_runner_counts(letter: str) -> None:
    (found,) = obeyed(command(Annotation("error", "t", letter * 5000)))
    assert LONG - 2 <= len(found.message.encode("utf-16-le")) // 2 <= LONG


def test_no_output_can_end_its_own_value() -> None:
    first, second = output("points", "1\nresult<<x"), output("points", "1")
    assert first.splitlines()[1:-1] == ["1", "result<<x"]
    assert first.splitlines()[-1] == first.splitlines()[0].partition("<<")[2] != second.splitlines()[-1]


def test_a_token_is_never_used_twice() -> None:
    assert Quiet().token != Quiet().token


def test_the_line_is_where_the_code_raised_else_where_the_task_begins(made: Callable[..., Results]) -> None:
    raised = annotate(made([(0, 1)], where=" (scale.py, line 5: `return x`)"), FILES)[0]
    assert (raised.file, raised.line) == ("exercises/scale.py", 5)
    begins = [a.line for a in annotate(made([(0, 1), (0, 1)]), FILES) if a.level == "error"]
    assert begins == [4, 8]


@pytest.mark.parametrize(
    "where", [" (scale.py, line 99: `x`)", " (other.py, line 2: `x`)", " (scale.ipynb, cell 1, line 2: `x`)"]
)
def test_a_line_that_is_not_in_the_file_is_not_named(made: Callable[..., Results], where: str) -> None:
    assert annotate(made([(0, 1)], where=where), FILES)[0].line in (0, 4)


def test_ten_of_a_level_and_the_last_says_how_many_more(made: Callable[..., Results]) -> None:
    errors = [a for a in annotate(made([(0, 1)] * 25), {}) if a.level == "error"]
    assert len(errors) == MOST
    assert errors[-1].message.startswith("16 more")
    assert len([a for a in annotate(made([(0, 1)] * 10), {}) if a.level == "error"]) == 10


def test_a_low_level_is_a_warning(made: Callable[..., Results]) -> None:
    assert [a.level for a in annotate(made([(1, 1)], level=0), {})] == ["warning", "notice"]
    assert [a.level for a in annotate(made([(1, 1)]), {})] == ["notice"]
