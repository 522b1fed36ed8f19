"""Checks of the decoder: masked self-attention, attention to the source, a feed-forward network, and a stack of layers.

Target and source mostly differ in length, and some sources are longer than max_seq_len. Weights are re-randomised in
every case, and gradients are compared in float64, where a ReLU near zero cannot flip.
"""

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
    fail,
    leaves_inputs_alone,
    moved,
    of_shape,
    own_work,
    twins,
    unmoved,
    zero_weights,
)

NOISE = 4.0  # scores of ten and more: right answers in float32 come up to half the usual limit from each other
CAST = 30.0  # a softmax in float32, cast back, is right: float64 gradients show it at up to four times the usual limit

LAYERS = Table.of(
    {"kind": "one head", "B": 2, "T": 3, "S": 4, "width": 5, "heads": 1},
    {"kind": "one target", "B": 4, "T": 1, "S": 5, "width": 6, "heads": 3},
    {"kind": "one source, one row", "B": 1, "T": 4, "S": 1, "width": 6, "heads": 3},
    {"kind": "longer source", "B": 3, "T": 5, "S": 13, "width": 8, "heads": 2},
    {"kind": "longer target", "B": 2, "T": 7, "S": 5, "width": 12, "heads": 3, "scale": 3.0, "mean": 1.0},
    {"kind": "equal lengths", "B": 3, "T": 5, "S": 5, "width": 8, "heads": 2},
    {"kind": "faint, transposed", "B": 3, "T": 4, "S": 5, "width": 8, "heads": 2, "scale": 0.003},
)
MASKS = Table.of(
    {"kind": "padding", "B": 2, "T": 3, "S": 5, "width": 6, "heads": 3, "mask": "padding"},
    {"kind": "padding as 0 and 1", "B": 3, "T": 7, "S": 5, "width": 8, "heads": 2, "mask": "padding", "integer": True},
    {"kind": "one pattern", "B": 2, "T": 5, "S": 7, "width": 12, "heads": 3, "mask": "pattern"},
    {"kind": "a pattern a row", "B": 3, "T": 6, "S": 5, "width": 8, "heads": 2, "mask": "pattern a row"},
    {"kind": "a pattern a head", "B": 2, "T": 4, "S": 5, "width": 9, "heads": 3, "mask": "pattern a head"},
    {"kind": "train mode", "B": 3, "T": 5, "S": 5, "width": 8, "heads": 2, "mask": "padding", "train": True},
)
STACKS = Table.of(
    {"kind": "one layer", "B": 3, "T": 4, "S": 5, "width": 6, "heads": 2, "layers": 1},
    {"kind": "two layers", "B": 3, "T": 5, "S": 13, "width": 8, "heads": 4, "layers": 2},
    {"kind": "three layers", "B": 2, "T": 6, "S": 5, "width": 8, "heads": 4, "layers": 3, "scale": 3.0, "mean": 1.0},
    {"kind": "six layers, train mode", "B": 3, "T": 5, "S": 5, "width": 8, "heads": 4, "layers": 6, "train": True},
    {"kind": "faint", "B": 2, "T": 3, "S": 5, "width": 6, "heads": 2, "layers": 1, "scale": 0.003},
)
MODES = Table.of(
    {"kind": "rate 0", "B": 2, "T": 5, "S": 6, "width": 12, "heads": 3, "layers": 2, "dropout": 0.0},
    {"kind": "rate one half", "B": 2, "T": 5, "S": 6, "width": 12, "heads": 3, "layers": 2, "dropout": 0.5},
)


