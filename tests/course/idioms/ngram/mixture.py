"""Smoothing as a mixture: the unsmoothed probability and the even one, weighted by their counts; in logarithms."""

import math
from collections import Counter


def ngram_counts(tokens, n):
    counts = Counter()
    for end, _ in enumerate(tokens, start=1):
        if end >= n:
            counts[tuple(tokens[end - n : end])] += 1
    return counts


def ngram_probability(tokens, n, context, word, k=0.0):
    counts = ngram_counts(tokens, n)
    began = sum(counts[gram] for gram in counts if all(a == b for a, b in zip(gram, context, strict=False)))
    extra = k * len(set(tokens))
    if not began + extra:
        return 0.0
    weight = began / (began + extra)
    seen = counts.get((*context, word), 0) / began if began else 0.0
    even = 1 / len(set(tokens))
    total = weight * seen + (1 - weight) * even
    return math.exp(math.log(total)) if total > 0 else 0.0
