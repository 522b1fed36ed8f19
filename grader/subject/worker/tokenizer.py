"""A tokenizer that is handed to the student's code: BERT's words and pieces, without the library, which loads slowly.

It takes the calls that are made of a BertTokenizer of transformers, and gives the same answers: a test compares them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import UserDict
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

SPECIAL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
LONGEST_WORD = 100  # a longer one is unknown
# Spaces that decoding takes out again.
TIGHT = {" .": ".", " ?": "?", " !": "!", " ,": ",", " ' ": "'", " n't": "n't", " 'm": "'m", " do not": " don't",
         " 's": "'s", " 've": "'ve", " 're": "'re"}  # fmt: skip


class Encoded(UserDict[str, Any]):
    """Lists or tensors by name: encoded["input_ids"] and encoded.input_ids are the same."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError(name) from None

    def to(self, device: Any) -> Encoded:
        return Encoded({k: v.to(device) if isinstance(v, Tensor) else v for k, v in self.data.items()})


class GivenTokenizer:
    """`tokens` in the order of their ids, the special ones among them; `added` ones (lower case) come behind them."""

    model_max_length = int(1e30)
    padding_side = "right"

    def __init__(self, tokens: list[str], added: list[str] | None = None) -> None:
        self.vocab = {token: number for number, token in enumerate([*tokens, *(added or [])])}
        self._tokens = list(self.vocab)
        self.vocab_size = len(tokens)
        self.special_tokens_map = {f"{name}_token": token for name, token in SPECIAL.items()}
        for name, token in SPECIAL.items():
            setattr(self, f"{name}_token", token)
            setattr(self, f"{name}_token_id", self.vocab[token])
        self.all_special_tokens = list(SPECIAL.values())
        self.all_special_ids = [self.vocab[token] for token in SPECIAL.values()]
        self._special = _one_of(SPECIAL.values())
        self._added = _one_of(added or [])

    def __len__(self) -> int:
        return len(self._tokens)

    def get_vocab(self) -> dict[str, int]:
        return dict(self.vocab)

    def __call__(
        self, text: str | list[str], add_special_tokens: bool = True, padding: bool | str = False,
        truncation: bool | str = False, max_length: int | None = None, return_tensors: str | None = None,
        return_token_type_ids: bool = True, return_attention_mask: bool = True, **_: Any,
    ) -> Encoded:  # fmt: skip
        """Ids, types and attention mask of a text, or of a list of texts."""
        texts = [text] if isinstance(text, str) else list(text)
        rows = [self._ids(t, add_special_tokens, max_length if truncation else None) for t in texts]
        longest = max(map(len, rows), default=0)
        length = (max_length or longest) if padding == "max_length" else longest if padding else 0
        found = {
            "input_ids": [row + [self.vocab["[PAD]"]] * (length - len(row)) for row in rows],
            "token_type_ids": [[0] * max(length, len(row)) for row in rows],
            "attention_mask": [[1] * len(row) + [0] * (length - len(row)) for row in rows],
        }
        unwanted = {"token_type_ids": not return_token_type_ids, "attention_mask": not return_attention_mask}
        kept = {name: rows for name, rows in found.items() if not unwanted.get(name)}
        if return_tensors is not None:
            return Encoded({name: _tensor(rows, return_tensors) for name, rows in kept.items()})
        return Encoded({name: rows[0] for name, rows in kept.items()} if isinstance(text, str) else kept)

    encode_plus = batch_encode_plus = __call__  # their names in older versions

    def encode(self, text: str, **options: Any) -> Any:
        return self(text, **options)["input_ids"]

    def tokenize(self, text: str, add_special_tokens: bool = False, **_: Any) -> list[str]:
        return [self._tokens[i] for i in self._ids(text, add_special_tokens, None)]

    def convert_tokens_to_ids(self, tokens: str | list[str]) -> int | list[int]:
        if isinstance(tokens, str):
            return self.vocab.get(tokens, self.vocab["[UNK]"])
        return [self.vocab.get(token, self.vocab["[UNK]"]) for token in tokens]

    def convert_ids_to_tokens(self, ids: Any, skip_special_tokens: bool = False) -> str | list[str]:
        if isinstance(ids, int):
            return self._tokens[ids]
        return [self._tokens[int(i)] for i in ids if not (skip_special_tokens and int(i) in self.all_special_ids)]

    def convert_tokens_to_string(self, tokens: list[str]) -> str:
        return "".join(map(_spoken, range(len(tokens)), tokens))

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **_: Any) -> str | list[str]:
        """The text of an id, or of a list of ids: words are joined by spaces, pieces are not. Of a batch, a list."""
        ids = token_ids.tolist() if hasattr(token_ids, "tolist") else token_ids
        if not isinstance(ids, int) and ids and isinstance(ids[0], (list, tuple, Tensor)):
            return [str(self.decode(row, skip_special_tokens)) for row in ids]
        known = [int(i) for i in ([ids] if isinstance(ids, int) else ids) if int(i) < len(self)]
        if min(known, default=0) < 0:
            raise OverflowError("an id is never negative")
        tokens = self.convert_ids_to_tokens(known, skip_special_tokens)
        assert isinstance(tokens, list)
        return self.convert_tokens_to_string(tokens)

    def batch_decode(self, sequences: Any, skip_special_tokens: bool = False, **_: Any) -> list[str]:
        return [str(self.decode(ids, skip_special_tokens)) for ids in sequences]

    def _ids(self, text: str, special: bool, most: int | None) -> list[int]:
        ids = [self.vocab[token] for token in self._split(text)]
        if special:
            ids = ids if most is None else ids[: max(most - 2, 0)]
            return [self.vocab["[CLS]"], *ids, self.vocab["[SEP]"]]
        return ids if most is None else ids[:most]

    def _split(self, text: str) -> Iterator[str]:
        """Tokens that stand in the text as they are come first, in any place; the rest is normalised and cut up."""
        for outer in self._special.split(text):
            if outer in self.all_special_tokens:
                yield outer
                continue
            for inner in self._added.split(_normalised(outer)):
                if self.vocab.get(inner, -1) >= self.vocab_size:
                    yield inner
                else:
                    yield from (piece for word in _words(inner) for piece in self._pieces(word))

    def _pieces(self, word: str) -> list[str]:
        """The longest known beginning, then the longest known piece behind it, and so on; else the word is unknown."""
        pieces: list[str] = []
        start = 0
        while start < len(word) <= LONGEST_WORD:
            ahead = "##" if start else ""
            ends = (end for end in range(len(word), start, -1) if ahead + word[start:end] in self.vocab)
            end = next(ends, 0)
            if not end:
                return ["[UNK]"]
            pieces.append(ahead + word[start:end])
            start = end
        return pieces or ["[UNK]"]


