"""Walks through the text character by character, and looks words up in a list."""


def split_words(text: str) -> list[str]:
    pieces = []
    word = ""
    for character in text:
        if character.isalnum() or character == "_":
            word += character
            continue
        if word:
            pieces.append(word)
            word = ""
        if not character.isspace():
            pieces.append(character)
    if word:
        pieces.append(word)
    return pieces


def build_vocabulary(words: list[str]) -> dict[str, int]:
    seen: list[str] = []
    for word in words:
        if word not in seen:
            seen.append(word)
    seen.sort()
    vocabulary = {}
    for word in seen:
        vocabulary[word] = len(vocabulary)
    vocabulary["<unk>"] = len(vocabulary)
    vocabulary["<eos>"] = len(vocabulary)
    return vocabulary


class WordTokenizer:
    def __init__(self, vocabulary):
        self.entries = [""] * len(vocabulary)
        for entry in vocabulary:
            self.entries[vocabulary[entry]] = entry

    def encode(self, text):
        ids = []
        for piece in split_words(text):
            ids.append(self.entries.index(piece if piece in self.entries else "<unk>"))
        return ids

    def decode(self, ids):
        text = ""
        for place, i in enumerate(ids):
            if place > 0:
                text += " "
            text += self.entries[i]
        return text
