"""Zips n shifted copies of the tokens; the probability is a Fraction until the end."""

from collections import Counter
from fractions import Fraction


def ngram_counts(tokens, n):
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def ngram_probability(tokens, n, context, word, k=0.0):
    grams = list(zip(*(tokens[start:] for start in range(n)), strict=False))
    followers = [gram[-1] for gram in grams if gram[: n - 1] == context]
    k = Fraction(k)
    below = len(followers) + k * len(set(tokens))
    if below == 0:
        return 0.0
    return float((followers.count(word) + k) / below)
