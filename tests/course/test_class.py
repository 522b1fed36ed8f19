"""The sample class: what each student earns, in which task points are lost, and what the student reads there."""

from __future__ import annotations

import codecs
import html
import io
import re
from dataclasses import dataclass

import pytest
from rich.console import Console, RenderableType

from grader.report import student_page, terminal
from grader.report.words import sentence
from grader.results.schema import Check, Results
from grader.submission.discover import discover

from .conftest import Grade
from .sample_class import CLASS, CORE, COURSE


def tasks(*names: str) -> set[str]:
    """Every task of these exercises."""
    return {task.name for name in names for task in COURSE.exercise(name).tasks}


@dataclass(frozen=True)
class Expected:
    """`lost`: the tasks with a check that costs points. The rest is about the first such check, in the course's order.

    `tells`: the check whose title and help name the mistake; it failed as well.
    """

    points: float
    lost: frozenset[str] | set[str] = frozenset()
    first: str = ""
    code: str = ""
    says: str = ""
    tells: str = ""


CLASSMATES = {
    "ada": Expected(100),
    "ben": Expected(0, tasks(*CORE), "masking.causal_mask_values", "not_started", " is not written yet."),
    "chloe": Expected(
        52,
        {"PositionalEncoding"} | tasks("encoder", "decoder", "generate"),
        "positional_encoding.encoding_values",
        "not_started",
        "PositionalEncoding.forward is not written yet.",
    ),
    "dmitri": Expected(
        94, {"attention"}, "attention.attention_values", "wrong_value", "the output should be",
        tells="attention.attention_scale",
    ),
    "elif": Expected(
        95.5, {"masked_softmax"}, "masking.masked_softmax_values", "wrong_value", "the weights should be 0.0, got 1.0",
        tells="masking.masked_softmax_values",
    ),
    "fatima": Expected(
        91, {"LayerNorm"}, "layer_norm.layer_norm_values", "wrong_value", "the output should be",
        tells="layer_norm.layer_norm_biased_variance",
    ),
    "goran": Expected(
        94, {"MultiHeadAttention"}, "attention.mha_heads", "wrong_value", "the output should be",
        tells="attention.mha_heads",
    ),
    "hana": Expected(
        93, {"EncoderLayer"}, "encoder.encoder_layer_identity", "wrong_value", ", got 0.0 (",
        tells="encoder.encoder_layer_identity",
    ),
    "ivan": Expected(
        96, {"lm_loss"}, "generate.lm_loss_values", "wrong_scalar", "should be",
        tells="generate.lm_loss_next_token",
    ),
    "kofi": Expected(
        84, tasks("encoder"), "encoder.mlp_values", "syntax_error",
        "encoder.py is not valid Python: expected ':' (encoder.py, line 14: `def forward(self, x)`)",
    ),
    "lena": Expected(
        92, {"generate"}, "generate.generate_greedy", "cpu_timeout",
        "generate used more than 2.0 s of computing time and was stopped.",
    ),
    "oskar": Expected(
        34, tasks(*CORE) - tasks("attention", "layer_norm"), "masking.causal_mask_values", "missing_file",
        "There is no file masking.py.",
    ),
    "priya": Expected(
        82, {"Encoder"} | tasks("generate"), "encoder.encoder_values", "raised",
        "NameError: name 'elf' is not defined. Did you mean: 'self'? (encoder.py, line 41: `for layer in elf.layers:`)",
    ),
    "梅": Expected(100),
}  # fmt: skip


def lost(results: Results) -> list[Check]:
    """The checks that cost points; one that is worth none, or is blocked, costs none."""
    return [check for exercise in results.exercises for check in exercise.checks if check.points < check.possible]


def test_everyone_in_the_folder_is_expected() -> None:
    assert [submission.student for submission in discover(CLASS, CORE)] == sorted(CLASSMATES)


@pytest.mark.parametrize("student", CLASSMATES)
def test_points_are_lost_in_the_tasks_with_the_mistake_and_nowhere_else(graded: Grade, student: str) -> None:
    results, expected = graded(student), CLASSMATES[student]
    assert {check.task for check in lost(results)} == expected.lost
    assert (results.points, results.possible) == (expected.points, 100)
    assert not results.problems


@pytest.mark.parametrize("student", [name for name, expected in CLASSMATES.items() if expected.lost])
def test_the_first_check_that_failed_says_what_is_wrong(graded: Grade, student: str) -> None:
    failed, expected = lost(graded(student)), CLASSMATES[student]
    assert (failed[0].id, failed[0].code) == (expected.first, expected.code)
    assert expected.says in failed[0].message
    assert not expected.tells or expected.tells in {check.id for check in failed}


@pytest.mark.parametrize("student", [name for name, expected in CLASSMATES.items() if expected.lost])
def test_every_sentence_can_be_read(graded: Grade, student: str) -> None:
    for check in lost(graded(student)):
        assert re.search(r"(\.|\))$", check.message), check.message
        assert not re.search(r"[{}]|<|\bNone\b", check.message), check.message
        assert check.title
        assert check.help


NEXT = "Next: fix exercises/positional_encoding.py, then `grade positional_encoding`. Stuck? `grade hint …`."


def lines(what: RenderableType, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
    console.print(what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("student", CLASSMATES)
def test_what_the_terminal_says_fits_into_a_small_window(graded: Grade, student: str, width: int) -> None:
    """`grade`, which shows the first exercise to mend above the table, and `grade NAME` for each."""
    results = graded(student)
    for exercise in results.exercises:
        for below in (terminal.standing(results, NEXT), terminal.progress(results, NEXT)):
            said = lines(terminal.answer(exercise, below), width)
            assert len(said) < 25, "\n".join(said)
            assert max(len(line) for line in said) <= width
            assert "points" in said[0]
        assert len(lines(terminal.exercise(exercise), width)) < 25


@pytest.mark.parametrize("student", [name for name, expected in CLASSMATES.items() if expected.code])
def test_the_page_says_what_the_terminal_leaves_out(graded: Grade, student: str) -> None:
    results = graded(student)
    page = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", student_page.render(results))))
    for exercise in results.exercises:
        for check in (check for check in exercise.checks if check.status == "failed"):
            assert " ".join(sentence(check).replace("`", "").split()) in page.replace("`", ""), check.message


def test_one_bad_file_leaves_those_that_import_it_alone(graded: Grade) -> None:
    """kofi's decoder imports the MLP of the file that is not valid Python."""
    decoder = next(exercise for exercise in graded("kofi").exercises if exercise.name == "decoder")
    assert decoder.status == "passed"


def test_a_missing_helper_file_is_named_with_the_line(graded: Grade) -> None:
    sentences = {check.message for check in lost(graded("priya")) if check.task in tasks("generate")}
    assert len(sentences) == 1
    assert "No module named 'exercises.sampling' (generate.py, line 4: `from exercises." in sentences.pop()


def test_the_files_of_a_windows_editor_are_still_as_it_wrote_them() -> None:
    for path in sorted((CLASS / "梅").glob("*.py")):
        data = path.read_bytes()
        assert data.startswith(codecs.BOM_UTF8), path.name
        assert data.count(b"\n") == data.count(b"\r\n") > 10, path.name
        assert re.search("[一-龥]", data.decode("utf-8-sig")), path.name
