"""Questions are put to a submission before the suite asks them, and no verdict depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.results.schema import Exercise
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

COURSE = load_course(Path(__file__).parents[1] / "data" / "toy")
REFERENCE = {name: as_submission(COURSE.reference_path(name).read_text("utf-8")) for name in COURSE.names}

# What a file does depends on how often it has been asked, and that shows whether it was asked too often.
COUNTED = (
    f"{REFERENCE['scale']}\n"
    + """
_plain, _asked = scale, 0


def scale(x, factor=2.0):
    global _asked
    _asked += 1
    print("question", _asked)
    if _asked == TURN:
        WHAT
    return _plain(x, factor)
"""
)
TROUBLE = {
    "raises": "raise ValueError('no')",
    "is wrong": "return x",
    "ends": "__import__('os')._exit(3)",
    "floods": "print('x' * 20_000_000)",
    "loops": "while True: pass",
    "has another shape": "return x.sum()",
    "asks for memory": "return x.new_zeros(1 << 40)",
}


@pytest.fixture(scope="module")
def engines() -> Iterator[dict[str, Engine]]:
    """`batch` has graded the references first and knows the questions, `alone` has not."""
    with Engine(COURSE, COURSE.names, others=True) as batch, Engine(COURSE, COURSE.names) as alone:
        yield {"batch": batch, "alone": alone}


def verdicts(engine: Engine, text: str) -> list[Any]:
    files = {**REFERENCE, "scale": text}
    results = engine.grade(Submission("ada", {name: SourceFile(name, text) for name, text in files.items()}))
    return [_timeless(exercise) for exercise in results.exercises]


def _timeless(exercise: Exercise) -> Any:
    checks = [msgspec.structs.replace(check, seconds=None) for check in exercise.checks]
    return msgspec.to_builtins(msgspec.structs.replace(exercise, checks=checks))


@pytest.mark.parametrize(
    ("trouble", "at"), [(t, at) for t in TROUBLE for at in ((2,) if t == "loops" else (1, 2, 3, 5))]
)
def test_the_same_verdict_whether_asked_ahead_or_not(engines: dict[str, Engine], trouble: str, at: int) -> None:
    text = COUNTED.replace("TURN", str(at)).replace("WHAT", TROUBLE[trouble])
    assert verdicts(engines["batch"], text) == verdicts(engines["alone"], text)


def test_a_failure_shows_what_was_printed_up_to_it(engines: dict[str, Engine]) -> None:
    text = COUNTED.replace("TURN", "1").replace("WHAT", TROUBLE["is wrong"])
    first = verdicts(engines["batch"], text)[0]["checks"][0]
    assert first["status"] == "failed"
    assert "question 1" in first["detail"]
    assert "question 2" not in first["detail"]


def test_a_task_graded_alone_gets_the_same_verdict(engines: dict[str, Engine]) -> None:
    """Nothing is sent ahead then: what is graded so is known to fail."""
    text = COUNTED.replace("TURN", "2").replace("WHAT", TROUBLE["is wrong"])
    submission = Submission("ada", {"scale": SourceFile("scale", text)})
    (alone,) = engines["batch"].grade(submission, ["scale"], tasks=["scale"]).exercises
    whole = verdicts(engines["batch"], text)[0]["checks"]
    assert _timeless(alone)["checks"] == [check for check in whole if check["task"] == "scale"]
