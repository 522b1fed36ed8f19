"""train_bpe works on characters, whose numbers may be above 255."""

from collections import Counter
from itertools import pairwise


def merge(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        found = i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair
        merged.append(new if found else ids[i])
        i += 2 if found else 1
    return merged


def train_bpe(text: str, num_merges: int) -> list[tuple[int, int]]:
    ids = [ord(character) for character in text]
    strings = {code: chr(code) for code in ids}
    merges: list[tuple[int, int]] = []
    while len(merges) < num_merges and len(ids) > 1:
        counts = Counter(pairwise(ids))
        best = max(counts, key=lambda pair: (counts[pair], strings[pair[0]], strings[pair[1]]))
        ids = merge(ids, best, 256 + len(merges))
        strings[256 + len(merges)] = strings[best[0]] + strings[best[1]]
        merges.append(best)
    return merges


def encode(text: str, merges: list[tuple[int, int]]) -> list[int]:
    ids = list(text.encode("utf-8"))
    for i, pair in enumerate(merges):
        ids = merge(ids, tuple(pair), 256 + i)
    return ids


def decode(ids: list[int], merges: list[tuple[int, int]]) -> str:
    strings = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        strings.append(strings[left] + strings[right])
    return b"".join(strings[i] for i in ids).decode("utf-8", errors="replace")
