"""Every state and every kind of failure has a sentence of its own, which somebody says, and an explanation."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import get_args

import pytest

from grader.report.words import WORDS
from grader.results.codes import CODES, render
from grader.results.schema import Reason, Status

ROOT = Path(__file__).parents[3]


def test_every_state_has_words_of_its_own() -> None:
    assert list(WORDS) == list(get_args(Status))
    for part in ("mark", "letter", "label", "sentence"):
        assert len({getattr(word, part) for word in WORDS.values()}) == len(WORDS), part


def test_every_reason_has_a_code() -> None:
    assert {code.reason for code in CODES.values()} - {None} == set(get_args(Reason))


def test_no_two_codes_say_the_same() -> None:
    sentences = [code.sentence for code in CODES.values()]
    explained = [
        code.explain for code in CODES.values() if code.slug not in ("right_until", "never_made", "other_value")
    ]
    assert len(set(sentences)) == len(sentences)
    assert len(set(explained)) == len(explained)


@pytest.mark.parametrize("slug", CODES)
def test_a_sentence_is_whole(slug: str) -> None:
    code = CODES[slug]
    names = {name for _, name, _, _ in string.Formatter().parse(code.sentence) if name}
    said = render(slug, dict.fromkeys(names, "X"))
    assert "{" not in said
    assert said.endswith((".", "X", "Xx"))  # else its end is a sentence, or a place, of the values
    assert code.explain.endswith(".")


def test_every_code_is_said_by_somebody() -> None:
    files = [*(ROOT / "grader").rglob("*.py"), *(ROOT / "tests" / "exercises").glob("*.py")]
    texts = "\n".join(p.read_text("utf-8") for p in files if p.name != "codes.py")
    said = set(re.findall(r'"([a-z_]+)"', texts))
    assert set(CODES) - said == set()
