"""Questions that tell the known bugs of ngram_counts and ngram_probability apart."""

from typing import Any

import torch

from grader.run.suite import Case, Proxy, Table, probe

COUNTED = Table.of(
    {"tokens": ("a", "B", "a", "B", "c c", "a", "B", "c c"), "n": 2},
    {"tokens": ("a", "b", "a", "b", "a", "c"), "n": 3},
    {"tokens": ("a", "b", "a"), "n": 1},
    {"tokens": ("a", "b"), "n": 3},
    {"tokens": (), "n": 2},
    {"tokens": (0, 1, 0, 0, 2, 1, 0), "n": 2},
    {"tokens": ("a", "", "b", "a", ""), "n": 2},
    {"tokens": ("b", "a", "b", "b", "a"), "n": 2},
)
ASKED = Table.of(
    {"tokens": "d a b c a b d a b e a c a b", "context": "a b", "word": "c", "k": 0.5},
    {"tokens": "d a b c a b d a b e a c a b", "context": "a b", "word": "c"},
    {"tokens": "d a b a b a c b e a", "context": "a", "word": "b", "k": 0.5},
    {"tokens": "d a b a b a c b e a", "context": "a", "word": "b"},
    {"tokens": "d a b a b a c b e a", "context": "a", "word": "e", "k": 0.5},
    {"tokens": "d a b a b a c b e a", "context": "a", "word": "b", "k": 1.0},
    {"tokens": "d a b a b a c b e", "context": "", "word": "a", "k": 2.0},
    {"tokens": "d a b a b a c b e", "context": "", "word": "a"},
    {"tokens": "a b a c", "context": "z", "word": "a"},
    {"tokens": "a b a c", "context": "z", "word": "a", "k": 0.5},
    {"tokens": "a b a c", "context": "a", "word": "z"},
    {"tokens": "a b a c", "context": "a", "word": "z", "k": 0.5},
    {"tokens": "a b c b a d b a c a b d", "context": "b a", "word": "d"},
    {"tokens": "a b c a d c a d e a b e", "context": "a b", "word": "c"},
    {"tokens": "a b c d b e a b c d b e a b e", "context": "a b", "word": "c", "k": 0.25},
    {"tokens": "a b", "context": "a b", "word": "a", "k": 1.0},
    {"tokens": "", "context": "a", "word": "b"},
    {"tokens": "a b a b a b c", "context": "a", "word": "b"},
)


@probe("ngram_counts", COUNTED)
def counts(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The counts, with the type of the keys in their names."""
    return side.call("ngram_counts", list(case.tokens), case.n)


@probe("ngram_probability", ASKED)
def probability(side: Proxy, reference: Proxy, case: Case) -> Any:
    """One probability, as a tensor: right answers differ by rounding."""
    context, options = tuple(case.context.split()), {"k": case.k} if "k" in case.dims else {}
    tokens, n = case.tokens.split(), len(context) + 1
    answer = side.call("ngram_probability", tokens, n, context, word=case.word, **options)
    return torch.tensor(float(answer), dtype=torch.float64) if isinstance(answer, (int, float)) else "no number"
