"""Groups neighbouring characters of one kind, zips entries with numbers, and maps ids to entries."""

from itertools import chain, count, groupby, repeat


def kind(character: str) -> str:
    if character == "_" or character.isalnum():
        return "word"
    return "blank" if character.isspace() else "mark"


def split_words(text: str) -> list[str]:
    groups = [(name, "".join(group)) for name, group in groupby(text, key=kind)]
    return list(chain.from_iterable([run] if name == "word" else run for name, run in groups if name != "blank"))


def build_vocabulary(words: list[str]) -> dict[str, int]:
    return dict(zip(chain(sorted(frozenset(words)), ("<unk>", "<eos>")), count(), strict=False))


class WordTokenizer:
    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._ids = dict(vocabulary)
        self._entries = dict(map(reversed, vocabulary.items()))

    def encode(self, text: str) -> list[int]:
        pieces, unknown = split_words(text), self._ids["<unk>"]
        return list(map(self._ids.get, pieces, repeat(unknown)))

    def decode(self, ids: list[int]) -> str:
        return " ".join(map(self._entries.__getitem__, ids))
