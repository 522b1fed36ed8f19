"""A suite without its hidden checks."""

from __future__ import annotations

from grader.release.suites import without_hidden

SUITE = '''"""Checks."""

import torch

SIZES = Table.of({"n": 1})
SECRET = [1, 2, 3]
# About the next table.
MORE: list[int] = SECRET + list(SIZES)


def shared(x):
    return x


def only_hidden(x):
    return shared(MORE)


class Never:
    """Used by nobody."""


@cases(SIZES)
def test_seen(case):
    """Seen."""
    shared(case)


# Why it is hidden.
@cases(MORE)
def test_unseen(case):
    """Nobody sees this one.

    More about it.
    """
    only_hidden(case)
'''


def test_what_only_hidden_checks_use_goes_with_them() -> None:
    suite = without_hidden(SUITE, {"unseen"})
    for gone in ("SECRET", "MORE", "only_hidden", "unseen", "Nobody sees", "Why it is hidden", "About the next"):
        assert gone not in suite.text
    for kept in ("import torch", "SIZES", "def shared", "class Never", "test_seen"):
        assert kept in suite.text
    assert "\n\n\n\n" not in suite.text
    assert suite.titles == ("Nobody sees this one.",)
    assert "SECRET = [1, 2, 3]" in suite.removed
    compile(suite.text, "suite", "exec")


def test_a_suite_without_hidden_checks_stays_as_it_is() -> None:
    assert without_hidden(SUITE, set()).text == SUITE
