"""What a student sees after `grade NAME`, as rich renderables. Nothing here prints."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from grader.language import _
from grader.report.lead import lead_first
from grader.report.tasks import Task, tasks, whole_file
from grader.report.terminal_changes import accepted_table, changes_table
from grader.report.terminal_lines import diagnosis_lines, failure_lines, title_line, whole_file_lines
from grader.report.terminal_page import Page, foreign, joined, mark
from grader.report.terminal_tables import class_table, overview, progress, standing
from grader.report.words import printed, sentence, tally
from grader.results.schema import Check, Exercise

__all__ = ["accepted_table", "answer", "changes_table", "class_table", "exercise", "overview", "progress", "standing"]

LIMIT = 24  # lines: what is said must fit into a small window
LEAST = 8  # lines of a verdict, whatever else is to be said
VERBOSE, FULL, FIRST, NO_ARRAYS, BRIEF, LINE = range(6)  # how much of a task is said


def exercise(exercise: Exercise, verbose: bool = False, lines: int = LIMIT) -> RenderableType:
    """The verdict on one exercise: the first failure of each task in full if it fits; all if `verbose`."""
    return _Sheet(exercise, verbose, lines)


def answer(exercise: Exercise, below: RenderableType, verbose: bool = False) -> RenderableType:
    """A verdict and what stands below it, together in one small window unless `verbose`."""
    return _Answer(exercise, below, verbose)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Lays its lines out when the width is known, so that it can keep to the limit."""

    exercise: Exercise
    verbose: bool
    lines: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, min(options.max_width, 100))
        quiet = [] if self.verbose else _printed(page, self.exercise)
        yield page.heading(self.exercise)
        parts = tasks(self.exercise)
        reason = whole_file(self.exercise)
        if reason is not None:
            yield from whole_file_lines(page, reason)
            yield from (line for task in parts for line in _block(page, self.exercise, task, LINE).lines)
        elif self.verbose:
            yield from (line for task in parts for line in _block(page, self.exercise, task, VERBOSE).lines)
        else:
            yield from _fitting(page, self.exercise, parts, self.lines - len(quiet))
        yield from quiet


@dataclass(frozen=True, slots=True)
class _Answer:
    exercise: Exercise
    below: RenderableType
    verbose: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        taken = len(console.render_lines(self.below, options.update(height=None), pad=False)) + 1  # an empty line
        yield exercise(self.exercise, self.verbose, max(LEAST, LIMIT - taken))
        yield ""
        yield self.below


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of one task, and how many of its checks they leave out."""

    lines: list[Text]
    left_out: int


def _printed(page: Page, exercise: Exercise) -> list[Text]:
    """Where to see what the student's code printed, if it did."""
    if not any(printed(check) for check in exercise.checks):
        return []
    told = _("Your code printed something: `grade {name} -v` shows it.").format(name=exercise.name)
    return page.wrapped(Text(told, "dim"), 1, "")


def _fitting(page: Page, exercise: Exercise, parts: list[Task], lines_in_all: int) -> list[Text]:
    """All tasks in full; if that is too long, the last ones shorter, then the ones before them, then shorter still."""
    room = lines_in_all - 2  # the heading and the last line
    blocks = [_block(page, exercise, task, FULL) for task in parts]
    for level in (FIRST, NO_ARRAYS, BRIEF, LINE):
        for i in reversed(range(len(parts))):
            if sum(len(block.lines) for block in blocks) > room:
                blocks[i] = _block(page, exercise, parts[i], level)
    lines = [line for block in blocks for line in block.lines]
    left_out = sum(block.left_out for block in blocks)
    more = _("… {n} more in `grade report`").format(n=left_out) if left_out else _("… more in `grade report`")
    last = Text(more, "dim")
    return [*lines[:room], last] if left_out or len(lines) > room else lines


def _block(page: Page, exercise: Exercise, task: Task, level: int) -> _Block:
    says = Text(f"  {tally(task.checks)}", "dim")
    head = page.ends(joined(mark(task.status), " ", Text(foreign(task.name), "bold"), says), task)
    told = [] if task.status == "not_started" else task.of("failed", "error", "blocked")
    if level == LINE:
        return _Block([head], len(told))
    notes = page.wrapped(Text(task.note, "yellow"), limit=2) if task.note else []
    known = [d for d in exercise.diagnoses if d.task == task.name]
    told = told if known else lead_first(told)
    why = {VERBOSE: 99, FULL: 3, FIRST: 3, NO_ARRAYS: 2, BRIEF: 0}[level]
    explained = [line for d in (known if level == VERBOSE else known[:1]) for line in diagnosis_lines(page, d, why)]
    for note in (n for n in exercise.notes if n.task == task.name and why):
        explained += page.wrapped(Text(foreign(sentence(note))), why, "  → ")
    shown, left_out = _checks(page, told, level)
    rest = task.of("passed", "not_started") if level == VERBOSE and task.status != "not_started" else []
    return _Block([head, *notes, *explained, *shown, *(title_line(page, check) for check in rest)], left_out)


def _checks(page: Page, told: list[Check], level: int) -> tuple[list[Text], int]:
    """The first check in full, and in FULL the others by name; everything of all in VERBOSE."""
    if level == VERBOSE:
        return [line for check in told for line in failure_lines(page, check, 99, side=4, detail=True)], 0
    limit, side = {FULL: (3, 4), FIRST: (3, 4), NO_ARRAYS: (3, 0), BRIEF: (1, 0)}[level]
    first = [line for check in told[:1] for line in failure_lines(page, check, limit, side)]
    if level == FULL:
        return [*first, *(title_line(page, check) for check in told[1:])], 0
    return first, len(told[1:])
