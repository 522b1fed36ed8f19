"""The tokenizer that is handed in against BertTokenizer of transformers, and the references with either of them."""

import dataclasses
import random
from pathlib import Path

import pytest
import torch
from torch import nn

from exercises.model_args import ModelArgs
from grader.subject.worker.tokenizer import GivenTokenizer
from solutions import continuation, standins, transformer

transformers = pytest.importorskip("transformers")
VOCABULARY = Path(__file__).parents[2] / "exercises" / "vocabulary.txt"
TOKENS = VOCABULARY.read_text("utf-8").split("\n")[:-1]
SENTENCE = "我喜欢快乐地学习大模型"
ADDED = ["zz", "qxq"]
ODD = [
    "É", "ß", "İ", "ǅ", "\u0301", "é", "\t", "\n", " ", "\u3000", "\xa0", "\u200b", "\u00ad", "\ufffd", "\x00", "\x1c",
    "\x85", "ａ", "。", "龍", "ñ", "한", "カ", "ガ", "😀", "$", "€", "¿", "[CLS", "UNK]",
    "[unk]", "ing", "Learning", "MODELS", "a" * 100, "a" * 101, "zz", "qxq", "do not", "it's",
]  # fmt: skip


def tokenizers(added=()):
    """The library's and ours, with the same tokens."""
    # The name of the first argument differs between versions, so it has none here: what is not known is ignored.
    theirs = transformers.BertTokenizer(str(VOCABULARY))
    if added:
        theirs.add_tokens(list(added))
    return theirs, GivenTokenizer(TOKENS, list(added))


def random_texts(count):
    stream = random.Random(7)
    for _ in range(count):
        parts = (stream.choice(TOKENS + ODD) + stream.choice(["", "", " "]) for _ in range(stream.randrange(8)))
        yield "".join(parts)


def test_no_token_of_the_notes_sentence_is_unknown():
    theirs, ours = tokenizers()
    assert theirs.tokenize(SENTENCE) == list(SENTENCE)
    assert theirs.unk_token_id not in theirs(SENTENCE)["input_ids"]
    assert len(theirs) == len(ours) == len(TOKENS) == len(set(TOKENS))


@pytest.mark.parametrize("added", [(), ADDED], ids=["plain", "with added tokens"])
def test_texts_become_the_same_ids(added):
    theirs, ours = tokenizers(added)
    for text in random_texts(400):
        assert ours(text, add_special_tokens=False)["input_ids"] == theirs(text, add_special_tokens=False)["input_ids"]
        assert ours(text).data == theirs(text).data
        assert ours.tokenize(text) == theirs.tokenize(text)
        assert ours.encode(text) == theirs.encode(text)


