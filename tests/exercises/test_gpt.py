"""Checks of GPT-2: causal attention with biases, GELU, pre-norm blocks, the whole model, and a tied head.

Weights are re-randomised in every case, biases and norms among them: their usual zeros and ones hide mistakes.
Gradients are compared in float64.
"""

from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import (
    Case,
    Module,
    Proxy,
    Table,
    Twins,
    cases,
    close,
    holds,
    in_float64,
    leaves_inputs_alone,
    moved,
    of_shape,
    refused,
    twins,
    unmoved,
    zero_weights,
)

NOISE = 4.0  # scores of ten and more: right answers in float32 come up to half the usual limit from each other
CAST = 30.0  # a softmax in float32, cast back, is right: float64 gradients show it at up to four times the usual limit
LOOSE = 100.0  # the exact GELU is that near to the tanh form, which has a check of its own
SATURATED = 20.0  # scores of hundreds: their rounding in float32 is that much larger
MAX_SEQ_LEN, BLOCK = 13, 11

SEQUENCES = Table.of(
    {"kind": "one token", "B": 3, "T": 1, "width": 6, "heads": 2},
    {"kind": "two tokens, one head", "B": 1, "T": 2, "width": 5, "heads": 1},
    {"kind": "plain", "B": 2, "T": 5, "width": 6, "heads": 3},
    {"kind": "as many heads as features", "B": 2, "T": 3, "width": 4, "heads": 4},
    {"kind": "longer than wide", "B": 3, "T": 9, "width": 8, "heads": 2, "mean": 1.0},
    {"kind": "train mode", "B": 3, "T": 4, "width": 12, "heads": 3, "train": True},
)
LARGE = Table.of({"kind": "large scores", "B": 2, "T": 4, "width": 8, "heads": 2, "scale": 20.0})
BLOCKS = Table.of(*({**row, "scale": 4.0} for row in SEQUENCES))  # so large that eps has a check of its own
STREAMS = Table.of(
    {"kind": "one feature", "B": 2, "T": 3, "width": 1, "heads": 1},
    {"kind": "plain", "B": 3, "T": 2, "width": 5, "heads": 1},
    {"kind": "large", "B": 2, "T": 4, "width": 6, "heads": 3, "scale": 8.0},
    {"kind": "train mode", "B": 1, "T": 5, "width": 8, "heads": 2, "train": True},
)
SMALL = Table.of(
    {"kind": "variance of a millionth", "B": 2, "T": 3, "V": 7, "width": 6, "heads": 2, "layers": 1, "scale": 0.001},
    {"kind": "variance near eps", "B": 2, "T": 4, "V": 7, "width": 8, "heads": 4, "layers": 1, "scale": 0.003},
)
MODELS = Table.of(
    {"kind": "one token, one block", "B": 3, "T": 1, "V": 5, "width": 6, "heads": 2, "layers": 1},
    {"kind": "one row", "B": 1, "T": 3, "V": 7, "width": 4, "heads": 2, "layers": 1},
    {"kind": "two blocks", "B": 2, "T": 4, "V": 9, "width": 6, "heads": 3, "layers": 2},
    {"kind": "fewer words than tokens", "B": 3, "T": 7, "V": 5, "width": 8, "heads": 4, "layers": 2},
    {"kind": "three blocks", "B": 2, "T": 5, "V": 23, "width": 12, "heads": 3, "layers": 3},
    {"kind": "a long one", "B": 2, "T": 10, "V": 7, "width": 8, "heads": 2, "layers": 1},
    {"kind": "train mode", "B": 2, "T": 3, "V": 17, "width": 9, "heads": 3, "layers": 4, "train": True},
)
TIED = Table.of(
    {"kind": "one block", "B": 2, "T": 3, "V": 5, "width": 6, "heads": 2, "layers": 1},
    {"kind": "as many words as features", "B": 3, "T": 4, "V": 8, "width": 8, "heads": 2, "layers": 2},
)
LIMITS = Table.of({"max_seq_len": 4, "block_size": 6}, {"max_seq_len": 6, "block_size": 4})


