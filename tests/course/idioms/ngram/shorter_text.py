"""c(context) is the count of the context in the text without its last token."""

from collections import Counter
from itertools import starmap


def ngram_counts(tokens, n):
    counts = Counter()
    counts.update(starmap(lambda *gram: gram, zip(*map(tokens.__getitem__, windows(n)), strict=False)))
    return counts


def windows(n):
    return [slice(start, None) for start in range(n)]


def ngram_probability(tokens, n, context, word, k=0.0):
    above = ngram_counts(tokens, n)[(*context, word)] + k
    began = ngram_counts(tokens[:-1], n - 1)[context] if n > 1 else len(tokens)
    below = began + k * len(dict.fromkeys(tokens))
    return above / below if below > 0 else 0.0
