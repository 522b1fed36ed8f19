"""A page of the terminal: lines no wider than it, points at its right margin, text of others behind a mark of ours.

The mark at the start of every line is also a guard: a CI runner takes lines that begin with `::` for commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.language import said
from grader.report.text import clean_line, clean_output
from grader.report.words import WORDS, of, points
from grader.results.schema import Exercise, Status

STYLES: dict[Status, str] = {
    "passed": "green",
    "failed": "red",
    "not_started": "dim",
    "blocked": "yellow",
    "error": "magenta",
}
GUTTER = "  │ "
_COMMAND = re.compile(r"`grade [^`]{1,40}`")
_HELD = "\ue000"  # for a space at which no line is broken; of no meaning elsewhere, and as wide


class Scored(Protocol):
    @property
    def points(self) -> float: ...

    @property
    def possible(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Page:
    console: Console
    width: int

    def heading(self, exercise: Exercise) -> Text:
        right = f" {points(exercise.points, exercise.possible)}"
        left = joined("── ", Text(foreign(said(exercise.title)), "bold"), " ")
        left.truncate(max(8, self.width - len(right)), overflow="ellipsis")
        return joined(left, Text("─" * max(0, self.width - left.cell_len - len(right)), "dim"), Text(right, "bold"))

    def ends(self, left: Text, scored: Scored) -> Text:
        """`left`, cut if it must be, and the points at the right margin."""
        right = of(scored.points, scored.possible) if scored.possible else "\u2013"
        left.truncate(max(8, self.width - len(right) - 1), overflow="ellipsis")
        return joined(left, " " * max(1, self.width - left.cell_len - len(right)), Text(right, "dim"))

    def wrapped(self, text: Text, limit: int, gutter: str = GUTTER) -> list[Text]:
        """At most `limit` lines behind the gutter; a short command in backticks stays on one, to be copied."""
        whole = text.copy()
        whole.plain = _COMMAND.sub(lambda found: found[0].replace(" ", _HELD), text.plain)
        lines = whole.wrap(self.console, max(20, self.width - len(gutter)))
        for line in lines:
            line.plain = line.plain.replace(_HELD, " ")
        return self.behind(self.cut(lines, limit, len(gutter)), gutter)

    def cut(self, lines: Iterable[Text], limit: int, taken: int = 16) -> list[Text]:
        """At most `limit` of them; the last one says that there are more. `taken`: columns used beside them."""
        kept = list(lines)
        if len(kept) > limit:
            kept = kept[:limit]
            kept[-1].rstrip()
            kept[-1].truncate(max(1, self.width - taken - 1))
            kept[-1].append("…")
        return kept

    def behind(self, lines: Iterable[Text], gutter: str = GUTTER) -> list[Text]:
        found = []
        for line in lines:
            line.rstrip()
            found.append(joined(Text(gutter, "dim"), line))
        return found


@dataclass(frozen=True, slots=True)
class Behind:
    """A paragraph behind a gutter, as long as it is."""

    text: Text
    gutter: str = "│ "

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from Page(console, options.max_width).wrapped(self.text, 99, self.gutter)


def foreign(text: str) -> str:
    """Text of others, on one line."""
    return clean_line(clean_output(text))


def joined(*parts: Text | str) -> Text:
    return Text.assemble(*parts, no_wrap=True, overflow="crop")


def mark(status: Status) -> Text:
    return Text(WORDS[status].mark, STYLES[status])
