"""The references of byte-pair encoding, and the stand-in, against worked examples, a plain search, and tokenizers."""

import random

import pytest
from tokenizers import Tokenizer, models

from solutions import bpe as course
from solutions import standins

TRAIN = pytest.mark.parametrize("train_bpe", [course.train_bpe, standins.train_bpe])
TEXTS = [
    "low low low low low lower lower newest newest newest newest newest newest widest widest widest",
    "she sells sea shells by the sea shore,\r\n  the shells she sells are sea shells\n",
    "naïve naïveté, e\u0301e\u0301 数据数据库 приветы привет 👩\u200d🚀👩\u200d👩\u200d👧",
    "aaaaaaaabaaaaabaaaab",
    "",
    "x",
]


def drawn(count, letters="abc", longest=25):
    rng = random.Random(7)
    return ["".join(rng.choice(letters) for _ in range(rng.randint(0, longest))) for _ in range(count)]


def learn(text, num_merges):
    """The merges as pairs of byte strings, written out without any numbers of tokens."""
    parts, merges = [bytes([byte]) for byte in text.encode()], []
    for _ in range(num_merges):
        pairs = [(parts[i], parts[i + 1]) for i in range(len(parts) - 1)]
        if not pairs:
            break
        merges.append(sorted(sorted(pairs), key=pairs.count)[-1])
        joined = []
        while parts:
            size = 2 if tuple(parts[:2]) == merges[-1] else 1
            joined.append(b"".join(parts[:size]))
            del parts[:size]
        parts = joined
    return merges


def as_strings(merges):
    strings = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        strings.append(strings[left] + strings[right])
    return strings


@TRAIN
@pytest.mark.parametrize("text", TEXTS + drawn(60) + drawn(20, "ab") + drawn(20, "aé 数"))
def test_train_bpe_is_the_plain_search(train_bpe, text):
    merges = train_bpe(text, 12)
    strings = as_strings(merges)
    assert [(strings[left], strings[right]) for left, right in merges] == learn(text, 12)
    assert len(set(strings)) == len(strings)  # so it makes no difference whether tokens are numbers or byte strings


@TRAIN
def test_train_bpe_of_worked_texts(train_bpe):
    a, b, c, d = b"abcd"
    # aaabdaaabac: (a, a) stands at 4 positions; XabdXabac: (a, b) and (X, a) twice, X = aa is greater than a; YbdYbac
    assert train_bpe("aaabdaaabac", 3) == [(a, a), (256, a), (257, b)]
    assert train_bpe("abcd", 9) == [(c, d), (b, 256), (a, 257)]
    assert train_bpe("ababcd", 3) == [(a, b), (c, d), (256, 257)]  # (ab, cd) is greater than (ab, ab)
    assert train_bpe("aaa", 2) == [(a, a), (256, a)]
    assert train_bpe("aaabcbc", 1) == [(b, c)]  # twice, as (a, a)
    assert train_bpe("é", 5) == [(0xC3, 0xA9)]
    assert train_bpe("abab", 0) == train_bpe("", 3) == train_bpe("a", 3) == []
    # newest 6 times, widest 3 times: of (e, s) and (s, t) the greater; then (e, st); a blank behind all but the last
    assert as_strings(train_bpe(TEXTS[0], 3))[256:] == [b"st", b"est", b"est "]


@pytest.mark.parametrize("text", TEXTS + drawn(20) + drawn(20, "abé "))
def test_encode_merges_as_the_library_does(text):
    """tokenizers merges characters, so every byte is written as one of them: 0 … 255 as U+0100 … U+01FF."""
    for learnt_from in [*TEXTS[:4], *drawn(5, "abé ")]:
        merges = course.train_bpe(learnt_from, 30)
        names = ["".join(chr(0x100 + byte) for byte in string) for string in as_strings(merges)]
        vocabulary = {name: i for i, name in enumerate(names)}
        library = Tokenizer(models.BPE(vocabulary, [(names[left], names[right]) for left, right in merges]))
        written = "".join(chr(0x100 + byte) for byte in text.encode())
        ids = course.encode(text, merges)
        assert ids == library.encode(written).ids
        assert course.decode(ids, merges) == text


def test_encode_of_worked_texts():
    a, b, c = b"abc"
    assert course.encode("abc", [(a, b), (b, c)]) == [256, c]
    assert course.encode("abc", [(b, c), (a, b)]) == [a, 256]
    assert course.encode("aaa", [(a, a)]) == [256, a]
    assert course.encode("aaaaa", [(a, a), (256, 256)]) == [257, a]
    assert course.encode("", [(a, b)]) == []
    assert course.encode("ab", []) == [a, b]


def test_decode_of_worked_tokens():
    a, b = b"ab"
    assert course.decode([257, 256, a], [(a, b), (256, 256)]) == "abababa"
    assert course.decode([0xC3, 0xA9, 256], [(0xC3, 0xA9)]) == "éé"
    assert course.decode([a, 0xFF, b], []) == "a\ufffdb"
    assert course.decode([0xE6, 0x95, b], []) == "\ufffdb"  # what begins a character and does not end it is one
    assert course.decode([0xED, 0xA0, 0x80], []) == "\ufffd" * 3
    assert course.decode([], []) == ""


@pytest.mark.parametrize("count", [1, 3, 9])
def test_decode_reads_any_tokens(count):
    rng = random.Random(count)
    merges = course.train_bpe(TEXTS[2], 40)
    strings = as_strings(merges)
    for _ in range(200):
        ids = [rng.randrange(len(strings)) for _ in range(count)]
        assert course.decode(ids, merges) == str(b"".join(strings[i] for i in ids), "utf-8", "replace")
