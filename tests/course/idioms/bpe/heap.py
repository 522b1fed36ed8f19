"""encode with a heap over a linked list; train_bpe sorts all pairs; decode by recursion and an incremental decoder."""

import codecs
import functools
import heapq
from itertools import groupby, pairwise


def train_bpe(text, num_merges):
    ids, strings, merges = list(text.encode("utf-8")), [bytes((b,)) for b in range(256)], []
    for new in range(256, 256 + num_merges):
        ranked = sorted(pairwise(ids))
        groups = [(len(list(group)), pair) for pair, group in groupby(ranked)]
        if not groups:
            break
        _, (a, b) = max(groups, key=lambda entry: (entry[0], [strings[token] for token in entry[1]]))
        merges.append((a, b))
        strings.append(strings[a] + strings[b])
        out = []
        for token in ids:
            if out and out[-1] == a and token == b:
                out[-1] = new
            else:
                out.append(token)
        ids = out
    return merges


def encode(text, merges):
    rank = dict(zip(map(tuple, merges), range(len(merges)), strict=True))
    ids = list(text.encode("utf-8"))
    after = list(range(1, len(ids) + 1))
    before = list(range(-1, len(ids) - 1))
    alive = [True] * len(ids)
    heap = [(rank[pair], i, pair) for i, pair in enumerate(pairwise(ids)) if pair in rank]
    heapq.heapify(heap)
    while heap:
        r, i, pair = heapq.heappop(heap)
        j = after[i]
        if not alive[i] or j >= len(ids) or (ids[i], ids[j]) != pair:
            continue
        ids[i], alive[j], after[i] = 256 + r, False, after[j]
        if after[j] < len(ids):
            before[after[j]] = i
        for left, right in ((before[i], i), (i, after[i])):
            if left >= 0 and right < len(ids) and (ids[left], ids[right]) in rank:
                heapq.heappush(heap, (rank[ids[left], ids[right]], left, (ids[left], ids[right])))
    return [token for token, here in zip(ids, alive, strict=True) if here]


def decode(ids, merges):
    @functools.cache
    def string(token):
        return bytes((token,)) if token < 256 else string(merges[token - 256][0]) + string(merges[token - 256][1])

    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return "".join([decoder.decode(string(token)) for token in ids]) + decoder.decode(b"", final=True)
