"""What `grade batch` shows while it runs: a live table in a terminal, a line for each graded student elsewhere."""

from __future__ import annotations

import time
from collections import deque
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.batch.progress import Done, How, Summary
from grader.language import N_, _, said
from grader.report.terminal_page import foreign
from grader.report.text import clean_line
from grader.report.words import count, points

LAST = 6  # students in the live table
WORDS: dict[How, str] = {
    "graded": N_("graded"), "kept": N_("kept"), "failed": N_("no results"), "skipped": N_("left alone"),
}  # fmt: skip
ORDER: tuple[How, ...] = ("graded", "kept", "skipped", "failed")


class Screen:
    """A context manager; `done` hears of every student. `total`: students of the class."""

    def __init__(self, console: Console, total: int) -> None:
        self.console = console
        self.total = total
        self.summary = Summary()
        self._began = time.monotonic()
        self._last: deque[Done] = deque(maxlen=LAST)
        self._left: tuple[float, float] | None = None  # seconds, and when that was known
        self._live = Live(console=console, transient=True, get_renderable=self._render) if console.is_terminal else None

    def __enter__(self) -> Screen:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def done(self, done: Done) -> None:
        self.summary.count(done)
        if done.seconds_left is not None:
            self._left = (done.seconds_left, time.monotonic())
        if done.how in ("kept", "skipped"):
            return
        self._last.append(done)
        if self._live is None:
            left = _(", about {time} left").format(time=duration(done.seconds_left)) if done.seconds_left else ""
            line = f"{self.summary.how.total()}/{self.total} {_told(done)}{left}"
            self.console.print(Text(line), soft_wrap=True)

    def closing(self) -> str:
        """The run in one sentence: `31 submissions: 4 graded, 27 kept, in 12.3 s.`"""
        told = _("{submissions}: {parts}, in {seconds:.1f} s.")
        submissions = count(self.total, "submission")
        return told.format(
            submissions=submissions, parts=counts(self.summary), seconds=time.monotonic() - self._began
        )  # fmt: skip

    def _render(self) -> RenderableType:
        finished = self.summary.how.total()
        head = Table.grid(padding=(0, 1))
        head.add_row(
            Text(f"{finished}/{self.total}"), ProgressBar(max(self.total, 1), finished, 24),
            Text(counts(self.summary) or _("loading the course")), Text(self._remaining(), "dim"),
        )  # fmt: skip
        return Group(*(Text(_told(done), "red" if done.how == "failed" else "") for done in self._last), head)

    def _remaining(self) -> str:
        if self._left is None:
            return ""
        seconds = max(0.0, self._left[0] - (time.monotonic() - self._left[1]))
        return _("about {time} left").format(time=duration(seconds))


def counts(summary: Summary) -> str:
    """`4 graded, 27 kept`."""
    some = [f"{summary.how[how]} {_(WORDS[how])}" for how in ORDER if summary.how[how]]
    return _(", ").join(some)


def duration(seconds: float | None) -> str:
    """`2 h 5 min`, `3 min`, `40 s`."""
    whole = round(seconds or 0)
    if whole < 90:
        return _("{n} s").format(n=whole)
    hours, minutes = divmod(round(whole / 60), 60)
    parts = [_("{n} h").format(n=hours)] if hours else []
    return " ".join([*parts, _("{n} min").format(n=minutes)])


def _told(done: Done) -> str:
    """One student: `ada: 85 of 100 points`, or why there are none."""
    row = done.row
    name = clean_line(foreign(row.student), 40)
    if row.results is None:
        return f"{name}: {clean_line(foreign(said(row.problem or '')), 160)}"
    waits = _("new results wait to be accepted") if done.is_staged else ""
    return f"{name}: {points(row.results.final, row.results.possible)}" + (f" ({waits})" if waits else "")
