"""encode looks for the best place, merges there alone, and starts again; training counts with numpy."""

import itertools

import numpy as np


def train_bpe(text, num_merges):
    ids = np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int64)
    strings = [bytes([b]) for b in range(256)]
    merges = []
    for new in range(256, 256 + num_merges):
        if ids.size < 2:
            break
        pairs, counts = np.unique(np.stack([ids[:-1], ids[1:]], axis=1), axis=0, return_counts=True)
        tied = [tuple(pair) for pair in pairs[counts == counts.max()].tolist()]
        best = sorted(tied, key=lambda pair: tuple(strings[token] for token in pair))[-1]
        merges.append(best)
        strings.append(b"".join(strings[token] for token in best))
        ids = np.array(merge_all(ids.tolist(), best, new))
    return merges


def merge_all(ids, pair, new):
    for i in range(len(ids) - 1):
        if (ids[i], ids[i + 1]) == pair:
            return [*ids[:i], new, *merge_all(ids[i + 2 :], pair, new)]
    return ids


def encode(text, merges):
    ids = list(text.encode())
    while True:
        places = [(merges.index((a, b)), i) for i, (a, b) in enumerate(itertools.pairwise(ids)) if (a, b) in merges]
        if not places:
            return ids
        rank, i = min(places)
        ids = [*ids[:i], 256 + rank, *ids[i + 2 :]]


def decode(ids, merges):
    while any(token >= 256 for token in ids):
        ids = [part for token in ids for part in ((token,) if token < 256 else merges[token - 256])]
    return bytes(ids).decode("utf-8", "replace")
