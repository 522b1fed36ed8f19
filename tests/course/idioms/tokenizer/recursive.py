"""Takes one piece after the other from the front of the text; a dict subclass answers for what is missing."""

import re


def split_words(text: str) -> list[str]:
    pieces = []
    while text := text.lstrip():
        word = re.match(r"\w*", text).group() or text[0]
        pieces.append(word)
        text = text[len(word) :]
    return pieces


def build_vocabulary(words: list[str]) -> dict[str, int]:
    distinct = set(words)
    vocabulary = {word: sum(other < word for other in distinct) for word in distinct}
    vocabulary.update({"<unk>": len(distinct), "<eos>": len(distinct) + 1})
    return vocabulary


class Ids(dict):
    def __missing__(self, word: str) -> int:
        return self["<unk>"]


class WordTokenizer:
    def __init__(self, vocabulary: dict[str, int]) -> None:
        self.ids = Ids(vocabulary)

    def encode(self, text: str) -> list[int]:
        return [self.ids[piece] for piece in split_words(text)]

    def decode(self, ids: list[int]) -> str:
        return " ".join(next(word for word, number in self.ids.items() if number == wanted) for wanted in ids)
