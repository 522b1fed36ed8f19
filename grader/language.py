"""The language that words are shown in: English, as it stands in the code, or a gettext catalogue of grader/locale.

`_` and `ngettext` are for words that are made where they are shown. `said` is for sentences that were made elsewhere,
in English: in results.json, in an exception, in the course. They are looked up, by their template where they have one.
Nothing that is kept (results.json, the gradebook) depends on the language; only the command line sets it.
"""

from __future__ import annotations

import gettext
import os
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from grader.errors import UsageError

LANGUAGES = ("en", "zh")
FOLDER = Path(__file__).parent / "locale"
DOMAINS = ("grader", "course")
MADE = "said"  # the domain of the texts that `said` recognises
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as everywhere on a Unix
OTHERS = ("text", "etype", "source", "task", "file", "name", "path", "known")  # fields with names and text of others
SPAN = re.compile(r"\d+ (?:days?|h|min|s)(?: \d+ (?:h|min|s))*(?= \(|$)")  # "1 day 3 h", alone or before a bracket
LETTERS = 4  # a template with fewer of its own would fit everything


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with {names} in it, and the same in another language."""

    literals: tuple[str, ...]  # before, between and behind the fields
    fields: tuple[str, ...]
    translation: str

    def values_in(self, text: str) -> dict[str, str] | None:
        """What stands in `text` at the places of the fields; None if it is not made from this template."""
        first, *others = self.literals
        if not text.startswith(first) or not text.endswith(others[-1]):
            return None
        values, at = dict[str, str](), len(first)
        for number, (name, literal) in enumerate(zip(self.fields, others, strict=True), 1):
            end = len(text) - len(literal) if number == len(others) else text.find(literal, at)
            if end < at:
                return None
            values.setdefault(name, text[at:end])
            at = end + len(literal)
        return values


@dataclass
class Words:
    """The catalogues of one language. English has none: every text stands for itself."""

    language: str = "en"
    texts: dict[str, str] = field(default_factory=dict)
    plurals: gettext.NullTranslations = field(default_factory=gettext.NullTranslations)
    templates: list[Template] = field(default_factory=list)


@lru_cache
def words_of(language: str) -> Words:
    """Read once. A catalogue holds what `grade messages` found in code and course."""
    if language == "en":
        return Words()
    texts: dict[str, str] = {}
    for domain in reversed(DOMAINS):
        texts |= {key: text for key, text in entries(language, domain).items() if isinstance(key, str) and key}
    marked = entries(language, MADE).items()
    made = [t for key, text in marked if isinstance(key, str) and "{" in key and (t := template(key, text))]
    made.sort(key=lambda t: -sum(map(len, t.literals)))  # the one that says most comes first
    return Words(language, texts, gettext.translation("grader", FOLDER, [language]), made)


def entries(language: str, domain: str) -> Mapping[str | tuple[str, int], str]:
    """All of a compiled catalogue. gettext itself has no way to list them."""
    return gettext.translation(domain, FOLDER, [language])._catalog  # type: ignore[attr-defined,no-any-return]


def template(key: str, translation: str) -> Template | None:
    """None for a text without fields, for one that is nearly nothing else, and for braces that mean something else."""
    literals, fields = [""], list[str]()
    try:
        parts = list(string.Formatter().parse(key))
    except ValueError:
        return None
    for literal, name, *_format in parts:
        literals[-1] += literal
        if name is not None and (literals[-1] or not fields):  # of two fields that touch, the first takes all
            fields.append(name)
            literals.append("")
    enough = sum(c.isalpha() for literal in literals for c in literal) >= LETTERS
    return Template(tuple(literals), tuple(fields), translation) if fields and enough else None


_words = Words()


def use(language: str) -> None:
    """From here on, words are shown in this language."""
    global _words
    if language not in LANGUAGES:
        raise UsageError(f"There is no language {language!r}: choose from {', '.join(LANGUAGES)}.")
    _words = words_of(language)
    _of_a_sentence.cache_clear()
    os.environ["LANGUAGE"] = language  # where gettext looks for the language of click's own words
    gettext.bindtextdomain("grader", FOLDER)
    gettext.textdomain("grader")


def current() -> str:
    return _words.language


def of_environment(environment: Mapping[str, str]) -> str:
    """That of the locale, if we have it; else English."""
    chosen = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    language = chosen.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else "en"


def _(text: str) -> str:
    """`text` in the language of the reader."""
    return _words.texts.get(text, text)


def ngettext(one: str, many: str, number: int) -> str:
    """`one` or `many`, by the number and the language."""
    return _words.plurals.ngettext(one, many, number)


def N_(text: str) -> str:
    """Marks a text, or an f-string, that is shown later, by `_` or `said`."""
    return text


def said(text: str) -> str:
    """A sentence, or a part of one, that was made in English: again in the language of the reader, if it is known."""
    return text if _words.language == "en" else _of_a_sentence(text)


@lru_cache(maxsize=4096)
def _of_a_sentence(text: str) -> str:
    if text in _words.texts:
        return _words.texts[text]
    for known in _words.templates:
        values = known.values_in(text)
        if values is not None and text not in values.values():
            parts = {name: value if name in OTHERS else said(value) for name, value in values.items()}
            return filled(known.translation, parts)
    if span := SPAN.match(text):
        return _span(span[0]) + said(text[span.end() :])
    file, colon, sentence = text.partition(": ")  # "attention.ipynb: …"
    known_too = said(sentence) if colon and " " not in file else sentence
    return f"{file}：{known_too}" if known_too != sentence else text


def _span(text: str) -> str:
    """`1 day 3 h`, in the words of the language."""
    found = re.findall(r"(\d+) (\w+)", text)
    words = {"h": _("{n} h"), "min": _("{n} min"), "s": _("{n} s")}
    return " ".join((words.get(u) or ngettext("{n} day", "{n} days", int(n))).format(n=n) for n, u in found)


def filled(translation: str, values: Mapping[str, str]) -> str:
    """The values were written once already, so the formats that stand in the fields are left out."""
    parts = string.Formatter().parse(translation)
    return "".join(literal + (values.get(name, "") if name else "") for literal, name, *_format in parts)
