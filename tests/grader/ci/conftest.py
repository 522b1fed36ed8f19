"""Small results to write about, with texts that try to break out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from grader.results.schema import Check, Environment, Exercise, Isolation, Results, Status, total

from .imitation import FORGERIES

ENVIRONMENT = Environment(grader="1", python="3", torch="2", platform="Linux", course="c", submission="s", salt="none")


@pytest.fixture
def made() -> Callable[..., Results]:
    """made([(1, 2), (0, 3)]): an exercise with a task for each pair of earned and possible points."""

    def make(pairs: Sequence[tuple[float, float]], level: int = 2, where: str = "") -> Results:
        checks = [_check(n, earned, possible, where) for n, (earned, possible) in enumerate(pairs)]
        passed = all(check.status == "passed" for check in checks)
        exercise = Exercise(
            name="scale", title="Scale", track="toy", status="passed" if passed else "failed",
            points=total(c.points for c in checks), possible=total(c.possible for c in checks), checks=checks,
        )  # fmt: skip
        return Results(
            student="ada", isolation=Isolation(level=level, name="x"), environment=ENVIRONMENT,
            points=exercise.points, possible=exercise.possible, seconds=1.0, exercises=[exercise],
        )  # fmt: skip

    return make


def _check(number: int, earned: float, possible: float, where: str) -> Check:
    status: Status = "passed" if earned >= possible else "failed"
    values = {"task": "scale", "etype": "Forged", "text": "\n".join(FORGERIES), "where": where}
    return Check(
        id=f"scale.check_{number}", task=f"task_{number}", title="It holds.", status=status, points=earned,
        possible=possible, reason=None if status == "passed" else "crash", values=values,
        code=None if status == "passed" else "raised", message="" if status == "passed" else "\n".join(FORGERIES),
    )  # fmt: skip
