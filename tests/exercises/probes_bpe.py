"""Questions that tell the known bugs of train_bpe, encode and decode apart."""

from typing import Any

from grader.run.suite import Case, Object, Proxy, Table, probe

TRAINED = Table.of(
    {"text": "abracadabra, Abba!\r\nabc", "merges": 7},
    {"text": "aaab", "merges": 2},
    {"text": "baaa", "merges": 2},
    {"text": "bacb", "merges": 3},
    {"text": "aaba", "merges": 3},
    {"text": "aab", "merges": 2},
    {"text": "aaa", "merges": 2},
    {"text": "aaabcbc", "merges": 2},
    {"text": "ababcd", "merges": 3},
    {"text": "abcabcabc", "merges": 2},
    {"text": "", "merges": 3},
    {"text": "ab", "merges": 3},
    {"text": "acbd", "merges": 9},
    {"text": "abab", "merges": 0},
    {"text": "  b a b a b a  ", "merges": 5},
    {"text": "数据数据é e\u0301é", "merges": 6},
    {"text": "éèé", "merges": 3},
    {"text": "llcacaclblcaclllacbabaacbb", "merges": 10},
)
ENCODED = Table.of(
    {"text": "Abab abc, ab\nabba abé", "other": " aba Abba abc\nab, éab ", "merges": 6},
    {"text": "babba", "other": "aab", "merges": 2},
    {"text": "bcbaabcbc", "other": "bcbc", "merges": 3},
    {"text": "baabb", "other": "bba", "merges": 2},
    {"text": "abbaab", "other": "bbab", "merges": 2},
    {"text": "aabbb", "other": "bbbb", "merges": 2},
    {"text": "aaaba", "other": "bbabaa", "merges": 2},
    {"text": "baabb", "other": "bbaabaa", "merges": 2},
    {"text": "aaa", "other": "aaaaa", "merges": 2},
    {"text": "abab", "other": "ab", "merges": 1},
    {"text": "abcabc", "other": "abcabc", "merges": 3},
    {"text": "abab", "other": "", "merges": 1},
    {"text": "abab", "other": "a", "merges": 1},
    {"text": "abab", "other": "abxab", "merges": 1},
    {"text": "abab", "other": "abababab", "merges": 2},
    {"text": "a b a b", "other": "a b", "merges": 3},
    {"text": "数据数据", "other": "数é据数", "merges": 4},
    {"text": "abab", "other": " ab", "merges": 0},
)
DECODED = Table.of(
    {"ids": (257, 0x20, 256, 0x0A, 0x61), "text": "abcabc", "merges": 2},
    {"ids": (0xC3, 0xA9, 256, 0x61), "text": "éé", "merges": 1},
    {"ids": (0x61, 0xFF, 0x62), "text": "", "merges": 0},
    {"ids": (0xE6, 0x95, 0x61, 0xED, 0xA0, 0x80), "text": "", "merges": 0},
    {"ids": (0xEF, 0xBB, 0xBF, 0x61), "text": "", "merges": 0},
    {"ids": (0x00, 0x61, 0x00), "text": "", "merges": 0},
    {"ids": (), "text": "ab", "merges": 1},
    {"ids": (256,), "text": "ab", "merges": 1},
    {"ids": (0x20, 0x61, 0x0A), "text": "", "merges": 0},
)


@probe("train_bpe", TRAINED)
def merges(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The merges of a text, and of what types they are."""
    answer = side.call("train_bpe", case.text, case.merges)
    pairs = answer if isinstance(answer, (list, tuple, dict)) else ()
    return {"value": answer, "type": type(answer).__name__, "pairs": sorted({type(pair).__name__ for pair in pairs})}


@probe("encode", ENCODED)
def tokens(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The tokens of a text, with merges of the same text or another."""
    learnt = reference.call("train_bpe", case.text, case.merges)
    return side.call("encode", case.other, learnt)


@probe("encode", Table.of({"text": "abcabc", "merges": 2}))
def merges_afterwards(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The caller's merges after a call, and the answer to a second one."""
    kept = Object(side, side.built("train_bpe", case.text, case.merges, of="list").handle, "the merges")
    first = side.call("encode", case.text, kept)
    return [first, kept.call("copy"), side.call("encode", case.text, kept)]


@probe("decode", DECODED)
def text(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The text of some tokens."""
    return side.call("decode", list(case.ids), reference.call("train_bpe", case.text, case.merges))
