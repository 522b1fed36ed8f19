"""A page for each exercise with an entry for each known bug, written into docs/diagnoses before the site is read.

The pages are made of solutions/NAME.bugs.toml at every build and are not kept in the repository.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import marked
from pairs import Pair, pairs_of
from sphinx.application import Sphinx

from grader.catalogue.bugs import KnownBug, load_bugs
from grader.catalogue.load import load_course
from grader.catalogue.model import Course, Exercise

ROOT = Path(__file__).parents[2]
FOLDER = "diagnoses"
OPTION = "publish_references"
SPOILER = """```{note}
This page shows lines of the reference, which is public in this course. A course that keeps its own secret does not
publish them: with `publish_references = False` in `docs/conf.py` the entries have words only.
```
"""


def write_pages(app: Sphinx) -> None:
    """All pages, and the list of them. A page that is the same already keeps its time, so nothing is read twice."""
    course = load_course(ROOT, configured=False)
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    lines = app.config[OPTION]
    pages = {f"{e.name}.md": page(course, e, lines) for e in course.exercises}
    pages["index.md"] = index(course)
    for path in set(folder.glob("*.md")) - {folder / name for name in pages}:
        path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def index(course: Course) -> str:
    """How many there are, by exercise, and the pages in order."""
    bugs = {e.name: load_bugs(course, e) for e in course.exercises}
    count = sum(map(len, bugs.values()))
    counted = ((e, len(bugs[e.name]), sum(b.source != "own" for b in bugs[e.name])) for e in course.exercises)
    rows = (f"| [{e.title}]({e.name}.md) | {e.track} | {known} | {seen} |" for e, known, seen in counted)
    lines = [
        "# Every diagnosis\n",
        f"The course knows {count} mistakes by name. When a check fails, the answers of your code",
        "to a few probes are compared with those of each of them; where all agree, you are told which one it is.",
        "[How a verdict is made](../verdict.md#diagnosis) has the details, [the proof](../proof.md) what each costs.\n",
        "| exercise | track | known bugs | of them seen in published code |",
        "| --- | --- | ---: | ---: |",
        *rows,
        "\n```{toctree}\n:hidden:\n",
        *(e.name for e in course.exercises),
        "```\n",
    ]
    return "\n".join(lines)


def page(course: Course, exercise: Exercise, lines: bool = True) -> str:
    """The known bugs of one exercise, task by task; with their `lines`, or in words only."""
    reference = course.reference_path(exercise.name).read_text("utf-8") if lines else None
    bugs = load_bugs(course, exercise)
    made = ["---\ntocdepth: 2\n---\n", f"# {exercise.title}\n", f"{exercise.summary}\n", SPOILER if lines else ""]
    for task in exercise.tasks:
        mine = [bug for bug in bugs if bug.task == task.name]
        if mine:
            made += [f"## {task.name}\n", *(entry(bug, reference) for bug in mine)]
    return "\n".join(made)


def entry(bug: KnownBug, reference: str | None) -> str:
    """What, why, what to try, the wrong line beside the right one, and where it was seen."""
    named = bug.invariant and f"*It is caught and called by no name: {said(bug.invariant)}.*\n\n"
    source = "" if bug.source == "own" else f'<p class="seen">Seen in: {html.escape(bug.source)}</p>'
    shown = "".join(two_columns(pair) for pair in pairs_of(reference, bug.text)) if reference else ""
    return (
        f"### {bug.name}\n\n"
        f"**{sentence(bug.what)}** {said(bug.why)}\n\n"
        f"*Try:* {said(bug.hint)}\n\n{named}"
        f'```{{raw}} html\n<div class="wrong-right">{shown}</div>{source}\n```\n'
    )


def sentence(clause: str) -> str:
    text = said(clause)
    return f"{text[0].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")


def said(text: str) -> str:
    """A sentence of the course, as Markdown: what could be taken for marks is not, but between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#|~^$])", r"\\\1", part) for part in parts)


def two_columns(pair: Pair) -> str:
    """Both sides in colours, side by side; below each other where it is narrow."""
    codes = marked.both("\n".join(pair.wrong), "\n".join(pair.right))
    return "".join(column(*side) for side in zip(("wrong", "right"), codes, strict=True))


def column(name: str, code: str) -> str:
    shown = code or '<span class="none">nothing</span>'
    block = f'<div class="highlight"><pre tabindex="0">{shown}</pre></div>'
    return f'<div class="{name}"><span class="side">{name}</span>{block}</div>'


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value(OPTION, True, "env", bool)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
