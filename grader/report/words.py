"""The words and marks all reports share: what a status is called, how points and dimensions are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from grader.language import N_, _, ngettext, said
from grader.results import codes
from grader.results.schema import PRINTED, Check, Exercise, Isolation, Note, Results, Status


@dataclass(frozen=True, slots=True)
class Word:
    mark: str
    letter: str  # the mark in ASCII, one column wide: for heat maps
    english: str
    whole: str  # a sentence, in English too

    @property
    def label(self) -> str:
        return _(self.english)

    @property
    def sentence(self) -> str:
        return _(self.whole)


WORDS: dict[Status, Word] = {
    "passed": Word("✓", ".", N_("passed"), N_("All checks passed.")),
    "failed": Word("✗", "x", N_("failed"), N_("Some checks failed.")),
    "not_started": Word("○", "-", N_("not written yet"), N_("Not written yet: the stub is still there.")),
    "blocked": Word(
        "◇",
        "~",
        N_("waiting"),
        N_("Waits for something that is to be written or mended first. It costs nothing by itself."),
    ),
    "error": Word(
        "?", "?", N_("not judged"), N_("Could not be judged: the grader's fault, and it costs nothing by itself.")
    ),
}
_LEVELS = {
    0: N_("a process of its own, without a sandbox"),
    1: N_("a process of its own with limits on time and memory"),
    2: N_("a process that had shut itself off from files, network and other processes"),
    3: N_("one sandbox for the submission"),
    4: N_("a sandbox inside a sandbox"),
}


def number(value: float) -> str:
    """Points without a needless .0, and never more than two decimals."""
    return f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}"


def points(earned: float, possible: float) -> str:
    return _("{earned} of {possible} points").format(earned=number(earned), possible=number(possible))


def of(earned: float, possible: float) -> str:
    return _("{earned} of {possible}").format(earned=number(earned), possible=number(possible))


def points_in_all(results: Results) -> str:
    return _("{points} in all.").format(points=points(results.points, results.possible))


def count(n: int, noun: str) -> str:
    """`3 checks`, `1 check`."""
    known = {
        "check": ngettext("{n} check", "{n} checks", n),
        "student": ngettext("{n} student", "{n} students", n),
        "exercise": ngettext("{n} exercise", "{n} exercises", n),
        "file": ngettext("{n} file", "{n} files", n),
        "task": ngettext("{n} task", "{n} tasks", n),
        "submission": ngettext("{n} submission", "{n} submissions", n),
    }
    return known.get(noun, f"{{n}} {noun}" if n == 1 else f"{{n}} {noun}s").format(n=n)


def listing(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    *head, last = list(parts) or [""]
    return f"{_(', ').join(head)}{_(' and ')}{last}" if head else last


def sentence(check: Check | Note) -> str:
    """What happened, also from a file whose messages were left out."""
    told = codes.shown(check.code, check.values, check.message)
    return f"The {told[4:]}" if told.startswith("the ") else told


def unwritten(exercise: Exercise) -> str:
    """Why there is no verdict on an exercise that counts as not started."""
    if not exercise.checks:
        return _("Not graded yet.")
    missing = next((check for check in exercise.checks if check.code == "missing_file"), None)
    return sentence(missing) if missing else WORDS["not_started"].sentence


def printed(check: Check) -> bool:
    """Its detail tells what the student's code printed."""
    return PRINTED in check.detail and not check.hidden


def detail(check: Check) -> str:
    """What its detail tells; empty if there is none."""
    if not printed(check):
        return _("Where your code stopped") if check.detail else ""
    if check.detail.startswith(PRINTED):
        return _("What your code printed")
    return _("What your code printed and where it stopped")


def explanation(check: Check) -> str:
    """What `grade explain CODE` says about this kind of failure, where it says more than the check itself."""
    code = codes.CODES.get(check.code or "")
    return _(code.explain) if code and code.slug != "property" and check.status == "failed" else ""


def tally(checks: Iterable[Check]) -> str:
    """How the checks ended, in a few words: `2 of 9 checks failed, 1 waiting`."""
    counts = Counter(check.status for check in checks)
    found = [status for status in WORDS if counts[status]]
    if not found:
        return _("not graded yet")
    if len(found) == 1:
        every = {"passed": all_passed, "failed": _all_failed}.get(found[0])
        return every(counts.total()) if every else WORDS[found[0]].label
    first, *others = [status for status in found if status != "passed"]
    head = _("{n} of {checks} {state}").format(
        n=counts[first], checks=count(counts.total(), "check"), state=WORDS[first].label
    )
    return _(", ").join([head, *(_some(counts[s], s) for s in others)])


def _some(n: int, status: Status) -> str:
    return _("{n} {state}").format(n=n, state=WORDS[status].label)


def all_passed(n: int) -> str:
    return ngettext("{n} check passed", "all {n} checks passed", n).format(n=n)


def _all_failed(n: int) -> str:
    return ngettext("{n} check failed", "all {n} checks failed", n).format(n=n)


def state(results: Results) -> str:
    """A student's checks in a few words: only what is not passed is told."""
    counts = Counter(check.status for exercise in results.exercises for check in exercise.checks)
    parts = [_some(counts[status], status) for status in WORDS if status != "passed" and counts[status]]
    if not counts:
        return _("not graded yet")
    return listing(parts) if parts else all_passed(counts.total())


def summary(results: Results) -> str:
    """One or two sentences on the whole result."""
    done = sum(exercise.status == "passed" for exercise in results.exercises)
    head = _("{n} of {exercises} passed.").format(n=done, exercises=count(len(results.exercises), "exercise"))
    counts = Counter[str](
        "hidden" if check.code == "hidden_here" else check.status
        for exercise in results.exercises
        for check in exercise.checks
    )
    told = {
        "failed": ngettext("{n} failed", "{n} failed", counts["failed"]),
        "not_started": ngettext("{n} is not written yet", "{n} are not written yet", counts["not_started"]),
        "blocked": ngettext("{n} waits for other parts", "{n} wait for other parts", counts["blocked"]),
        "hidden": ngettext("{n} is hidden and not run here", "{n} are hidden and not run here", counts["hidden"]),
        "error": ngettext("{n} could not be judged", "{n} could not be judged", counts["error"]),
    }
    rest = [text.format(n=n) for status, text in told.items() if (n := counts[status])]
    if not rest:
        return head
    return head + _(" Of {checks}, {listing}.").format(checks=count(counts.total(), "check"), listing=listing(rest))


def isolation(level: Isolation, briefly: bool = False) -> str:
    """The sentence every results page says; `briefly` without what the level means."""
    told = level.level in _LEVELS and not briefly
    how = _(": {level}").format(level=_(_LEVELS[level.level])) if told else ""
    return _("This result comes from a run with isolation level {level} ({name}){how}.").format(
        level=level.level, name=said(level.name), how=how
    )


def own_parts(results: Results) -> str:
    """What to know of a result of a release; nothing of others."""
    if not results.environment.release:
        return ""
    return _("Graded with a release: your parts run with your own other parts, and nothing hidden is run.")


def isolations(levels: Iterable[int]) -> str:
    """The same for a class, whose runs may differ."""
    counts = Counter(levels)
    if not counts:
        return ""
    if len(counts) == 1:
        return _("All results come from runs with isolation level {level}.").format(level=next(iter(counts)))
    parts = [f"{level} ({count(counts[level], 'student')})" for level in sorted(counts)]
    return _("Results come from runs with isolation levels {levels}.").format(levels=listing(parts))
