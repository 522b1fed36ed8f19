"""The words and marks all reports share: what a status is called, how points and dimensions are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from grader.results import codes
from grader.results.schema import Check, Isolation, Results, Status


@dataclass(frozen=True, slots=True)
class Word:
    mark: str
    letter: str  # the mark in ASCII, one column wide: for heat maps
    label: str
    sentence: str


WORDS: dict[Status, Word] = {
    "passed": Word("✓", ".", "passed", "All checks passed."),
    "failed": Word("✗", "x", "failed", "Some checks failed."),
    "not_started": Word("○", "-", "not written yet", "Not written yet: the stub is still there."),
    "blocked": Word("◇", "~", "waiting", "Waits for parts that are not written yet. It costs nothing by itself."),
    "error": Word("?", "?", "not judged", "Could not be judged: the grader's fault, and it costs nothing by itself."),
}
_LEVELS = {
    0: "a process of its own, without a sandbox",
    1: "a process of its own with limits on time and memory",
    2: "a process that had shut itself off from files, network and other processes",
    3: "one sandbox for the submission",
    4: "a sandbox inside a sandbox",
}


def number(value: float) -> str:
    """Points without a needless .0, and never more than two decimals."""
    return f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}"


def points(earned: float, possible: float) -> str:
    return f"{number(earned)} of {number(possible)} points"


def points_in_all(results: Results) -> str:
    return f"{points(results.points, results.possible)} in all."


def count(n: int, noun: str) -> str:
    """`3 checks`, `1 check`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def listing(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    *head, last = list(parts) or [""]
    return f"{', '.join(head)} and {last}" if head else last


def sentence(check: Check) -> str:
    """What happened, also from a file whose messages were left out."""
    said = check.message or codes.render(check.code, check.values)
    return f"The {said[4:]}" if said.startswith("the ") else said


def explanation(check: Check) -> str:
    """What `grade explain CODE` says about this kind of failure, where it says more than the check itself."""
    code = codes.CODES.get(check.code or "")
    return code.explain if code and code.slug != "property" and check.status == "failed" else ""


def tally(checks: Iterable[Check]) -> str:
    """How the checks ended, in a few words: `2 of 9 checks failed, 1 waiting`."""
    counts = Counter(check.status for check in checks)
    total = count(counts.total(), "check")
    found = [status for status in WORDS if counts[status]]
    if not found:
        return "no checks"
    if len(found) == 1:
        every = total if counts.total() == 1 else f"all {total}"
        return f"{every} {found[0]}" if found[0] in ("passed", "failed") else WORDS[found[0]].label
    first, *others = [status for status in found if status != "passed"]
    return ", ".join(
        [f"{counts[first]} of {total} {WORDS[first].label}", *(f"{counts[s]} {WORDS[s].label}" for s in others)]
    )


def state(results: Results) -> str:
    """A student's checks in a few words: only what is not passed is told."""
    counts = Counter(check.status for exercise in results.exercises for check in exercise.checks)
    parts = [f"{counts[status]} {WORDS[status].label}" for status in WORDS if status != "passed" and counts[status]]
    return listing(parts) if parts else f"all {count(counts.total(), 'check')} passed" if counts else "no checks"


def summary(results: Results) -> str:
    """One or two sentences on the whole result."""
    done = sum(exercise.status == "passed" for exercise in results.exercises)
    head = f"{done} of {count(len(results.exercises), 'exercise')} passed."
    counts = Counter(check.status for exercise in results.exercises for check in exercise.checks)
    said: dict[Status, str] = {
        "failed": "failed",
        "not_started": "are not written yet",
        "blocked": "wait for other parts",
        "error": "could not be judged",
    }
    one: dict[Status, str] = {**said, "not_started": "is not written yet", "blocked": "waits for other parts"}
    rest = [f"{n} {(one if n == 1 else said)[status]}" for status in said if (n := counts[status])]
    return f"{head} Of {count(counts.total(), 'check')}, {listing(rest)}." if rest else head


def isolation(level: Isolation, briefly: bool = False) -> str:
    """The sentence every results page says; `briefly` without what the level means."""
    how = f": {_LEVELS[level.level]}" if level.level in _LEVELS and not briefly else ""
    return f"This result comes from a run with isolation level {level.level} ({level.name}){how}."


def isolations(levels: Iterable[int]) -> str:
    """The same for a class, whose runs may differ."""
    counts = Counter(levels)
    if not counts:
        return ""
    if len(counts) == 1:
        return f"All results come from runs with isolation level {next(iter(counts))}."
    parts = [f"{level} ({count(counts[level], 'student')})" for level in sorted(counts)]
    return f"Results come from runs with isolation levels {listing(parts)}."
