"""The references of the n-gram model, and the stand-in, against searches written out and a textbook's numbers."""

import itertools
import random
from fractions import Fraction

import pytest

from solutions import ngram as course
from solutions import standins

COUNT = pytest.mark.parametrize("ngram_counts", [course.ngram_counts, standins.ngram_counts])
SAM = (
    *("<s>", "I", "am", "Sam", "</s>", "<s>", "Sam", "I", "am", "</s>"),
    *("<s>", "I", "do", "not", "like", "green", "eggs", "and", "ham", "</s>"),
)


def drawn(length, distinct=3):
    rng = random.Random(length)
    return [rng.choice("abcd"[:distinct]) for _ in range(length)]


@COUNT
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("length", [0, 1, 2, 3, 10, 40])
def test_every_possible_ngram_has_the_count_of_a_search(ngram_counts, n, length):
    tokens = drawn(length)
    counts = ngram_counts(tokens, n)
    for ngram in itertools.product("abc", repeat=n):
        found = sum(tuple(tokens[start : start + n]) == ngram for start in range(len(tokens)))
        assert counts[ngram] == found
        assert (ngram in counts) == (found > 0)
    assert sum(counts.values()) == max(length - n + 1, 0)


@COUNT
def test_ngram_counts_of_worked_tokens(ngram_counts):
    assert ngram_counts(["a", "b", "a", "b"], 2) == {("a", "b"): 2, ("b", "a"): 1}
    assert ngram_counts([0, 0, 0, 0], 3) == {(0, 0, 0): 2}
    assert ngram_counts(["a", "b"], 1) == {("a",): 1, ("b",): 1}
    assert ngram_counts(["a b", "c"], 2) == {("a b", "c"): 1}
    assert ngram_counts(["a"], 2) == {}


@pytest.mark.parametrize(
    ("word", "context", "want"),
    [("I", "<s>", 2 / 3), ("</s>", "Sam", 1 / 2), ("Sam", "<s>", 1 / 3), ("Sam", "am", 1 / 2), ("am", "I", 2 / 3)],
)
def test_ngram_probability_has_the_numbers_of_the_textbook(word, context, want):
    """Jurafsky and Martin, section 3.1: the corpus of Sam."""
    assert course.ngram_probability(SAM, 2, (context,), word) == pytest.approx(want, rel=1e-12)


def test_ngram_probability_of_worked_tokens():
    tokens = ["a", "b", "a", "c", "a"]  # behind a: b and c; V = 3
    assert course.ngram_probability(tokens, 2, ("a",), "b") == 1 / 2
    assert course.ngram_probability(tokens, 2, ("a",), "a", 0.5) == pytest.approx(0.5 / 3.5)
    assert course.ngram_probability(tokens, 1, (), "a", 1.0) == pytest.approx(4 / 8)
    assert course.ngram_probability(tokens, 2, ("z",), "b") == 0.0
    assert course.ngram_probability(tokens, 2, ("z",), "b", 0.1) == pytest.approx(1 / 3)
    assert course.ngram_probability(tokens, 3, ("c", "a"), "b") == 0.0  # nothing follows
    assert course.ngram_probability([], 1, (), "a") == 0.0


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("k", [0.0, 0.5, 1.0, 3.0])
def test_ngram_probability_is_the_fraction_of_a_search(n, k):
    tokens = drawn(25, 4)
    windows = [tokens[start : start + n] for start in range(len(tokens) - n + 1)]
    for context in itertools.product("abcd", repeat=n - 1):
        behind = [window[-1] for window in windows if tuple(window[:-1]) == context]
        below = len(behind) + Fraction(k) * len(set(tokens))
        for word in "abcd":
            want = (behind.count(word) + Fraction(k)) / below if below else 0
            assert course.ngram_probability(tokens, n, context, word, k) == pytest.approx(float(want), rel=1e-12)
        if below:
            total = sum(course.ngram_probability(tokens, n, context, word, k) for word in "abcd")
            assert total == pytest.approx(1.0)
