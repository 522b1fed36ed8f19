"""Checks of the encoder: a ReLU network, a residual layer around it and self-attention, and a stack of such layers.

Weights are re-randomised in every case, and gradients are compared in float64, where a ReLU near zero cannot flip.
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
    holds,
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

NETWORKS = Table.of(
    {"kind": "one token", "B": 2, "T": 1, "dim": 3, "hidden": 4},
    {"kind": "wide in the middle", "B": 2, "T": 3, "dim": 5, "hidden": 7},
    {"kind": "narrow in the middle", "B": 3, "T": 4, "dim": 6, "hidden": 2},
    {"kind": "large", "B": 2, "T": 4, "dim": 5, "hidden": 6, "scale": 30.0},
    {"kind": "float64, one row", "B": 1, "T": 3, "dim": 4, "hidden": 5, "dtype": torch.float64},
    {"kind": "transposed", "B": 3, "T": 2, "dim": 4, "hidden": 5},
)
LAYERS = Table.of(
    {"kind": "one head, one row", "B": 1, "T": 3, "width": 5, "heads": 1},
    {"kind": "one token", "B": 4, "T": 1, "width": 6, "heads": 3},
    {"kind": "two heads", "B": 3, "T": 5, "width": 8, "heads": 2},
    {"kind": "off centre", "B": 2, "T": 5, "width": 12, "heads": 3, "scale": 3.0, "mean": 1.0},
    {"kind": "more than max_seq_len", "B": 2, "T": 13, "width": 6, "heads": 2, "scale": 2.0},
    {"kind": "faint, transposed", "B": 3, "T": 2, "width": 8, "heads": 2, "scale": 0.003},
)
MASKS = Table.of(
    {"kind": "padding", "B": 2, "T": 4, "width": 6, "heads": 3, "mask": "padding"},
    {"kind": "padding as 0 and 1", "B": 3, "T": 5, "width": 8, "heads": 2, "mask": "padding", "integer": True},
    {"kind": "one pattern", "B": 2, "T": 5, "width": 12, "heads": 3, "mask": "pattern"},
    {"kind": "a pattern a row", "B": 3, "T": 5, "width": 8, "heads": 2, "mask": "pattern a row"},
    {"kind": "a pattern a head", "B": 2, "T": 4, "width": 9, "heads": 3, "mask": "pattern a head"},
    {"kind": "train mode, rate 0", "B": 2, "T": 4, "width": 6, "heads": 2, "mask": "padding", "train": True},
)
STACKS = Table.of(
    {"kind": "one layer", "B": 3, "T": 4, "width": 6, "heads": 2, "layers": 1},
    {"kind": "two layers", "B": 3, "T": 5, "width": 8, "heads": 4, "layers": 2},
    {"kind": "three layers", "B": 2, "T": 5, "width": 8, "heads": 4, "layers": 3, "scale": 3.0, "mean": 1.0},
    {"kind": "six layers, train mode", "B": 2, "T": 3, "width": 8, "heads": 2, "layers": 6, "train": True},
    {"kind": "faint, longer than max_seq_len", "B": 2, "T": 13, "width": 6, "heads": 2, "layers": 1, "scale": 0.003},
)
MODES = Table.of(
    {"kind": "rate 0", "B": 2, "T": 5, "width": 12, "heads": 3, "layers": 2, "dropout": 0.0},
    {"kind": "rate one half", "B": 2, "T": 5, "width": 12, "heads": 3, "layers": 2, "dropout": 0.5},
)


@cases(NETWORKS)
def test_mlp_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is w2(relu(w1(x))), without biases, at every position alone."""
    _network(subject, reference, case).agree(_network_input(case))


@cases(NETWORKS)
def test_mlp_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach the input and both weight matrices."""
    pair = _network(subject, reference, case)
    pair.student.to(torch.float64)
    pair.agree_gradients(_network_input(case).double(), inputs=("x",))


@cases(MODES)
def test_mlp_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Dropout, if there is any, is off in eval mode, drops nothing at rate 0, and drops single values in train mode."""
    _dropout(twins(subject, reference, case, "MLP", 7, 20, case.dropout), case.normal(case.B, case.T, 7))
    if case.dropout:
        _drops_single_values(subject, reference, case)


