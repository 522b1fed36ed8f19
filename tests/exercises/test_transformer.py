"""Checks of the whole Transformer: two sequences of ids go in, logits and a loss come out.

Source and target mostly differ in length. Weights are re-randomised in every case but those of a new model, and
gradients are compared in float64, where a ReLU near zero cannot flip.
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
    fail,
    holds,
    leaves_inputs_alone,
    moved,
    of_shape,
    refused,
    same,
    twins,
    unmoved,
)

NAMES = ("the logits", "the loss")
INPUTS = ("src", "tgt", "targets", "src_mask")
NOISE = 4.0  # scores of ten and more: right answers in float32 come up to half the usual limit from each other
CAST = 30.0  # a softmax in float32, cast back, is right: float64 gradients show it at up to four times the usual limit
MAX_SEQ_LEN, BLOCK = 12, 13

PAIRS = Table.of(
    {"kind": "one token each", "B": 2, "S": 1, "T": 1, "V": 5, "width": 6, "heads": 3, "layers": 1},
    {"kind": "one row", "B": 1, "S": 4, "T": 3, "V": 7, "width": 4, "heads": 2, "layers": 1},
    {"kind": "one source token", "B": 3, "S": 1, "T": 4, "V": 9, "width": 6, "heads": 2, "layers": 2},
    {"kind": "longer source", "B": 2, "S": 11, "T": 3, "V": 7, "width": 8, "heads": 2, "layers": 2},
    {"kind": "longer target", "B": 4, "S": 3, "T": 7, "V": 23, "width": 12, "heads": 3, "layers": 1},
    {"kind": "equal lengths", "B": 3, "S": 5, "T": 5, "V": 17, "width": 8, "heads": 4, "layers": 3},
    {"kind": "train mode", "B": 2, "S": 4, "T": 5, "V": 11, "width": 9, "heads": 3, "layers": 2, "train": True},
)
ALONE = Table.of(
    {"kind": "one token", "B": 3, "S": 1, "V": 7, "width": 6, "heads": 2, "layers": 1},
    {"kind": "several tokens", "B": 2, "S": 5, "V": 11, "width": 8, "heads": 4, "layers": 2},
    {"kind": "more tokens", "B": 3, "S": 7, "V": 5, "width": 6, "heads": 3, "layers": 2},
)
LOSSES = Table.of(
    {"kind": "one target", "B": 1, "S": 3, "T": 1, "V": 5, "width": 6, "heads": 2, "layers": 1},
    {"kind": "all count", "B": 3, "S": 2, "T": 4, "V": 7, "width": 6, "heads": 2, "layers": 1},
    {"kind": "one does not", "B": 2, "S": 3, "T": 5, "V": 4, "width": 6, "heads": 2, "layers": 1, "out": [(0, 2)]},
    {"kind": "the end of a row does not", "B": 3, "S": 4, "T": 5, "V": 9, "width": 8, "heads": 2, "layers": 2,
     "out": [(1, 4), (1, 3), (1, 2)]},
    {"kind": "a whole row does not", "B": 3, "S": 5, "T": 2, "V": 6, "width": 8, "heads": 2, "layers": 1,
     "out": [(0, 0), (0, 1), (2, 0)]},
    {"kind": "large logits", "B": 2, "S": 4, "T": 3, "V": 11, "width": 8, "heads": 4, "layers": 1, "head": 300.0,
     "out": [(0, 1)]},
)  # fmt: skip
MASKS = Table.of(
    {"kind": "padding", "B": 2, "S": 5, "T": 3, "V": 7, "width": 6, "heads": 3, "layers": 1},
    {"kind": "as 0 and 1", "B": 3, "S": 9, "T": 4, "V": 11, "width": 8, "heads": 2, "layers": 2, "integer": True},
    {"kind": "as many as targets", "B": 4, "S": 6, "T": 6, "V": 9, "width": 8, "heads": 4, "layers": 2, "train": True},
)
GRADIENTS = Table.of(
    {"kind": "all logits", "B": 3, "S": 4, "T": 6, "V": 7, "width": 8, "heads": 2, "layers": 2, "out": [(0, 3)]},
    {"kind": "a long source", "B": 2, "S": 9, "T": 3, "V": 11, "width": 6, "heads": 3, "layers": 1, "train": True},
    {"kind": "the last logits", "B": 2, "S": 3, "T": 5, "V": 9, "width": 6, "heads": 3, "layers": 2, "last": True},
    {"kind": "the source alone", "B": 2, "S": 5, "V": 9, "width": 8, "heads": 4, "layers": 1},
)  # fmt: skip
MODES = Table.of(
    {"kind": "rate 0", "B": 2, "S": 6, "T": 5, "V": 9, "width": 12, "heads": 3, "layers": 2, "dropout": 0.0},
    {"kind": "rate one half", "B": 2, "S": 6, "T": 5, "V": 9, "width": 12, "heads": 3, "layers": 2, "dropout": 0.5},
)
LIMITS = Table.of(
    {"kind": "more positions than the decoder takes", "max_seq_len": 4, "block": 6},
    {"kind": "fewer", "max_seq_len": 6, "block": 4},
)


@cases(PAIRS)
def test_transformer_embedding(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With silent layers the logits are those of the embedded target: vector plus position, norm, then lm_head."""
    weights = _weights(case, reference, "encoder.layers.", "decoder.layers.")
    _agree(_model(subject, reference, case, weights), *_ids(case), _targets(case))


