"""The tokenizer takes texts apart by itself, with re.split; words are found by bisection."""

import re
from bisect import bisect_left


def split_words(text: str) -> list[str]:
    pieces = re.split(r"(\W)", text)
    return [piece for piece in pieces if piece.strip()]


def build_vocabulary(words: list[str]) -> dict[str, int]:
    numbered = enumerate([*sorted(set(words)), "<unk>", "<eos>"])
    return {word: number for number, word in numbered}


class WordTokenizer:
    def __init__(self, vocabulary: dict[str, int]) -> None:
        inverse = {number: word for word, number in vocabulary.items()}
        self.entries = [inverse[number] for number in range(len(inverse))]
        self.words = self.entries[:-2]

    def encode(self, text: str) -> list[int]:
        ids = []
        for piece in re.split(r"(\W)", text):
            if not piece or piece.isspace():
                continue
            place = bisect_left(self.words, piece)
            known = place < len(self.words) and self.words[place] == piece
            ids.append(place if known else len(self.words))
        return ids

    def decode(self, ids: list[int]) -> str:
        return str.join(" ", (self.entries[number] for number in ids))
