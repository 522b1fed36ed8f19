"""Works on byte strings throughout, and turns them into numbers only at the end."""

import itertools
from collections import Counter


def join(parts, pair):
    joined = []
    while parts:
        if tuple(parts[:2]) == pair:
            joined.append(parts[0] + parts[1])
            parts = parts[2:]
        else:
            joined.append(parts[0])
            parts = parts[1:]
    return joined


def train_bpe(text, num_merges):
    parts = [bytes([b]) for b in text.encode()]
    number = {bytes([b]): b for b in range(256)}
    merges = []
    for i in range(num_merges):
        counts = Counter(itertools.pairwise(parts))
        if not counts:
            break
        best = max(counts.items(), key=lambda entry: (entry[1], entry[0]))[0]
        merges.append((number[best[0]], number[best[1]]))
        number[best[0] + best[1]] = 256 + i
        parts = join(parts, best)
    return merges


def vocabulary(merges):
    strings = {b: bytes([b]) for b in range(256)}
    for i, (left, right) in enumerate(merges, 256):
        strings[i] = strings[left] + strings[right]
    return strings


def encode(text, merges):
    strings = vocabulary(merges)
    number = {string: i for i, string in strings.items()}
    parts = [bytes([b]) for b in text.encode()]
    for left, right in merges:
        parts = join(parts, (strings[left], strings[right]))
    return [number[part] for part in parts]


def decode(ids, merges):
    strings = vocabulary(merges)
    data = b""
    for i in ids:
        data += strings[i]
    return str(data, "utf-8", "replace")
