"""The command line as its users type it: words, files, exit codes, and never a traceback."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from grader.cli.main import course_first

from .calling import ROOT, grade


def solve(folder: Path, name: str) -> None:
    text = (folder / "solutions" / f"{name}.py").read_text("utf-8").replace("solutions.", "exercises.")
    (folder / "exercises" / f"{name}.py").write_text(text, "utf-8")


def test_untouched_stubs_name_the_first_exercise_its_file_and_the_command(toy: Path) -> None:
    shown = grade(toy, code=1)
    assert "Nothing is written yet: 2 exercises, 10 points" in shown
    assert "exercises/scale.py" in shown
    assert "grade scale" in shown


def test_a_first_step_shows_progress_and_the_first_thing_to_fix(toy: Path) -> None:
    solve(toy, "scale")
    path = toy / "exercises" / "scale.py"
    path.write_text(path.read_text("utf-8").replace("x * factor", "x + factor"), "utf-8")
    shown = grade(toy, code=1)
    assert "Every number is multiplied by the factor." in shown
    assert "should be" in shown
    assert "2 of 10" in shown
    assert "Next: fix exercises/scale.py, then `grade scale`" in shown
    assert len(shown.splitlines()) < 40


def test_everything_right_ends_with_zero(toy: Path) -> None:
    solve(toy, "scale")
    solve(toy, "block")
    assert "10 of 10" in grade(toy, code=0)
    assert "Everything passes" in grade(toy, "--course", ".", "run", "--all", code=0)
    assert "Everything passes" in grade(toy, "--course", ".", "--all", code=0)
    assert "Everything passes" in grade(toy, "--all", code=0)


def test_naming_an_exercise_grades_just_that_one(toy: Path) -> None:
    solve(toy, "scale")
    shown = grade(toy, "scale", code=0)
    assert "5 of 5" in shown
    assert "Next: write exercises/block.py" in shown


def test_json_is_the_results_schema_and_nothing_else(toy: Path) -> None:
    solve(toy, "scale")
    results = json.loads(grade(toy, "scale", "--json", code=0))
    schema = json.loads((ROOT / "docs" / "results.schema.json").read_text("utf-8"))
    jsonschema.validate(results, schema)
    assert results["points"] == 5


def test_a_typing_error_is_guessed(toy: Path) -> None:
    assert "Did you mean 'scale'" in grade(toy, "scael", code=2)
    assert "Did you mean `grade hint`" in grade(toy, "hnit", code=2)


def test_hints_go_one_step_further_each_time(toy: Path) -> None:
    assert "hint 1 of 3" in grade(toy, "hint", "soften")
    assert "hint 2 of 3" in grade(toy, "hint", "soften")
    assert "hint 3 of 3" in grade(toy, "hint", "soften")
    assert "hint 3 of 3" in grade(toy, "hint", "soften")
    assert "hint 1 of 3" in grade(toy, "hint", "soften", "1")
    assert "Did you mean 'block'" in grade(toy, "hint", "blok", code=2)


def test_the_hint_of_an_exercise_is_that_of_its_first_open_task(toy: Path) -> None:
    assert grade(toy, "hint", "scale").startswith("scale, hint")
    path = toy / "exercises" / "scale.py"
    stub = path.read_text("utf-8")
    path.write_text(
        stub.replace('raise NotImplementedError("scale: write', 'return x * factor  # ("scale: write', 1), "utf-8"
    )
    grade(toy, "scale", code=1)
    assert grade(toy, "hint", "scale").startswith("soften, hint")


def test_reset_keeps_a_backup(toy: Path) -> None:
    solve(toy, "scale")
    mine = (toy / "exercises" / "scale.py").read_text("utf-8")
    assert ".grade/backup/scale-" in grade(toy, "reset", "scale")
    assert "NotImplementedError" in (toy / "exercises" / "scale.py").read_text("utf-8")
    (backup,) = (toy / ".grade" / "backup").iterdir()
    assert backup.read_text("utf-8") == mine
    assert "nothing to do" in grade(toy, "reset", "scale")


def test_stubs_never_overwrite_a_students_file_unasked(toy: Path) -> None:
    solve(toy, "scale")
    mine = (toy / "exercises" / "scale.py").read_text("utf-8")
    assert "differs" in grade(toy, "stubs", code=1)
    assert "differs" in grade(toy, "stubs", "--check", code=1)
    assert (toy / "exercises" / "scale.py").read_text("utf-8") == mine
    grade(toy, "stubs", "--force")
    assert "in step" in grade(toy, "stubs", "--check")


def test_the_solution_is_shown_after_passing_or_when_asked_twice(toy: Path) -> None:
    assert "return x * factor" not in grade(toy, "solution", "scale", code=130, stdin="n\n")
    assert "return x * factor" in grade(toy, "solution", "scale", stdin="y\n")
    assert "return x * factor" in grade(toy, "solution", "scale", "--yes")
    solve(toy, "scale")
    grade(toy, "scale")
    shown = grade(toy, "solution", "scale")
    assert "return x * factor" in shown
    assert "BEGIN SOLUTION" not in shown


def test_a_report_needs_a_run(toy: Path) -> None:
    assert "Nothing is graded yet: `grade` does it" in grade(toy, "report", code=2)
    assert "cannot be read" in grade(toy, "report", "nowhere.json", code=2)
    assert "`grade report` takes no exercise" in grade(toy, "report", "scale", code=2)
    solve(toy, "scale")
    grade(toy, "scale")
    assert ".grade/report.html" in grade(toy, "report")
    assert "<html" in (toy / ".grade" / "report.html").read_text("utf-8")
    grade(toy, "report", ".grade/results.json", "--out", "page.html")
    assert (toy / "page.html").is_file()


def test_a_report_of_another_schema_is_refused_in_words(toy: Path) -> None:
    (toy / "old.json").write_text('{"schema": 99}', "utf-8")
    assert "has schema 99, newer than this grader's" in grade(toy, "report", "old.json", code=2)
    (toy / "old.json").write_text('{"schema": 0}', "utf-8")
    assert "no longer reads: grade again" in grade(toy, "report", "old.json", code=2)
    assert "is not JSON" in grade(toy, "report", "solutions/scale.py", code=2)
    assert "cannot be read" in grade(toy, "report", "solutions", code=2)


def test_a_batch_of_what_is_not_there_is_wrong_use(toy: Path) -> None:
    assert "no folder 'nope'" in grade(toy, "batch", "nope", "--out", "o", code=2)
    assert "is a file" in grade(toy, "batch", "solutions/scale.py", "--out", "o", code=2)
    (toy / "o").write_text("a file")
    (toy / "class" / "ada").mkdir(parents=True)
    assert "'o" in grade(toy, "batch", "class", "--out", "o", code=2)


def test_an_anonymous_batch_keeps_names_beside_its_results(toy: Path) -> None:
    (toy / "class" / "quenby").mkdir(parents=True)
    shutil.copy(toy / "solutions" / "scale.py", toy / "class" / "quenby")
    shutil.copy(toy / "solutions" / "scale.py", toy / "class" / "ursula_scale.py")
    (toy / "class" / "wilhelmina").mkdir()
    shown = grade(toy, "batch", "class", "--out", "out", "--anonymous", "-j", "1")
    assert "Which number is whose" in shown
    people = ("quenby", "ursula", "wilhelmina")
    written = [
        str(f.relative_to(toy)) + (f.read_text("utf-8") if f.is_file() else "") for f in (toy / "out").rglob("*")
    ]
    assert len(written) >= 8
    assert not [name for name in people for text in [shown, *written] if name in text]
    names = (toy / "out-names.csv").read_text("utf-8")
    assert all(name in names for name in people)
    assert "add --anonymous" in grade(toy, "batch", "class", "--out", "out", code=2)


def test_codes_are_explained(toy: Path) -> None:
    assert "integer casts cut the graph" in grade(toy, "explain", "wrong_gradient")
    assert "Did you mean 'wrong_shape'" in grade(toy, "explain", "wrong_shap", code=2)
    assert "cpu_timeout" in grade(toy, "explain")


def test_doctor_finds_what_is_missing(toy: Path) -> None:
    assert "Everything is fine" in grade(toy, "doctor")
    (toy / "exercises" / "block.py").unlink()
    assert "block.py is missing: `grade stubs block` writes it" in grade(toy, "doctor", code=1)


def test_check_proves_the_course_and_finds_what_breaks_it(toy: Path) -> None:
    assert "2 exercises hold" in grade(toy, "check")
    reference = toy / "solutions" / "scale.py"
    good = reference.read_text("utf-8")
    broken = good.replace("return x * factor", "raise ValueError('broken')\n    return x * factor")
    reference.write_text(broken, "utf-8")
    assert "the reference does not pass scale.scale_values" in grade(toy, "check", "scale", code=3)
    reference.write_text(good.replace("Scale and soften", "Soften and scale"), "utf-8")
    assert "is not the stub of its reference" in grade(toy, "check", "scale", code=3)


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "solutions/scale.toml",
            "[tasks.checks.scale_gradient]",
            "[tasks.checks.scale_slope]",
            "does not list scale_gradient",
        ),
        ("tests/exercises/test_scale.py", "def test_scale_gradient", "def test_scale_values2", "scale_values2"),
        ("tests/exercises/test_scale.py", "import Case", "import Caze", "cannot import name 'Caze'"),
    ],
)
def test_a_broken_course_is_named_and_ends_with_three(toy: Path, file: str, old: str, new: str, says: str) -> None:
    path = toy / file
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert says in grade(toy, "check", code=3)


def test_outside_a_course_it_says_where_to_go(tmp_path: Path) -> None:
    assert "No course (exercises/ and solutions/)" in grade(tmp_path, "hint", "masking", code=2)
    assert "There is no folder 'nowhere'" in grade(tmp_path, "--course", "nowhere", "list", code=2)
    assert "is not a course" in grade(tmp_path, "--course", ".", "list", code=2)


def test_outside_a_course_a_class_is_graded_by_the_one_that_comes_with_grade(tmp_path: Path) -> None:
    assert "LayerNorm" in grade(tmp_path, "list")
    (tmp_path / "class" / "ada").mkdir(parents=True)
    assert "No two of 1 submissions" in grade(tmp_path, "similar", "class", "--exercise", "layer_norm")
    told = "No course is here: graded by the one that comes with grade."
    assert told in grade(tmp_path, "batch", "class", "--out", "out")
    assert told not in grade(tmp_path, "--course", str(ROOT), "batch", "class", "--out", "out")


@pytest.mark.parametrize(
    ("arguments", "ordered"),
    [
        (["ci", ".", "--course", "own"], ["--course", "own", "ci", "."]),
        (["list", "--course=own"], ["--course", "own", "list"]),
        (["scale", "--course", "own", "-v"], ["--course", "own", "scale", "-v"]),
        (["new", "--course", "own"], ["new", "--course", "own"]),
        (["new", "x", "--course", "own"], ["new", "x", "--course", "own"]),
        (["--course", "own", "new", "x"], ["--course", "own", "new", "x"]),
        (["run", "--", "--course", "own"], ["run", "--", "--course", "own"]),
    ],
)
def test_the_course_may_be_named_anywhere(arguments: list[str], ordered: list[str]) -> None:
    assert course_first(arguments) == ordered


def test_a_command_takes_the_course_that_is_named_behind_it(toy: Path) -> None:
    assert "scale" in grade(toy.parent, "list", "--course", "toy")
    assert "--course needs a folder behind it" in grade(toy, "list", "--course", code=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("batch .", "grade: Missing option '--out'. `grade batch --help` shows how it is used."),
        ("show nosuch", "grade: No such command 'nosuch'. There are: train, continuation, pretrained."),
        ("show trian", "grade: No such command 'trian'. Did you mean 'train'?"),
        ("similar . --rooster x", "grade: No such option '--rooster'. Did you mean --roster?"),
        ("export --roster x", "grade: No such option '--roster'. `grade export --help` shows how it is used."),
        ("hint", "grade: Missing argument 'NAME'. `grade hint --help` shows how it is used."),
        ("list --land zh", "grade: No such option '--land'. Did you mean --lang?"),
        ("hint scale 9", "grade: Invalid value for '[STEP]': 9 is not in the range 1<=x<=3."),
    ],
)
def test_wrong_use_is_one_sentence(toy: Path, arguments: str, said: str) -> None:
    shown = grade(toy, *arguments.split(), code=2)
    assert shown.startswith(said)
    assert shown.count("\n") == 1


def test_a_group_alone_shows_its_help(toy: Path) -> None:
    assert "Usage: grade show" in grade(toy, "show", code=2)


def test_an_unreadable_state_is_as_good_as_none(toy: Path) -> None:
    (toy / ".grade").mkdir()
    (toy / ".grade" / "results.json").write_text('{"schema": 99}', "utf-8")
    (toy / ".grade" / "hints.json").write_text("[", "utf-8")
    assert "not graded yet" in grade(toy, "list")
    assert "hint 1 of 3" in grade(toy, "hint", "scale")
