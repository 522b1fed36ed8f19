"""The references of the word tokenizer, and the stand-ins, against character classes, hand-worked texts, tokenizers."""

import itertools
import unicodedata

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from solutions import standins
from solutions import tokenizer as course

SPLIT = pytest.mark.parametrize("split_words", [course.split_words, standins.split_words])
NUMBER = pytest.mark.parametrize("build_vocabulary", [course.build_vocabulary, standins.build_vocabulary])
TEXTS = [
    "",
    " \n\t\u00a0\u3000",
    "The quick brown fox: it's 3.14 km_h away... (OK!!)",
    "naïve Straße 数据，привет! שלום, عالم١٢٣ λόγος — «ok» 10⁻³ ½ Ⅻ",
    "cafe\u0301 हिन्दी 👩\u200d🚀👍🏽 ❤\ufe0f\u200b\u2028x\x85y\x1cz",
    "__init__ _ a_b x2 2nd '' -- <eos> <|endoftext|>",
]


def by_category(text):
    """The same rule by Unicode's general categories: letters and numbers are L* and N*."""
    pieces, inside = [], False
    for character in text:
        word = character == "_" or unicodedata.category(character)[0] in "LN"
        blank = (
            unicodedata.category(character) in ("Zs", "Zl", "Zp") or character in "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85"
        )
        if word and inside:
            pieces[-1] += character
        elif not blank:
            pieces.append(character)
        inside = word
    return pieces


@SPLIT
@pytest.mark.parametrize("text", TEXTS)
def test_split_words_goes_by_unicode_categories(split_words, text):
    assert split_words(text) == by_category(text)


@SPLIT
def test_split_words_of_worked_texts(split_words):
    assert split_words("It's 3.5 km_h…  (OK!!)") == [
        "It",
        "'",
        "s",
        "3",
        ".",
        "5",
        "km_h",
        "…",
        "(",
        "OK",
        "!",
        "!",
        ")",
    ]
    assert split_words("e\u0301") == ["e", "\u0301"]
    assert split_words("a\u00a0b\u200bc") == ["a", "b", "\u200b", "c"]


@SPLIT
def test_split_words_cuts_where_the_library_does(split_words):
    """tokenizers keeps a row of marks together; apart from that its Whitespace is the same rule."""
    for text in TEXTS[:4]:
        rows = [piece for piece, _ in pre_tokenizers.Whitespace().pre_tokenize_str(text)]
        assert split_words(text) == list(
            itertools.chain.from_iterable([row] if row[0] == "_" or row[0].isalnum() else row for row in rows)
        )


@NUMBER
def test_build_vocabulary_of_worked_words(build_vocabulary):
    want = {"be": 0, "not": 1, "or": 2, "to": 3, "<unk>": 4, "<eos>": 5}
    assert build_vocabulary(["to", "be", "or", "not", "to", "be"]) == want
    assert build_vocabulary([]) == {"<unk>": 0, "<eos>": 1}
    # by code points: , 44, 9 57, B 66, _ 95, a 97, ä 228
    assert list(build_vocabulary(["a", "_", "ä", "B", "9", ",", "a"])) == [
        ",",
        "9",
        "B",
        "_",
        "a",
        "ä",
        "<unk>",
        "<eos>",
    ]


@NUMBER
def test_ids_are_the_rows_of_a_table(build_vocabulary):
    for text in TEXTS:
        assert sorted(build_vocabulary(by_category(text)).values()) == list(range(len(set(by_category(text))) + 2))


@pytest.mark.parametrize(("known", "text"), list(itertools.product(TEXTS[:4], TEXTS[:4])))
def test_word_tokenizer_looks_up_as_the_library_does(known, text):
    vocabulary = course.build_vocabulary(course.split_words(known))
    library = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = course.WordTokenizer(vocabulary)
    ids = library.encode(" ".join(by_category(text))).ids
    assert tokenizer.encode(text) == ids
    assert tokenizer.decode(ids) == library.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("text", TEXTS)
def test_known_words_come_back(text):
    tokenizer = course.WordTokenizer(course.build_vocabulary(course.split_words(text)))
    assert by_category(tokenizer.decode(tokenizer.encode(text))) == by_category(text)


def test_word_tokenizer_of_worked_texts():
    tokenizer = course.WordTokenizer({"!": 0, "cat": 1, "the": 2, "<unk>": 3, "<eos>": 4})
    assert tokenizer.encode("the Cat! cat<eos>") == [2, 3, 0, 1, 3, 3, 3]
    assert tokenizer.decode([2, 3, 0, 4]) == "the <unk> ! <eos>"
    assert tokenizer.decode([]) == ""