@cases(SEQUENCES + LARGE)
def test_causal_attention_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every head attends to the past by its own slice of the projections; joined in order, they go through wo."""
    pair = _twins(subject, reference, case, "CausalSelfAttention")
    _mode(pair)
    pair.agree(_stream(case), scale=SATURATED if case.kind == "large scores" else NOISE)


@cases(SEQUENCES)
def test_causal_attention_past(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A position sees itself and every earlier one, and none that comes later."""
    layer = _twins(subject, reference, case, "CausalSelfAttention").student
    x = _stream(case)
    _output(layer, x[:, :1])  # a mask made for this length must not be kept for the next
    plain = _output(layer, x)
    if case.T > 1:
        last = _output(layer, _changed(case, x, (0, -1)))
        unmoved(plain[0, :-1], last[0, :-1], "A change of the last token", "the output before it")
        moved(plain[0, -1], last[0, -1], "A change of the last token", "the output at the last position")
        first = _output(layer, _changed(case, x, (0, 0)))
        moved(plain[0, -1], first[0, -1], "A change of the first token", "the output at the last position")
        unmoved(plain[1:], first[1:], "A change of row 0", "the other rows of the batch")


@cases(SEQUENCES)
def test_causal_attention_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach x, the four matrices and their biases."""
    _gradients(_twins(subject, reference, case, "CausalSelfAttention"), _stream(case, torch.float64))


@cases(LIMITS)
def test_causal_attention_limit(subject: Proxy, reference: Proxy, case: Case) -> None:
    """max_seq_len tokens are accepted, one more is refused; block_size is another limit, not this one."""
    layer = subject.construct("CausalSelfAttention", ModelArgs(n_embd=6, dim=6, n_heads=2, **case.dims))
    fits, long = (case.normal(2, case.max_seq_len + more, 6) for more in (0, 1))
    _output(layer, fits)
    limits = f"with max_seq_len={case.max_seq_len} and block_size={case.block_size}"
    refused(lambda: layer(long), f"A sequence of {case.max_seq_len + 1} tokens {limits}")


@cases(SEQUENCES.where(kind="plain"))
def test_causal_attention_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The parts are four layers with bias, dropout is off in eval mode, and x is left alone, in any dtype."""
    _well_behaved(subject, reference, case, "CausalSelfAttention", _stream(case), "x")


@cases(STREAMS)
def test_gpt_mlp_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is fc2(gelu(fc1(x))), with both biases, four times as wide in the middle."""
    pair = _twins(subject, reference, case, "GPTMLP")
    _mode(pair)
    pair.agree(_stream(case), scale=LOOSE)


@cases(STREAMS.where(kind="one feature"))
def test_gpt_mlp_gelu(subject: Proxy, reference: Proxy, case: Case) -> None:
    """GELU is the tanh form, 0.5 y (1 + tanh(sqrt(2 / pi) (y + 0.044715 y^3))), from far below zero to far above."""
    weights = {name: torch.zeros_like(w) for name, w in _weights(case, reference, "GPTMLP").items()}
    weights["fc1.weight"][1], weights["fc2.weight"][0, 1] = 1.0, 1.0  # one of the four inner features, unchanged
    x = torch.tensor([-300.0, -9.0, -3.5, -2.8, -2.2, -1.5, -0.7, -0.1, 0.0, 0.3, 1.0, 2.0, 2.5, 4.0, 300.0])
    _twins(subject, reference, case, "GPTMLP", weights).agree(x[None, :, None])


@cases(STREAMS)
def test_gpt_mlp_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach x, both matrices and both biases."""
    _gradients(_twins(subject, reference, case, "GPTMLP"), _stream(case, torch.float64), scale=10 * LOOSE)


@cases(STREAMS.where(kind="plain"))
def test_gpt_mlp_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The parts are two layers with bias, dropout is off in eval mode, and x is left alone, in any dtype."""
    _well_behaved(subject, reference, case, "GPTMLP", _stream(case), "x")


@cases(BLOCKS)
def test_block_identity(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With all weights at zero the block returns its input: both sums add the stream itself."""
    weights, x = zero_weights(reference, "DecoderBlock", _args(case)), _stream(case)
    close(_twins(subject, reference, case, "DecoderBlock", weights).student(x), x.double(), dtype=x.dtype)


