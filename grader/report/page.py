"""What the HTML pages share: one template environment in which every printed value is cleaned, then escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.language import _, current, ngettext, said
from grader.report import words
from grader.report.text import clean

PLAIN = {
    "you",
    "your",
    "the",
    "a",
    "an",
    "no",
    "there",
    "only",
    "all",
    "every",
    "each",
    "both",
    "in",
    "without",
    "with",
}
TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(words=words, WORDS=words.WORDS, _=_, ngettext=ngettext, language=current)
    made.filters.update(number=words.number, prose=prose, capital=capital, breakable=breakable, said=said)
    return made


def prose(text: str) -> Markup:
    """Text of the course, in which `names` stand in backticks: cleaned, escaped, and the names set as code."""
    parts = clean(text).split("`")
    if len(parts) % 2 == 0:
        return escape(clean(text))
    code = Markup("<code>{}</code>")  # Markup escapes what it joins and formats
    return Markup("").join(code.format(part) if n % 2 else part for n, part in enumerate(parts))


def capital(text: str) -> str:
    """A sentence's capital, where it begins with a plain word: `encode` and `x` are names of the code."""
    return text[:1].upper() + text[1:] if text.split(" ", 1)[0] in PLAIN else text


def breakable(name: str) -> Markup:
    """A name that may go on in the next line behind an underscore."""
    return Markup("_<wbr>").join(clean(name).split("_"))


def safe_href(href: str | None) -> str | None:
    """A relative, file or web address; nothing else may be followed from a page."""
    if href is None or any(ord(c) < 0x20 for c in href):
        return None
    scheme = ":" in href.split("/", 1)[0]
    return href.replace(" ", "%20") if not scheme or href.startswith(("https://", "http://", "file:///")) else None


def _finalize(value: Any) -> Any:
    """Runs on every {{ … }}: no text reaches a page without it, except what a macro has built."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
