"""One compiled expression with \\S for the marks; a dataclass; try and except for what is unknown."""

import re
from dataclasses import dataclass

PIECE = re.compile(
    r"""
    \w+   # a word
    | \S  # or a mark: what is left where no word begins
    """,
    re.VERBOSE,
)


def split_words(text: str) -> list[str]:
    return [match.group() for match in PIECE.finditer(text)]


def build_vocabulary(words: list[str]) -> dict[str, int]:
    distinct = sorted(dict.fromkeys(words))
    vocabulary = {word: i for i, word in enumerate(distinct)}
    return vocabulary | {"<unk>": len(distinct), "<eos>": len(distinct) + 1}


@dataclass(frozen=True)
class WordTokenizer:
    vocabulary: dict[str, int]

    def encode(self, text: str) -> list[int]:
        return [self._id(piece) for piece in split_words(text)]

    def _id(self, piece: str) -> int:
        try:
            return self.vocabulary[piece]
        except KeyError:
            return self.vocabulary["<unk>"]

    def decode(self, ids: list[int]) -> str:
        entries = list(self.vocabulary)
        return " ".join([entries[i] for i in ids])
