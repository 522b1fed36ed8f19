"""Recursive everywhere: a merge is the first token and the merge of the rest, and so is training."""

import itertools
import sys

sys.setrecursionlimit(10_000)


def merged(ids, pair, new):
    if len(ids) < 2:
        return ids
    if ids[:2] == pair:
        return (new, *merged(ids[2:], pair, new))
    return (ids[0], *merged(ids[1:], pair, new))


def spelled(token, merges):
    return (
        (token,) if token < 256 else spelled(merges[token - 256][0], merges) + spelled(merges[token - 256][1], merges)
    )


def learn(ids, merges, left):
    pairs = list(itertools.pairwise(ids))
    if left == 0 or not pairs:
        return merges
    best = max(set(pairs), key=lambda pair: (pairs.count(pair), *(spelled(token, merges) for token in pair)))
    return learn(merged(ids, best, 256 + len(merges)), [*merges, best], left - 1)


def train_bpe(text, num_merges):
    return learn(tuple(text.encode()), [], num_merges)


def encode(text, merges):
    def go_on(ids):
        known = [merges.index(pair) for pair in itertools.pairwise(ids) if pair in merges]
        return go_on(merged(ids, merges[min(known)], 256 + min(known))) if known else ids

    return list(go_on(tuple(text.encode())))


def decode(ids, merges):
    return bytes(byte for token in ids for byte in spelled(token, merges)).decode(errors="replace")