@cases(PAIRS)
def test_transformer_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With targets the logits of all positions come back: the decoder's answer to target and encoded source."""
    pair = _model(subject, reference, case)
    src, tgt = _ids(case)
    targets = _targets(case)
    _agree(pair, src, tgt, targets)
    _agree(pair, tgt, tgt.flip(0), targets)  # nothing is kept of the first call


@cases(PAIRS)
def test_transformer_source(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every target position reads the whole source, in its order, and of the target no later token."""
    model = _model(subject, reference, case).student
    src, tgt = _ids(case)
    targets = _targets(case)
    plain = _logits(model, case, src, tgt, targets)
    last = _logits(model, case, _changed(case, src, (0, -1)), tgt, targets)
    moved(plain[0, 0], last[0, 0], "A change of the last source token", "the logits of the first target position")
    unmoved(plain[1:], last[1:], "A change of row 0 of the source", "the other rows of the batch")
    if case.S > 1:
        turned = src.clone()
        turned[0, :2] = torch.tensor([1, 0])
        here = _logits(model, case, turned, tgt, targets)
        turned[0, :2] = torch.tensor([0, 1])
        moved(here[0], _logits(model, case, turned, tgt, targets)[0], "Exchanging two source tokens", "the logits")
    if case.T > 1:
        later = _logits(model, case, src, _changed(case, tgt, (0, -1)), targets)
        unmoved(plain[0, :-1], later[0, :-1], "A change of the last target token", "the logits before it")
        first = _logits(model, case, src, _changed(case, tgt, (0, 0)), targets)
        moved(plain[0, -1], first[0, -1], "A change of the first target token", "the logits of the last position")


@cases(PAIRS)
def test_transformer_last_position(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Without targets there are the logits of the last position alone, (B, 1, V), and None in place of a loss."""
    pair = _model(subject, reference, case)
    for ids in (_ids(case), _ids(case)[1:]):  # the target with its source, and alone
        _agree(pair, *ids)
        loss = _both(pair.student(*ids))[1]
        holds(loss is None, f"Without targets the second value should be None, it is a {_kind(loss)}.")


@cases(ALONE)
def test_transformer_without_target(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Without a target the source is decoded itself, and has logits at every position."""
    pair = _model(subject, reference, case)
    src, targets = case.integers(0, case.V, case.B, case.S), case.integers(0, case.V, case.B, case.S)
    _agree(pair, src, None, targets)
    lengths = 1 + case.integers(0, case.S, case.B)
    mask = (torch.arange(case.S) < lengths[:, None])[:, None, None]
    _agree(pair, src, None, targets, src_mask=mask)


@cases(MASKS)
def test_transformer_src_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """src_mask reaches encoder and cross-attention: a source token that it hides has no influence."""
    pair = _model(subject, reference, case)
    src, tgt = _ids(case)
    targets, mask = _targets(case), _padding(case)
    plain = _logits(pair.student, case, src, tgt, targets, src_mask=mask)
    hidden = mask[0, 0, 0] == 0  # (S,), of row 0
    other = _logits(pair.student, case, _changed(case, src, (0, hidden)), tgt, targets, src_mask=mask)
    unmoved(plain, other, "A change of hidden source tokens", "the logits")
    _agree(pair, src, tgt, targets, src_mask=mask)
    _agree(pair, src, tgt, targets)  # and nothing is left of the mask afterwards


@cases(LOSSES)
def test_transformer_loss(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss is the mean cross entropy of the logits over all targets of the batch that are not -1."""
    weights = _weights(case, reference)
    weights["lm_head.weight"] *= case.dims.get("head", 1.0)
    pair = _model(subject, reference, case, weights)
    for src, tgt in (_ids(case), (_ids(case)[1], None)):
        targets = _targets(case)
        got, want = pair.student(src, tgt, targets), pair.teacher(src, tgt, targets)
        close(_both(got)[1], want[1], "the loss", dtype=torch.float32, scale=NOISE)


@cases(GRADIENTS)
def test_transformer_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients of logits and loss reach every weight, and the embedding from both sides."""
    pair = _model(subject, reference, case)
    pair.student.to(torch.float64)
    _mode(pair)
    if "T" not in case.dims:
        src = case.integers(0, case.V, case.B, case.S)
        pair.agree_gradients(src, None, src.flip(1), scale=CAST)
    elif "last" in case.dims:
        pair.agree_gradients(*_ids(case), scale=CAST)
    else:
        pair.agree_gradients(*_ids(case), _targets(case), src_mask=_padding(case), scale=CAST)


@cases(
    Table.of(
        {"kind": "lm_head", "V": 4000, "width": 16, "heads": 4},
        {"kind": "embedding", "V": 300, "width": 16, "heads": 4},
        {"kind": "layers", "V": 300, "width": 64, "heads": 4},
    )
)
def test_transformer_start(subject: Proxy, reference: Proxy, case: Case) -> None:
    """In a new model the weights of embedding and linear layers have deviation 0.02, and norms change nothing."""
    args = ModelArgs(n_embd=case.width, dim=case.width, n_heads=case.heads, n_layer=1, vocab_size=case.V)
    got, want = (_spread(side.construct("Transformer", args), case) for side in (subject, reference))
    times = got / want
    low, high, seen = {  # ten standard deviations and more from what right weights give
        "lm_head": (0.8, 1.25, "The logits of a new model are spread {} times as wide as"),
        "embedding": (0.7, 1.4, "In a new model the logits differ from token to token {} times as much as"),
        "layers": (0.4, 2.5, "In a new model the source moves the logits {} times as much as"),
    }[case.kind]
    holds(low < times < high, f"{seen.format(f'{times:.2g}')} with weights of deviation 0.02.")


@cases(LIMITS)
def test_transformer_limits(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Too many tokens are refused, on either side, and as many as the limits allow are not."""
    sizes = {"n_embd": 6, "dim": 6, "n_heads": 2, "vocab_size": 9, "n_layer": 1}
    args = ModelArgs(**sizes, max_seq_len=case.max_seq_len, block_size=case.block)
    pair = twins(subject, reference, case, "Transformer", args)
    source, target = case.block, min(case.max_seq_len, case.block)

    def ids(length: int) -> Tensor:
        return case.integers(0, 9, 2, length)

    model, limits = pair.student, f"with block_size={case.block} and max_seq_len={case.max_seq_len}"
    src, tgt = ids(source), ids(target)
    whole = of_shape(_both(model(src, tgt, tgt))[0], (2, target, 9), "the logits")
    src[0, -1] = (src[0, -1] + 1) % 9
    other = of_shape(_both(model(src, tgt, tgt))[0], (2, target, 9), "the logits")
    moved(whole, other, f"A change of the last one of {source} source tokens", "the logits")
    of_shape(_both(model(tgt))[0], (2, 1, 9), "the logits")
    refused(lambda: model(ids(source + 1), ids(2)), f"A source of {source + 1} tokens {limits}")
    refused(lambda: model(ids(2), ids(target + 1)), f"A target of {target + 1} tokens {limits}")
    refused(lambda: model(ids(target + 1)), f"A source of {target + 1} tokens, decoded itself, {limits},")


@cases(MODES)
def test_transformer_dropout(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Dropout is off in eval mode, drops nothing at rate 0, and acts in train mode."""
    pair = _model(subject, reference, case)
    src, tgt = _ids(case)
    targets = _targets(case)
    if case.dropout == 0:
        pair.student.train()
    _agree(pair, src, tgt, targets)
    if case.dropout:
        pair.student.train()
        first = _logits(pair.student, case, src, tgt, targets)
        pair.student.proxy.seed += 1
        second = _logits(pair.student, case, src, tgt, targets)
        pair.student.proxy.seed -= 1
        if torch.equal(first, second):
            fail("not_random", what="logits")


@cases(PAIRS.where(kind="longer source"))
def test_transformer_module(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model has the stated parts, moves as a whole to another device and dtype, and leaves its inputs alone."""
    pair = _model(subject, reference, case)
    pair.same_parameters()
    src, tgt = _ids(case)
    targets, mask = _targets(case), _padding(case)
    targets[0, 1] = -1
    leaves_inputs_alone(pair.student, src, tgt, targets, src_mask=mask, inputs=INPUTS)
    pair.follows_device(src, tgt, targets, src_mask=mask)
    pair.student.to(torch.float64)
    want = pair.teacher(src, tgt, targets, src_mask=mask)
    same(pair.student(src, tgt, targets, src_mask=mask), want, NAMES, torch.float64, scale=NOISE)


def _model(subject: Proxy, reference: Proxy, case: Case, weights: dict[str, Tensor] | None = None) -> Twins:
    return twins(subject, reference, case, "Transformer", _args(case), weights=weights)


def _args(case: Case) -> ModelArgs:
    sizes = {"n_embd": case.width, "dim": case.width, "n_heads": case.heads, "n_layer": case.layers}
    limits = {"max_seq_len": MAX_SEQ_LEN, "block_size": BLOCK}
    return ModelArgs(**sizes, **limits, vocab_size=case.V, dropout=case.dims.get("dropout", 0.0))


def _weights(case: Case, reference: Proxy, *silent: str) -> dict[str, Tensor]:
    """The case's weights, with zeros for those of the parts `silent`."""
    weights = case.weights({p.name: p.shape for p in reference.construct("Transformer", _args(case)).parameters()})
    return {name: torch.zeros_like(w) if silent and name.startswith(silent) else w for name, w in weights.items()}


def _ids(case: Case) -> tuple[Tensor, Tensor]:
    """Source and target; the first and the last word of the vocabulary occur in both."""
    src, tgt = case.integers(0, case.V, case.B, case.S), case.integers(0, case.V, case.B, case.T)
    for ids in (src, tgt):
        ids[0, 0], ids[-1, -1] = case.V - 1, 0
    return src, tgt


def _targets(case: Case) -> Tensor:
    """What should follow, which is no function of the tokens here; -1 where the case says so."""
    targets = case.integers(0, case.V, case.B, case.T)
    for place in case.dims.get("out", []):
        targets[place] = -1
    return targets


def _padding(case: Case) -> Tensor:
    """(B, 1, 1, S), True = may attend; every row shows its first token and hides its last."""
    lengths = case.integers(1, case.S, case.B)
    mask = (torch.arange(case.S) < lengths[:, None])[:, None, None]
    return mask.long() if case.dims.get("integer") else mask


def _changed(case: Case, ids: Tensor, where: tuple[int | Tensor, ...]) -> Tensor:
    """ids with other words at `where`."""
    other = ids.clone()
    other[where] = (ids[where] + 1 + case.integers(0, case.V - 1, *ids[where].shape)) % case.V
    return other


def _mode(pair: Twins) -> None:
    """At rate 0 a model in train mode answers as in eval mode."""
    if "train" in pair.case.dims:
        pair.student.train()


def _kind(value: Any) -> str:
    return "tensor" if isinstance(value, Tensor) else "None" if value is None else type(value).__name__


def _both(answer: Any) -> Any:
    """A pair, whatever is in it."""
    if not isinstance(answer, (tuple, list)):
        fail("wrong_type", what="the answer", got=_kind(answer), want="tuple of 2 values")
    if len(answer) != 2:
        fail("wrong_count", what="the answer", got=len(answer), want=2)
    return answer


def _agree(pair: Twins, *args: Any, **more: Any) -> None:
    """Both give the same logits; the loss has a check of its own."""
    want = pair.teacher(*args, **more)[0]
    close(_both(pair.student(*args, **more))[0], want, "the logits", dtype=torch.float32, scale=NOISE)


def _logits(model: Module, case: Case, src: Tensor, tgt: Tensor, targets: Tensor, **more: Any) -> Tensor:
    return of_shape(_both(model(src, tgt, targets, **more))[0], (case.B, case.T, case.V), "the logits")


def _spread(model: Module, case: Case) -> float:
    """One number of a new model, which grows with the deviation of the weights that the case is about."""
    model.eval()
    words = torch.arange(200)[:, None]  # (200, 1): as many rows of one token
    if case.kind == "lm_head":
        logits = of_shape(_both(model(words[:1], words[:1]))[0], (1, 1, case.V), "the logits").double()
        return logits.square().mean().sqrt().item()
    fixed = torch.zeros_like(words)
    src, tgt = (fixed, words) if case.kind == "embedding" else (words, fixed)
    model.to(torch.float64)  # the source moves the logits of a new model in the fifth digit
    logits = of_shape(_both(model(src, tgt))[0], (200, 1, case.V), "the logits").double()
    return logits.std(0, correction=0).square().mean().sqrt().item()
