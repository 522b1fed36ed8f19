"""One self-contained page: pairs of students with the lines they share, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from grader.report.page import TEMPLATES
from grader.report.page import environment as of_reports
from grader.report.text import clean
from grader.similar.course import Pair
from grader.similar.pairs import COMMON, FEW, Shared, common_above
from grader.similar.regions import marked, regions
from grader.submission.model import SourceFile

AROUND = 2  # lines shown before and behind what is marked
MOST = 400  # lines of a file that are shown
LONGEST = 160  # characters of a line that are shown


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a file as it is shown. `region`: which one it belongs to, or 0. `gap`: lines above it are left out."""

    where: str  # its number; in a notebook "cell:line"
    code: Markup
    region: int
    heads: bool  # it is the first line of its region
    gap: bool


def render(title: str, pairs: Sequence[Pair], students: int, more: int) -> str:
    """`pairs` are shown, `more` others share something too; `students` are compared."""
    return _environment().get_template("similar.html.j2").render(
        title=title, pairs=pairs, students=students, more=more,
        most=common_above(students), share=round(100 * COMMON), few=FEW, sides=sides,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    folders = [Path(__file__).parent / "templates", TEMPLATES]
    made = of_reports().overlay(loader=FileSystemLoader(folders))
    made.globals.update(colours=_colours)
    return made


def sides(part: Shared) -> tuple[list[Row], list[Row]]:
    """What is marked of both files, with some lines around it."""
    found = regions(part.passages)
    left, right = marked(found, right=False), marked(found, right=True)
    return list(_rows(part.left, left)), list(_rows(part.right, right))


def _rows(file: SourceFile, region_of: dict[int, int]) -> Iterator[Row]:
    text = (file.text or "").split("\n")
    near = {near for line in region_of for near in range(line - AROUND, line + AROUND + 1)}
    shown = sorted(line for line in near if 1 <= line <= len(text))[:MOST]
    code = _highlighted(text[: shown[-1]]) if shown else []
    before = region = 0
    for line in shown:
        heads = region_of.get(line, 0) not in (0, region)
        region = region_of.get(line, region)
        yield Row(_where(file, line), code[line - 1], region_of.get(line, 0), heads, line > before + 1)
        before = line


def _where(file: SourceFile, line: int) -> str:
    """As a reader finds it: in a notebook, the cell and its line."""
    spans = [span for span in file.spans if span[0] <= line]
    if not spans:
        return str(line)
    first, label, begin = spans[-1]
    return f"{label.rpartition(' ')[2]}:{begin + line - first}"


def _highlighted(lines: Sequence[str]) -> list[Markup]:
    """Each line whole in itself. Long ones are cut: a file of one line is no page."""
    cut = clean("\n".join(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…" for line in lines))
    shown = highlight(cut, PythonLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True))
    return [Markup(line) for line in shown.split("\n")]


def _colours() -> Markup:
    """Few, from the page's own: comments and texts step back, keywords stand out."""
    return Markup(
        ".c, .c1, .sd { color: var(--soft); font-style: italic; }"
        ".s, .s1, .s2, .sa, .sb, .si { color: var(--passed); }"
        ".k, .kn, .kc, .kd, .ow { color: var(--link); font-weight: 600; }"
    )