@cases(BLOCKS)
def test_block_branches(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With one branch silent, the other one is added: attention of norm_1(x), or MLP of norm_2(x)."""
    for silent in ("mlp.", "attention."):
        weights = _weights(case, reference, "DecoderBlock", silent)
        _twins(subject, reference, case, "DecoderBlock", weights).agree(_stream(case), scale=NOISE)


@cases(BLOCKS)
def test_block_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The MLP reads, and is added to, the stream as attention has left it."""
    pair = _twins(subject, reference, case, "DecoderBlock")
    _mode(pair)
    pair.agree(_stream(case), scale=NOISE)


@cases(SMALL)
def test_block_eps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Both norms have eps 1e-5: it decides where the stream is small."""
    for silent in ("mlp.", "attention."):
        weights = _weights(case, reference, "DecoderBlock", silent)
        _twins(subject, reference, case, "DecoderBlock", weights).agree(_stream(case), scale=NOISE)


@cases(BLOCKS)
def test_block_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach x and every weight of both branches."""
    _gradients(_twins(subject, reference, case, "DecoderBlock"), _stream(case, torch.float64))


@cases(BLOCKS.where(kind="plain"))
def test_block_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The parts are two norms, the attention and the MLP, dropout is off in eval mode, and x is left alone."""
    _well_behaved(subject, reference, case, "DecoderBlock", _stream(case), "x")


@cases(MODELS)
def test_gpt_embedding(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With silent blocks the logits are lm_head of norm of wte of the token plus wpe of its position, 0 first."""
    weights = _weights(case, reference, "GPT", "blocks.")
    _twins(subject, reference, case, "GPT", weights).agree(_ids(case), scale=NOISE)


@cases(MODELS)
def test_gpt_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every block reads what the one before it gave; the last answer is normalised, and scored at every position."""
    pair = _twins(subject, reference, case, "GPT")
    _mode(pair)
    ids = _ids(case)
    pair.agree(ids, scale=NOISE)
    pair.agree(ids.flip(0, 1)[:, : 1 + case.T // 2], scale=NOISE)  # nothing is kept of the first call


@cases(MODELS)
def test_gpt_past(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The logits depend on every token so far and on its position, and on no later token."""
    model = _twins(subject, reference, case, "GPT").student
    ids = _ids(case)
    plain = _logits(model, case, ids)
    here = _logits(model, case, _other_words(case, ids, (0, 0)))
    moved(plain[0, -1], here[0, -1], "A change of the first token", "the logits of the last position")
    unmoved(plain[1:], here[1:], "A change of row 0", "the other rows of the batch")
    if case.T > 1:
        last = _logits(model, case, _other_words(case, ids, (0, -1)))
        unmoved(plain[0, :-1], last[0, :-1], "A change of the last token", "the logits before it")
        again = _logits(model, case, torch.full_like(ids, case.V - 1))
        moved(again[:, 0], again[:, 1], "The position in a row of equal tokens", "the logits")


@cases(SMALL)
def test_gpt_eps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The last norm has eps 1e-5: it decides where the stream is small."""
    weights = _weights(case, reference, "GPT", "blocks.")
    for name in ("wte.weight", "wpe.weight"):
        weights[name] *= case.scale
    _twins(subject, reference, case, "GPT", weights).agree(_ids(case), scale=NOISE)


@cases(MODELS)
def test_gpt_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach both embeddings, every block, the norm and the head."""
    _gradients(_twins(subject, reference, case, "GPT"), _ids(case))


@cases(LIMITS)
def test_gpt_limits(subject: Proxy, reference: Proxy, case: Case) -> None:
    """As many tokens as block_size and max_seq_len allow are accepted, one more is refused."""
    sizes = {"n_embd": 6, "dim": 6, "n_heads": 2, "vocab_size": 9, "n_layer": 1}
    model = subject.construct("GPT", ModelArgs(**sizes, **case.dims))
    most = min(case.max_seq_len, case.block_size)
    of_shape(model(case.integers(0, 9, 2, most)), (2, most, 9), "the logits")
    limits = f"with max_seq_len={case.max_seq_len} and block_size={case.block_size}"
    refused(lambda: model(case.integers(0, 9, 2, most + 1)), f"A sequence of {most + 1} tokens {limits}")


@cases(MODELS.where(kind="two blocks"))
def test_gpt_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model has the stated parts, args.n_layer blocks among them, moves as a whole, and leaves ids alone."""
    _well_behaved(subject, reference, case, "GPT", _ids(case), "ids")


@cases(TIED)
def test_tie_weights_one_parameter(subject: Proxy, reference: Proxy, case: Case) -> None:
    """One matrix is left, counted once: that of wte, with its numbers."""
    before, after = _tied(subject, reference, case)
    got = sum(torch.Size(p.shape).numel() for p in after.student.parameters() if p.requires_grad)
    size = case.V * case.width
    holds(
        got == before - size,
        f"A GPT of {before} trainable numbers has {got} after the call; wte and lm_head have {size} in common, so it "
        f"should be {before - size}.",
    )
    after.agree(_ids(case), scale=NOISE)


@cases(TIED)
def test_tie_weights_in_training(subject: Proxy, reference: Proxy, case: Case) -> None:
    """New numbers in wte are new numbers in lm_head, and the one gradient is the sum of both uses."""
    _, pair = _tied(subject, reference, case)
    shapes = {p.name: p.shape for p in pair.teacher.parameters()}
    pair = Twins(case, pair.student, pair.teacher, case.weights(shapes))
    pair.teacher.load({name: w.double() for name, w in pair.weights.items()})
    pair.student.load(pair.weights, pair.teacher.tree())
    pair.agree(_ids(case), scale=NOISE)
    _gradients(pair, _ids(case))


def _tied(subject: Proxy, reference: Proxy, case: Case) -> tuple[int, Twins]:
    """How many trainable numbers the student's GPT had, and both models after the call."""
    pair = _twins(subject, reference, case, "GPT")
    before = sum(torch.Size(p.shape).numel() for p in pair.student.parameters() if p.requires_grad)
    reference.call("tie_weights", pair.teacher)
    subject.call("tie_weights", pair.student)
    subject.call("tie_weights", pair.student)  # called again, nothing changes
    return before, pair


def _twins(
    subject: Proxy, reference: Proxy, case: Case, task: str, weights: dict[str, Tensor] | None = None, **more: Any
) -> Twins:
    return twins(subject, reference, case, task, _args(case, **more), weights=weights)


def _args(case: Case, **more: Any) -> ModelArgs:
    sizes = {"n_embd": case.width, "dim": case.width, "n_heads": case.heads, "n_layer": case.dims.get("layers", 2)}
    limits = {"max_seq_len": MAX_SEQ_LEN, "block_size": BLOCK, "vocab_size": case.dims.get("V", 10)}
    return ModelArgs(**sizes, **limits, **more)


def _weights(case: Case, reference: Proxy, task: str, *silent: str) -> dict[str, Tensor]:
    """The case's weights, with zeros for those of the parts `silent`."""
    weights = case.weights({p.name: p.shape for p in reference.construct(task, _args(case)).parameters()})
    return {name: torch.zeros_like(w) if silent and name.startswith(silent) else w for name, w in weights.items()}


def _stream(case: Case, dtype: torch.dtype = torch.float32) -> Tensor:
    size = {"scale": case.dims.get("scale", 1.0), "mean": case.dims.get("mean", 0.0)}
    return case.normal(case.B, case.T, case.width, **size).to(dtype)


def _ids(case: Case) -> Tensor:
    """The first and the last word of the vocabulary occur."""
    ids = case.integers(0, case.V, case.B, case.T)
    ids[0, 0], ids[-1, -1] = case.V - 1, 0
    return ids


def _changed(case: Case, x: Tensor, where: tuple[int, ...]) -> Tensor:
    """x with other numbers at `where`."""
    other = x.clone()
    other[where] = case.normal(*x[where].shape, scale=3.0)
    return other


def _other_words(case: Case, ids: Tensor, where: tuple[int, ...]) -> Tensor:
    other = ids.clone()
    other[where] = (ids[where] + case.integers(1, case.V)) % case.V
    return other


def _output(layer: Module, x: Tensor) -> Tensor:
    return of_shape(layer(x), tuple(x.shape))


def _logits(model: Module, case: Case, ids: Tensor) -> Tensor:
    return of_shape(model(ids), (case.B, case.T, case.V), "the logits")


def _mode(pair: Twins) -> None:
    """At rate 0 a module in train mode answers as in eval mode."""
    if "train" in pair.case.dims:
        pair.student.train()


def _gradients(pair: Twins, x: Tensor, scale: float = CAST) -> None:
    pair.student.to(torch.float64)
    _mode(pair)
    pair.agree_gradients(x, inputs=("x",), scale=scale)


def _well_behaved(subject: Proxy, reference: Proxy, case: Case, task: str, x: Tensor, name: str) -> None:
    """As many weights as stated; no dropout in eval mode; nothing changed; any device, and float64.

    What the values should be is asked by other checks: here the module is compared with itself.
    """
    pair = _twins(subject, reference, case, task, dropout=0.5)
    rate_0 = _twins(subject, reference, case, task, pair.weights)
    pair.same_parameters()
    pair.repeatable(x)
    plain = of_shape(rate_0.student(x), tuple(pair.teacher(in_float64(x)).shape))
    close(pair.student(x), plain.double(), "the output at rate 0.5, in eval mode,", scale=NOISE)
    leaves_inputs_alone(pair.student, x, inputs=(name,))
    pair.follows_device(x)
    pair.student.to(torch.float64)
    close(pair.student(in_float64(x)), plain.double(), "the output in float64", dtype=torch.float64, scale=NOISE)
