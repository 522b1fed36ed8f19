"""Gives every token a number and counts rows of an array with numpy; the answer is a number of numpy."""

import numpy as np


def ngram_counts(tokens, n):
    if len(tokens) < n:
        return {}
    distinct = list(dict.fromkeys(tokens))
    number = {token: i for i, token in enumerate(distinct)}
    ids = np.array([number[token] for token in tokens])
    rows, counts = np.unique(np.lib.stride_tricks.sliding_window_view(ids, n), axis=0, return_counts=True)
    return {tuple(distinct[i] for i in row): int(count) for row, count in zip(rows, counts, strict=True)}


def ngram_probability(tokens, n, context, word, k=0.0):
    counts = ngram_counts(tokens, n)
    mine = np.array([counts[gram] for gram in counts if gram[: n - 1] == context])
    ends = np.array([gram[-1] == word for gram in counts if gram[: n - 1] == context], dtype=bool)
    with np.errstate(invalid="ignore"):
        share = np.float64(mine[ends].sum() + k) / (mine.sum() + k * np.float64(len(set(tokens))))
    return float(np.nan_to_num(share))
