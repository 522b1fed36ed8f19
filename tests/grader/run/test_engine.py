"""One submission through the engine: what goes wrong costs its own checks, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission, make_stub
from grader.results.schema import Check, Results
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

TOY = Path(__file__).parents[1] / "data" / "toy"
COURSE = load_course(TOY)
REFERENCE = {name: as_submission(COURSE.reference_path(name).read_text("utf-8")) for name in COURSE.names}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(COURSE, COURSE.names) as engine:
        engine.ready()
        yield engine


def grade(engine: Engine, **files: str | None) -> Results:
    texts = {**REFERENCE, **files}
    return engine.grade(
        Submission("ada", {name: SourceFile(name, text) for name, text in texts.items() if text is not None})
    )


def check(results: Results, identifier: str) -> Check:
    return next(c for e in results.exercises for c in e.checks if c.id == identifier)


def lost(results: Results) -> dict[str, str | None]:
    """The checks that failed or were not started, with their codes."""
    return {c.id: c.code for e in results.exercises for c in e.checks if c.status not in ("passed", "blocked")}


def test_the_reference_earns_everything(engine: Engine) -> None:
    results = grade(engine)
    assert (results.points, results.possible) == (10, 10)
    assert {e.status for e in results.exercises} == {"passed"}


def test_untouched_stubs_are_not_started(engine: Engine) -> None:
    stubs = {name: make_stub(COURSE.reference_path(name).read_text("utf-8"), name) for name in COURSE.names}
    results = grade(engine, **stubs)
    assert results.points == 0
    assert {c.status for e in results.exercises for c in e.checks} == {"not_started"}


def test_a_stub_with_a_comment_is_not_started_either(engine: Engine) -> None:
    stub = make_stub(COURSE.reference_path("scale").read_text("utf-8"), "scale") + "\n# I will do this tomorrow\n"
    results = grade(engine, scale=stub)
    assert set(lost(results).values()) == {"not_started"}
    assert results.exercises[0].status == "not_started"
    assert results.exercises[1].points == 5


def test_a_missing_file_is_not_started(engine: Engine) -> None:
    results = grade(engine, block=None)
    assert {c.code for c in results.exercises[1].checks} == {"missing_file"}
    assert results.exercises[1].status == "not_started"
    assert results.exercises[0].points == 5


def test_one_wrong_function_costs_its_own_points_only(engine: Engine) -> None:
    results = grade(engine, scale=REFERENCE["scale"].replace("return x * factor", "return x + factor"))
    assert set(lost(results)) == {"scale.scale_values", "scale.scale_gradient"}
    failed = check(results, "scale.scale_values")
    assert (failed.reason, failed.code) == ("value", "wrong_value")
    assert failed.evidence is not None
    assert failed.evidence.dims == {"B": 1, "n": 2}
    assert failed.evidence.expected is not None
    assert "should be" in failed.message


def test_a_sibling_that_cannot_be_imported_costs_its_own_points_only(engine: Engine) -> None:
    results = grade(engine, scale="def scale(x, factor=2.0)\n    return x * factor\n")
    assert set(lost(results).values()) == {"syntax_error"}
    assert results.exercises[1].points == 5
    assert "scale.py, line 1: `def scale(x, factor=2.0)`" in check(results, "scale.scale_values").message


LOOP = "def scale(x, factor=2.0):\n    while True:\n        pass\n"
ENDINGS = [
    ("raises at import", "raise RuntimeError('no')\n", "import_failed"),
    ("loops at import", "while True:\n    pass\n", "cpu_timeout"),
    ("exits at import", "import os\nos._exit(0)\n", "exited"),
    ("sys.exit at import", "import sys\nsys.exit(0)\n", "import_failed"),
    ("loops", LOOP, "cpu_timeout"),
    ("exits", "import os\ndef scale(x, factor=2.0):\n    os._exit(0)\n", "exited"),
    ("sys.exit", "import sys\ndef scale(x, factor=2.0):\n    sys.exit(3)\n", "raised"),
    ("segfault", "import ctypes\ndef scale(x, factor=2.0):\n    ctypes.string_at(0)\n", "killed"),
    ("floods", "def scale(x, factor=2.0):\n    while True:\n        print('x' * 65536)\n", "too_much_output"),
    ("asks for memory", "def scale(x, factor=2.0):\n    import torch\n    return torch.zeros(1 << 34)\n", "memory"),
    ("writes a file", "def scale(x, factor=2.0):\n    open('/notes', 'w')\n", "off_limits"),
    ("opens too many", "def scale(x, factor=2.0):\n    return [open('/dev/null') for _ in range(999)]\n", "off_limits"),
    ("connects", "import socket\ndef scale(x, factor=2.0):\n    socket.socket()\n", "off_limits"),
    ("returns None", "def scale(x, factor=2.0):\n    pass\n", "wrong_type"),
    ("returns text", "def scale(x, factor=2.0):\n    return 'a' * 100\n", "wrong_type"),
    ("returns NaN", "def scale(x, factor=2.0):\n    return x * float('nan')\n", "not_finite"),
    ("returns a number", "def scale(x, factor=2.0):\n    return x.sum()\n", "wrong_shape"),
    ("returns a huge view", "def scale(x, factor=2.0):\n    return x.sum().expand(1 << 40)\n", "result_too_large"),
    ("nests for ever", "def scale(x, factor=2.0):\n    a = []\n    a.append(a)\n    return a\n", "result_too_large"),
    ("wrong name", "def scaled(x, factor=2.0):\n    return x * factor\n", "missing_name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), [e[1:] for e in ENDINGS], ids=[e[0] for e in ENDINGS])
def test_every_ending_is_a_verdict_with_a_sentence(engine: Engine, text: str, code: str) -> None:
    results = grade(engine, scale=text)
    failed = check(results, "scale.scale_values")
    assert (failed.status, failed.code, failed.points) == ("failed", code, 0)
    assert failed.message.endswith((".", ")"))
    assert "{" not in failed.message
    assert results.exercises[1].points == 5, "the other exercise is graded all the same"
    assert not any(c.status == "error" for e in results.exercises for c in e.checks)


def test_an_infinite_loop_in_one_function_leaves_the_other_alone(engine: Engine) -> None:
    results = grade(engine, scale=REFERENCE["scale"].replace("return x * factor", "while True: pass"))
    assert set(lost(results)) == {"scale.scale_values", "scale.scale_gradient"}


def test_what_was_printed_is_shown_with_the_failed_check(engine: Engine) -> None:
    text = "def scale(x, factor=2.0):\n    print('hello from me')\n    return x\n"
    assert "hello from me" in check(grade(engine, scale=text), "scale.scale_values").detail


def test_nothing_printed_next_to_a_stand_in_is_shown(engine: Engine) -> None:
    text = REFERENCE["block"].replace("return x + scale", "print('hello from me')\n        return scale")
    failed = check(grade(engine, block=text), "block.block_values")
    assert failed.status == "failed"
    assert "hello" not in failed.detail


def test_the_same_submission_gives_the_same_results_apart_from_times(engine: Engine) -> None:
    text = REFERENCE["scale"].replace("return x * factor", "return x + factor")
    first, second = (msgspec.to_builtins(grade(engine, scale=text)) for _ in range(2))
    for results in (first, second):
        results["seconds"] = 0
        for exercise in results["exercises"]:
            for row in exercise["checks"]:
                row["seconds"] = 0
    assert first == second


def test_a_file_that_cannot_be_read_fails_with_the_reason(engine: Engine) -> None:
    files = {"scale": SourceFile("scale", None, "it is not UTF-8")}
    results = engine.grade(Submission("ada", files))
    assert "it is not UTF-8" in check(results, "scale.scale_values").message


def test_flat_and_package_imports_find_the_same_module(engine: Engine) -> None:
    for line in (
        "from scale import scale",
        "from .scale import scale",
        "from scale import *",
        "import exercises.scale\nscale = exercises.scale.scale",
    ):
        text = REFERENCE["block"].replace("from exercises.scale import scale", line)
        assert grade(engine, block=text).points == 10, line


SOFT = REFERENCE["scale"].replace("powers = torch.exp(scale(x, factor))", "return torch.softmax(scale(x, factor), -1)")


def test_a_forbidden_call_costs_the_task_everything_and_shows_the_line(engine: Engine) -> None:
    results = grade(engine, scale=SOFT)
    watched = check(results, "scale.soften_own_work")
    assert (watched.status, watched.reason, watched.code) == ("failed", "forbidden", "forbidden")
    assert "soften calls softmax, which is what you are asked to write (scale.py, line" in watched.message
    values = check(results, "scale.soften_values")
    assert (values.status, values.points, values.possible) == ("passed", 0, 2)
    assert results.exercises[0].points == 3


def test_own_work_waits_for_parts_that_are_not_written(engine: Engine) -> None:
    text = REFERENCE["scale"].replace("return x * factor", 'raise NotImplementedError("scale: write the body")')
    results = grade(engine, scale=text)
    assert check(results, "scale.soften_own_work").status == "blocked"
    assert "soften calls scale, which is not written yet" in check(results, "scale.soften_own_work").message
    assert check(results, "scale.soften_values").points == 2, "graded with a stand-in for scale"
    own = "powers = torch.exp(scale(x, factor))"
    tried = f"try:\n        return torch.softmax(x, -1)\n    except RuntimeError:\n        {own}"
    swallowed = grade(engine, scale=text.replace(own, tried))
    assert check(swallowed, "scale.soften_own_work").code == "forbidden", "seen before the part that is not written"


def test_a_brief_run_stops_at_the_first_failed_check_of_each_task(engine: Engine) -> None:
    wrong = REFERENCE["scale"].replace("return x * factor", "return x + factor")
    submission = Submission("ada", {"scale": SourceFile("scale", wrong)})
    row = engine.grade(submission, ["scale"], brief=True).exercises[0]
    assert [c.id for c in row.checks] == ["scale.scale_values", "scale.soften_values", "scale.soften_own_work"]
    assert row.diagnoses == []
    assert engine.grade(submission, ["scale"]).exercises[0].diagnoses[0].bug == "adds"