@pytest.mark.parametrize("added", [(), ADDED], ids=["plain", "with added tokens"])
def test_ids_become_the_same_texts(added):
    theirs, ours = tokenizers(added)
    stream = random.Random(8)
    for n in range(len(theirs)):
        assert ours.decode(n) == theirs.decode(n) == theirs.decode([n])
        assert ours.convert_ids_to_tokens(n) == theirs.convert_ids_to_tokens(n)
    for _ in range(400):
        ids = [stream.randrange(len(theirs)) for _ in range(stream.randrange(8))]
        for skip in (False, True):
            assert ours.decode(ids, skip_special_tokens=skip) == theirs.decode(ids, skip_special_tokens=skip)
            tokens = theirs.convert_ids_to_tokens(ids, skip_special_tokens=skip)
            assert ours.convert_ids_to_tokens(ids, skip_special_tokens=skip) == tokens
        assert ours.convert_tokens_to_string(tokens) == theirs.convert_tokens_to_string(tokens)
        assert ours.convert_tokens_to_ids(tokens) == theirs.convert_tokens_to_ids(tokens)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"add_special_tokens": False},
        {"return_tensors": "pt"},
        {"return_tensors": "pt", "add_special_tokens": False},
        {"max_length": 9, "padding": "max_length", "truncation": True},
        {"max_length": 4, "truncation": True},
        {"max_length": 3, "truncation": True, "add_special_tokens": False},
        {"return_token_type_ids": False, "return_attention_mask": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("text", ["我喜欢 a", ["我喜欢 a"], ["我", "a, b c", ""]], ids=str)
def test_calls_give_the_same(options, text):
    theirs, ours = tokenizers()
    if isinstance(text, list) and len(text) > 1:
        options = {"padding": True, **options}
    want, got = theirs(text, **options), ours(text, **options)
    assert list(got) == list(want)
    for name in want:
        assert type(got[name]) is type(want[name])
        assert torch.as_tensor(got[name]).tolist() == torch.as_tensor(want[name]).tolist()
        assert getattr(got, name) is got[name]


def test_other_names_give_the_same():
    theirs, ours = tokenizers(ADDED)
    for name in ("vocab_size", "special_tokens_map", "padding_side", "pad_token_id", "unk_token", "sep_token_id"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert sorted(ours.all_special_ids) == sorted(theirs.all_special_ids)
    assert len(ours) == len(theirs) == ours.vocab_size + 2
    assert ours.get_vocab() == theirs.get_vocab()
    for ids in (torch.tensor(9), torch.tensor([9]), torch.tensor([[9], [300]]), [[9], [300, 500]], []):
        assert ours.decode(ids) == theirs.decode(ids)
    assert ours.batch_decode([[9], [300, 500]]) == theirs.batch_decode([[9], [300, 500]])


class Fixed(nn.Module):
    """Says one certain id after each, and keeps what it has read."""

    def __init__(self, after):
        super().__init__()
        self.after, self.read = after, []
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, ids):
        self.read.append(ids.tolist())
        assert not self.training
        assert not torch.is_grad_enabled()
        return nn.functional.one_hot(torch.tensor([[self.after[int(ids[0, -1])]]]), len(self.after)).float(), None


def chain(tokenizer, **after):
    table = list(range(len(tokenizer)))
    for word, following in after.items():
        table[tokenizer.convert_tokens_to_ids(word)] = tokenizer.convert_tokens_to_ids(following)
    return Fixed(table)


@pytest.mark.parametrize("which", [0, 1], ids=["BertTokenizer", "ours"])
def test_a_text_worked_out_by_hand(which):
    tokenizer = tokenizers()[which]
    model = chain(tokenizer, 型="we", we="##s", s="[SEP]")
    model.after[tokenizer.sep_token_id] = tokenizer.convert_tokens_to_ids("是")
    model.train()
    # "we" and "##s" make the text "we##s", which is read as the four tokens we, #, #, s.
    assert continuation.continue_text(model, tokenizer, "Xy 模型", steps=4) == "Xy 模型we##s[SEP]是"
    one, *_, last = model.read
    assert one == [tokenizer.convert_tokens_to_ids(["x", "##y", "模", "型"])]
    assert last == [tokenizer.convert_tokens_to_ids(["x", "##y", "模", "型", "we", "#", "#", "s", "[SEP]"])]
    assert model.training
    assert torch.is_grad_enabled()
    assert continuation.continue_text(model, tokenizer, "Xy ", steps=0) == "Xy "


@pytest.mark.parametrize("course", [transformer, standins], ids=["reference", "stand-in"])
def test_the_notes_sentence_is_continued_by_a_transformer(course):
    theirs, ours = tokenizers()
    args = ModelArgs(n_embd=12, dim=12, n_heads=3, vocab_size=len(ours), dropout=0.3)
    torch.manual_seed(5)
    model = course.Transformer(args)
    text = continuation.continue_text(model, theirs, SENTENCE, steps=10)
    assert text == continuation.continue_text(model, ours, SENTENCE, steps=10)
    assert text.startswith(SENTENCE)
    so_far = SENTENCE
    model.eval()
    while so_far != text:  # the likeliest token behind each beginning, one by one
        logits, _ = model(theirs(so_far, add_special_tokens=False, return_tensors="pt")["input_ids"])
        so_far += theirs.convert_ids_to_tokens(int(logits[0, -1].argmax()))
        assert text.startswith(so_far)


def test_the_vocabulary_size_is_the_tokenizers():
    for tokenizer in tokenizers(ADDED):
        args = ModelArgs(vocab_size=3, n_layer=1, dropout=0.25)
        model = continuation.build_model(tokenizer, args)
        assert isinstance(model, transformer.Transformer)
        assert model.embedding.weight.shape == model.lm_head.weight.shape == (len(TOKENS) + 2, 16)
        assert model.dropout.p == 0.25
        assert len(model.encoder.layers) == 1
        assert args == dataclasses.replace(args, vocab_size=3)
        model(torch.tensor([[len(tokenizer) - 1]]))
