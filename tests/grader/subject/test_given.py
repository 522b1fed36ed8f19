"""What is handed to the student's code: a tokenizer, weights by name, a model that answers as a Transformer does."""

from __future__ import annotations

import copy
import types
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.subject.local import Local
from grader.subject.proxy import Given, Proxy
from grader.subject.worker.given import GivenModel, GivenStateDict
from grader.subject.worker.tokenizer import GivenTokenizer

TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "我", "a", "ab", "##b", "##c", ",", "#"]


@pytest.fixture
def tokenizer() -> GivenTokenizer:
    return GivenTokenizer(TOKENS, ["zz"])


def side(**functions: Any) -> Proxy:
    module = types.ModuleType("m")
    module.__dict__.update(functions)
    return Proxy(Local(module, frozenset()))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我a", ["我", "a"]),
        ("AB, abc", ["ab", ",", "ab", "##c"]),
        ("a xyz", ["a", "[UNK]"]),
        ("azza [SEP]a", ["a", "zz", "a", "[SEP]", "a"]),
        ("a##b", ["a", "#", "#", "[UNK]"]),
        ("á\x00", ["a"]),
        ("  ", []),
    ],
)
def test_words_and_pieces(tokenizer: GivenTokenizer, text: str, tokens: list[str]) -> None:
    assert tokenizer.tokenize(text) == tokens
    ids = [tokenizer.vocab[token] for token in tokens]
    assert tokenizer(text)["input_ids"] == [2, *ids, 3]
    assert tokenizer(text, add_special_tokens=False).input_ids == ids


def test_decoding_joins_pieces_and_leaves_a_single_one_as_it_is(tokenizer: GivenTokenizer) -> None:
    assert tokenizer.decode([6, 8, 10, 5]) == "ab, 我"
    assert tokenizer.decode(8) == "##b"
    assert tokenizer.decode(torch.tensor([[6], [8]])) == ["a", "##b"]
    assert tokenizer.decode([2, 6, 3], skip_special_tokens=True) == "a"


def test_an_added_token_counts(tokenizer: GivenTokenizer) -> None:
    assert (tokenizer.vocab_size, len(tokenizer)) == (12, 13)


def test_texts_of_other_lengths_need_padding(tokenizer: GivenTokenizer) -> None:
    with pytest.raises(ValueError, match="padding"):
        tokenizer(["a", "a a"], return_tensors="pt")
    assert tokenizer(["a", "a a"], return_tensors="pt", padding=True)["attention_mask"].tolist() == [
        [1, 1, 1, 0],
        [1, 1, 1, 1],
    ]


def test_a_tokenizer_crosses_by_name() -> None:
    assert side(count=len).call("count", Given("tokenizer", (TOKENS, ["zz"]))) == 13


def test_a_state_dict_is_told_and_then_overwritten() -> None:
    kept: list[Tensor] = []

    def take(state: dict[str, Tensor]) -> None:
        kept.append(state["a"])  # shares memory
        kept.append(state.pop("b").clone())
        state["c"] = state["a"] + 1

    given = Given("state_dict", ({"a": torch.zeros(2), "b": torch.ones(2), "mask": torch.ones(1, dtype=torch.bool)},))
    (after,) = side(take=take).inputs_after("take", given)
    assert sorted(after) == ["a", "c", "mask"]
    assert after["a"].tolist() == [0.0, 0.0]
    assert kept[0].isnan().all()
    assert kept[1].tolist() == [1.0, 1.0]


def test_a_state_dict_is_a_dict_and_can_be_copied() -> None:
    state = GivenStateDict({"a": torch.zeros(2)})
    for other in (copy.deepcopy(state), copy.copy(state), dict(state)):
        assert isinstance(other, dict)
        assert other["a"].tolist() == [0.0, 0.0]


def test_a_given_model_answers_in_pairs_if_asked_to() -> None:
    torch.manual_seed(0)
    now, past = torch.randn(5, 5), torch.randn(5, 5)
    plain, paired = GivenModel(now, past, 9), GivenModel(now, past, 9, pair=True)
    ids = torch.tensor([[1, 2, 4]])
    logits, loss = paired(ids)
    assert loss is None
    assert torch.equal(logits, plain(ids)[:, -1:])
    assert torch.equal(paired(ids, ids[:, -1:])[0], plain(ids[:, -1:]))
    every, loss = paired(ids, targets=ids)
    assert torch.equal(every, plain(ids))
    assert loss.shape == ()
