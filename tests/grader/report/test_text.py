"""Text of a student's is made harmless where it is shown: controls, separators, length, commands of CI runners."""

from __future__ import annotations

import unicodedata

import pytest

from grader.report.text import clean, clean_line, clean_output


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\rb", "a\\x0db"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("\u202eabc\u202c", "\\u202eabc\\u202c"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("line\n\tline", "line\n\tline"),
        ("Zoë, 李雷 ✓ −1", "Zoë, 李雷 ✓ −1"),
    ],
)
def test_controls_and_invisible_characters_become_escapes(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_no_control_or_separator_survives_from_the_whole_of_unicode() -> None:
    everything = clean("".join(map(chr, range(0x110000))))
    left = {c for c in everything if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")}
    assert left == {"\n", "\t"}
    bidi = {c for c in everything if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI")}
    assert not bidi
    everything.encode("utf-8")


def test_a_line_has_no_breaks_and_keeps_to_its_limit() -> None:
    assert clean_line("a\n b\t c") == "a b c"
    assert clean_line("abcdef", 4) == "abc…"
    assert clean_line("abcd", 4) == "abcd"


def test_commands_of_ci_runners_are_broken_up() -> None:
    shown = clean_output("x ##[error]boom ##vso[task.complete] ## heading")
    assert shown == "x # #[error]boom # #vso[task.complete] ## heading"
