"""The n-gram model: how likely is a word, given the n - 1 words before it? Count, and divide.

An n-gram is n tokens that stand one behind the other. Its first n - 1 tokens are the context, the last one is the word.
Tokens are words, ids, or anything else that can be the key of a dict.
"""

from collections import Counter
from collections.abc import Hashable, Sequence


def ngram_counts(tokens: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    """How often each n-gram occurs in `tokens`.

        ["a", "b", "a", "b"], n = 2 -> {("a", "b"): 2, ("b", "a"): 1}

    tokens   a list of tokens, taken as they are; it may be empty, or shorter than n: then there is no n-gram
    n        at least 1
    returns  a Counter, or another dict, from n-grams to counts. An n-gram is a tuple, also of a single token. It holds
             those that occur, and no others; nothing stands in for what is in front of the first token or behind the
             last

    Source: Jurafsky, Martin, "Speech and Language Processing" (3rd edition, draft), chapter 3.
    """
    # BEGIN SOLUTION
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    # END SOLUTION


def ngram_probability(
    tokens: Sequence[Hashable], n: int, context: tuple[Hashable, ...], word: Hashable, k: float = 0.0
) -> float:
    """The probability of `word` behind `context`, estimated from `tokens`, smoothed by adding k to every count.

    With c(context, word) for the count of the n-gram that both make, c(context) for the number of n-grams that begin
    with the context, and V for the number of distinct tokens:

        p(word | context) = (c(context, word) + k) / (c(context) + k V)

    c(context) counts n-grams, so the context at the very end of `tokens`, with no word behind it, does not count. That
    is why the probabilities of all V words behind one context add up to 1.

    tokens   a list of tokens, as for ngram_counts
    n        at least 1
    context  a tuple of n - 1 tokens, in their order; () for n = 1, and then c(context) is the number of all tokens
    word     any token; the formula holds as it stands for one that does not occur in `tokens`, too
    k        0 or above, not only whole numbers; above 0 only if there are tokens
    returns  a number. A context of which no n-gram begins gives 0.0 if k is 0; if k is above 0, the formula gives 1 / V

    Source: Jurafsky, Martin, "Speech and Language Processing" (3rd edition, draft), chapter 3, on add-k smoothing.
    """
    # BEGIN SOLUTION
    counts = ngram_counts(tokens, n)
    began = sum(count for ngram, count in counts.items() if ngram[:-1] == context)  # c(context)
    total = began + k * len(set(tokens))
    return (counts[*context, word] + k) / total if total else 0.0
    # END SOLUTION
