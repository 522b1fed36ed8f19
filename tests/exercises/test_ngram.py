"""Checks of ngram_counts and ngram_probability.

Texts are patterns such as "a b a c", whose letters stand for tokens that the case draws from a list: the letters that a
check asks for are asked for with the same tokens. Others are drawn as a whole.
"""

from typing import Any

from grader.run.suite import Case, Proxy, Table, cases, equal, holds

WORDS = (
    "the",
    "The",
    "cat",
    "sat",
    "on",
    "mat",
    ".",
    ",",
    "dog",
    "DOG",
    "a",
    "I",
    "naïve",
    "数据",
    "שלום",
    "e\u0301",
    "é",
    "<s>",
    "</s>",
)
LIMIT = 1e-6  # relative: right answers differ by rounding alone, the nearest wrong one by far more

COUNTED = Table.of(
    {"kind": "one pair", "tokens": "a b", "n": 2},
    {"kind": "a pair twice", "tokens": "a b a b", "n": 2},
    {"kind": "there and back", "tokens": "a b a", "n": 2},
    {"kind": "equal tokens", "tokens": "a a a a", "n": 2},
    {"kind": "overlapping threes", "tokens": "a b a b a", "n": 3},
    {"kind": "equal threes", "tokens": "a a a a a", "n": 3},
    {"kind": "the last one is new", "tokens": "a a b c d", "n": 2},
    {"kind": "one after the other", "tokens": "a b c d e f g", "n": 3},
    {"kind": "fours", "tokens": "a b c d a b c d a", "n": 4},
    {"kind": "drawn pairs", "n": 2, "count": 20, "distinct": 3},
    {"kind": "drawn threes", "n": 3, "count": 25, "distinct": 3},
    {"kind": "drawn fours", "n": 4, "count": 25, "distinct": 2},
)
ASKED = Table.of(
    {"kind": "always", "tokens": "a b a b", "n": 2, "context": "a", "word": "b"},
    {"kind": "never", "tokens": "a b a b", "n": 2, "context": "a", "word": "a"},
    {"kind": "one of two", "tokens": "a b a c d", "n": 2, "context": "a", "word": "c"},
    {"kind": "two of three", "tokens": "a b a c a b d", "n": 2, "context": "a", "word": "b"},
    {"kind": "one word alone", "tokens": "a b a c", "n": 1, "context": "", "word": "a"},
    {"kind": "one word alone, at the end", "tokens": "a b a c b a b", "n": 1, "context": "", "word": "b"},
    {"kind": "after two words", "tokens": "a b c a b d b c", "n": 3, "context": "a b", "word": "c"},
    {"kind": "the order of the context", "tokens": "a b c b a d b a c a b c d", "n": 3, "context": "b a", "word": "d"},
    {
        "kind": "only the last word fits",
        "tokens": "a b c d b e a b c d b e a b e c",
        "n": 3,
        "context": "a b",
        "word": "c",
    },
    {
        "kind": "only the first word fits",
        "tokens": "a b c a d c a d e a b e a b c e",
        "n": 3,
        "context": "a b",
        "word": "c",
    },
    {"kind": "equal tokens", "tokens": "a a a a b a a b", "n": 3, "context": "a a", "word": "a"},
    {"kind": "after three words", "tokens": "a b c d a b c e a b c d e", "n": 4, "context": "a b c", "word": "d"},
    {"kind": "the word comes before", "tokens": "c a b c a d c a b d", "n": 2, "context": "a", "word": "c"},
    {
        **{"kind": "a word that begins like another", "names": {"a": "an", "b": "and"}},
        **{"tokens": "a c b c b d a d", "n": 2, "context": "a", "word": "d"},
    },
    {
        **{"kind": "other words, the same text", "names": {"a": "New", "b": "York is", "e": "New York", "f": "is"}},
        **{"tokens": "a b c e f d a b d", "n": 3, "context": "a b", "word": "c"},
    },
)
ENDS = Table.of(
    {"kind": "the context ends the text", "tokens": "b a b a", "n": 2, "context": "a", "word": "b"},
    {"kind": "once in the middle, once at the end", "tokens": "a b c a", "n": 2, "context": "a", "word": "b"},
    {"kind": "two words at the end", "tokens": "a b c d a b", "n": 3, "context": "a b", "word": "c"},
    {"kind": "the last word alone", "tokens": "c a b c a d a", "n": 2, "context": "a", "word": "d"},
    {"kind": "smoothed", "tokens": "a b c a", "n": 2, "context": "a", "word": "b", "k": 0.5},
    {"kind": "equal tokens at the end", "tokens": "a b a a", "n": 2, "context": "a", "word": "a"},
    {"kind": "one word alone", "tokens": "a b b a", "n": 1, "context": "", "word": "a"},
    {"kind": "nowhere else", "tokens": "b c b a", "n": 2, "context": "a", "word": "b"},
)
SMOOTHED = Table.of(
    {"kind": "add one", "tokens": "a b a c", "n": 2, "context": "a", "word": "b", "k": 1.0},
    {"kind": "add a half", "tokens": "a b a c d", "n": 2, "context": "a", "word": "b", "k": 0.5},
    {"kind": "never seen behind the context", "tokens": "a b a c d", "n": 2, "context": "a", "word": "d", "k": 0.25},
    {"kind": "the context itself", "tokens": "a b c d e a c", "n": 2, "context": "a", "word": "a", "k": 2.0},
    {"kind": "one word alone", "tokens": "a b a c a", "n": 1, "context": "", "word": "a", "k": 1.0},
    {"kind": "after two words", "tokens": "a b c a b d b c e e", "n": 3, "context": "a b", "word": "c", "k": 0.1},
    {"kind": "tokens that never follow", "tokens": "a b a b e d c", "n": 2, "context": "a", "word": "b", "k": 1.0},
    {"kind": "a token that comes first only", "tokens": "d a b a b a c", "n": 2, "context": "a", "word": "b", "k": 3.0},
    {"kind": "very little", "tokens": "a b a c d", "n": 2, "context": "a", "word": "d", "k": 0.001},
    {"kind": "very much", "tokens": "a b a b a b c", "n": 2, "context": "a", "word": "b", "k": 1000.0},
)
UNSEEN = Table.of(
    {"kind": "a new context", "tokens": "a b a c", "n": 2, "context": "z", "word": "a"},
    {"kind": "a new context, smoothed", "tokens": "a b a c", "n": 2, "context": "z", "word": "a", "k": 0.5},
    {"kind": "two words that never meet", "tokens": "a b a c", "n": 3, "context": "b c", "word": "a"},
    {
        "kind": "two words that never meet, smoothed",
        "tokens": "a b a c d",
        "n": 3,
        "context": "b c",
        "word": "a",
        "k": 1.0,
    },
    {"kind": "a new word", "tokens": "a b a c", "n": 2, "context": "a", "word": "z"},
    {"kind": "a new word, smoothed", "tokens": "a b a c", "n": 2, "context": "a", "word": "z", "k": 0.5},
    {"kind": "a new word alone, smoothed", "tokens": "a b a c", "n": 1, "context": "", "word": "z", "k": 2.0},
    {"kind": "both new, smoothed", "tokens": "a b a c", "n": 2, "context": "y", "word": "z", "k": 2.0},
    {"kind": "too few tokens", "tokens": "a b", "n": 3, "context": "a b", "word": "a"},
    {"kind": "too few tokens, smoothed", "tokens": "a b", "n": 3, "context": "a b", "word": "a", "k": 1.0},
    {"kind": "no tokens", "tokens": "", "n": 2, "context": "a", "word": "b"},
    {"kind": "no tokens, one word alone", "tokens": "", "n": 1, "context": "", "word": "b"},
)


