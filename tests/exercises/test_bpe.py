"""Checks of train_bpe, encode and decode.

Most texts are patterns such as 0102, in which each figure stands for a letter, a greater one for a greater letter:
which pair is frequent and which tie is won depends on the pattern alone, and the letters are the case's. Others are put
together from fixed lists of words. Merges are always those of a training.
"""

from typing import Any

from grader.run.suite import Case, Object, Proxy, Table, cases, equal, fail, holds

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
WORDS = (
    "low",
    "lower",
    "lowest",
    "new",
    "newer",
    "widest",
    "wide",
    "slow",
    "the",
    "then",
    "other",
    "hot",
    "banana",
    "an",
)
SCRIPTS = (
    "naïve", "café", "cafe\u0301", "Straße", "数据", "数学", "大数据", "привет", "приветы", "שלום", "नमस्ते",
    "👩\u200d🚀", "👩\u200d👩", "🙂🙂", "e\u0301e\u0301", "ﬁn", "日本日本", "\u00a0", "é",
)  # fmt: skip
GAPS = (" ", " ", "  ", "\n", "\t", "\r\n", ", ", "-", "_", "")

FREQUENT = Table.of(
    {"kind": "one pair", "pattern": "01", "merges": 1},
    {"kind": "the other way round", "pattern": "10", "merges": 1},
    {"kind": "twice", "pattern": "0101", "merges": 1},
    {"kind": "twice, the other way round", "pattern": "1010", "merges": 1},
    {"kind": "not at the beginning", "pattern": "2010101", "merges": 1},
    {"kind": "the smallest letters", "pattern": "4300300300342", "merges": 1},
    {"kind": "not the most frequent letters", "pattern": "0104015131", "merges": 1},
    {"kind": "two merges", "pattern": "2323230101", "merges": 2},
    {"kind": "words", "words": 8, "merges": 3},
)
AGAIN = Table.of(
    {"kind": "a merge of a merge", "pattern": "012012012", "merges": 2},
    {"kind": "a merge with itself", "pattern": "01010101", "merges": 2},
    {"kind": "three deep", "pattern": "0123012301230123", "merges": 4},
    {"kind": "the second best has gone", "pattern": "010101212", "merges": 3},
    {"kind": "drawn", "letters": 3, "length": 14, "merges": 5},
    {"kind": "drawn, longer", "letters": 4, "length": 30, "merges": 10},
    {"kind": "words", "words": 12, "merges": 12},
)
TIES = Table.of(
    {"kind": "two pairs", "pattern": "010", "merges": 1},
    {"kind": "all once", "pattern": "0123", "merges": 3},
    {"kind": "all once, backwards", "pattern": "3210", "merges": 3},
    {"kind": "the right one decides", "pattern": "001", "merges": 2},
    {"kind": "the right one decides, backwards", "pattern": "110", "merges": 2},
    {"kind": "the left one decides", "pattern": "0311", "merges": 1},
    {"kind": "a merged token and a greater letter", "pattern": "010123", "merges": 3},
    {"kind": "a merged token and its first letter", "pattern": "0001", "merges": 2},
    {"kind": "a merged token on the right", "pattern": "1000", "merges": 2},
    {"kind": "merged and single tokens", "pattern": "1021", "merges": 3},
    {"kind": "merged and single tokens, again", "pattern": "0010", "merges": 3},
    {"kind": "one long and one short", "pattern": "0120132", "merges": 5},
    {"kind": "drawn, two letters", "letters": 2, "length": 9, "merges": 6},
    {"kind": "drawn, three letters", "letters": 3, "length": 9, "merges": 6},
    {"kind": "drawn, five letters", "letters": 5, "length": 12, "merges": 8},
)
OVERLAPS = Table.of(
    {"kind": "three", "pattern": "000", "merges": 2},
    {"kind": "four", "pattern": "0000", "merges": 2},
    {"kind": "five", "pattern": "00000", "merges": 3},
    {"kind": "seven", "pattern": "0000000", "merges": 4},
    {"kind": "counted at every position", "pattern": "0001212", "merges": 1},
    {"kind": "counted at every position, and once more", "pattern": "000012121", "merges": 1},
    {"kind": "two in a row, then a tie", "pattern": "00012", "merges": 2},
    {"kind": "two runs", "pattern": "0001000", "merges": 3},
    {"kind": "merged tokens in a row", "pattern": "0101010", "merges": 3},
)
STOPS = Table.of(
    {"kind": "no text", "pattern": "", "merges": 4},
    {"kind": "one letter", "pattern": "0", "merges": 4},
    {"kind": "no merges", "pattern": "0101", "merges": 0},
    {"kind": "more merges than pairs", "pattern": "01", "merges": 4},
    {"kind": "until one token is left", "pattern": "0123", "merges": 9},
    {"kind": "no pair comes twice", "pattern": "0213", "merges": 2},
    {"kind": "just enough", "pattern": "01201", "merges": 3},
    {"kind": "far more than there can be", "pattern": "010201", "merges": 50},
)
BYTES = Table.of(
    {"kind": "one character of two bytes", "text": "é", "merges": 3},
    {"kind": "one character of four bytes", "text": "🙂", "merges": 9},
    {"kind": "a blank inside", "text": "a b a b a b", "merges": 4},
    {"kind": "blanks at the ends", "text": "  a  ", "merges": 6},
    {"kind": "line ends", "text": "x\r\nx\r\n\n\t", "merges": 6},
    {"kind": "capitals", "text": "AaAaaA", "merges": 3},
    {"kind": "Chinese", "text": "数据数据大数据", "merges": 8},
    {"kind": "a joiner and a modifier", "text": "👩\u200d🚀👩\u200d👩👍🏽", "merges": 9},
    {"kind": "accents of their own, and not", "text": "café cafe\u0301 café", "merges": 6},
    {"kind": "halves of characters", "text": "дёдфдхдц", "merges": 6},
    {"kind": "greater as text than as bytes", "text": "a\x00b\x7f~\x00~", "merges": 4},
    {"kind": "drawn", "scripts": 6, "merges": 10},
)