def _one_of(tokens: Any) -> re.Pattern[str]:
    """Splits at each of `tokens`, the longest first, and keeps them; at nothing if there are none."""
    longest_first = sorted(tokens, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, longest_first))})" if longest_first else r"(?!)")


def _normalised(text: str) -> str:
    """Lower case without accents, blanks around Chinese characters, no control characters."""
    kept = (" " if c.isspace() else c for c in text if c in "\t\n\r" or not _control(c))
    spread = "".join(f" {c} " if _chinese(c) else c for c in kept)
    bare = (c for c in unicodedata.normalize("NFD", spread) if unicodedata.category(c) != "Mn")
    return "".join(c.lower() for c in bare)


def _words(text: str) -> Iterator[str]:
    """Runs without blanks, and every punctuation mark by itself."""
    for run in text.split():
        word = ""
        for c in run:
            if _punctuation(c):
                yield from (part for part in (word, c) if part)
                word = ""
            else:
                word += c
        if word:
            yield word


def _control(c: str) -> bool:
    return c == "\ufffd" or unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")


def _chinese(c: str) -> bool:
    return any(low <= ord(c) <= high for low, high in CHINESE)


def _punctuation(c: str) -> bool:
    return (c.isascii() and c.isprintable() and not c.isalnum() and c != " ") or unicodedata.category(c)[0] == "P"


def _spoken(place: int, token: str) -> str:
    """A token with the blank before it, if there is one."""
    text = token if not place else token[2:] if token.startswith("##") else f" {token}"
    for loose, tight in TIGHT.items():
        text = text.replace(loose, tight)
    return text


def _tensor(rows: list[list[int]], kind: str) -> Any:
    if len({len(row) for row in rows}) > 1:
        raise ValueError("Unable to create tensor: the texts have different lengths; pass padding=True.")
    tensor = torch.tensor(rows, dtype=torch.int64)
    return tensor.numpy() if kind == "np" else tensor
