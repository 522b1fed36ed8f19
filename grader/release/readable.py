"""Everything in a file that somebody could read: text, strings in JSON, words of a page, files in an archive."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGES = (".html", ".htm", ".xml", ".svg", ".md")
TAG = re.compile(r"<[^<>]*>")


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of a name and a text. Of a file with a form of its own the text as it is, and what it says."""
    yield from _of(str(path), path.read_bytes())


def _of(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                yield from _of(f"{name}!{member.filename}", archive.read(member))
        return
    text = _decoded(data)
    yield name, text
    if name.lower().endswith(PAGES):
        yield name, html.unescape(TAG.sub("", text))
    elif "\\u" in text:  # JSON may spell out what is not ASCII
        try:
            yield name, "\n".join(_strings(json.loads(text)))
        except (ValueError, RecursionError):
            return


def _decoded(data: bytes) -> str:
    """What is no text has texts in it all the same, as the names in a file of tensors."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
