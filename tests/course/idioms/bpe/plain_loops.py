"""Nothing is imported: dicts, index loops, and a best pair that is kept by hand."""


def train_bpe(text, num_merges):
    tokens = []
    for byte in bytearray(text, "utf8"):
        tokens.append(byte)
    words = {}
    for byte in range(256):
        words[byte] = (byte,)
    merges = []
    new = 256
    while new < 256 + num_merges:
        counts = {}
        for i in range(len(tokens) - 1):
            pair = (tokens[i], tokens[i + 1])
            counts[pair] = counts.get(pair, 0) + 1
        best = None
        for pair, count in counts.items():
            if best is None or count > counts[best] or (count == counts[best] and greater(words, pair, best)):
                best = pair
        if best is None:
            return merges
        tokens = replace(tokens, best[0], best[1], new)
        words[new] = words[best[0]] + words[best[1]]
        merges.append(best)
        new += 1
    return merges


def greater(words, pair, other):
    if words[pair[0]] == words[other[0]]:
        return words[pair[1]] > words[other[1]]
    return words[pair[0]] > words[other[0]]


def replace(tokens, left, right, new):
    i = 0
    tokens = list(tokens)
    while i < len(tokens) - 1:
        if tokens[i] == left and tokens[i + 1] == right:
            tokens[i] = new
            del tokens[i + 1]
        i += 1
    return tokens


def encode(text, merges):
    tokens = list(bytearray(text, "utf8"))
    for i in range(len(merges)):
        tokens = replace(tokens, merges[i][0], merges[i][1], 256 + i)
    return tokens


def decode(ids, merges):
    stack = list(reversed(ids))
    data = bytearray()
    while stack:
        token = stack.pop()
        if token < 256:
            data.append(token)
        else:
            left, right = merges[token - 256]
            stack.append(right)
            stack.append(left)
    return data.decode("utf-8", "replace")
