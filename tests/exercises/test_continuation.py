"""Checks of build_model and continue_text, with a tokenizer of the grader's own and a few words.

Most texts are continued with a small given model in the Transformer's place: its logits depend on every id that it
reads, in train mode they are negated, and where a row names what comes `after` a token, that is what it says.
"""

from pathlib import Path

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import (
    Case,
    Given,
    Module,
    Proxy,
    Table,
    cases,
    close,
    equal,
    fail,
    holds,
    moved,
    of_shape,
    refused,
    twins,
    unmoved,
)

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [*SPECIAL, "我", "喜", "欢", "a", "b", "c", "ab", "abc", "##b", "##c", "#", ",", "!"]
ALL = Path(__file__).parents[2].joinpath("exercises", "vocabulary.txt").read_text("utf-8").split()
ADDED = ["zz", "qqq"]
MODE = {True: "train", False: "eval"}

SIZES = Table.of(
    {"kind": "more tokens than args say", "vocab_size": 7, "added": 0, "C": 4, "H": 2, "layers": 1},
    {"kind": "fewer tokens than args say", "vocab_size": 50, "added": 0, "C": 8, "H": 2, "layers": 1},
    {"kind": "two added tokens", "vocab_size": 18, "added": 2, "C": 4, "H": 2, "layers": 2},
    {"kind": "another number", "vocab_size": 18, "added": 1, "C": 6, "H": 3, "layers": 1},
)
OTHERS = Table.of(
    {"kind": "one head", "C": 6, "H": 1, "layers": 1, "block": 7, "most": 9, "T": 7},
    {"kind": "three heads, three layers", "C": 12, "H": 3, "layers": 3, "block": 9, "most": 7, "T": 7},
    {"kind": "long texts", "C": 8, "H": 2, "layers": 2, "block": 45, "most": 45, "T": 45},
)
ONE = Table.of(
    {"text": "我"},
    {"text": "我喜欢"},
    {"text": "a b, c!"},
    {"text": "abc ab"},
    {"text": "acb"},
    {"text": "我 xyz 欢"},
    {"text": "喜, xyz"},
    {"text": "喜a", "favourite": "[UNK]"},
    {"text": "欢", "favourite": "!"},
    {"text": "a 我", "favourite": "[PAD]"},
)
SEVERAL = Table.of(
    {"text": "我", "steps": 2},
    {"text": "我喜欢", "steps": 5},
    {"text": "a, b", "steps": 6},
    {"text": "欢喜", "steps": 4, "after": {"喜": "我", "我": "!", "!": "我"}},
    {"text": "c", "steps": 4, "after": {"c": "[SEP]", "[SEP]": "[CLS]", "[CLS]": "[PAD]", "[PAD]": "欢"}},
    {"text": "我", "steps": 3, "after": {"我": "[UNK]", "[UNK]": "[MASK]", "[MASK]": "喜"}},
)
AGAIN = Table.of(
    {
        "kind": "two tokens become one word",
        "text": "a",
        "steps": 3,
        "after": {"a": "b", "b": "!", "ab": "c", "abc": "我"},
    },
    {"kind": "a piece alone is no piece", "text": "我", "steps": 2, "after": {"我": "##b", "##b": "!", "b": "欢"}},
    {"kind": "a word becomes a piece", "text": "a", "steps": 2, "after": {"a": "c", "c": "!", "##c": "喜"}},
    {"kind": "a word becomes unknown", "text": "b", "steps": 2, "after": {"b": "a", "a": "!", "[UNK]": "欢"}},
    {"kind": "a word stays apart", "text": "a ", "steps": 2, "after": {"a": "b", "b": "欢", "ab": "!"}},
)
PROMPTS = Table.of(
    {"text": "AB c", "steps": 1},
    {"text": "  我   喜 ", "steps": 2},
    {"text": "a\n\tb,c !", "steps": 1},
    {"text": "Ä xyz #b", "steps": 2},
    {"text": "[CLS] a [SEP]", "steps": 2},
    {"text": "我喜欢", "steps": 0},
)
FOUND = Table.of(
    {"kind": "found in eval mode", "text": "我喜", "steps": 3, "training": False},
    {"kind": "found in train mode", "text": "我喜", "steps": 3, "training": True},
)
WHOLE = Table.of(
    {"text": "a我", "steps": 3, "training": False},
    {"text": "我喜欢", "steps": 3, "training": True},
    {"text": "我喜欢快乐地学习大模型", "steps": 4, "training": True, "all": True},
)


