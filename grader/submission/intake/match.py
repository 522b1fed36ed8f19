"""Find the file of each exercise: by its exact name, then by a name that means it, then by what it defines.

What is not certain is not graded: of two files that could be one exercise none is taken, and the row says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grader.language import N_
from grader.submission.files import INNER, NOTEBOOK, both_there, same_code, source_of, twice_there
from grader.submission.intake.called import meant
from grader.submission.intake.model import CODE, Item, Wanted, shown
from grader.submission.model import SourceFile
from grader.submission.notebook.extract import Tasks
from grader.submission.notebook.names import defined
from grader.submission.notebook.tokens import logical_lines

MOST_READ = 40  # files that are looked into, a student: a hostile one may take a second
MOST_NAMED = 5
# Folders of the course itself, in a copy of its whole repository: what is in them is nobody's answer.
_COURSES_OWN = {"solutions", "tests", "grader", "examples", "docs", "benchmarks"}


@dataclass
class Matching:
    """Files by exercise, and sentences on all that was not plain."""

    tasks: Tasks | None = None  # of each exercise: a notebook may hold several
    files: dict[str, SourceFile] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)  # path, and the exercise it is graded as or could be
    chosen: dict[str, str] = field(default_factory=dict)  # exercise, and the path of its file

    def take(self, name: str, item: Item) -> None:
        self.files[name] = _source(item, name, self.tasks)
        self.used[item.path] = name
        self.chosen[name] = item.path

    def ambiguous(self, name: str, items: Sequence[Item]) -> None:
        self.used |= {item.path: name for item in items}
        files = _named(items)
        self.problems.append(
            N_(f"{name} is not graded: more than one file could be it ({files}). Keep one, and call it {name}.py.")
        )

    def unreadable(self, reasons: Mapping[str, str]) -> None:
        """Files that could be anything."""
        self.used |= dict.fromkeys(reasons, "")
        for path, reason in list(reasons.items())[:MOST_NAMED]:
            file = shown(path)
            self.problems.append(N_(f"{file} cannot be read: {reason}."))


def matched(items: Sequence[Item], wanted: Wanted, found: Mapping[str, SourceFile]) -> Matching:
    """The exercises among a student's files. Those in `found` are settled: files of their names are not asked again."""
    here = below_common(items)
    code = [item for item in here if item.suffix in CODE and not _is_courses_own(item, here)]
    matching = Matching(wanted.by_exercise, chosen={name: file.file for name, file in found.items()})
    matching.used |= {item.path: name for name in found for item in code if _is_exact(item, name)}
    missing = [name for name in wanted.names if name not in found]
    for name in missing:
        _by_exact_name(matching, name, [item for item in code if _is_exact(item, name)], wanted)
    _by_meaning(matching, [n for n in missing if n not in matching.files], code, wanted)
    _by_definitions(matching, [n for n in missing if n not in matching.files], code, wanted)
    matching.problems += _not_graded(matching, code, wanted)
    return matching


def below_common(items: Sequence[Item]) -> list[Item]:
    """The same files, without the folders that all of them lie in."""
    rows = list(items)
    while rows and rows[0].top and rows[0].top != INNER and all(item.top == rows[0].top for item in rows):
        rows = [Item(item.path[len(item.top) + 1 :], item.read) for item in rows]
    return rows


def defined_in(file: SourceFile) -> list[str]:
    """Functions and classes at the left margin, as they come. Cut out by tokens: an `ast` of a stranger's text can
    take the grader's own process down."""
    lines = [line for line in logical_lines(file.text or "") if line.indent == 0 and not line.magic]
    return list(dict.fromkeys(name for line in lines if (name := defined(line))))


def _is_exact(item: Item, name: str) -> bool:
    return item.name in (f"{name}.py", f"{name}{NOTEBOOK}")


def _is_courses_own(item: Item, items: Sequence[Item]) -> bool:
    return item.top in _COURSES_OWN and any(other.top == INNER for other in items)


def _by_exact_name(matching: Matching, name: str, items: Sequence[Item], wanted: Wanted) -> None:
    """NAME.py, or NAME.ipynb where there is no NAME.py, or only its stub."""
    matching.used |= {item.path: name for item in items}
    written, problems = _best([item for item in items if item.suffix != NOTEBOOK])
    notebook, more = _best([item for item in items if item.suffix == NOTEBOOK])
    if len(written) > 1 or (not written and len(notebook) > 1):
        matching.ambiguous(name, written if len(written) > 1 else notebook)
        return
    matching.problems += problems + more
    if written:
        matching.take(name, written[0])
    text = matching.files[name].text if written else None
    if len(notebook) == 1 and (not written or (text is not None and wanted.is_stub(name, text))):
        matching.take(name, notebook[0])
    elif notebook and not _all_same_code(matching.files[name], notebook, wanted):
        matching.problems.append(both_there(name))
    matching.problems += _deeper(items, matching.chosen.get(name, ""))