@cases(LAYERS)
def test_decoder_layer_identity(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With all weights at zero the layer returns its input: all three sums add the stream itself."""
    weights = zero_weights(reference, "DecoderLayer", _args(case))
    x, source = _inputs(case)
    close(_layer(subject, reference, case, weights).student(x, source), x.double(), dtype=x.dtype)


@cases(LAYERS)
def test_decoder_layer_self_attention(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With the other two silent, the output is x + masked attention of norm(x) to itself."""
    weights = _weights(case, reference, "attention.", "feed_forward.")
    _layer(subject, reference, case, weights).agree(*_inputs(case), scale=NOISE)


@cases(LAYERS)
def test_decoder_layer_cross_attention(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With the other two silent, norm(x) asks the whole source: keys and values are enc_out as it is."""
    weights = _weights(case, reference, "mask_attention.", "feed_forward.")
    pair = _layer(subject, reference, case, weights)
    x, source = _inputs(case)
    plain = _output(pair.student, x, source)
    if case.S > 1:
        last = _output(pair.student, x, _changed(case, source, (0, -1)))
        moved(plain[0, 0], last[0, 0], "A change of the last source token", "the output at the first target token")
        unmoved(plain[1:], last[1:], "A change of row 0 of the source", "the other rows of the batch")
    close(plain, pair.teacher(x.double(), source.double()), dtype=x.dtype, scale=NOISE)


@cases(LAYERS)
def test_decoder_layer_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each sub-layer reads, and adds to, the stream as the one before it left it; the feed-forward network is last."""
    _layer(subject, reference, case).agree(*_inputs(case), scale=NOISE)


@cases(LAYERS.where(kind="longer source") + LAYERS.where(kind="longer target"))
def test_decoder_layer_causal(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A position sees the target up to itself: no later token may reach it, and every earlier one must."""
    layer = _layer(subject, reference, case).student
    x, source = _inputs(case)
    _output(layer, x[:, :2], source)  # a mask made for this length must not be kept for the next
    plain, last = _output(layer, x, source), _output(layer, _changed(case, x, (0, -1)), source)
    unmoved(plain[0, :-1], last[0, :-1], "A change of the last target token", "the output before it")
    unmoved(plain[1:], last[1:], "A change of row 0", "the other rows of the batch")
    short = _output(layer, x[:, :2], source)  # nor one that was made for a longer one
    unmoved(plain[:, :2], short, "A target without its later tokens", "the output at the first two")
    first = _output(layer, _changed(case, x, (0, 0)), source)
    moved(plain[0, -1], first[0, -1], "A change of the first target token", "the output at the last one")


@cases(MASKS)
def test_decoder_layer_src_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """src_mask reaches the cross-attention, and only that: a source token that it hides has no influence."""
    pair = _layer(subject, reference, case)
    _mode(pair)
    _masked(pair, _mask(case))
    pair.agree(*_inputs(case), _mask(case), scale=NOISE)  # another mask of the same shape
    pair.agree(*_inputs(case), scale=NOISE)  # and nothing is left of the masks afterwards


@cases(LAYERS + MASKS)
def test_decoder_layer_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach the target, the source and every weight of the layer."""
    pair = _layer(subject, reference, case)
    pair.student.to(torch.float64)
    _mode(pair)
    x, source = _inputs(case, torch.float64)
    mask = _mask(case) if "mask" in case.dims else None
    pair.agree_gradients(x, source, mask, inputs=("x", "enc_out"), scale=CAST)


@cases(MODES)
def test_decoder_layer_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Dropout is off in eval mode, drops nothing at rate 0, and acts on both attentions in train mode."""
    _dropout(_layer(subject, reference, case), *_inputs(case))
    if case.dropout:  # everything else may have dropout of its own, so it must be silent
        for part, silent in (("self-attention", "attention."), ("cross-attention", "mask_attention.")):
            quiet = _layer(subject, reference, case, _weights(case, reference, silent, "feed_forward."))
            _random_in_train_mode(quiet, f"output of the {part}", *_inputs(case))


@cases(LAYERS.where(kind="longer source"))
def test_decoder_layer_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The layer has the stated parts, three norms among them, moves as a whole, and leaves its inputs alone."""
    _well_behaved(_layer(subject, reference, case), *_inputs(case), _mask(case, "padding"))


def test_decoder_layer_own_work(subject: Proxy) -> None:
    """You built the layer from your own parts, not from PyTorch's Transformer."""
    own_work(subject, "DecoderLayer", torch.ones(2, 3, 16), torch.ones(2, 4, 16), construct=[ModelArgs()])


@cases(STACKS)
def test_decoder_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every layer reads what the one before it gave, and the same source; the last answer is normalised."""
    _stack(subject, reference, case).agree(*_inputs(case), scale=NOISE)


@cases(STACKS)
def test_decoder_final_norm(subject: Proxy, reference: Proxy, case: Case) -> None:
    """When all layers are silent, what remains is the final norm of the target."""
    weights = _weights(case, reference, "layers.", task="Decoder")
    _stack(subject, reference, case, weights).agree(*_inputs(case), scale=NOISE)


@cases(STACKS)
def test_decoder_src_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """src_mask reaches every layer: hidden source tokens have no influence, however deep the stack."""
    pair = _stack(subject, reference, case)
    _mode(pair)
    _masked(pair, _mask(case, "padding"))
    _masked(pair, _mask(case, "pattern"))
    pair.agree(*_inputs(case), _mask(case, "pattern"), scale=NOISE)  # another mask of the same shape


@cases(STACKS)
def test_decoder_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach the target, the source and every weight of every layer."""
    pair = _stack(subject, reference, case)
    pair.student.to(torch.float64)
    _mode(pair)
    x, source = _inputs(case, torch.float64)
    pair.agree_gradients(x, source, _mask(case, "padding"), inputs=("x", "enc_out"), scale=CAST)


@cases(MODES)
def test_decoder_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Dropout is off in eval mode, drops nothing at rate 0, and acts in train mode."""
    pair = _stack(subject, reference, case)
    _dropout(pair, *_inputs(case))
    if case.dropout:
        _random_in_train_mode(pair, "output", *_inputs(case))


@cases(STACKS)
def test_decoder_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """There are args.n_layer layers with weights of their own, and one norm, and they move as a whole."""
    _well_behaved(_stack(subject, reference, case), *_inputs(case), _mask(case, "padding"))


def test_decoder_own_work(subject: Proxy) -> None:
    """You built the stack from your own parts, not from PyTorch's Transformer."""
    own_work(subject, "Decoder", torch.ones(2, 3, 16), torch.ones(2, 4, 16), construct=[ModelArgs()])


def _layer(subject: Proxy, reference: Proxy, case: Case, weights: dict[str, Tensor] | None = None) -> Twins:
    return twins(subject, reference, case, "DecoderLayer", _args(case), weights=weights)


def _stack(subject: Proxy, reference: Proxy, case: Case, weights: dict[str, Tensor] | None = None) -> Twins:
    return twins(subject, reference, case, "Decoder", _args(case), weights=weights)


def _args(case: Case) -> ModelArgs:
    sizes = {"n_embd": case.width, "dim": case.width, "n_heads": case.heads}
    others = {"max_seq_len": 11, "block_size": 2, "vocab_size": 2}  # only the first of these limits anything here
    return ModelArgs(**sizes, **others, dropout=case.dims.get("dropout", 0.0), n_layer=case.dims.get("layers", 2))


def _weights(case: Case, reference: Proxy, *silent: str, task: str = "DecoderLayer") -> dict[str, Tensor]:
    """The case's weights, with zeros for those of the parts `silent`."""
    weights = case.weights({p.name: p.shape for p in reference.construct(task, _args(case)).parameters()})
    return {name: torch.zeros_like(w) if name.startswith(silent) else w for name, w in weights.items()}


def _inputs(case: Case, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    """The target's stream, and a source."""
    size = {"scale": case.dims.get("scale", 1.0), "mean": case.dims.get("mean", 0.0)}
    x, source = case.normal(case.B, case.T, case.width, **size), case.normal(case.B, case.S, case.width)
    if "transposed" in case.dims.get("kind", ""):  # the same numbers in another order in memory
        x, source = (y.transpose(0, 1).contiguous().transpose(0, 1) for y in (x, source))
    return x.to(dtype), source.to(dtype)


def _mask(case: Case, kind: str = "") -> Tensor:
    """True = may attend; every target may attend to something, and every row of the batch hides something."""
    kind = kind or case.mask
    if kind == "padding":
        length = case.integers(1, case.S, case.B)[:, None, None, None]
        mask = torch.arange(case.S) < length  # (B, 1, 1, S)
    else:
        shape: tuple[int, ...] = (case.B, case.heads if kind == "pattern a head" else 1, case.T, case.S)
        shape = shape[2:] if kind == "pattern" else shape
        at_least = torch.arange(case.S) == torch.arange(case.T)[:, None] % case.S  # (T, S), one True a row
        mask = (case.integers(0, 2, *shape) == 1) | at_least
    return mask.long() if case.dims.get("integer") else mask


def _changed(case: Case, x: Tensor, where: tuple[int | Tensor, ...]) -> Tensor:
    """x with other numbers at `where`."""
    other = x.clone()
    other[where] = case.normal(*x[where].shape, scale=3.0)
    return other


def _output(module: Module, x: Tensor, *more: Tensor) -> Tensor:
    return of_shape(module(x, *more), tuple(x.shape))


def _masked(pair: Twins, mask: Tensor) -> None:
    """Values under a mask; before them, where whole source tokens are hidden, that these do not matter."""
    x, source = _inputs(pair.case)
    plain = _output(pair.student, x, source, mask)
    if mask.shape[-2] == 1:
        hidden = mask[0, 0, 0] == 0  # (S,), of row 0
        other = _output(pair.student, x, _changed(pair.case, source, (0, hidden)), mask)
        unmoved(plain[0], other[0], "A change of hidden source tokens", "the output")
    close(plain, pair.teacher(x.double(), source.double(), mask), dtype=x.dtype, scale=NOISE)


def _mode(pair: Twins) -> None:
    """At rate 0 a module in train mode answers as in eval mode."""
    if "train" in pair.case.dims:
        pair.student.train()


def _dropout(pair: Twins, x: Tensor, source: Tensor) -> None:
    """At rate 0 train mode is like eval mode; at any rate nothing is dropped in eval mode."""
    if pair.case.dropout == 0:
        pair.student.train()
    pair.agree(x, source, scale=NOISE)


def _random_in_train_mode(pair: Twins, what: str, x: Tensor, source: Tensor) -> None:
    pair.student.train()
    first = _output(pair.student, x, source)
    pair.student.proxy.seed += 1
    second = _output(pair.student, x, source)
    pair.student.proxy.seed -= 1
    if torch.equal(first, second):
        fail("not_random", what=what)


def _well_behaved(pair: Twins, x: Tensor, source: Tensor, mask: Tensor) -> None:
    pair.same_parameters()
    numbers = mask.long()  # a mask of 0 and 1 can be written into in more ways
    leaves_inputs_alone(pair.student, x, source, numbers, inputs=("x", "enc_out", "src_mask"))
    pair.student.train()
    leaves_inputs_alone(pair.student, x, source, numbers, inputs=("x", "enc_out", "src_mask"))
    pair.student.eval()
    pair.follows_device(x, source, mask)
    pair.follows_dtype(x, source, mask)