@cases(SIZES)
def test_build_model_vocabulary(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model has as many tokens as the tokenizer, added ones included, from the embedding to the logits."""
    args = ModelArgs(
        n_embd=case.C, dim=case.C, n_heads=case.H, n_layer=case.layers, vocab_size=case.vocab_size, dropout=0.0
    )
    added = ADDED[: case.added]
    V = len(WORDS) + case.added
    student, teacher = _built(subject, reference, case, args, added)
    ids = torch.tensor([[0, V - 1, 3], [V - 1, 5, V - 2]])
    close(_logits(student, ids, (2, 1, V)), _logits(teacher, ids, (2, 1, V)), "the logits", dtype=torch.float32)


@cases(OTHERS)
def test_build_model_other_settings(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Everything else is as args say: widths, heads, layers, and the longest texts."""
    args = ModelArgs(
        n_embd=case.C, dim=case.C, n_heads=case.H, n_layer=case.layers, block_size=case.block, max_seq_len=case.most,
        vocab_size=len(WORDS),
    )  # fmt: skip
    student, teacher = _built(subject, reference, case, args)
    V = len(WORDS)
    ids = case.integers(0, V, 2, case.T)
    close(_logits(student, ids, (2, 1, V)), _logits(teacher, ids, (2, 1, V)), "the logits", dtype=torch.float32)
    limit = "block_size" if case.block == case.T else "max_seq_len"
    longer = case.integers(0, V, 2, case.T + 1)
    refused(lambda: student(longer), f"A text of {case.T + 1} tokens, more than {limit},")


@cases(Table.of({"dropout": 0.5}, {"dropout": 0.0}))
def test_build_model_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model drops out as args say, in train mode."""
    args = ModelArgs(n_embd=8, dim=8, n_heads=2, dropout=case.dropout, vocab_size=len(WORDS))
    student, _ = _built(subject, reference, case, args)
    student.train()
    ids, V = case.integers(0, len(WORDS), 2, 6), len(WORDS)
    first = _logits(student, ids, (2, 1, V))
    subject.seed += 1
    second = _logits(student, ids, (2, 1, V))
    subject.seed -= 1
    if case.dropout:
        moved(first, second, f"Another seed, in train mode with dropout={case.dropout},", "the logits")
    else:
        unmoved(first, second, "Another seed, in train mode with dropout=0,", "the logits")


@cases(Table.of({"C": 16}))
def test_build_model_new(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A new model is as Transformer(...) makes it: its logits are small, as weights of deviation 0.02 make them."""
    args = ModelArgs(n_embd=case.C, dim=case.C, n_heads=4, vocab_size=len(ALL))
    model = _new(subject, args, ALL)
    model.eval()
    V = len(ALL)
    spread = float(_logits(model, torch.tensor([[1, 7, V - 1]]), (1, 1, V)).double().std())
    # The head reads a normalised vector, of length 4, so its V logits have deviation 0.08; chance makes that 3 % more
    # or less, and a head with the initial numbers of nn.Linear 0.6.
    holds(
        0.06 < spread < 0.1,
        f"The logits of a new model have a standard deviation of {spread:.3g}, those of Transformer(...) of 0.08.",
    )


@cases(ONE)
def test_continue_text_one_step(subject: Proxy, reference: Proxy, case: Case) -> None:
    """One step appends the token with the largest logit behind the text: no special token is read, and no padding."""
    _agree(subject, reference, case, 1)


@cases(SEVERAL)
def test_continue_text_several_steps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each step reads the whole text so far and appends what tokenizer.decode gives for one id, without a space."""
    _agree(subject, reference, case, case.steps)


@cases(AGAIN)
def test_continue_text_tokenises_again(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each step turns the text so far into ids again, so that tokens which have become one word are read as one."""
    _agree(subject, reference, case, case.steps)


@cases(PROMPTS)
def test_continue_text_prompt(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer begins with the prompt as it was, its capitals, blanks and unknown words too; 0 steps add nothing."""
    got = subject.call("continue_text", _model(subject, case), _tokenizer(WORDS), case.text, steps=case.steps)
    if not isinstance(got, str):
        equal(got, case.text, "the text")  # it is of another type, and that is said
    holds(got.startswith(case.text), f"The answer should begin with {case.text!r}, got {got[:200]!r}.")
    if case.steps == 0:
        equal(got, case.text, "the answer of 0 steps")
    else:
        holds(len(got) > len(case.text), f"Nothing stands behind the prompt, after {case.steps} steps: {got[:200]!r}.")


@cases(FOUND)
def test_continue_text_mode(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model is called in eval mode, and then put back into the mode it was found in."""
    text, tokenizer, model = case.text, _tokenizer(WORDS), _model(subject, case)
    want = subject.call("continue_text", model, tokenizer, text, steps=case.steps)
    other = _model(subject, case.again())
    if case.training:
        other.train()
    got = subject.call("continue_text", other, tokenizer, text, steps=case.steps)
    record = other.record()
    during = [call[1] for call in record["calls"]]
    holds(not any(during), f"The model was in train mode in {sum(during)} of {len(during)} calls.")
    equal(got, want, "the text by a model in train mode" if case.training else "the text of the second call")
    holds(got != text, "Nothing stands behind the prompt.")
    if record["training"] != case.training:
        fail("global_state", what="the model's mode", got=MODE[record["training"]], want=MODE[case.training])


@cases(FOUND)
def test_continue_text_no_grad(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model runs without recording gradients; afterwards they are recorded again, and its own are as they were."""
    model = _model(subject, case)
    if case.training:
        model.train()
    got = subject.call("continue_text", model, _tokenizer(WORDS), case.text, steps=case.steps)
    holds(got != case.text and got is not None, "Nothing stands behind the prompt.")
    for step, call in enumerate(model.record()["calls"], 1):
        if call[2]:
            fail("needs_no_grad", what=f"Call {step} of the model")
    model(torch.tensor([[5, 6]]))
    record = model.record()
    if not record["calls"][-1][2]:
        fail("global_state", what="gradients", got="off", want="on")
    if record["frozen"]:
        fail("global_state", what="requires_grad of the model's parameters", got="off", want="on")
    if record["grads"] != "as it was":
        fail("global_state", what="the .grad of the model's parameters", got=record["grads"], want="as it was")


@cases(WHOLE)
def test_continue_text_transformer(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A whole Transformer, with dropout, continues a text as it should in eval mode."""
    words = ALL if case.dims.get("all") else WORDS
    args = ModelArgs(n_embd=12, dim=12, n_heads=3, dropout=0.5, vocab_size=len(words), n_layer=2)
    both = twins(subject, reference, case, "Transformer", args)
    if case.training:
        both.student.train()
    want = reference.call("continue_text", both.teacher, _tokenizer(words), case.text, steps=case.steps)
    equal(subject.call("continue_text", both.student, _tokenizer(words), case.text, steps=case.steps), want, "the text")


def _agree(subject: Proxy, reference: Proxy, case: Case, steps: int) -> None:
    """The text is continued as the reference continues it."""
    student, teacher = _model(subject, case), _model(reference, case.again(), torch.float64)
    want = reference.call("continue_text", teacher, _tokenizer(WORDS), case.text, steps=steps)
    equal(subject.call("continue_text", student, _tokenizer(WORDS), case.text, steps=steps), want, "the text")


def _model(side: Proxy, case: Case, dtype: torch.dtype = torch.float32) -> Module:
    """The given model of this case, in eval mode."""
    V = len(WORDS)
    now, past = (case.normal(V, V, scale=2.0, dtype=torch.float32) for _ in range(2))
    if "favourite" in case.dims:
        now[:, WORDS.index(case.favourite)] += 100.0
    for before, after in case.dims.get("after", {}).items():
        now[WORDS.index(before), WORDS.index(after)] += 100.0
    model = side.given_model(now=now.to(dtype), past=past.to(dtype), block_size=64, pair=True)
    model.eval()
    return model


def _built(
    subject: Proxy, reference: Proxy, case: Case, args: ModelArgs, added: list[str] | None = None
) -> tuple[Module, Module]:
    """What build_model makes on either side, with equal weights, in eval mode; the reference's in float64."""
    student = _new(subject, args, WORDS, added)
    teacher = reference.built("build_model", _tokenizer(WORDS, added), args, of="Transformer")
    weights = case.weights({p.name: p.shape for p in teacher.parameters()})
    student.load(weights, teacher.tree())
    teacher.to(torch.float64)
    teacher.load({name: weight.double() for name, weight in weights.items()})
    return student, teacher


def _new(subject: Proxy, args: ModelArgs, words: list[str], added: list[str] | None = None) -> Module:
    answer = subject.call("build_model", _tokenizer(words, added), args)
    if answer is None or isinstance(answer, (Tensor, tuple, list)):
        kind = {"NoneType": "None", "Tensor": "tensor"}.get(type(answer).__name__, type(answer).__name__)
        fail("wrong_type", what="the answer", got=kind, want="Transformer")
    if getattr(answer, "kind", "") == "builtins.type":  # as a class itself is called when it comes back
        fail("wrong_type", what="the answer", got="class", want="Transformer, made from it")
    return subject.built("build_model", _tokenizer(words, added), args, of="Transformer")


def _tokenizer(words: list[str], added: list[str] | None = None) -> Given:
    return Given("tokenizer", (words, added or []))


def _logits(model: Module, ids: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A Transformer's logits of the last position; its answer is a pair."""
    answer = model(ids)
    return of_shape(answer[0] if isinstance(answer, (tuple, list)) and answer else answer, shape, "the logits")
