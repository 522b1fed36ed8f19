"""Puts blanks around every mark and splits at whitespace; numbers the words with numpy."""

import re
from collections import defaultdict

import numpy as np


def split_words(text: str) -> list[str]:
    return re.sub(r"([^\w\s])", r" \1 ", text).split()


def build_vocabulary(words: list[str]) -> dict[str, int]:
    entries = [*np.unique(np.array(words, dtype=object)).tolist(), "<unk>", "<eos>"]
    return dict(zip(entries, range(len(entries)), strict=True))


class WordTokenizer:
    def __init__(self, vocabulary: dict[str, int]) -> None:
        self.str_to_int = defaultdict(lambda: vocabulary["<unk>"], vocabulary)
        self.int_to_str = np.array(sorted(vocabulary, key=vocabulary.get), dtype=object)

    def encode(self, text: str) -> list[int]:
        return [self.str_to_int[piece] for piece in split_words(text)]

    def decode(self, ids: list[int]) -> str:
        return " ".join(self.int_to_str[np.array(ids, dtype=int)])