@cases(COUNTED)
def test_ngram_counts_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every n tokens that stand one behind the other are counted, in their order, the last ones too."""
    for _ in range(1 if "tokens" in case.dims else 3):
        _same_counts(subject, reference, _tokens(case), case.n)


@cases(
    Table.of(
        {"kind": "one token", "tokens": "a", "n": 1},
        {"kind": "several", "tokens": "a b a c a", "n": 1},
        {"kind": "equal ones", "tokens": "a a a", "n": 1},
        {"kind": "drawn", "n": 1, "count": 15, "distinct": 5},
    )
)
def test_ngram_counts_single(subject: Proxy, reference: Proxy, case: Case) -> None:
    """For n = 1 the keys are tuples of one token."""
    _same_counts(subject, reference, _tokens(case), case.n)


@cases(
    Table.of(
        {"kind": "no tokens", "tokens": "", "n": 1},
        {"kind": "no tokens for a pair", "tokens": "", "n": 2},
        {"kind": "one token for a pair", "tokens": "a", "n": 2},
        {"kind": "two for three", "tokens": "a b", "n": 3},
        {"kind": "two for six", "tokens": "a b", "n": 6},
        {"kind": "just enough", "tokens": "a b c", "n": 3},
        {"kind": "just enough for one", "tokens": "a", "n": 1},
        {"kind": "one more", "tokens": "a b c a", "n": 3},
    )
)
def test_ngram_counts_short(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Fewer than n tokens have no n-gram, and n tokens have one."""
    _same_counts(subject, reference, _tokens(case), case.n)


