"""Compare a submission's answers to the probes with those of every known bug: name one, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.catalogue.bugs import KnownBug
from grader.errors import EngineError
from grader.results.schema import Diagnosis
from grader.run.diagnosis.answers import Answer, ask, distance
from grader.run.diagnosis.suspects import Suspects
from grader.subject.failure import NotStarted
from grader.subject.proxy import Proxy

MARGIN = 5.0
LOST = 2  # processes that a task may lose to probes before nothing more is asked


def diagnose(suspects: Suspects, task: str, subject: Proxy) -> Diagnosis | None:
    """The known bug whose answers `subject` gives to every probe of `task`, or the pair of them; None for no match."""
    mine = _answers(suspects, task, subject)
    right = suspects.right(task)
    if mine is None or not right or _agree(mine, right) == len(right):
        return None
    for bug in suspects.of(task):
        if not bug.invariant and _agree(mine, suspects.answers(bug)) == len(mine):
            return _said(bug, mine, right)
    return None


def _answers(suspects: Suspects, task: str, subject: Proxy) -> list[Answer] | None:
    """None where the task is not written, or keeps ending its process."""
    found: list[Answer] = []
    try:
        for probe in suspects.probes_of(task):
            for case in probe.cases():
                found.append(ask(probe, case, subject, suspects.reference))
                if sum(a.parts.get("raised") in ("cpu_timeout", "wall_timeout", "killed") for a in found) >= LOST:
                    return None
    except (NotStarted, EngineError):
        return None
    return found


def _agree(a: Sequence[Answer], b: Sequence[Answer]) -> int:
    return sum(distance(x, y) <= 1 for x, y in zip(a, b, strict=True))


def _said(bug: KnownBug, mine: Sequence[Answer], right: Sequence[Answer]) -> Diagnosis:
    wrong, all_of_them = len(mine) - _agree(mine, right), len(mine)
    evidence = f"It agrees with your code on {all_of_them} of {all_of_them} probes; a right answer differs on {wrong}."
    return Diagnosis(task=bug.task, bug=bug.name, what=bug.what, why=bug.why, help=bug.hint, evidence=evidence)


def too_close(suspects: Suspects, task: str) -> Iterator[str]:
    """Known bugs that the probes cannot tell from a right answer, or from each other, by MARGIN limits."""
    bugs = [bug for bug in suspects.of(task) if not bug.invariant]
    for index, bug in enumerate(bugs):
        others = [("a right answer", suspects.right(task)), *((b.name, suspects.answers(b)) for b in bugs[:index])]
        for name, answers in others:
            apart = max((distance(x, y) for x, y in zip(suspects.answers(bug), answers, strict=True)), default=0.0)
            if apart < MARGIN:
                yield f"the probes of {task} cannot tell {bug.name} from {name} (they differ by {apart:.2g} limits)"