@cases(Table.of({"B": 2, "T": 3, "dim": 5, "hidden": 7}))
def test_mlp_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """There are two weight matrices and no more; the module moves as a whole, and leaves its input alone."""
    _well_behaved(_network(subject, reference, case), _network_input(case))


@cases(LAYERS)
def test_encoder_layer_identity(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With all weights at zero the layer returns its input: both sums add the stream itself."""
    weights, x = zero_weights(reference, "EncoderLayer", _args(case)), _input(case)
    close(_layer(subject, reference, case, weights).student(x), x.double(), dtype=x.dtype)


@cases(LAYERS)
def test_encoder_layer_attention(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With a silent feed-forward network the output is x + attention(norm(x)): self-attention, normalised in front."""
    _layer(subject, reference, case, _weights(case, reference, silent="feed_forward")).agree(_input(case), scale=NOISE)


@cases(LAYERS)
def test_encoder_layer_feed_forward(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With silent attention the output is x + feed_forward(norm(x))."""
    _layer(subject, reference, case, _weights(case, reference, silent="attention.")).agree(_input(case))


@cases(LAYERS)
def test_encoder_layer_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The feed-forward network reads, and adds to, the stream as it is after attention."""
    _layer(subject, reference, case).agree(_input(case), scale=NOISE)


@cases(LAYERS.where(kind="two heads") + LAYERS.where(kind="off centre"))
def test_encoder_layer_both_ways(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A token sees the tokens after it as well as those before it, and none of another row of the batch."""
    layer, x = _layer(subject, reference, case).student, _input(case)
    plain, last = _output(layer, x), _output(layer, _changed(case, x, (0, -1)))
    moved(plain[0, 0], last[0, 0], "A change of the last token", "the output at the first token")
    unmoved(plain[1:], last[1:], "A change of row 0", "the other rows of the batch")
    first = _output(layer, _changed(case, x, (0, 0)))
    moved(plain[0, -1], first[0, -1], "A change of the first token", "the output at the last token")


@cases(MASKS)
def test_encoder_layer_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The mask reaches the attention: a token that it hides has no influence on the others."""
    pair = _layer(subject, reference, case)
    _mode(pair)
    _masked(pair, _mask(case))
    pair.agree(_input(case), _mask(case), scale=NOISE)  # another mask of the same shape
    pair.agree(_input(case), scale=NOISE)  # and nothing is left of the masks afterwards


@cases(LAYERS + MASKS)
def test_encoder_layer_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach the input and every weight of the layer."""
    pair = _layer(subject, reference, case)
    pair.student.to(torch.float64)
    _mode(pair)
    mask = _mask(case) if "mask" in case.dims else None
    pair.agree_gradients(_input(case).double(), mask, inputs=("x",), scale=CAST)


@cases(MODES)
def test_encoder_layer_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Dropout is off in eval mode, drops nothing at rate 0, and acts on attention in train mode."""
    _dropout(_layer(subject, reference, case), _input(case))
    if case.dropout:  # the feed-forward network may have dropout of its own, so it must be silent to see attention's
        quiet = _layer(subject, reference, case, _weights(case, reference, silent="feed_forward"))
        _random_in_train_mode(quiet, _input(case), "output of the attention")


@cases(LAYERS.where(kind="two heads"))
def test_encoder_layer_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The layer has the stated parts, two norms among them, moves as a whole, and leaves its input alone."""
    _well_behaved(_layer(subject, reference, case), _input(case), _mask(case, "padding"))


def test_encoder_layer_own_work(subject: Proxy) -> None:
    """You built the layer from your own parts, not from PyTorch's Transformer."""
    own_work(subject, "EncoderLayer", torch.ones(2, 3, 16), construct=[ModelArgs()])


@cases(STACKS)
def test_encoder_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every layer reads what the one before it gave, and the last answer is normalised."""
    _stack(subject, reference, case).agree(_input(case), scale=NOISE)


@cases(STACKS)
def test_encoder_final_norm(subject: Proxy, reference: Proxy, case: Case) -> None:
    """When all layers are silent, what remains is the final norm of the input."""
    _stack(subject, reference, case, _weights(case, reference, "Encoder", silent="layers.")).agree(_input(case))


@cases(STACKS)
def test_encoder_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The mask reaches every layer: hidden tokens have no influence on the others, however deep the stack."""
    pair = _stack(subject, reference, case)
    _mode(pair)
    _masked(pair, _mask(case, "padding"))
    _masked(pair, _mask(case, "pattern"))
    pair.agree(_input(case), _mask(case, "pattern"), scale=NOISE)  # another mask of the same shape


@cases(STACKS)
def test_encoder_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients reach the input and every weight of every layer."""
    pair = _stack(subject, reference, case)
    pair.student.to(torch.float64)
    _mode(pair)
    pair.agree_gradients(_input(case).double(), _mask(case, "padding"), inputs=("x",), scale=CAST)


@cases(MODES)
def test_encoder_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Dropout is off in eval mode, drops nothing at rate 0, and acts in train mode."""
    pair, x = _stack(subject, reference, case), _input(case)
    _dropout(pair, x)
    if case.dropout:
        _random_in_train_mode(pair, x, "output")


@cases(STACKS)
def test_encoder_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """There are args.n_layer layers with weights of their own, and one norm, and they move as a whole."""
    _well_behaved(_stack(subject, reference, case), _input(case), _mask(case, "padding"))


def test_encoder_own_work(subject: Proxy) -> None:
    """You built the stack from your own parts, not from PyTorch's Transformer."""
    own_work(subject, "Encoder", torch.ones(2, 3, 16), construct=[ModelArgs()])


def _network(subject: Proxy, reference: Proxy, case: Case) -> Twins:
    pair = twins(subject, reference, case, "MLP", case.dim, case.hidden, 0.0)
    if case.dims.get("dtype") is torch.float64:
        pair.student.to(torch.float64)
    return pair


def _network_input(case: Case) -> Tensor:
    return _laid_out(case, case.normal(case.B, case.T, case.dim, scale=case.dims.get("scale", 1.0)))


def _layer(subject: Proxy, reference: Proxy, case: Case, weights: dict[str, Tensor] | None = None) -> Twins:
    return twins(subject, reference, case, "EncoderLayer", _args(case), weights=weights)


def _stack(subject: Proxy, reference: Proxy, case: Case, weights: dict[str, Tensor] | None = None) -> Twins:
    return twins(subject, reference, case, "Encoder", _args(case), weights=weights)


def _args(case: Case) -> ModelArgs:
    sizes = {"n_embd": case.width, "dim": case.width, "n_heads": case.heads}
    others = {"max_seq_len": 11, "block_size": 2, "vocab_size": 2}  # none of these limits anything here
    return ModelArgs(**sizes, **others, dropout=case.dims.get("dropout", 0.0), n_layer=case.dims.get("layers", 2))


def _weights(case: Case, reference: Proxy, task: str = "EncoderLayer", *, silent: str) -> dict[str, Tensor]:
    """The case's weights, with zeros for those of the part `silent`."""
    weights = case.weights({p.name: p.shape for p in reference.construct(task, _args(case)).parameters()})
    return {name: torch.zeros_like(w) if name.startswith(silent) else w for name, w in weights.items()}


def _input(case: Case) -> Tensor:
    size = {"scale": case.dims.get("scale", 1.0), "mean": case.dims.get("mean", 0.0)}
    return _laid_out(case, case.normal(case.B, case.T, case.width, **size))


def _laid_out(case: Case, x: Tensor) -> Tensor:
    """x, or the same numbers in another order in memory, as an exchange of axes leaves them."""
    return x.transpose(0, 1).contiguous().transpose(0, 1) if "transposed" in case.dims.get("kind", "") else x


def _mask(case: Case, kind: str = "") -> Tensor:
    """True = may attend; every query may attend to something, and every row of the batch hides something."""
    kind = kind or case.mask
    if kind == "padding":
        length = case.integers(1, case.T, case.B)[:, None, None, None]
        mask = torch.arange(case.T) < length  # (B, 1, 1, T)
    else:
        shape: tuple[int, ...] = (case.B, case.heads if kind == "pattern a head" else 1, case.T, case.T)
        shape = shape[2:] if kind == "pattern" else shape
        mask = (case.integers(0, 2, *shape) == 1) | torch.eye(case.T, dtype=torch.bool)
    return mask.long() if case.dims.get("integer") else mask


def _changed(case: Case, x: Tensor, where: tuple[int | Tensor, ...]) -> Tensor:
    """x with other numbers at `where`."""
    other = x.clone()
    other[where] = case.normal(*x[where].shape, scale=3.0)
    return other


def _output(module: Module, *args: Tensor) -> Tensor:
    return of_shape(module(*args), tuple(args[0].shape))


def _masked(pair: Twins, mask: Tensor) -> None:
    """Values under a mask; before them, where whole tokens are hidden, that these do not matter."""
    x = _input(pair.case)
    plain = _output(pair.student, x, mask)
    if mask.shape[-2] == 1:
        hidden = mask[0, 0, 0] == 0  # (T,), of row 0
        other = _output(pair.student, _changed(pair.case, x, (0, hidden)), mask)
        unmoved(plain[0, ~hidden], other[0, ~hidden], "A change of hidden tokens", "the output at the visible ones")
    close(plain, pair.teacher(x.double(), mask), dtype=x.dtype, scale=NOISE)


def _mode(pair: Twins) -> None:
    """At rate 0 a module in train mode answers as in eval mode."""
    if "train" in pair.case.dims:
        pair.student.train()


def _drops_single_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """All numbers are positive, so nothing is 0 by itself; the mean of 4000 values strays by less than 4 %.

    All tokens are the same one, so what tells two of them apart is what was dropped.
    """
    made_with = (40, 60, case.dropout)
    shapes = {p.name: p.shape for p in reference.construct("MLP", *made_with).parameters()}
    positive = {name: w.abs() for name, w in case.weights(shapes).items()}
    student = twins(subject, reference, case, "MLP", *made_with, weights=positive).student
    x = case.normal(40).abs().repeat(2, 50, 1)
    plain = _output(student, x)
    student.train()
    dropped = _output(student, x)
    lost, share = int((dropped == 0).all(-1).sum()), float(dropped.mean() / plain.mean())
    holds(lost == 0, f"In train mode, at rate {case.dropout}, {lost} of 100 tokens came out with all 40 features at 0.")
    holds(
        0.8 < share < 1.2, f"Dropout at rate {case.dropout} changed the mean of the output by a factor of {share:.2f}."
    )
    if torch.allclose(plain, dropped):  # there is no dropout, and need not be any
        return
    kinds = len(dropped.flatten(0, 1).unique(dim=0))
    holds(kinds == 100, f"In train mode 100 equal tokens lost the same values: only {kinds} different ones came out.")
    student.proxy.seed += 1
    again = _output(student, x)
    student.proxy.seed -= 1
    holds(not torch.equal(dropped, again), "In train mode two calls lost the same values: your dropout is always the same.")


def _dropout(pair: Twins, x: Tensor) -> None:
    """At rate 0 train mode is like eval mode; at any rate nothing is dropped in eval mode."""
    if pair.case.dropout == 0:
        pair.student.train()
    pair.agree(x, scale=NOISE)


def _random_in_train_mode(pair: Twins, x: Tensor, what: str) -> None:
    pair.student.train()
    first = _output(pair.student, x)
    pair.student.proxy.seed += 1
    second = _output(pair.student, x)
    pair.student.proxy.seed -= 1
    if torch.equal(first, second):
        fail("not_random", what=what)


def _well_behaved(pair: Twins, x: Tensor, mask: Tensor | None = None) -> None:
    arguments = (x,) if mask is None else (x, mask)
    pair.same_parameters()
    numbers = (x, *(m.long() for m in arguments[1:]))  # a mask of 0 and 1 can be written into in more ways
    leaves_inputs_alone(pair.student, *numbers, inputs=("x", "mask"))
    pair.student.train()
    leaves_inputs_alone(pair.student, *numbers, inputs=("x", "mask"))
    pair.student.eval()
    pair.follows_device(*arguments)
    pair.follows_dtype(*arguments)
