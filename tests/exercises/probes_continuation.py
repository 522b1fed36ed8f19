"""Questions that tell the known bugs of build_model and continue_text apart.

The given model says one certain token after each, whatever came before, but for two tokens that also speak for what
comes one place later. So padding and special tokens show in what is read last, however much of them there is.
"""

from typing import Any

import torch

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Given, Module, Proxy, Table, probe

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [*SPECIAL, "我", "喜", "欢", "a", "b", "c", "ab", "abc", "##b", "##c", "#", ",", "!"]
AFTER = {
    "我": "a", "a": "b", "ab": "c", "abc": "##b", "b": "[UNK]", "[UNK]": "欢", "欢": "[SEP]", "[SEP]": "[MASK]",
    "[MASK]": "喜", "喜": "我", "[PAD]": "!", "!": "喜", "c": ",", ",": "#", "#": "c", "##b": "ab", "##c": "[CLS]",
    "[CLS]": "abc",
}  # fmt: skip
LATER = {"喜": "c", "[CLS]": "#"}

SIZES = Table.of(
    {"vocab_size": 30, "added": 0, "C": 6, "H": 3, "layers": 1},
    {"vocab_size": 9, "added": 2, "C": 8, "H": 2, "layers": 3},
)
LENGTHS = Table.of({"T": 5}, {"T": 6}, {"T": 40, "block": 40, "most": 40})
TEXTS = Table.of(
    {"text": "我", "steps": 11, "training": False},
    {"text": "a, b", "steps": 1, "training": True},
    {"text": "喜我", "steps": 2, "training": False},
    {"text": " AB  xyz ", "steps": 2, "training": False},
    {"text": "喜, acb", "steps": 3, "training": True},
    {"text": "a", "steps": 0, "training": True},
)


@probe("build_model", SIZES)
def parts(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The shapes of the parameters, or what came back instead of a model."""
    args, tokenizer = _args(case), _tokenizer(case.added)
    answer = side.call("build_model", tokenizer, args)
    if answer is None or isinstance(answer, tuple):
        return "a tuple" if answer else "nothing"
    rows = side.built("build_model", tokenizer, args, of="Transformer").parameters()
    return sorted(row.shape for row in rows)


@probe("build_model", SIZES)
def logits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The logits with known weights, and whether dropout acts in train mode."""
    args, tokenizer = _args(case), _tokenizer(case.added)
    shapes = reference.built("build_model", tokenizer, args, of="Transformer")
    model = side.built("build_model", tokenizer, args, of="Transformer")
    model.load(case.weights({p.name: p.shape for p in shapes.parameters()}), shapes.tree())
    ids = case.integers(0, len(WORDS), 2, 4)
    quiet = model(ids)[0]
    model.train()
    return {"eval": quiet, "dropout": not torch.equal(model(ids)[0], quiet)}


@probe("build_model", LENGTHS)
def lengths(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Which lengths are accepted."""
    args = ModelArgs(block_size=case.dims.get("block", 5), max_seq_len=case.dims.get("most", 7), vocab_size=99)
    model = side.built("build_model", _tokenizer(0), args, of="Transformer")
    return list(model(torch.zeros(1, case.T, dtype=torch.int64))[0].shape)


@probe("build_model", Table.of({"C": 16}))
def spread(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How large the logits of a new model are."""
    words = [*WORDS, *(f"w{n}" for n in range(400))]
    args = ModelArgs(n_embd=case.C, dim=case.C, vocab_size=50)
    model = side.built("build_model", Given("tokenizer", (words,)), args, of="Transformer")
    model.eval()
    return "small" if float(model(torch.tensor([[5, 6]]))[0].detach().std()) < 0.15 else "large"


@probe("continue_text", TEXTS)
def text(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The text, and all that the model can tell of the calls."""
    model = _model(side, case)
    with torch.enable_grad():  # a known bug leaves gradients off, and runs in the grader's own process
        answer = side.call("continue_text", model, _tokenizer(0), case.text, steps=case.steps)
        during = model.record()
        model(torch.tensor([[5]]))
        record = model.record()
    return {
        "answer": answer,
        "train": any(call[1] for call in during["calls"]),
        "gradients": any(call[2] for call in during["calls"]),
        "left in train mode": during["training"],
        "gradients afterwards": record["calls"][-1][2],
        "frozen": record["frozen"],
        "grads": record["grads"],
    }


def _args(case: Case) -> ModelArgs:
    sizes = {"n_embd": case.C, "dim": case.C, "n_heads": case.H, "n_layer": case.layers}
    return ModelArgs(**sizes, vocab_size=case.vocab_size, dropout=0.5)


def _tokenizer(added: int) -> Given:
    return Given("tokenizer", (WORDS, ["zz", "qqq"][:added]))


def _model(side: Proxy, case: Case) -> Module:
    V = len(WORDS)
    now, past = case.normal(V, V), torch.zeros(V, V)
    for before, after in AFTER.items():
        now[WORDS.index(before), WORDS.index(after)] += 100.0
    for before, after in LATER.items():  # 112 one place later, and 78 two places later, against the 100 above
        past[WORDS.index(before), WORDS.index(after)] = 160.0
        now[WORDS.index(before), WORDS.index(after)] -= 160.0  # and nothing at its own place
    model = side.given_model(now=now, past=past, block_size=600, pair=True)
    (model.train if case.training else model.eval)()
    return model
