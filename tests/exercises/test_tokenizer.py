"""Checks of split_words, build_vocabulary and WordTokenizer, on texts put together from fixed lists.

The lists hold what separates one rule from another: words with underscores and digits, several scripts, marks that
stand alone or in rows, and every kind of whitespace. Vocabularies are always those that build_vocabulary makes.
"""

from typing import Any

from grader.run.suite import Case, Object, Proxy, Table, cases, equal, holds

PLAIN = ("the", "Cat", "sat", "on", "a", "mat", "The", "cat", "A", "x2", "2nd", "snake_case", "_", "__init__", "42")
SCRIPTS = (
    "naïve", "Straße", "ÉCOLE", "数据", "東京2024", "привет", "Ёж", "שלום", "مرحبا", "λόγος", "ﬁne", "x²", "½", "٣٤",
    "ªº", "İstanbul", "Ⅻ", "かな", "한국어", "ǅ", "µm",
)  # fmt: skip
ENGLISH_MARKS = (".", ",", "!", "?", ";", ":", "'", '"', "(", ")", "-", "/", "&", "#", "@", "%", "+", "=", "<", ">")
MORE_MARKS = (*ENGLISH_MARKS, "[", "]", "{", "}", "\\", "^", "`", "|", "~", "$", "*")
OTHER_MARKS = (
    "…", "—", "–", "’", "“", "”", "«", "»", "，", "。", "？", "、", "¿", "€", "£", "×", "·", "→", "🙂", "👍", "🇫",
    "\u200b", "\u200d", "\u0301", "\ufe0f", "°", "©", "״", "،",
)  # fmt: skip
BLANKS = (" ", "  ", "\n", "\t", "\r\n", " \n ", "\n\n", "   ")
OTHER_BLANKS = ("\u00a0", "\u3000", "\u2009", "\u2028", "\u2029", "\u202f", "\u205f", "\x0b", "\x0c", "\x85", "\x1c")

SINGLES = Table.of(
    {"kind": "one word", "words": 1, "marks": 0},
    {"kind": "two words", "words": 2, "marks": 0},
    {"kind": "one mark", "words": 0, "marks": 1},
    {"kind": "a word and a mark", "words": 1, "marks": 1},
    {"kind": "a sentence", "words": 6, "marks": 3},
    {"kind": "a long one", "words": 25, "marks": 12},
    {"kind": "starts with a mark", "words": 3, "marks": 2, "first": "("},
    {"kind": "ends with a mark", "words": 3, "marks": 0, "last": "!"},
)
ROWS_OF_MARKS = Table.of(
    {"kind": "one mark, three times", "pattern": "MMM"},
    {"kind": "two marks", "pattern": "MN"},
    {"kind": "behind a word", "pattern": "WMMM"},
    {"kind": "inside a word", "pattern": "WMW"},
    {"kind": "in front of a word", "pattern": "MMW"},
    {"kind": "inside and behind", "pattern": "WMWMN W"},
    {"kind": "in brackets", "pattern": "(WMW) [MN]"},
    {"kind": "a decimal number", "pattern": "3.14"},
    {"kind": "an apostrophe", "pattern": "it's W's Ws' 'W'"},
    {"kind": "a hyphen", "pattern": "-W-W- --W"},
    {"kind": "an address", "pattern": "W_W@W.W://W?W=W&W"},
    {"kind": "thousands and signs", "pattern": "-1,000.5e-3 +7%"},
    {"kind": "a tag", "pattern": "<W> <|W|> </W>"},
    {"kind": "every mark of ASCII", "pattern": r"""a!b"c#d$e%f&g'h(i)j*k+l,m-n.o/p:q;r<s=t>u?v@w[x\y]z^a`b{c|d}e~f"""},
)
SPACED = Table.of(
    {"kind": "empty", "pattern": ""},
    {"kind": "blanks only", "pattern": "B B"},
    {"kind": "in front", "pattern": "BW"},
    {"kind": "behind", "pattern": "WB"},
    {"kind": "between", "pattern": "WBWBW"},
    {"kind": "around marks", "pattern": "BW B M B NBW"},
    {"kind": "several lines", "pattern": "W W\nW M\n\nW\tW\r\nW"},
    {"kind": "no-break and other blanks", "pattern": "WOWOWOMOW", "other": True},
    {"kind": "only other blanks", "pattern": "OOO", "other": True},
)
ANY_SCRIPT = Table.of(
    {"kind": "one word", "pattern": "U"},
    {"kind": "words", "pattern": "U U W U"},
    {"kind": "marks", "pattern": "UV VU V"},
    {"kind": "marks in a row", "pattern": "WVVW UVV"},
    {"kind": "two scripts in one word", "pattern": "UW WU U_U U2U"},
    {"kind": "Chinese", "text": "我爱自然语言处理，2024年。真的？"},
    {"kind": "right to left", "text": "שלום, עולם! مرحبا، العالم ١٢٣"},
    {"kind": "accents of their own", "text": "cafe\u0301 re\u0301sume\u0301 nin\u0303o"},
    {"kind": "vowel signs", "text": "हिन्दी में नमस्ते।"},
    {"kind": "emoji with joiners", "text": "ok👩\u200d🚀👍🏽 🇫🇷 ❤\ufe0f"},
    {"kind": "digits of all kinds", "text": "x² ½ ٣٤ Ⅻ ⑦ 10⁻³ H₂O"},
    {"kind": "ligatures and wide letters", "text": "ﬁne ＡＢＣ１２ ſharp Å Å Ω"},
)
PROPERTY = Table.of(
    {"kind": "plain", "words": 8, "marks": 4},
    {"kind": "any script", "pattern": "U V UV W M,U  VU"},
    {"kind": "repeats", "pattern": "S S M M S W M S W"},
    {"kind": "capitals", "text": "No NO no nO İI ıi ẞß ΣΣσς"},
)


