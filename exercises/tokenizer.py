r"""A word tokenizer: text becomes words, words become numbers, and numbers become words again.

A word character is what `\w` of Python's module re matches: a letter or digit of any script, or the underscore.
Whitespace is what its `\s` matches: blanks, tabs, line ends, no-break spaces and their kin. Everything else, from a
comma to an emoji, is a mark here. A combining accent or a zero-width joiner is no word character, so it is a mark.
"""

import re

UNKNOWN = "<unk>"  # stands for every word that the vocabulary does not have
END = "<eos>"  # for the end of a text; nothing in this file writes it by itself


def split_words(text: str) -> list[str]:
    r"""Take a text apart into words and marks, in the order of the text.

    A word is a run of word characters, as long as it goes; every mark is a piece by itself; whitespace only separates.

        "It's 3.5 km_h…  (OK!!)" -> ["It", "'", "s", "3", ".", "5", "km_h", "…", "(", "OK", "!", "!", ")"]

    text     any text, in any script; it may be empty
    returns  a list of strings. Whitespace is in none of them, and nothing else is lost or changed: no letter becomes a
             small one, and no character is exchanged for another that looks the same

    Source: Raschka, "Build a Large Language Model (From Scratch)" (2024), section 2.2; the rule here is simpler.
    """
    raise NotImplementedError("split_words: write the body (stuck? run `grade hint tokenizer`)")


def build_vocabulary(words: list[str]) -> dict[str, int]:
    """Number the distinct words.

    The words stand in the order of sorted(): that of their characters' code points, so that "B" comes before "a". They
    get the ids 0, 1, 2 … in this order. Behind them come two special entries, "<unk>" and then "<eos>", which get the
    next two ids.

        ["to", "be", "or", "not", "to", "be"] -> {"be": 0, "not": 1, "or": 2, "to": 3, "<unk>": 4, "<eos>": 5}

    words    a list of strings, in any order, many of them more than once; it may be empty, it holds neither special
             entry, and it stays as it is
    returns  a dict from each entry to its id; the order in which the dict keeps them does not matter
    """
    raise NotImplementedError("build_vocabulary: write the body (stuck? run `grade hint tokenizer`)")


class WordTokenizer:
    """Turns a text into the ids of its words, and ids into a text."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        """vocabulary: what build_vocabulary returns. No call of a method adds anything to it."""
        raise NotImplementedError("WordTokenizer.__init__: write the body (stuck? run `grade hint tokenizer`)")

    def encode(self, text: str) -> list[int]:
        """The id of every piece of `text`, as split_words takes it apart; a piece that is unknown gets that of "<unk>".

        Nothing is put in front or behind. A text has no way to say a special entry: split_words makes "<eos>" three
        pieces. An empty text has no ids.
        """
        raise NotImplementedError("WordTokenizer.encode: write the body (stuck? run `grade hint tokenizer`)")

    def decode(self, ids: list[int]) -> str:
        """The entries of these ids, special ones too, with one blank between any two of them: "It ' s <unk> !".

        Where the blanks of the text stood is not known any more, so split_words, and not ==, says whether two texts
        are the same. No ids give an empty text; every id is one of the vocabulary.
        """
        raise NotImplementedError("WordTokenizer.decode: write the body (stuck? run `grade hint tokenizer`)")
