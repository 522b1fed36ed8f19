"""A notebook with more than one exercise in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.submission.files import MOST_OTHERS, exercises_in, read_folder, read_source
from grader.submission.model import Submission
from grader.submission.notebook.extract import answered_in, from_history
from grader.submission.notebook.read import Broken
from grader.submission.notebook.several import defines

Write = Callable[..., Path]
TASKS = {"masking": ["mask", "masked"], "attention": ["softmax", "Heads"], "encoder": ["Layer"]}
MASKING = "def mask(n): return n\n\ndef masked(x): return mask(x)"
ATTENTION = "def helper(x): return x\n\ndef softmax(x): return masked(helper(x))\n\nclass Heads: pass"


def notebook(*sources: str) -> bytes:
    rows = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    return json.dumps({"cells": rows, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()


def lines(submission: Submission, name: str) -> list[str]:
    return [line for line in (submission.files[name].text or "").split("\n") if line]


def test_an_exercise_is_defined_by_any_of_its_tasks() -> None:
    assert defines(notebook(ATTENTION, "mask = 1", MASKING), TASKS) == ["masking", "attention"]
    assert defines(notebook("def mask(): pass"), TASKS) == ["masking"]
    assert defines(notebook("x = mask(1)", "if 1:\n    def mask(): pass"), TASKS) == []
    with pytest.raises(Broken):
        defines(b"{", TASKS)


def test_what_answers_another_exercise_is_imported_from_there_if_it_is_needed(write: Write, tmp_path: Path) -> None:
    write("ada/week1.ipynb", notebook(MASKING, ATTENTION))
    submission = read_folder(tmp_path / "ada", list(TASKS), "ada", tasks=TASKS)
    assert lines(submission, "masking")[:2] == ["def mask(n): return n", "def masked(x): return mask(x)"]
    assert lines(submission, "attention") == [
        "from exercises.masking import masked",
        "def helper(x): return x",
        "def softmax(x): return masked(helper(x))",
        "class Heads: pass",
    ]
    assert [file.file for file in submission.files.values()] == ["week1.ipynb"] * 2
    assert ("week1.ipynb, cell 2", 1) in [span[1:] for span in submission.files["attention"].spans]
    assert submission.problems == (
        "week1.ipynb: masking is graded as its cells define it; there is no other answer to it.",
        "week1.ipynb: attention is graded as its cells define it; there is no other answer to it.",
    )


def test_a_file_of_its_own_name_comes_first_unless_it_is_the_stub(write: Write, tmp_path: Path) -> None:
    write("ada/exercises/week1.ipynb", notebook(MASKING, ATTENTION))
    write("ada/week2.ipynb", notebook(ATTENTION, "class Layer: pass"))
    write("ada/masking.py", b"mine")
    write("ada/attention.py", b"the stub")
    submission = read_folder(tmp_path / "ada", list(TASKS), "ada", lambda name, text: text == "the stub", TASKS)
    assert {name: file.file for name, file in submission.files.items()} == {
        "masking": "masking.py", "attention": "week1.ipynb", "encoder": "week2.ipynb",
    }  # fmt: skip
    assert read_folder(tmp_path / "ada", list(TASKS), "ada").files.keys() == {"masking", "attention"}


def test_a_notebook_that_defines_nothing_or_is_broken_is_none_of_ours(write: Write, tmp_path: Path) -> None:
    write("ada/plots.ipynb", notebook("x = 1"))
    write("ada/broken.ipynb", b"{")
    write("ada/encoder.py", b"class Layer: pass")
    submission = read_folder(tmp_path / "ada", list(TASKS), "ada", tasks=TASKS)
    assert list(submission.files) == ["encoder"]
    assert submission.problems == ()
    assert exercises_in(tmp_path / "ada" / "broken.ipynb", TASKS) == []
    broken = read_source(tmp_path / "ada" / "broken.ipynb", "encoder", TASKS)
    assert (broken.file, broken.text) == ("broken.ipynb", None)
    assert "no notebook" in (broken.problem or "")


def test_a_kernel_answers_an_exercise_when_it_has_defined_all_of_it() -> None:
    whole = [(1, MASKING), (2, ATTENTION)]
    helper = [(1, "def masked(x, more): return x"), (2, ATTENTION)]
    assert answered_in(whole, TASKS) == ["masking", "attention"]
    assert answered_in(helper, TASKS) == ["attention"]
    texts = [(file.text or "") if (file := from_history(h, "attention", "", TASKS)) else "" for h in (whole, helper)]
    assert ["from exercises.masking import masked" in text for text in texts] == [True, False]
    assert ["def masked" in text for text in texts] == [False, True]


def test_only_so_many_notebooks_are_looked_into(write: Write, tmp_path: Path) -> None:
    for number in range(MOST_OTHERS):
        write(f"ada/a{number}.ipynb", notebook("x = 1"))
    write("ada/week1.ipynb", notebook(MASKING))
    assert read_folder(tmp_path / "ada", list(TASKS), "ada", tasks=TASKS).files == {}
    (tmp_path / "ada" / "a0.ipynb").unlink()
    assert list(read_folder(tmp_path / "ada", list(TASKS), "ada", tasks=TASKS).files) == ["masking"]