@cases(SINGLES)
def test_split_words_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Runs of letters, digits and underscores are words; every other character but whitespace is a piece by itself."""
    for _ in range(3):
        _same_pieces(subject, reference, case.dims.get("first", "") + _sentence(case) + case.dims.get("last", ""))


@cases(ROWS_OF_MARKS)
def test_split_words_marks(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every mark is a piece of its own: in a row, inside a word, and whichever mark it is."""
    for _ in range(3):
        _same_pieces(subject, reference, _text(case))


@cases(SPACED)
def test_split_words_whitespace(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Whitespace of every kind separates, is in no piece, and leaves no empty pieces."""
    for _ in range(6 if case.dims.get("other") else 2):
        _same_pieces(subject, reference, _text(case))


@cases(ANY_SCRIPT)
def test_split_words_any_script(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Letters and digits of every script make words; an emoji, a joiner and a combining accent are marks."""
    for _ in range(1 if "text" in case.dims else 4):
        _same_pieces(subject, reference, _text(case))


@cases(PROPERTY)
def test_split_words_nothing_lost(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Joined together, the pieces are the text without its whitespace: nothing is lost, doubled, moved or changed."""
    text = _text(case)
    got = subject.call("split_words", text)
    call = f"split_words({text!r})"
    _strings(got, call)
    want = "".join(text.split())
    holds("".join(got) == want, f"The pieces of {text!r} joined should be {want!r}, got {''.join(got)!r}.")
    _same(subject.call("split_words", text), got, f"A second {call}")
    _same_pieces(subject, reference, text)


@cases(
    Table.of(
        {"kind": "one word", "words": ("cat",)},
        {"kind": "two words", "words": ("dog", "cat")},
        {"kind": "in order already", "words": ("a", "b", "c")},
        {"kind": "backwards", "words": ("d", "c", "b", "a")},
        {"kind": "capitals come first", "words": ("b", "B", "a", "A", "C")},
        {"kind": "digits, marks and underscores", "words": ("a", "_", "10", "9", ".", "Z", "~", "z", "-", "2")},
        {"kind": "behind < and in front of it", "words": ("=", "<", ";", "z", "A", "1", "é")},
        {"kind": "long and short", "words": ("ab", "b", "a", "abc", "aa", "ba", "B")},
        {"kind": "any script", "words": ("z", "é", "е", "Z", "数", "ß", "ss", "🙂", "א", "e\u0301", "ﬁ", "fi")},
        {"kind": "drawn", "count": 14},
    )
)
def test_build_vocabulary_words(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The words get the ids 0, 1, 2 … in the order of sorted()."""
    words = list(case.words) if "words" in case.dims else _shuffled(case, PLAIN + SCRIPTS)[: case.count]
    got = _vocabulary_of(subject, words)
    for i, word in enumerate(sorted(set(words))):
        holds(word in got, f"{word!r} is one of the words {_short(words)}, and has no id.")
        holds(got[word] == i, f"Of the words {_short(words)}, {word!r} should have the id {i}, got {got[word]!r}.")
    _same_vocabulary(got, words)


@cases(
    Table.of(
        {"kind": "no words", "words": ()},
        {"kind": "one word", "words": ("cat",)},
        {"kind": "words behind <", "words": ("=", "cat", "Dog", "é")},
        {"kind": "words in front of <", "words": ("1", ";", "-")},
        {"kind": "words like them", "words": ("unk", "eos", "<", ">", "UNK", "pad")},
    )
)
def test_build_vocabulary_specials(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Behind the words come <unk> and then <eos>, and nothing else."""
    words = list(case.words)
    got = _vocabulary_of(subject, words)
    for i, entry in enumerate(("<unk>", "<eos>"), len(words)):
        holds(entry in got, f"There is no {entry} in the vocabulary of {_short(words)}, which is {_short(got)}.")
        holds(got[entry] == i, f"Behind {len(words)} words {entry} should have the id {i}, got {got[entry]!r}.")
    _same_vocabulary(got, words)


@cases(
    Table.of(
        {"kind": "twice", "words": ("a", "a")},
        {"kind": "the last most often", "words": ("c", "a", "c", "b", "c", "b", "c")},
        {"kind": "the first most often", "words": ("a", "a", "a", "b", "c", "b")},
        {"kind": "apart", "words": ("b", "a", "b", "c", "a", "b", "d", "a")},
        {"kind": "drawn", "count": 40},
    )
)
def test_build_vocabulary_repeats(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A word counts once, however often it comes, and the order of the words does not matter."""
    pool = _shuffled(case, PLAIN)[:9]
    words = list(case.words) if "words" in case.dims else _some(case, pool, case.count)
    got = _vocabulary_of(subject, words)
    size = len(set(words)) + 2
    holds(len(got) == size, f"{_short(words)} needs {size} entries with <unk> and <eos>, got {len(got)}.")
    _same_vocabulary(got, words)
    again = _vocabulary_of(subject, _shuffled(case, words))
    holds(again == got, f"{_short(words)} in another order has another vocabulary: {_difference(again, got)}")


@cases(
    Table.of(
        {"kind": "backwards, with a repeat", "text": "the cat , the Dog ."}, {"kind": "drawn", "words": 9, "marks": 3}
    )
)
def test_build_vocabulary_leaves_words(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The list of words stays as it is, and a second call gives the same."""
    text = _text(case)
    words = Object(subject, subject.built("split_words", text, of="list").handle, "the words")
    first = subject.call("build_vocabulary", words)
    _same(words.call("copy"), reference.call("split_words", text), "After build_vocabulary(words), words")
    second = subject.call("build_vocabulary", words)
    holds(first == second, f"A second call with the same words gives another vocabulary: {_difference(second, first)}")
    _same_vocabulary(second, reference.call("split_words", text))


@cases(
    Table.of(
        {"kind": "empty", "pattern": ""},
        {"kind": "one word", "pattern": "W"},
        {"kind": "words and marks", "pattern": "W W M W WN"},
        {"kind": "repeats", "pattern": "S W SMS SM"},
        {"kind": "a long one", "pattern": "W W, W M W W W\n W N W W M"},
    )
)
def test_word_tokenizer_encode(subject: Proxy, reference: Proxy, case: Case) -> None:
    """encode gives the id of every word and mark, in the order of the text."""
    text = _text(case)
    vocabulary = _vocabulary(reference, text + " zebra Apple _ !")
    _same_ids(subject.make("WordTokenizer", vocabulary), reference, vocabulary, text)


@cases(
    Table.of(
        {"kind": "unknown alone", "text": "dog", "known": "cat"},
        {"kind": "among known ones", "text": "the dog and the cat", "known": "the cat and a mat"},
        {"kind": "twice in a row", "text": "a b c b b a", "known": "a c"},
        {"kind": "an unknown mark", "text": "a, b! c?", "known": "a b c ,"},
        {"kind": "another case", "text": "The CAT the cat", "known": "the cat"},
        {"kind": "known in capitals only", "text": "the cat The CAT on ON", "known": "The CAT ON"},
        {"kind": "a part of a known word", "text": "cat cats ca at CATS", "known": "cats"},
        {"kind": "nothing is known", "text": "a b!", "known": ""},
        {"kind": "another spelling", "text": "cafe caf\u00e9 cafe\u0301 ﬁne fine", "known": "caf\u00e9 fine"},
        {"kind": "drawn", "pattern": "W W M W U W N W U", "count": 6},
    )
)
def test_word_tokenizer_unknown(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A word or mark that the vocabulary does not have gets the id of <unk>, and only such a one."""
    known = case.known if "known" in case.dims else " ".join(_shuffled(case, PLAIN)[: case.count])
    vocabulary = _vocabulary(reference, known)
    _same_ids(subject.make("WordTokenizer", vocabulary), reference, vocabulary, _text(case))


@cases(
    Table.of(
        {"kind": "no ids", "entries": ()},
        {"kind": "one", "entries": ("cat",)},
        {"kind": "two", "entries": ("the", "cat")},
        {"kind": "marks", "entries": ("the", "cat", ",", "(", "the", "mat", ")", ".", ".", "'", "s", "!", "?")},
        {"kind": "special entries", "entries": ("the", "<unk>", "mat", "<eos>")},
        {"kind": "special entries in a row", "entries": ("<eos>", "<unk>", "<unk>", "cat", "<eos>", "the")},
        {"kind": "first and last id", "entries": ("!", "<eos>", "!")},
        {"kind": "drawn", "count": 12},
    )
)
def test_word_tokenizer_decode(subject: Proxy, reference: Proxy, case: Case) -> None:
    """decode writes the entries of the ids, with one blank between neighbours and nothing else."""
    vocabulary = _vocabulary(reference, "the cat , ( mat ) . ' s ! ? on")
    entries = list(case.entries) if "entries" in case.dims else _some(case, list(vocabulary), case.count)
    ids = [vocabulary[entry] for entry in entries]
    got = subject.make("WordTokenizer", vocabulary).call("decode", ids)
    equal(got, " ".join(entries), f"decode({ids}), the ids of {_short(entries)},")


@cases(
    Table.of(
        {"kind": "one word", "pattern": "W"},
        {"kind": "plain", "pattern": "W W M W, W N"},
        {"kind": "marks without blanks", "pattern": "(WMW) WNN W"},
        {"kind": "any script", "pattern": "U VU W VV U\nU"},
        {"kind": "empty", "pattern": "B"},
    )
)
def test_word_tokenizer_round_trip(subject: Proxy, reference: Proxy, case: Case) -> None:
    """If all words are known, decode(encode(text)) has the words of the text, with blanks between them."""
    text = _text(case)
    words = reference.call("split_words", text)
    tokenizer = subject.make("WordTokenizer", _vocabulary(reference, text + " and more ."))
    ids = tokenizer.call("encode", text)
    _integers(ids, f"encode({text!r})")
    holds(len(ids) == len(words), f"encode({text!r}) should give {len(words)} ids, got {len(ids)}.")
    back = tokenizer.call("decode", ids)
    if type(back) is not str:
        equal(back, "", "what decode returns")
    equal(back.split(), words, f"decode(encode({text!r})) is {back!r}: what its blanks separate")


@cases(
    Table.of(
        {"kind": "marks inside words", "text": "don't mid-air 3.14 a_b x/y"},
        {"kind": "special entries in a text", "text": "a <eos> b <unk> <eos>"},
        {"kind": "as other tokenizers write them", "text": "a <|endoftext|> [CLS] b </s> <pad>"},
        {"kind": "whitespace", "text": "\u00a0a\tb\n\nc\u3000d \r\n"},
        {"kind": "any script", "text": "数据，привет! naïve 👩\u200d🚀 cafe\u0301"},
        {"kind": "marks in a row", "text": "wait... what?! (yes!!)"},
        {"kind": "drawn", "pattern": "WMW V UV NM W_W BUB W2"},
    )
)
def test_word_tokenizer_pieces(subject: Proxy, reference: Proxy, case: Case) -> None:
    """encode takes a text apart as split_words does, in every script and at every mark."""
    text = _text(case)
    vocabulary = _vocabulary(reference, text)
    _same_ids(subject.make("WordTokenizer", vocabulary), reference, vocabulary, text)
    fewer = _vocabulary(reference, text[: len(text) // 2])
    _same_ids(subject.make("WordTokenizer", fewer), reference, fewer, text)


@cases(Table.of({"text": "a b c", "other": "b c d e"}, {"text": "The cat sat.", "other": "the Dog, sat"}))
def test_word_tokenizer_keeps_vocabulary(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A tokenizer learns nothing from what it encodes, and two tokenizers know nothing of each other."""
    one, two = _vocabulary(reference, case.text), _vocabulary(reference, case.other)
    first, second = subject.make("WordTokenizer", one), subject.make("WordTokenizer", two)
    for text in (case.other, case.text, case.other, "new words", case.text + " " + case.other):
        _same_ids(first, reference, one, text)
        _same_ids(second, reference, two, text)
    for tokenizer, vocabulary in ((first, one), (second, two)):
        ids = list(vocabulary.values())
        equal(tokenizer.call("decode", ids), " ".join(vocabulary), f"decode({ids}) after these calls")


def _same_pieces(subject: Proxy, reference: Proxy, text: str) -> None:
    _same(subject.call("split_words", text), reference.call("split_words", text), f"split_words({text!r})")


def _same_ids(tokenizer: Object, reference: Proxy, vocabulary: dict[str, int], text: str) -> None:
    words = reference.call("split_words", text)
    want = [vocabulary.get(word, vocabulary["<unk>"]) for word in words]
    got = tokenizer.call("encode", text)
    call = f"With the vocabulary {_short(vocabulary)}, encode({text!r})"
    if type(got) is list and len(got) == len(want):
        for word, id_, w in zip(words, got, want, strict=True):
            holds(type(id_) is int and id_ == w, f"{call} should give {word!r} the id {w}, got {id_!r}.")
    _same(got, want, call)


def _same_vocabulary(got: Any, words: list[str]) -> None:
    want = {entry: i for i, entry in enumerate([*sorted(set(words)), "<unk>", "<eos>"])}
    holds(got == want, f"In the vocabulary of {_short(words)}, {_difference(got, want)}")


def _vocabulary_of(subject: Proxy, words: list[str]) -> dict[str, int]:
    """What the student makes of the words: a dict with whole numbers in it."""
    got = subject.call("build_vocabulary", list(words))
    if not isinstance(got, dict):
        equal(got, {}, "the vocabulary")
    for word, id_ in got.items():
        holds(type(word) is str, f"The keys of the vocabulary should be words, there is {word!r} among them.")
        holds(type(id_) is int, f"The id of {word!r} should be a whole number, got {id_!r}.")
    return dict(got)


def _vocabulary(reference: Proxy, text: str) -> dict[str, int]:
    return dict(reference.call("build_vocabulary", reference.call("split_words", text)))


def _difference(got: dict[str, int], want: dict[str, int]) -> str:
    """The first entry that is not as wanted."""
    for entry, id_ in want.items():
        if got.get(entry) != id_:
            return f"{entry!r} should have the id {id_}, got {got.get(entry, 'none')}."
    return f"{next((entry for entry in got if entry not in want), '')!r} should not be there."


def _same(got: Any, want: list[Any], call: str) -> None:
    """A list of strings or whole numbers; of a long one, where it first differs."""
    if type(got) is not list or len(repr(want)) + len(repr(got)) < 200:
        equal(got, want, call)
    for place, (g, w) in enumerate(zip(got, want, strict=False)):
        holds(g == w, f"{_short(call)} should have {w!r} at [{place}], got {g!r}.")
    holds(len(got) == len(want), f"{_short(call)} should have {len(want)} entries, got {len(got)}.")
    (_strings if want and type(want[0]) is str else _integers)(got, call)


def _strings(got: Any, call: str) -> None:
    if type(got) is not list:
        equal(got, [], call)
    holds(all(type(g) is str for g in got), f"{_short(call)} should hold strings, got {_short(got)}.")


def _integers(got: Any, call: str) -> None:
    if type(got) is not list:
        equal(got, [], call)
    holds(all(type(g) is int for g in got), f"{_short(call)} should hold whole numbers, got {_short(got)}.")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 120 else text[:110] + " …"


def _text(case: Case) -> str:
    """The case's own text; or its pattern, with letters for what is drawn; or a sentence.

    W is a plain word, S the same one each time, U a word of any script, M a mark, N one of more of them, V one of any
    script, B whitespace, O of a rarer kind. All other characters stand for themselves.
    """
    if "text" in case.dims:
        return str(case.text)
    if "pattern" not in case.dims:
        return _sentence(case)
    same = (_one(case, PLAIN),)
    drawn = {"W": PLAIN, "S": same, "U": SCRIPTS, "M": ENGLISH_MARKS, "N": MORE_MARKS, "V": OTHER_MARKS}
    drawn |= {"B": BLANKS, "O": OTHER_BLANKS}
    return "".join(_one(case, drawn[sign]) if sign in drawn else sign for sign in case.pattern)


def _sentence(case: Case) -> str:
    """Words with blanks between them, and marks behind some."""
    words = _some(case, PLAIN, case.words)
    marks = _some(case, ENGLISH_MARKS, case.marks)
    text = ""
    for i, word in enumerate(words):
        text += (_one(case, (" ", " ", "  ", "\n")) if i else "") + word
        if marks and int(case.integers(0, 2, 1)):
            text += marks.pop()
    return text + " ".join(marks)


def _one(case: Case, choices: tuple[str, ...]) -> str:
    return choices[int(case.integers(0, len(choices), 1))]


def _some(case: Case, choices: Any, count: int) -> list[str]:
    return [choices[int(i)] for i in case.integers(0, len(choices), count)]


def _shuffled(case: Case, items: Any) -> list[str]:
    return [items[int(i)] for i in case.shuffled(len(items))]
