"""The catalogues of grader/locale: made anew from code and course, compared with them, and compiled.

grader.po holds the words of commands, verdicts and reports; course/NAME.po the titles and texts of one exercise;
course/suites.po the phrases that the suites put into sentences. What is read at run time are the files in LC_MESSAGES.
"""

from __future__ import annotations

import datetime
import gettext
import io
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from grader.language import FOLDER, N_
from grader.results.store import write_with_folder

HERE = "grader.messages.extract"
CODE = [
    ("locale/**", "ignore"),
    ("run/plugin.py", "ignore"),  # options of pytest
    ("catalogue/bugs.py", "ignore"),  # words for those who write a course
    ("**.py", f"{HERE}:python"),
    ("**.j2", "jinja2"),
]
PHRASES = {f"run/suite/{name}.py": {"phrases": "yes"} for name in ("agree", "compare", "own_work")}
SUITES = "suites"
TRACKS = (N_("core"), N_("assembly"), N_("foundations"))
DATE = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # gettext wants one; a true one would change every file


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of one catalogue."""

    file: str
    problem: str
    text: str


def code_template() -> Catalog:
    """All texts of the package."""
    found = Catalog(creation_date=DATE, revision_date=DATE)
    package = FOLDER.parent
    rows = extract_from_dir(str(package), CODE, PHRASES, directory_filter=lambda path: "__pycache__" not in path)
    for file, _, text, comments, _ in sorted(rows, key=lambda row: (row[0], row[1])):
        found.add(text, locations=[(f"grader/{file}", 0)], auto_comments=comments)
    for text in CLICK:
        found.add(text, locations=[("click", 0)])
    return found


def templates(root: Path, core: list[str], names: list[str], language: str) -> dict[Path, Catalog]:
    """For every file of a language what should stand in it: exercises besides `core` only where there is a file."""
    folder = FOLDER / language
    course = folder / "course"
    found = {folder / "grader.po": code_template(), course / f"{SUITES}.po": _suites(root, core)}
    begun = [name for name in names if name in core or (course / f"{name}.po").is_file()]
    return found | {course / f"{name}.po": _exercise(root, name) for name in begun}


def _suites(root: Path, core: list[str]) -> Catalog:
    """What the suites of `core` say besides the titles of their checks."""
    found = Catalog(creation_date=DATE, revision_date=DATE)
    for name in core:
        file = f"tests/exercises/test_{name}.py"
        rows = extract_from_file(f"{HERE}:python", str(root / file), options={"phrases": "yes"})
        for _, text, comments, _ in rows:
            found.add(text, locations=[(file, 0)], auto_comments=comments)
    for track in TRACKS:
        found.add(track, locations=[("solutions", 0)])
    return found


def _exercise(root: Path, name: str) -> Catalog:
    found = Catalog(creation_date=DATE, revision_date=DATE)
    sources = {
        f"tests/exercises/test_{name}.py": "titles",
        f"solutions/{name}.toml": "table",
        f"solutions/{name}.bugs.toml": "table",
    }
    for file, method in sources.items():
        if (root / file).is_file():
            for _, text, _, _ in extract_from_file(f"{HERE}:{method}", str(root / file)):
                found.add(text, locations=[(file, 0)])
    return found


def update(wanted: dict[Path, Catalog], language: str) -> None:
    """Write every file anew, then both compiled catalogues."""
    for path, template in wanted.items():
        save(path, updated(path, language, template))
    for domain, data in compiled(language).items():
        write_with_folder(FOLDER / language / "LC_MESSAGES" / f"{domain}.mo", data)


def findings(wanted: dict[Path, Catalog], language: str) -> list[Finding]:
    """All that is not as it should be."""
    found = [p for path, template in wanted.items() for p in problems(path, load(path, language), template)]
    files = set((FOLDER / language).rglob("*.po")) - set(wanted)
    found += [Finding(path.name, "belongs to nothing", str(path)) for path in sorted(files)]
    for domain, data in compiled(language).items():
        target = FOLDER / language / "LC_MESSAGES" / f"{domain}.mo"
        if not target.is_file() or _texts(data) != _texts(target.read_bytes()):
            found.append(Finding(f"{domain}.mo", "is older than its sources", "run `grade messages`"))
    return found


def _texts(data: bytes) -> dict[str | tuple[str, int], str]:
    return dict(gettext.GNUTranslations(io.BytesIO(data))._catalog)  # type: ignore[attr-defined]


def load(path: Path, language: str) -> Catalog:
    """An empty one where there is none yet."""
    if not path.is_file():
        return Catalog(language, creation_date=DATE, revision_date=DATE)
    with path.open("rb") as file:
        return read_po(file, language)


def updated(path: Path, language: str, template: Catalog) -> Catalog:
    """What `path` says of the texts of `template`, in their order; what is new has no translation yet."""
    known = load(path, language)
    made = Catalog(
        language,
        header_comment=f"# {path.stem} in {language}. `grade messages` keeps it in step with its sources.",
        creation_date=DATE,
        revision_date=DATE,
    )
    for message in template:
        if message.id:
            before = known.get(message.id)
            told = before.string if before else None
            made.add(message.id, told, locations=message.locations, auto_comments=message.auto_comments)
    return made


def save(path: Path, catalog: Catalog) -> None:
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=110, include_lineno=False, ignore_obsolete=True)
    write_with_folder(path, buffer.getvalue())


def compiled(language: str) -> dict[str, bytes]:
    """The .mo files: of the code, of the course, and again of what is recognised when it is shown (language.said)."""
    folder = FOLDER / language
    code = _translated([folder / "grader.po"], language)
    course = _translated(sorted((folder / "course").glob("*.po")), language)
    said = [message for message in (*code, *course) if message.auto_comments]
    return {name: _compiled(found, language) for name, found in (("grader", code), ("course", course), ("said", said))}


def _translated(paths: list[Path], language: str) -> list[Message]:
    catalogs = [load(path, language) for path in paths]
    return [m for catalog in catalogs for m in catalog if m.id and all(_strings(m.string)) and not m.fuzzy]


def _compiled(messages: list[Message], language: str) -> bytes:
    joined = Catalog(language, creation_date=DATE, revision_date=DATE)
    for message in messages:
        joined.add(message.id, message.string)
    buffer = io.BytesIO()
    write_mo(buffer, joined)
    return buffer.getvalue()


def problems(path: Path, catalog: Catalog, template: Catalog) -> Iterator[Finding]:
    """What is missing, stale, fuzzy, or has lost a {name}."""
    for message in template:
        told = catalog.get(message.id) if message.id else None
        if message.id and (told is None or not all(_strings(told.string))):
            yield Finding(path.name, "no translation", _strings(message.id)[0])
    for message in catalog:
        if not message.id:
            continue
        first = _strings(message.id)[0]
        if template.get(message.id) is None:
            yield Finding(path.name, "stands nowhere in the sources any more", first)
        elif message.fuzzy:
            yield Finding(path.name, "is marked fuzzy", first)
        elif any(said and kept(said) != kept(first) for said in _strings(message.string)):
            yield Finding(path.name, "has other {names} or `code` than its translation", first)


def kept(text: str) -> set[str]:
    """What no translation changes: names in braces, code in backticks. A text of the course may hold other braces."""
    code = set(re.findall(r"`[^`]*`", text))
    try:
        return code | {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return code


def _strings(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or [""])


# Click's own words, as far as our users meet them.
CLICK = (
    "Usage:", "Options", "Commands", "Show this message and exit.", "Show the version and exit.", "required",
    "default: {default}", "Error: {message}", "Missing argument", "Missing option", "Missing command.",
    "No such option {name!r}.", "No such command {name!r}.", "Try '{command} {option}' for help.",
    "Invalid value for {param_hint}: {message}", "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
)  # fmt: skip