@cases(FREQUENT)
def test_train_bpe_most_frequent(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The pair of tokens that stands side by side most often is merged first."""
    _same_merges(subject, reference, case)


@cases(AGAIN)
def test_train_bpe_counts_again(subject: Proxy, reference: Proxy, case: Case) -> None:
    """After each merge the pairs are counted anew, with the new token 256 + i in them."""
    _same_merges(subject, reference, case)


@cases(TIES)
def test_train_bpe_ties(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Of equally frequent pairs the greatest pair of byte strings is merged, whatever the tokens' numbers are."""
    for _ in range(4 if "letters" in case.dims else 1):
        _same_merges(subject, reference, case)


@cases(OVERLAPS)
def test_train_bpe_overlaps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A run of equal tokens is counted at every position, and merged from the left."""
    _same_merges(subject, reference, case)


@cases(STOPS)
def test_train_bpe_stops(subject: Proxy, reference: Proxy, case: Case) -> None:
    """There are num_merges merges, fewer only if no pair is left."""
    text = _text(case)
    got, call = subject.call("train_bpe", text, case.merges), f"train_bpe({text!r}, {case.merges})"
    want = reference.call("train_bpe", text, case.merges)
    _pairs(got, call)
    holds(len(got) == len(want), f"{call} should give {len(want)} merges, got {len(got)}.")
    _same_merges(subject, reference, case)


@cases(BYTES)
def test_train_bpe_bytes(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The text is one sequence of bytes in UTF-8, with its blanks and line ends, and nothing in it is changed."""
    _same_merges(subject, reference, case)


@cases(
    Table.of(
        {"kind": "one merge", "pattern": "0101", "merges": 1},
        {"kind": "merges of merges", "pattern": "012012012", "merges": 3},
        {"kind": "until one token is left", "pattern": "0120133", "merges": 9},
        {"kind": "equal tokens", "pattern": "0000000", "merges": 3},
        {"kind": "drawn", "letters": 3, "length": 25, "merges": 8},
        {"kind": "words", "words": 12, "merges": 14},
        {"kind": "any script", "scripts": 6, "merges": 12},
    )
)
def test_encode_training_text(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The text that the merges were learnt from becomes the tokens that the training ended with."""
    text = _text(case)
    _same_tokens(subject, reference, text, reference.call("train_bpe", text, case.merges))


@cases(
    Table.of(
        {"kind": "a later pair was learnt first", "pattern": "10011", "merges": 2, "other": "110"},
        {"kind": "an earlier pair was learnt first", "pattern": "011001", "merges": 2, "other": "010"},
        {"kind": "the first pair would spoil the next", "pattern": "011001", "merges": 2, "other": "1101"},
        {"kind": "the longest token does not fit", "pattern": "00111", "merges": 2, "other": "1111"},
        {"kind": "rare here, frequent in training", "pattern": "00010", "merges": 2, "other": "110100"},
        {"kind": "frequent here, rare in training", "pattern": "10011", "merges": 2, "other": "1100100"},
        {"kind": "at every place", "pattern": "0101", "merges": 1, "other": "0120101"},
        {"kind": "merges of merges", "pattern": "012301230123", "merges": 3, "other": "0123120123301"},
        {"kind": "only some", "pattern": "012012", "merges": 1, "other": "21012"},
        {"kind": "drawn, two letters", "letters": 2, "length": 20, "merges": 8},
        {"kind": "drawn, three letters", "letters": 3, "length": 30, "merges": 12},
        {"kind": "words", "words": 20, "merges": 25},
        {"kind": "any script", "scripts": 12, "merges": 25},
    )
)
def test_encode_lowest_rank(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Of the pairs in the text, the one that was learnt first is merged first, at every place."""
    for _ in range(6 if "letters" in case.dims else 2):
        letters = _letters(case)
        merges = reference.call("train_bpe", _text(case, letters), case.merges)
        other = "".join(letters[int(figure)] for figure in case.other) if "other" in case.dims else _text(case, letters)
        _same_tokens(subject, reference, other, merges)


@cases(
    Table.of(
        {"kind": "three", "pattern": "000", "merges": 1},
        {"kind": "runs", "pattern": "0000", "merges": 2},
        {"kind": "longer runs", "pattern": "00000000", "merges": 3},
        {"kind": "a pair in a row", "pattern": "01010101", "merges": 3},
    )
)
def test_encode_overlaps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A run of equal tokens is merged from the left."""
    letters = _letters(case)
    text = _text(case, letters)
    merges = reference.call("train_bpe", text, case.merges)
    for other in (text[:3], text + text[:1], text + text[:3], letters[1] + text[:3], text[:3] + letters[2] + text):
        _same_tokens(subject, reference, other, merges)


@cases(
    Table.of(
        {"kind": "words", "words": 10, "merges": 10, "of": WORDS},
        {"kind": "scripts never seen before", "words": 10, "merges": 10, "of": SCRIPTS},
        {"kind": "learnt from scripts", "scripts": 8, "merges": 12, "of": WORDS},
        {
            "kind": "one character after the other",
            "scripts": 8,
            "merges": 20,
            "of": tuple("aé数🙂\n\x00\u200d\u0301 שa"),
        },
    )
)
def test_encode_round_trip(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The byte strings of the tokens, put together, are the bytes of the text, also of one never seen before."""
    merges = reference.call("train_bpe", _text(case), case.merges)
    for length in (1, 4, 9):
        text = _mixed(case, case.of, length)
        got, call = subject.call("encode", text, merges), f"encode({text!r}, {_short(merges)})"
        _tokens(got, call, len(merges))
        back = b"".join(_bytes_of(token, merges) for token in got)
        holds(back == text.encode(), f"{call} gives tokens of {_short(back)}: {_short(got)}.")
        _same_tokens(subject, reference, text, merges)


@cases(
    Table.of(
        {"kind": "no text", "pattern": "0101", "merges": 2, "other": ""},
        {"kind": "no text and no merges", "pattern": "", "merges": 2, "other": ""},
        {"kind": "one byte", "pattern": "0101", "merges": 2, "other": "0"},
        {"kind": "two bytes that become one token", "pattern": "0101", "merges": 1, "other": "01"},
        {"kind": "all becomes one token", "pattern": "0123", "merges": 3, "other": "0123"},
        {"kind": "no merges", "pattern": "0101", "merges": 0, "other": "0101"},
        {"kind": "none of them occurs", "pattern": "0101", "merges": 2, "other": "2211"},
        {"kind": "the last pair", "pattern": "0101", "merges": 1, "other": "2201"},
        {"kind": "the first pair", "pattern": "0101", "merges": 1, "other": "0122"},
    )
)
def test_encode_few(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Short texts, few merges and merges that do not occur are no reason to stumble, and merges stay as they are."""
    letters = _letters(case)
    text, other = ("".join(letters[int(figure)] for figure in pattern) for pattern in (case.pattern, case.other))
    merges = reference.call("train_bpe", text, case.merges)
    _same_tokens(subject, reference, other, merges)
    kept = Object(subject, subject.built("train_bpe", text, case.merges, of="list").handle, "the merges")
    subject.call("encode", other, kept)
    equal(kept.call("copy"), merges, f"After encode({other!r}, merges), merges")
    equal(subject.call("encode", other, kept), reference.call("encode", other, merges), "A second call with these")


@cases(
    Table.of(
        {"kind": "no tokens", "pattern": "0101", "merges": 1, "ids": ()},
        {"kind": "bytes", "pattern": "0101", "merges": 1, "count": 4, "ascii": True},
        {"kind": "no merges", "pattern": "01", "merges": 0, "count": 4, "ascii": True},
        {"kind": "one merge", "pattern": "0101", "merges": 1, "ids": (256,)},
        {"kind": "a merge of merges", "pattern": "01010101", "merges": 3, "ids": (258, 257, 256)},
        {"kind": "merges in any order", "pattern": "01230123", "merges": 3, "ids": (256, 258, 257, 258, 256)},
        {"kind": "drawn", "letters": 3, "length": 20, "merges": 8, "count": 9},
        {"kind": "drawn, words", "words": 12, "merges": 15, "count": 12},
    )
)
def test_decode_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every token is written as the bytes that it stands for, down to the last merge of merges."""
    text = _text(case)
    merges = reference.call("train_bpe", text, case.merges)
    known = [*text.encode(), *(() if "ascii" in case.dims else range(256, 256 + len(merges)))]
    ids = list(case.ids) if "ids" in case.dims else _some(case, known, case.count)
    _same_text(subject, reference, ids, merges)
    kept = Object(subject, subject.built("train_bpe", text, case.merges, of="list").handle, "the merges")
    subject.call("decode", ids, kept)
    equal(kept.call("copy"), merges, f"After decode({_short(ids)}, merges), merges")


@cases(
    Table.of(
        {"kind": "byte by byte", "text": "é", "merges": 0},
        {"kind": "a character of four bytes", "text": "🙂", "merges": 1},
        {"kind": "tokens of halves", "text": "дёдфдхдц", "merges": 4},
        {"kind": "Chinese", "text": "数据数据大数据", "merges": 4},
        {"kind": "a joiner", "text": "👩\u200d🚀👩\u200d👩", "merges": 5},
        {"kind": "line ends and blanks", "text": " \r\n a\u00a0\n\tb \n", "merges": 3},
        {"kind": "an accent of its own", "text": "e\u0301é", "merges": 1},
        {"kind": "zeros and marks of order", "text": "\ufeffa\x00b\ufeff", "merges": 2},
        {"kind": "drawn", "scripts": 8, "merges": 12},
    )
)
def test_decode_characters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A character whose bytes are spread over several tokens is read all the same, and every character as it is."""
    text = _text(case)
    merges = reference.call("train_bpe", text, case.merges)
    _same_text(subject, reference, reference.call("encode", text, merges), merges)
    _same_text(subject, reference, list(text.encode()), merges)


@cases(
    Table.of(
        {"kind": "a byte that is never used", "bytes": (0xFF,)},
        {"kind": "between letters", "bytes": (0x61, 0xFE, 0x62)},
        {"kind": "only the first half", "bytes": (0xC3,)},
        {"kind": "only the second half", "bytes": (0xA9, 0x61)},
        {"kind": "cut off at the end", "bytes": (0x61, 0xE6, 0x95)},
        {"kind": "cut off in the middle", "bytes": (0xF0, 0x9F, 0x99, 0x61)},
        {"kind": "three in a row", "bytes": (0x80, 0x80, 0xFF)},
        {"kind": "half a pair of UTF-16", "bytes": (0xED, 0xA0, 0x80)},
        {"kind": "a longer form than needed", "bytes": (0xC0, 0x80, 0x41)},
        {"kind": "half a merge", "text": "数据数据", "merges": 3},
        {"kind": "drawn", "text": "数据, é🙂é🙂 数", "merges": 6, "count": 8},
    )
)
def test_decode_broken(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Bytes that are no UTF-8 come out as U+FFFD, as bytes.decode writes them, and nothing is raised."""
    if "bytes" in case.dims:
        _same_text(subject, reference, list(case.bytes), [])
        _same_text(subject, reference, [0x61, *case.bytes, 0x62], reference.call("train_bpe", "abab", 1))
        return
    merges = reference.call("train_bpe", case.text, case.merges)
    known = [*case.text.encode(), *range(256, 256 + len(merges))]
    for _ in range(3):
        _same_text(subject, reference, _some(case, known, case.dims.get("count", 3)), merges)


def _same_merges(subject: Proxy, reference: Proxy, case: Case) -> None:
    text = _text(case)
    want, got = reference.call("train_bpe", text, case.merges), subject.call("train_bpe", text, case.merges)
    call = f"train_bpe({_short(text)!r}, {case.merges})"
    _pairs(got, call)
    for i, (g, w) in enumerate(zip(got, want, strict=False)):
        left, right = (_bytes_of(token, want) for token in w)
        holds(g == w, f"{call}: merge {i} should be {w}, which are {left!r} and {right!r}, got {g}.")
    holds(len(got) == len(want), f"{call} should give {len(want)} merges, got {len(got)}.")


def _same_tokens(subject: Proxy, reference: Proxy, text: str, merges: list[tuple[int, int]]) -> None:
    want, got = reference.call("encode", text, merges), subject.call("encode", text, list(merges))
    call = f"encode({_short(text)!r}, {_short(merges)})"
    _tokens(got, call, len(merges))
    if len(want) <= 20:
        holds(got == want, f"{call} should be {want}, got {_short(got)}.")
    for i, (g, w) in enumerate(zip(got, want, strict=False)):
        holds(g == w, f"{call} should have the token {w} at [{i}], got {g}.")
    holds(len(got) == len(want), f"{call} should give {len(want)} tokens, got {len(got)}.")


def _same_text(subject: Proxy, reference: Proxy, ids: list[int], merges: list[tuple[int, int]]) -> None:
    got = subject.call("decode", list(ids), list(merges))
    equal(got, reference.call("decode", ids, merges), f"decode({_short(ids)}, {_short(merges)})")


def _pairs(got: Any, call: str) -> None:
    """A list of tuples of two whole numbers."""
    if type(got) is not list:
        equal(got, [], call)
    for i, pair in enumerate(got):
        if type(pair) is not tuple:
            equal(pair, (0, 0), f"merge {i} of {call}")
        good = len(pair) == 2 and all(type(token) is int for token in pair)
        holds(good, f"Merge {i} of {call} should be two whole numbers, got {_short(pair)}.")


def _tokens(got: Any, call: str, merges: int) -> None:
    """A list of whole numbers, each a byte or a merge."""
    if type(got) is not list:
        equal(got, [], call)
    for i, token in enumerate(got):
        holds(type(token) is int, f"{call} should hold whole numbers, got {_short(token)!r} at [{i}].")
        if not 0 <= token < 256 + merges:
            fail("property", seen=f"{call} has the token {token} at [{i}]; the greatest is {255 + merges}.")


def _bytes_of(token: int, merges: list[tuple[int, int]]) -> bytes:
    """What a token stands for, down to the last merge of merges."""
    return bytes([token]) if token < 256 else b"".join(_bytes_of(part, merges) for part in merges[token - 256])


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 110 else text[:100] + " …"


def _letters(case: Case) -> str:
    """Ten of them, in alphabetical order."""
    return "".join(LETTERS[i] for i in sorted(int(i) for i in case.shuffled(len(LETTERS))[:10]))


def _text(case: Case, letters: str = "") -> str:
    """The case's own text, its pattern in letters, or one that is drawn: of letters, words, or words of any script."""
    if "text" in case.dims:
        return str(case.text)
    if "words" in case.dims:
        return _mixed(case, WORDS, case.words)
    if "scripts" in case.dims:
        return _mixed(case, SCRIPTS, case.scripts)
    letters = letters or _letters(case)
    if "pattern" in case.dims:
        return "".join(letters[int(figure)] for figure in case.pattern)
    return "".join(letters[int(i)] for i in case.integers(0, case.letters, case.length))


def _mixed(case: Case, words: tuple[str, ...], count: int) -> str:
    return "".join(word + gap for word, gap in zip(_some(case, words, count), _some(case, GAPS, count), strict=True))


def _some(case: Case, choices: Any, count: int) -> list[Any]:
    return [choices[int(i)] for i in case.integers(0, len(choices), count)]
