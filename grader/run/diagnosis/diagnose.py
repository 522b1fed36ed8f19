"""Compare a submission's answers to the probes with those of every known bug: name one, or two at once, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.catalogue.bugs import KnownBug
from grader.errors import EngineError
from grader.language import N_
from grader.results.schema import Diagnosis
from grader.run.diagnosis.answers import Answer, ask, distance
from grader.run.diagnosis.pairs import likely
from grader.run.diagnosis.suspects import Answers
from grader.subject.failure import NotStarted
from grader.subject.proxy import Proxy

ENDED = ("cpu_timeout", "wall_timeout", "killed", "memory", "exited")
LOST = 2  # processes that a task may lose to probes before nothing more is asked


def diagnose(suspects: Answers, task: str, mine: Sequence[Answer]) -> list[Diagnosis]:
    """The known bug that gives the answers `mine` to every probe of `task`, else the two that do together, or none."""
    if not mine or _same(mine, suspects.right(task)):
        return []
    bugs = [bug for bug in suspects.of(task) if not bug.invariant]
    for bug in bugs:
        if not suspects.is_refuted(bug, mine) and _same(mine, suspects.answers(bug)):
            return [_said(suspects, bug, mine)]
    for first, second in likely(suspects, task, bugs, mine):
        answers = suspects.together(first, second)  # most pairs are told by the first
        if answers is not None and _same(mine, answers):
            return [_said(suspects, bug, mine, N_("Two mistakes together agree")) for bug in (first, second)]
    return []


def answers_of(suspects: Answers, task: str, subject: Proxy) -> list[Answer]:
    """What `subject` answers to all probes of `task`; none where it is not written, or keeps ending its process."""
    found: list[Answer] = []
    try:
        for probe, case in suspects.cases(task):
            found.append(ask(probe, case, subject, suspects.reference))
            if sum(a.parts.get("raised") in ENDED for a in found) >= LOST:
                return []
    except (NotStarted, EngineError):
        return []
    return found


def _same(mine: Sequence[Answer], others: Iterable[Answer]) -> bool:
    return all(distance(x, y) <= 1 for x, y in zip(mine, others, strict=True))


def _said(suspects: Answers, bug: KnownBug, mine: Sequence[Answer], who: str = N_("It agrees")) -> Diagnosis:
    differ = sum(distance(x, y) > 1 for x, y in zip(mine, suspects.right(bug.task), strict=True))
    evidence = N_(f"{who} with your code on {len(mine)} of {len(mine)} probes; a right answer differs on {differ}.")
    return Diagnosis(task=bug.task, bug=bug.name, what=bug.what, why=bug.why, help=bug.hint, evidence=evidence)
