"""Which file is graded as which exercise: exact names first, then meant ones, then definitions, never a guess."""

from __future__ import annotations

import json

import pytest

from grader.submission.intake.match import matched

from .packing import ATTENTION, MASKING, STUB, WANTED, Data, items

OTHER = "def attention(q):\n    return 2\n"
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": ATTENTION}], "nbformat": 4})


def matching(files: dict[str, Data]) -> tuple[dict[str, str | None], list[str]]:
    found = matched(items(files), WANTED, {})
    return {name: file.text for name, file in found.files.items()}, found.problems


@pytest.mark.parametrize(
    "files",
    [
        {"attention.py": ATTENTION, "masking.py": MASKING},
        {"exercises/attention.py": ATTENTION, "exercises/masking.py": MASKING, "README.md": "#"},
        {"hw/week 3/attention.py": ATTENTION, "hw/week 3/masking.py": MASKING, "hw/week 3/model_args.py": "x"},
        {"a.zip/attention.py": ATTENTION, "b.zip/masking.py": MASKING},
        {"exercises/attention.py": ATTENTION, "exercises/masking.py": MASKING, "solutions/attention.py": OTHER,
         "tests/exercises/test_attention.py": "", "grader/cli/main.py": ""},
    ],
    ids=["top", "exercises", "wrapped", "two archives", "whole repository"],
)  # fmt: skip
def test_exact_names_need_no_word(files: dict[str, Data]) -> None:
    assert matching(files) == ({"attention": ATTENTION, "masking": MASKING}, [])


MEANT = ["Attention.py", "attention (1).py", "attention-2.py", "hw3_attention.py", "attention_final.py", "attention.PY"]


@pytest.mark.parametrize("file", MEANT)
def test_a_name_that_means_it_is_said(file: str) -> None:
    assert matching({file: "x = 1\n"}) == (
        {"attention": "x = 1\n"},
        [f"{file} is graded as attention: no file is called attention.py."],
    )
    text, problems = matching({file: OTHER, "attention.py": ATTENTION})
    assert (text, problems) == ({"attention": ATTENTION}, [f"{file} is not graded: attention.py is."])


def test_definitions_are_said() -> None:
    assert matching({"my_attn.py": ATTENTION, "notes.txt": "attention"}) == (
        {"attention": ATTENTION},
        ["my_attn.py is graded as attention: it defines softmax, attention."],
    )


def test_definitions_in_a_file_that_does_not_parse() -> None:
    broken = f"{ATTENTION}\ndef broken(:\n"
    assert matching({"x.py": broken})[0] == {"attention": broken}


def test_definitions_deeper_than_the_margin_do_not_count() -> None:
    assert matching({"x.py": "class A:\n    def attention(self): ...\ns = '''\ndef softmax(x): ...\n'''\n"}) == (
        {},
        ["Not graded, as no exercise by name or by what is defined: x.py."],
    )


def test_one_file_of_everything_is_graded_as_each() -> None:
    found, problems = matching({"all.py": ATTENTION + MASKING})
    assert found == dict.fromkeys(("attention", "masking"), ATTENTION + MASKING)
    assert problems == [
        "all.py is graded as attention: it defines softmax, attention.",
        "all.py is graded as masking: it defines causal_mask.",
    ]


def test_a_notebook_under_another_name() -> None:
    found = matched(items({"Homework 3.ipynb": NOTEBOOK}), WANTED, {})
    assert (found.files["attention"].notebook, found.files["attention"].file) == (True, "Homework 3.ipynb")
    assert found.problems == ["Homework 3.ipynb is graded as attention: it defines softmax, attention."]


@pytest.mark.parametrize(
    "files",
    [
        {"attention (1).py": ATTENTION, "attention_final.py": OTHER},
        {"a.py": ATTENTION, "b.py": OTHER},
        {"a/attention.py": ATTENTION, "b/attention.py": OTHER},
        {"a/attention.ipynb": NOTEBOOK, "b/attention.ipynb": NOTEBOOK.replace("return", "return  ")},
    ],
)
def test_of_two_that_could_be_it_none_is_graded(files: dict[str, Data]) -> None:
    found, problems = matching(files)
    assert found == {}
    assert problems == [
        f"attention is not graded: more than one file could be it ({', '.join(files)}). "
        "Keep one, and call it attention.py."
    ]


def test_two_of_the_same_content_are_one() -> None:
    assert matching({"attention (1).py": ATTENTION, "attention (2).py": ATTENTION})[0] == {"attention": ATTENTION}
    assert matching({"a/attention.py": ATTENTION, "b/attention.py": ATTENTION}) == (
        {"attention": ATTENTION},
        ["b/attention.py is not graded: a/attention.py is."],
    )


def test_a_notebook_stands_in_for_a_stub_only() -> None:
    found = matched(items({"attention.py": STUB, "attention.ipynb": NOTEBOOK}), WANTED, {})
    assert found.files["attention"].notebook
    found = matched(items({"attention.py": ATTENTION, "attention.ipynb": NOTEBOOK}), WANTED, {})
    assert not found.files["attention"].notebook
    assert found.problems == []  # the same code
    found = matched(items({"attention.py": OTHER, "attention.ipynb": NOTEBOOK}), WANTED, {})
    assert not found.files["attention"].notebook
    assert found.problems == [
        "attention.py and attention.ipynb are both there and differ: attention.py is graded, the notebook is not. "
        "To have the notebook graded, put the stub back into attention.py (`grade reset attention`), or delete it."
    ]


def test_the_top_wins_and_the_rest_is_named() -> None:
    found, problems = matching({"attention.py": ATTENTION, "exercises/attention.py": OTHER, "old/attention.py": OTHER})
    assert found == {"attention": ATTENTION}
    assert problems == [
        "attention.py is there twice: the one at the top is graded, exercises/attention.py is not.",
        "old/attention.py is not graded: attention.py is.",
    ]


def test_many_strangers_are_one_sentence() -> None:
    _, problems = matching({"attention.py": ATTENTION, **{f"plot{n}.py": "x" for n in range(8)}})
    names = "plot0.py, plot1.py, plot2.py, plot3.py, plot4.py … 3"
    assert problems == [f"Not graded, as no exercise by name or by what is defined: {names}."]


def test_unreadable_files_are_no_candidates() -> None:
    assert matching({"x.py": b"\0def attention(): ..."}) == (
        {},
        ["x.py cannot be read: line 1 holds a NUL byte, so it is not text; save it as UTF-8."],
    )
