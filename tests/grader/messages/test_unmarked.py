"""No sentence reaches a reader unmarked: what looks like words in the package is in a catalogue, or is named here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from grader.language import FOLDER
from grader.messages import catalogues, extract

PACKAGE = FOLDER.parent
# Where words are for nobody who reads Chinese here, with the reason.
PLACES = {
    "audit/": "findings of `grade check` are for people who write a course, in English as the guide to it",
    "catalogue/": "errors of a broken course are for the same people; what students meet is marked all the same",
    "messages/": "for translators",
    "subject/worker/": "crosses to us as a code; or is the text of an exception, English as those of Python itself",
    "subject/proxy.py": "an exception among our own processes, never shown",
    "subject/process.py": "the same",
    "subject/remote.py": "the same: an answer that breaks the protocol has a code of its own",
    "run/examiner.py": "errors of a broken course",
    "run/plugin.py": "for `pytest --subject`, whose words are English",
    "replay/snippet.py": "Python code",
    "report/gradebook.py": "columns that programs read",
    "run/recorded/": "errors of a release that is made, for who makes it, or that is damaged",
    "release/build.py": "a README for students, in the course's language as its stubs are",
    "submission/intake/roster.py": "headings of columns that programs write",
    "show/text.py": "the text that a model learns, letter by letter",
}
# Single ones elsewhere, by how they begin.
TEXTS = {
    "known once the engine is ready": "an assertion",
    "one of the two calls has returned or raised": "an assertion",
    "<iframe srcdoc=": "HTML; its title is the name of a frame",
    "it ends in the middle": "detail of a damaged file, in brackets",
    "grade show train": "a command",
    "values to unpack": "how a message of Python is recognised",
    "view size is not compatible": "how a message of torch is recognised",
    "is invalid for input of size": "how a message of torch is recognised",
    "{name} with a known bug": "the name of a module",
    "a known bug of {name} cannot be imported": "an error of a broken course",
    "it said nothing": "detail of our own fault, in brackets",
    "{path} is missing: every exercise has a reference": "an error of a broken course",
    "the reference does not pass": "an error of a broken course",
    "from grader.subject.worker.start import": "Python code",
    "the self-test could not confirm": "detail of `grade doctor`, for who administers the machine",
    "case {index} of {check} has no entry": "an error of a broken course",
    "The most important part of a Transformer is": "what a model continues",
    "from {name}.start import main": "Python code",
    "what stands in it": "content of a file of the self-test",
    "from exercises.{exercise} import {name}": "Python code",
    "the pattern takes any character": "an assertion",
    "import grader": "Python code",
    "JSON is malformed: ": "how a message of msgspec begins",
    "the answer of a worker for": "an error among our own processes",
    "{shown}, the override of": "where a key of overrides.toml is wrong, in front of a sentence",
    "a batch with changed submissions": "an entry of the history, kept as it was made",
    " \\((?P<file>": "a pattern",
    "(?P<stem>": "a pattern",
    "grade stubs {name} --force": "a command",
    "grade accept OUT": "a command",
    "a name comes from one of the two": "an assertion",
    "the command line asks for a student with results": "an assertion",
    "notes, no pictures": "part of a key",
    "a key is no text": "detail of a damaged file, in brackets",
}


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts with at least three words, two of them in small letters side by side; no docstrings, no parts of others."""
    parts = {id(part) for node in ast.walk(tree) if whole(node) for part in ast.walk(node) if part is not node}
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = None if id(node) in parts | documents else extract.template(node)
        plain = re.sub(r"{[^{}]*}|`[^`]*`", " x ", text or "")
        if len(re.findall(r"[A-Za-z]{2,}", plain)) > 2 and re.search(r"[a-z]+ [a-z]+", plain):
            yield getattr(node, "lineno", 0), text or ""


def whole(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and extract.template(node) is not None)


def unmarked() -> Iterator[tuple[str, int, str]]:
    ids = [message.id for message in catalogues.code_template() if message.id]
    known = {text for found in ids for text in ([found] if isinstance(found, str) else found)}
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for line, text in sentences(extract.inlined(path.read_bytes())):
            if text not in known and text.strip() not in known:
                yield file, line, text


def excused(file: str, text: str) -> str | None:
    """By which entry above."""
    return next((p for p in PLACES if file.startswith(p)), next((t for t in TEXTS if text.startswith(t)), None))


def test_every_sentence_is_marked_or_has_a_reason_not_to_be() -> None:
    assert [f"{file}:{line}: {text}" for file, line, text in unmarked() if excused(file, text) is None] == []


def test_every_reason_is_needed() -> None:
    used = {excused(file, text) for file, _, text in unmarked()}
    assert {*PLACES, *TEXTS} - used == set()


def test_every_word_of_a_template_is_marked() -> None:
    found = [
        f"{path.name}: {text}"
        for path in sorted(PACKAGE.rglob("*.j2"))
        if "catalogue" not in path.parts  # files that a lecturer goes on writing, in English as the guide to it
        for text in words(path.read_text("utf-8"))
    ]
    assert found == []


def words(template: str) -> list[str]:
    """What a reader would see of it in English whatever the language: text, titles and labels of elements."""
    plain = re.sub(r"(?s){#.*?#}|{%.*?%}|{{.*?}}|<style.*?</style>|<script.*?</script>", " ", template)
    shown = re.findall(r'(?:title|aria-label|alt)="([^"]*)"', plain) + re.split(r"<[^>]*>", plain)
    return [" ".join(text.split()) for text in shown if re.search(r"[A-Za-z]{2}", re.sub(r"&\w+;|\.py\b", "", text))]


def test_an_unmarked_word_of_a_template_is_found() -> None:
    page = '<p title="A title">{{ _("told") }} and more</p>{% if x %}<b aria-label="{{ y }}">{# no #}</b>'
    assert words(page) == ["A title", "and more"]


def test_an_unmarked_sentence_is_found() -> None:
    source = """
"A docstring is for those who read code."
print(f"{x} is not what we meant")
_("this one is marked")
wide = "a text " + "of two parts"
"""
    assert sorted(text for _, text in sentences(ast.parse(source))) == [
        "a text of two parts", "this one is marked", "{x} is not what we meant",
    ]  # fmt: skip
