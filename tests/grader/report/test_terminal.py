"""What the terminal says: verdicts, totals, the next step, in 24 lines of 80 columns."""

from __future__ import annotations

import io
import unicodedata
from typing import Any

import msgspec
import pytest
from rich.console import Console, RenderableType

from grader.report import terminal
from grader.report.rows import Row
from grader.report.text import clean
from grader.results.schema import Adjustment, Exercise, Results

MARKS = ("──", "✓", "✗", "○", "◇", "?", "!", "…", "  ")


def shown(*what: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    for part in what:
        console.print(part)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"  # type: ignore[attr-defined]


def test_golden(sample: Results, make_class: Any, golden: Any) -> None:
    parts = [terminal.exercise(exercise) for exercise in sample.exercises]
    verbose = terminal.exercise(sample.exercises[1], verbose=True)
    golden("terminal.txt", shown(*parts, verbose, terminal.progress(sample, "Next: grade attention")))
    golden("terminal_class.txt", shown(terminal.class_table(make_class(6))))


def crowded(build: Any, tasks: int, failures: int) -> Exercise:
    """Every task fails in several long ways."""
    evidence = build.part("attention").checks[3].evidence
    checks = [
        build.failure(
            "e", f"task_{t}", f"c{t}_{i}", f"Title {i} of task {t}. " * 3, "value", "wrong_value", "long words " * 40,
            evidence=evidence, help="help " * 50, detail="line\n" * 50,
        )
        for t in range(tasks)
        for i in range(failures)
    ]  # fmt: skip
    return build.exercise("e", "Crowded", "failed", checks, diagnoses=build.part("attention").diagnoses)


@pytest.mark.parametrize("width", [50, 80, 120])
@pytest.mark.parametrize(("tasks", "failures"), [(1, 1), (1, 60), (2, 3), (6, 4), (50, 2)])
def test_an_exercise_fits_into_a_small_window(build: Any, width: int, tasks: int, failures: int) -> None:
    lines = shown(terminal.exercise(crowded(build, tasks, failures)), width=width).splitlines()
    assert len(lines) < 25
    assert max(map(len, lines)) <= width


def test_what_is_left_out_is_counted(build: Any) -> None:
    text = shown(terminal.exercise(crowded(build, 6, 4)))
    named = text.count("  ✗ Title")
    assert 0 < named < 24
    assert f"… {24 - named} more in `grade report`" in text
    assert "… 100 more in" in shown(terminal.exercise(crowded(build, 50, 2)))
    passed = [build.check("e", f"task_{t}", f"c{t}", "T") for t in range(50)]
    assert "… more in `grade report`" in shown(terminal.exercise(build.exercise("e", "E", "passed", passed)))


def test_the_first_failure_is_told_in_full_and_the_next_by_name(build: Any) -> None:
    text = shown(terminal.exercise(build.part("attention")))
    for said in (
        "7 of 16 points",
        "The scores are divided by d_k, not by its square root.",
        "The weights is 0.8812 at [0, 1, 0]",
        "B = 1, T = 2, S = 3, width = 4",
        "*0.7054",
        "*0.8812",
        "Try: By what is the score",
        "Keys the mask hides get weight zero.",
        "all 3 checks passed",
    ):
        assert said in text
    assert "Key 2 is hidden" not in text
    assert "Scores of several hundred" not in text
    assert "Traceback" not in text


def test_verbose_tells_everything(build: Any) -> None:
    text = shown(terminal.exercise(build.part("attention"), verbose=True))
    for said in ("Key 2 is hidden", "Scores of several hundred", "Traceback", "MLP is not written yet."):
        assert said in text


@pytest.mark.parametrize("verbose", [False, True])
def test_a_hidden_check_keeps_its_secret(build: Any, verbose: bool) -> None:
    text = shown(terminal.exercise(build.part("layer_norm"), verbose))
    assert "SECRET" not in text
    assert "A hidden check" in text
    assert ("Look at inputs with a small variance." in text) == verbose


def test_an_exercise_not_begun_is_one_line_per_task(build: Any) -> None:
    assert shown(terminal.exercise(build.part("decoder"))).splitlines()[1:] == [
        "○ DecoderLayer  not written yet" + " " * 42 + "0 of 10"
    ]


def test_progress_names_every_exercise_and_the_next_step(sample: Results) -> None:
    text = shown(terminal.progress(sample, "Next: grade attention"))
    for exercise in sample.exercises:
        assert exercise.name in text
    for said in ("19 of 54", "isolation level 2", "Next: grade attention", "! encoder.py is in the folder twice"):
        assert said in text


def test_a_class_is_one_line_per_student(make_class: Any) -> None:
    rows = make_class(30)
    lines = shown(terminal.class_table(rows)).splitlines()
    assert len(lines) == 31
    for row, line in zip(rows, lines, strict=False):
        assert row.student in line
    assert lines[29].rstrip().endswith("no results")
    assert lines[30].rstrip() == "! student-0030: attention.zip is not a zip archive."
    assert f"{rows[0].results.points:g} of 84" in lines[0]


@pytest.mark.parametrize("width", [50, 80])
def test_reasons_and_statuses_of_a_class_are_wrapped_not_cut(build: Any, width: int) -> None:
    checks = [build.check("e", "t", s, "T", s) for s in ("failed", "not_started", "blocked", "error")]
    ada = Row("ada", build.results("ada", [build.exercise("e", "E", "failed", checks)]), "word " * 30 + "end", None)
    text = shown(terminal.class_table([ada, Row("ben", None, "other " * 30 + "last", None)]), width=width)
    words = " ".join(text.split())
    assert "end" in words
    assert "last" in words
    assert "…" not in words
    assert max(map(len, text.splitlines())) <= width


def test_a_class_shows_the_total_of_the_gradebook(build: Any) -> None:
    ada = build.results("ada", [build.exercise("e", "E", "passed", [build.check("e", "t", "c", "T")])])
    late = msgspec.structs.replace(ada, adjustments=[Adjustment(kind="late", before=2, after=1, reason="a day late")])
    assert "1 of 2" in shown(terminal.class_table([Row("ada", late, None, None)]))


def test_hostile_text_can_steer_neither_the_terminal_nor_a_runner(hostile: tuple[str, Results]) -> None:
    text, results = hostile
    parts = [terminal.exercise(results.exercises[0], verbose) for verbose in (False, True)]
    out = shown(*parts, terminal.progress(results, "Next"), terminal.class_table([Row(text, results, text, None)]))
    strange = {c for c in out if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n"}
    assert not strange
    assert not any(line.lstrip().startswith("::") for line in out.splitlines())
    assert "##[" not in out


def test_markup_of_others_is_shown_not_obeyed(build: Any) -> None:
    text = build.HOSTILE["markup"]
    out = shown(terminal.exercise(build.hostile_exercise(text), verbose=True), width=100)
    assert clean(text) in out


def test_a_file_that_cannot_be_run_is_told_once(build: Any) -> None:
    message = "e.py is not valid Python: expected ':' (e.py, line 3: def f(x))"
    checks = [
        build.failure("e", task, f"{task}{i}", "T", "crash", "syntax_error", message, help="Look above it.")
        for task in ("a", "b")
        for i in range(5)
    ]
    text = shown(terminal.exercise(build.exercise("e", "Broken", "failed", checks)))
    assert text.count("is not valid Python") == 1
    assert text.count("Look above it.") == 1
    assert len(text.splitlines()) == 5


def test_advice_is_wrapped_not_cut(build: Any) -> None:
    check = build.failure("e", "t", "c", "T", "value", "property", "It is 3.", help="word " * 30 + "end")
    assert "end" in shown(terminal.exercise(build.exercise("e", "Long", "failed", [check])))


def test_a_command_is_not_broken(build: Any) -> None:
    """It is there to be copied. Other words give way."""
    step = "Next: write exercises/positional_encoding.py, then `grade layer_norm`. Stuck? `grade hint layer_norm`."
    for width in range(40, 100):
        text = shown(terminal.standing(build.sample_results(), step), width=width)
        assert "`grade layer_norm`" in text
        assert "`grade hint layer_norm`" in text
        assert "\ue000" not in text


@pytest.mark.parametrize(("detail", "said"), [("Printed:\n7", True), ("at line 3", False)])
def test_prints_are_announced(build: Any, detail: str, said: bool) -> None:
    failed = build.failure("e", "f", "c", "T", "value", "wrong_value", "no", detail=detail)
    text = shown(terminal.exercise(build.exercise("e", "E", "failed", [failed])))
    assert ("Your code printed something: `grade e -v` shows it." in text) is said


def test_prints_are_shown_when_everything_is(build: Any) -> None:
    failed = build.failure("e", "f", "c", "T", "value", "wrong_value", "no", detail="Printed:\nseven")
    text = shown(terminal.exercise(build.exercise("e", "E", "failed", [failed]), verbose=True))
    assert "seven" in text
    assert "`grade e -v`" not in text
