"""A plain dict and index loops; contexts are counted in the text up to its last token but one."""


def ngram_counts(tokens, n):
    counts = {}
    start = 0
    while start + n <= len(tokens):
        gram = []
        for place in range(start, start + n):
            gram.append(tokens[place])
        gram = tuple(gram)
        if gram not in counts:
            counts[gram] = 0
        counts[gram] += 1
        start += 1
    return counts


def ngram_probability(tokens, n, context, word, k=0.0):
    gram_count = 0
    context_count = 0
    for start in range(len(tokens) - n + 1):
        if tuple(tokens[start : start + n - 1]) == tuple(context):
            context_count += 1
            if tokens[start + n - 1] == word:
                gram_count += 1
    vocabulary = []
    for token in tokens:
        if token not in vocabulary:
            vocabulary.append(token)
    if context_count == 0:
        return 1 / len(vocabulary) if k > 0 else 0
    return (gram_count + k) / (context_count + k * len(vocabulary))
