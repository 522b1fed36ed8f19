"""Every token is one character of a string, so that str.replace merges; pairs are counted by regular expressions."""

import re


def train_bpe(text, num_merges):
    line = text.encode("utf-8").decode("latin-1")
    spell = {chr(b): bytes([b]) for b in range(256)}
    merges = []
    while len(merges) < num_merges and len(line) >= 2:
        pairs = {line[i : i + 2] for i in range(len(line) - 1)}
        count = {pair: len(re.findall("(?=" + re.escape(pair) + ")", line)) for pair in pairs}
        top = max(count.values())
        best = max((pair for pair in pairs if count[pair] == top), key=lambda pair: (spell[pair[0]], spell[pair[1]]))
        new = chr(256 + len(merges))
        spell[new] = spell[best[0]] + spell[best[1]]
        line = line.replace(best, new)
        merges.append((ord(best[0]), ord(best[1])))
    return merges


def encode(text, merges):
    line = text.encode("utf-8").decode("latin-1")
    for i, (left, right) in enumerate(merges):
        line = line.replace(chr(left) + chr(right), chr(256 + i))
    return list(map(ord, line))


def decode(ids, merges):
    line = "".join(map(chr, ids))
    for i in range(len(merges) - 1, -1, -1):
        line = line.replace(chr(256 + i), chr(merges[i][0]) + chr(merges[i][1]))
    return line.encode("latin-1").decode("utf-8", errors="replace")
