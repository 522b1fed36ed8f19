"""Byte-pair encoding: bytes that often stand side by side become one token, again and again.

A token is a number. 0 … 255 are the single bytes of the text in UTF-8. Every merge makes one more token out of two that
exist: merge 0 makes token 256, merge i makes 256 + i. So a list of pairs says everything: `merges[i]` holds the two
tokens that 256 + i is made of, and each token stands for a string of bytes.

The text is one sequence of bytes from its first to its last: a merge may reach across a blank or a line end, and may
take half a character. To merge a pair means to go through the tokens from left to right and to replace the two,
wherever they stand side by side, by the new one: of three equal tokens, merged with themselves, the first two become
one.
"""


def train_bpe(text: str, num_merges: int) -> list[tuple[int, int]]:
    """Learn merges from a text: count all pairs, merge the most frequent one everywhere, count again, and so on.

    How often a pair occurs is counted at every position of the tokens as they are then: in "aaaa" the pair (a, a)
    stands at three positions. Of pairs that occur equally often the greatest wins: compare the byte strings of their
    left tokens, and if these are equal those of their right tokens, as Python compares bytes: b"a" < b"ab" < b"b". It
    is the byte strings that count, not the numbers of the tokens.

    text        any text; it may be empty
    num_merges  how many merges to learn, 0 or more. It ends sooner if no pair is left, because all has become one
                token; a pair that occurs only once is still merged
    returns     a list of tuples (left, right), in the order in which they were learnt

    Sources: Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units" (2016), section 3.2;
    on bytes: Radford et al., "Language Models are Unsupervised Multitask Learners" (2019), section 2.2.
    """
    raise NotImplementedError("train_bpe: write the body (stuck? run `grade hint bpe`)")


def encode(text: str, merges: list[tuple[int, int]]) -> list[int]:
    """The tokens of a text, in which the merges are done in the order in which they were learnt.

    Start with the bytes. Of all pairs that stand side by side, merge the one that comes first in `merges`, wherever it
    stands. Then look again, until no pair that stands side by side is in `merges`.

    text     any text, most likely another one than the merges were learnt from; it may be empty
    merges   what train_bpe returns; it may be empty, and stays as it is
    returns  a list of integers
    """
    raise NotImplementedError("encode: write the body (stuck? run `grade hint bpe`)")


def decode(ids: list[int], merges: list[tuple[int, int]]) -> str:
    """The text that these tokens stand for: their byte strings, one after the other, read as UTF-8.

    So decode(encode(text, merges), merges) is the text. But a model may write any tokens, and their bytes may be no
    UTF-8: then what cannot be read is shown as U+FFFD, as bytes.decode does with errors="replace". A character may be
    spread over several tokens: only all bytes together can be read.

    ids      tokens, each a byte or made by one of the merges; there may be none
    merges   what train_bpe returns; it stays as it is
    returns  a string
    """
    raise NotImplementedError("decode: write the body (stuck? run `grade hint bpe`)")
