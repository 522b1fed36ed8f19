"""A table of followers for each context; the two counts of the formula come from tasks of their own length."""

from collections import Counter, defaultdict, deque
from itertools import islice


def ngram_counts(tokens, n):
    counts = defaultdict(int)
    stream = iter(tokens)
    window = deque(islice(stream, n - 1), maxlen=n)
    for token in stream:
        window.append(token)
        counts[tuple(window)] += 1
    return counts


def ngram_probability(tokens, n, context, word, k=0.0):
    followers = defaultdict(Counter)
    for gram, count in ngram_counts(tokens, n).items():
        *before, last = gram
        followers[tuple(before)][last] += count
    here = followers[tuple(context)]
    try:
        return (here[word] + k) / (here.total() + k * len(Counter(tokens)))
    except ZeroDivisionError:
        return 0.0