@cases(
    Table.of(
        {"kind": "ids", "list": (0, 1, 0, 2, 0, 1, 0), "n": 2},
        {"kind": "ids, three of them", "list": (3, 0, 0, 3, 0, 0, 3), "n": 3},
        {"kind": "ids below 0, and large ones", "list": (-1, 50256, -1, 50256, -1), "n": 2},
        {"kind": "capitals", "list": ("The", "the", "THE", "the", "The", "the"), "n": 2},
        {"kind": "words with blanks in them", "list": ("New York", "is", "New", "York is", "New York", "is"), "n": 2},
        {"kind": "words and their letters", "list": ("ab", "c", "a", "bc", "ab", "c"), "n": 2},
        {"kind": "empty words and blanks", "list": ("", " ", "", " ", "a", ""), "n": 2},
        {"kind": "marks, and signs for the ends", "list": ("<s>", "a", ".", "</s>", "<s>", "a", "!"), "n": 2},
        {"kind": "numbers and their names", "list": ("1", 1, "1", 1, 2), "n": 2},
        {"kind": "spellings that look alike", "list": ("é", "e\u0301", "é", "e\u0301", "ﬁ", "fi"), "n": 2},
        {"kind": "the order matters", "list": ("a", "b", "b", "a", "b", "a", "a"), "n": 2},
        {"kind": "ids, one by one", "list": (7, 0, 7, 7), "n": 1},
    )
)
def test_ngram_counts_tokens(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Tokens are taken as they are, words and numbers, whatever they look like."""
    _same_counts(subject, reference, list(case.list), case.n)


@cases(
    Table.of(
        {"kind": "pairs", "n": 2, "count": 9, "distinct": 3},
        {"kind": "single tokens", "n": 1, "count": 12, "distinct": 4},
        {"kind": "threes", "n": 3, "count": 30, "distinct": 2},
        {"kind": "fives", "n": 5, "count": 11, "distinct": 2},
    )
)
def test_ngram_counts_total(subject: Proxy, reference: Proxy, case: Case) -> None:
    """All counts together are len(tokens) - n + 1, and one call knows nothing of another."""
    for _ in range(3):
        tokens = _tokens(case)
        got, call = subject.call("ngram_counts", list(tokens), case.n), _call("ngram_counts", tokens, case.n)
        _counts(got, call)
        want = len(tokens) - case.n + 1
        holds(sum(got.values()) == want, f"The counts of {call} should sum to {want}, got {sum(got.values())}.")
        _same_counts(subject, reference, tokens, case.n)
    again = subject.call("ngram_counts", list(tokens), case.n)
    holds(again == got, f"A second {call} gives other counts.")


@cases(ASKED)
def test_ngram_probability_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Without smoothing it is the part of the n-grams with this context that end with this word."""
    _same_probability(subject, reference, case)


@cases(ENDS)
def test_ngram_probability_end(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Only contexts with a word behind them count below the fraction: the one at the end of the text has none."""
    _same_probability(subject, reference, case)


@cases(
    Table.of(
        {"kind": "a pair", "tokens": "a b a c d", "n": 2, "context": "a"},
        {"kind": "the context ends the text", "tokens": "a b c a", "n": 2, "context": "a"},
        {"kind": "a single word", "tokens": "a b a c", "n": 1, "context": ""},
        {"kind": "a pair, smoothed", "tokens": "a b a c d", "n": 2, "context": "a", "k": 0.5},
        {"kind": "a single word, smoothed", "tokens": "a b a c", "n": 1, "context": "", "k": 1.5},
        {"kind": "a new context, smoothed", "tokens": "a b a c", "n": 2, "context": "z", "k": 0.5},
        {"kind": "after two words, smoothed", "tokens": "a b c a b d a b", "n": 3, "context": "a b", "k": 1.0},
        {"kind": "equal tokens, smoothed", "tokens": "a a a a", "n": 2, "context": "a", "k": 1.0},
    )
)
def test_ngram_probability_sums(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The probabilities of all words behind one context add up to 1."""
    names = _names(case)
    tokens, context = _named(case.tokens, names), tuple(_named(case.context, names))
    total = 0.0
    for word in sorted(set(tokens)):
        got = _asked(subject, tokens, case.n, context, word, case.dims.get("k"))
        holds(-LIMIT <= got <= 1 + LIMIT, f"p({word!r} | {context}) of {_short(tokens)} should be in 0 … 1, got {got}.")
        total += got
    seen = f"With k={case.dims.get('k', 0)}, the probabilities of all words behind {context} in {_short(tokens)}"
    holds(abs(total - 1) <= LIMIT, f"{seen} add up to {total:.6g}.")


@cases(SMOOTHED)
def test_ngram_probability_smoothed(subject: Proxy, reference: Proxy, case: Case) -> None:
    """k is added to the count above the fraction, and k times the number of distinct tokens below it."""
    _same_probability(subject, reference, case)


@cases(UNSEEN)
def test_ngram_probability_unseen(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A context that never occurs gives 0 without smoothing and 1/V with it; a new word is no reason to stumble."""
    _same_probability(subject, reference, case)


def _same_counts(subject: Proxy, reference: Proxy, tokens: list[Any], n: int) -> None:
    got, want = subject.call("ngram_counts", list(tokens), n), reference.call("ngram_counts", list(tokens), n)
    call = _call("ngram_counts", tokens, n)
    _counts(got, call)
    for ngram, count in want.items():
        holds(ngram in got, f"{call}: {ngram!r} occurs {_times(count)} and is not there, only {_short(list(got))}.")
        holds(got[ngram] == count, f"{call}: {ngram!r} occurs {_times(count)}, got {got[ngram]}.")
    for ngram in got:
        holds(ngram in want, f"{call}: {ngram!r} does not occur, and has the count {got[ngram]}.")


def _counts(got: Any, call: str) -> None:
    """A dict of whole numbers; a Counter crosses as one."""
    if not isinstance(got, dict):
        equal(got, {}, call)
    for ngram, count in got.items():
        holds(type(ngram) is tuple, f"{call}: an n-gram should be a tuple, got {ngram!r} ({type(ngram).__name__}).")
        holds(type(count) is int, f"{call}: the count of {ngram!r} should be a whole number, got {count!r}.")


def _same_probability(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Words, and then ids: 0 is a token like others."""
    for names in (_names(case), dict(zip("abcdefgyz", range(9), strict=True))):
        tokens, context = _named(case.tokens, names), tuple(_named(case.context, names))
        word, k = names[case.word], case.dims.get("k")
        want = reference.call("ngram_probability", tokens, case.n, context, word=word, k=k or 0.0)
        got = _asked(subject, tokens, case.n, context, word, k)
        call = (
            f"p({word!r} | {', '.join(map(repr, context)) or 'nothing'}), n={case.n}, k={k or 0}, of {_short(tokens)}"
        )
        holds(abs(got - want) <= LIMIT * want + 1e-12, f"{call} should be {want:.6g}, got {got:.6g}.")


def _asked(subject: Proxy, tokens: list[Any], n: int, context: tuple[Any, ...], word: Any, k: float | None) -> float:
    """The student's probability; without a k where the case has none."""
    options = {} if k is None else {"k": k}
    got = subject.call("ngram_probability", list(tokens), n, context, word=word, **options)
    if type(got) not in (int, float):
        equal(got, 0.0, "the probability")
    return float(got)


def _names(case: Case) -> dict[str, str]:
    """A different word for each letter that a case may use; some are the case's own."""
    drawn = {letter: WORDS[int(i)] for letter, i in zip("abcdefgyz", case.shuffled(len(WORDS)), strict=False)}
    return drawn | case.dims.get("names", {})


def _named(letters: str, names: dict[str, Any]) -> list[Any]:
    return [names[letter] for letter in letters.split()]


def _tokens(case: Case) -> list[Any]:
    names = _names(case)
    if "tokens" in case.dims:
        return _named(case.tokens, names)
    drawn = list(names.values())[: case.distinct]
    return [drawn[int(i)] for i in case.integers(0, len(drawn), case.count)]


def _call(task: str, tokens: list[Any], n: int) -> str:
    return f"{task}({_short(tokens)}, {n})"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 110 else text[:100] + " …"