def _all_same_code(file: SourceFile, notebooks: Sequence[Item], wanted: Wanted) -> bool:
    return all(same_code(file, _source(item, file.name, wanted.by_exercise)) for item in notebooks)


def _deeper(items: Sequence[Item], chosen: str) -> list[str]:
    """Files of the same name in other folders than the two that every sentence above knows."""
    other = shown(chosen)
    others = [item for item in items if "/" in item.path and item.path != f"{INNER}/{item.name}"]
    differ = [shown(item.path) for item in others if item.path != chosen and item.name == chosen.rpartition("/")[2]]
    return [N_(f"{file} is not graded: {other} is.") for file in differ[:MOST_NAMED]]


def _best(items: Sequence[Item]) -> tuple[list[Item], list[str]]:
    """Of files of one name: the one at the top, else that in exercises/, else those that lie deeper and differ."""
    top = [item for item in items if "/" not in item.path]
    inner = [item for item in items if item.path == f"{INNER}/{item.name}"]
    if top and inner:
        return top, [twice_there(top[0].name)]
    return top or inner or _different(items), []


def _different(items: Sequence[Item]) -> list[Item]:
    """The same file in two places is one file."""
    if len(items) < 2:
        return list(items)
    by_text = {_text(_source(item, "")): item for item in reversed(items[:MOST_READ])}
    return list(reversed(by_text.values()))


def _by_meaning(matching: Matching, missing: Iterable[str], code: Sequence[Item], wanted: Wanted) -> None:
    free = [(item, meant(item.stem, wanted.names)) for item in code if item.path not in matching.used]
    for name in missing:
        items = _different([item for item, meaning in free if meaning == name])
        if len(items) > 1:
            matching.ambiguous(name, items)
        elif items:
            matching.take(name, items[0])
            file = shown(items[0].path)
            matching.problems.append(N_(f"{file} is graded as {name}: no file is called {name}.py."))


def _by_definitions(matching: Matching, missing: Sequence[str], code: Sequence[Item], wanted: Wanted) -> None:
    """A file that holds several exercises is graded as each of them."""
    open_ones = [name for name in missing if name not in matching.used.values()]
    asked = [task for task, exercise in wanted.tasks.items() if exercise in open_ones]
    if not asked:
        return
    free = [item for item in code if item.path not in matching.used and item.name not in wanted.given][:MOST_READ]
    sources = {item.path: _source(item, item.stem) for item in free}
    matching.unreadable({path: file.problem for path, file in sources.items() if file.problem})
    defines = {path: set(defined_in(file)) & set(asked) for path, file in sources.items()}
    for name in open_ones:
        tasks = [task for task in asked if wanted.tasks[task] == name]
        items = _different([item for item in free if defines[item.path] & set(tasks)])
        if len(items) > 1:
            matching.ambiguous(name, items)
        elif items:
            matching.take(name, items[0])
            file, known = shown(items[0].path), ", ".join(task for task in tasks if task in defines[items[0].path])
            matching.problems.append(N_(f"{file} is graded as {name}: it defines {known}."))


def _not_graded(matching: Matching, code: Sequence[Item], wanted: Wanted) -> list[str]:
    """A sentence on files of code that are no part of the verdict."""
    free = [item for item in code if item.path not in matching.used and item.name not in wanted.given]
    sentences: list[str] = []
    unknown: list[Item] = []
    for item in free:
        chosen = matching.chosen.get(meant(item.stem, wanted.names), "")
        if chosen and len(sentences) < MOST_NAMED:
            file, other = shown(item.path), shown(chosen)
            sentences.append(N_(f"{file} is not graded: {other} is."))
        elif not chosen:
            unknown.append(item)
    if unknown:
        files = _named(unknown)
        sentences.append(N_(f"Not graded, as no exercise by name or by what is defined: {files}."))
    return sentences


def _named(items: Sequence[Item]) -> str:
    more = f" … {len(items) - MOST_NAMED}" if len(items) > MOST_NAMED else ""
    return ", ".join(shown(item.path) for item in items[:MOST_NAMED]) + more


def _source(item: Item, name: str, tasks: Tasks | None = None) -> SourceFile:
    return source_of(item.read, name, item.name, tasks)


def _text(file: SourceFile) -> tuple[str | None, str | None]:
    return file.text, file.problem
