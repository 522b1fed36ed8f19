"""From what a check raised to its row."""

from __future__ import annotations

import msgspec
import pytest
import torch

from grader.catalogue.model import CheckSpec, Exercise, OwnWork, Task
from grader.results.schema import Check
from grader.run.verdict import HIDDEN, Outcome, judge, make_check, summed, without_own_work
from grader.subject.failure import Blocked, CheckFailed, NotRecorded, NotStarted, SubjectLost
from grader.subject.limits import Limits

SPEC = CheckSpec("double_values", 2, "Multiply.")
OWN = CheckSpec("double_own_work", 0, "Write it.")
TASK = Task("double", (), ("a", "b", "c"), (SPEC, OWN), OwnWork("double_own_work", ("softmax",), True))
EXERCISE = Exercise("doubling", "Doubling", "toy", 1, "Twice.", Limits(), (TASK,))


def row(outcome: Outcome, spec: CheckSpec = SPEC) -> Check:
    return make_check(EXERCISE, TASK, spec, "It doubles.", outcome, 0.5)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (None, "passed", None),
        (CheckFailed("wrong_count", {"what": "it", "want": 2, "got": 3}), "failed", "wrong_count"),
        (SubjectLost("exited", {"exit_code": 0}), "failed", "exited"),
        (NotStarted("double"), "not_started", "not_started"),
        (Blocked("double calls softmax, which is not written yet."), "blocked", "blocked"),
        (ZeroDivisionError("in the suite"), "error", "engine"),
        (AssertionError("a bare assert"), "error", "engine"),
    ],
)
def test_every_ending_has_a_status_and_only_passed_has_points(
    error: BaseException | None, status: str, code: str
) -> None:
    check = row(judge(error, {}))
    assert (check.status, check.code) == (status, code)
    assert check.points == (2 if status == "passed" else 0)
    assert (check.reason is not None) == (status == "failed")


def test_the_case_is_shown_in_words_and_fits_the_schema() -> None:
    dims = {"T": 2, "causal": True, "free": False, "shape": (2, 3), "batch": (), "dtype": torch.float64, "scale": 0.5}
    check = row(judge(CheckFailed("wrong_count", {"what": "it", "want": 2, "got": 3}), dims))
    assert check.evidence is not None
    assert check.evidence.dims == {
        "T": 2, "causal": "yes", "free": "no", "shape": "2 × 3", "batch": "none", "dtype": "float64", "scale": 0.5,
    }  # fmt: skip
    msgspec.convert(msgspec.to_builtins(check), Check)


def test_a_file_that_cannot_be_run_fails_on_no_case() -> None:
    check = row(judge(CheckFailed("syntax_error", {}), {"T": 2}))
    assert check.evidence is not None
    assert check.evidence.dims == {}


def test_advice_fits_the_kind_of_failure() -> None:
    assert row(judge(CheckFailed("wrong_value", {}), {})).help == "Multiply."
    assert "open bracket" in row(judge(CheckFailed("syntax_error", {}), {})).help
    assert "The loop never ends" in row(judge(SubjectLost("cpu_timeout", {}), {})).help
    assert row(judge(None, {})).help == ""


def test_without_own_work_the_task_earns_nothing() -> None:
    rows = [row(judge(None, {})), row(judge(CheckFailed("forbidden", {}), {}), OWN)]
    after = without_own_work(TASK, rows)
    assert [(c.status, c.points, c.possible) for c in after] == [("passed", 0, 2), ("failed", 0, 0)]
    gentle = Task("double", (), TASK.hints, TASK.checks, OwnWork("double_own_work", ("softmax",), False))
    assert without_own_work(gentle, rows) == rows


def test_hidden_checks_carry_no_evidence_and_no_time() -> None:
    hidden = CheckSpec("double_values", 2, "Multiply.", hidden=True)
    check = row(judge(CheckFailed("wrong_value", {}), {"T": 2}), hidden)
    assert (check.evidence, check.seconds, check.hidden) == (None, None, True)


def test_an_exercise_is_what_its_checks_are() -> None:
    passed, failed = row(judge(None, {})), row(judge(SubjectLost("exited", {}), {}))
    open_, error = row(judge(NotStarted("double"), {})), row(judge(ValueError(), {}))
    waiting = row(judge(Blocked("double calls softmax, which is not written yet."), {}), OWN)
    assert summed([passed, waiting]) == "passed"
    assert summed([passed, failed, open_]) == "failed"
    assert summed([open_, open_]) == "not_started"
    assert summed([passed, open_]) == "failed"
    assert summed([passed, error]) == "error"


def test_an_exercise_waits_when_points_of_it_do() -> None:
    """In a release a task waits for the student's own parts. What is hidden is decided elsewhere."""
    passed, open_ = row(judge(None, {})), row(judge(NotStarted("double"), {}))
    waiting = row(judge(Blocked("double calls softmax, which is not written yet."), {}))
    hidden = row(Outcome("blocked", HIDDEN), CheckSpec("double_hidden", 4, "", hidden=True))
    assert summed([passed, waiting]) == summed([waiting]) == "blocked"
    assert summed([open_, waiting]) == summed([open_, hidden]) == "not_started"
    assert summed([passed, hidden]) == "passed"


def test_a_question_that_a_release_cannot_answer_costs_nothing_by_itself() -> None:
    outcome = judge(NotRecorded("call"), {})
    assert (outcome.status, outcome.code) == ("error", "not_recorded")
