"""Questions that tell the known bugs of split_words, build_vocabulary and WordTokenizer apart."""

from typing import Any

from grader.run.suite import Case, Object, Proxy, Table, probe

TEXTS = Table.of(
    {
        "texts": (
            "The cat (it's 3.14 m_2 x2) sat-down... no?! -- <a/b>\nThe next line",
            "naïve 数据，привет\u00a0cafe\u0301 ﬁne x² …🙂",
            "",
        )
    },
    {"texts": ("one", "a\tb c", "a. b", "end.", "_", "b a b", "42", "d'e-f 1.5")},
    {"texts": (" \n ", "\u3000a\u2009b", "数a据", "É\u0301", "!!", "a\x0bb\x1cc", "[$]{|}~")},
)
WORDS = Table.of(
    {"words": ("the", "Cat", "sat", ",", "b", "the", "_", "10", "9", "ab", "B", "=", "the", "a", ",")},
    {"words": ()},
    {"words": ("c", "a", "b")},
    {"words": ("a", "B", "a", "bb", "C", ".", ".", "zz")},
)
KNOWN = "! ' ( ) , . 3 14 The a cat dog it s the z"


@probe("split_words", TEXTS)
def pieces(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The pieces of several texts."""
    return [_plain(side.call("split_words", text)) for text in case.texts]


@probe("build_vocabulary", WORDS)
def entries(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The vocabulary of some words."""
    return side.call("build_vocabulary", list(case.words))


@probe("build_vocabulary", Table.of({"text": "b a c a , b"}))
def words_afterwards(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The caller's words after a call, and the answer to a second one."""
    words = Object(side, side.built("split_words", case.text, of="list").handle, "the words")
    first = side.call("build_vocabulary", words)
    return [first, words.call("copy"), side.call("build_vocabulary", words)]


@probe(
    "WordTokenizer",
    Table.of(
        {"texts": ("the cat , a ! dog", "z")},
        {"texts": ("The dog (it's 3.14), a dog! the DOG CAT", "[z]-new <eos> <unk> a!")},
        {"texts": ("", "nothing Here", "! ! z z")},
        {"texts": ("A", "the <eos>", "new new THE")},
    ),
)
def ids(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The ids of several texts."""
    tokenizer = side.make("WordTokenizer", _vocabulary(reference, KNOWN))
    return [_plain(tokenizer.call("encode", text)) for text in case.texts]


@probe(
    "WordTokenizer",
    Table.of({"entries": ("the", "cat", "!", "z", "(", "a", ")", "dog")}, {"entries": ()})
    + Table.of({"entries": ("a", "<unk>", ",", "the", "<eos>", "dog", ".")}, {"entries": ("!",)}),
)
def text(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The text of some ids."""
    vocabulary = _vocabulary(reference, KNOWN)
    tokenizer = side.make("WordTokenizer", vocabulary)
    return _plain(tokenizer.call("decode", [vocabulary[entry] for entry in case.entries]))


@probe("WordTokenizer", Table.of({"first": "a b c", "second": "c b d e"}))
def two_of_them(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether tokenizers know of each other, or of what they have read."""
    vocabularies = [_vocabulary(reference, case.first), _vocabulary(reference, case.second)]
    one, two = (side.make("WordTokenizer", vocabulary) for vocabulary in vocabularies)
    texts = ("b c b", "b d b")
    encoded = [_plain(tokenizer.call("encode", text)) for text in texts for tokenizer in (one, two)]
    return [*encoded, _plain(one.call("decode", [1, 2])), _plain(two.call("decode", [1, 2]))]


def _vocabulary(reference: Proxy, text: str) -> dict[str, int]:
    return dict(reference.call("build_vocabulary", reference.call("split_words", text)))


def _plain(answer: Any) -> Any:
    """An iterator cannot cross from one process to another: what it is differs here and there."""
    return answer if isinstance(answer, (str, int, list, tuple, dict)) else "no list, no text"
