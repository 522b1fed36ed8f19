"""Questions that tell the known bugs of positional encoding apart."""

from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Module, Proxy, Table, probe

TABLES = Table.of(
    {"length": 1, "width": 2},
    {"length": 3, "width": 4},
    {"length": 4, "width": 8},
    {"length": 3, "width": 1},
    {"length": 3, "width": 5},
    {"length": 140, "width": 2},
)


@probe("sinusoidal_table", TABLES)
def sinusoidal_table(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The table, of odd widths too; the longest is longer than int8 can count. float32 or float64 is open."""
    table = side.call("sinusoidal_table", case.length, case.width)
    return [table.double(), table.dtype in (torch.float32, torch.float64)] if isinstance(table, Tensor) else table


SIZES = Table.of(
    {"B": 1, "T": 1, "C": 2, "block": 3},
    {"B": 2, "T": 3, "C": 4, "block": 7},
    {"B": 3, "T": 5, "C": 6, "block": 5, "kind": "full length"},
    {"B": 2, "T": 4, "C": 4, "block": 6, "kind": "as many tokens as features"},
    {"B": 3, "T": 3, "C": 6, "block": 7, "kind": "as many tokens as sequences"},
    {"B": 1, "T": 6, "C": 2, "block": 9, "kind": "longer than max_seq_len"},
    {"B": 4, "T": 2, "C": 4, "block": 3, "kind": "more sequences than positions"},
    {"B": 1, "T": 3, "C": 4, "block": 2, "kind": "one too many, not more than max_seq_len"},
    {"B": 1, "T": 6, "C": 4, "block": 5, "kind": "one too many"},
    {"B": 1, "T": 7, "C": 4, "block": 5, "kind": "two too many"},
    {"B": 1, "T": 9, "C": 4, "block": 5, "kind": "much too long"},
)


@probe("PositionalEncoding", SIZES)
def encoding(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The sum, for inputs of every length, or that the input is refused: with which of two exceptions is open."""
    module = layer(side, case)
    try:
        return module(case.normal(case.B, case.T, case.C))
    except Exception as error:  # ours are raised as they are, a student's as a failed check that names the type
        name = getattr(error, "values", {}).get("etype", type(error).__name__)
        return "refused" if name in ("ValueError", "AssertionError") else str(name)


@probe("PositionalEncoding", Table.of({"B": 2, "T": 3, "C": 4, "block": 7}))
def calls_and_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """A second call, the gradient of x, what became of x, and what can be trained."""
    module, x = layer(side, case), case.normal(case.B, case.T, case.C)
    short, again = module(x[:, :2].clone()), module(x.clone())
    kept = layer(side, case).inputs_after(x.clone())[0]
    trainable = sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad)
    shorter = module(x[:, :1].clone())
    reached = layer(side, case).gradients(x, cotangents=[case.normal(*x.shape)]).inputs[0]
    inputs, outputs = {"kept": kept, "reached": reached}, {"short": short, "again": again, "shorter": shorter}
    return inputs | outputs | {"trainable": trainable}


@probe("PositionalEncoding", Table.of({"B": 2, "T": 3, "C": 4, "block": 7}))
def train_mode(side: Proxy, reference: Proxy, case: Case) -> Any:
    """At rate 0: what becomes of x, and whether a gradient reaches it."""
    module, x = layer(side, case), case.normal(case.B, case.T, case.C)
    module.train()
    found = module.gradients(x, cotangents=[case.normal(*x.shape)]).inputs[0]
    return {"kept": torch.equal(module.inputs_after(x.clone())[0], x), "reached": found is not None}


@probe("PositionalEncoding", Table.of({"B": 2, "T": 3, "C": 4, "block": 7}))
def modes_and_dtypes(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Train mode, eval mode with a dropout that leaves nothing, float64, float16, also at once: what stays is float32."""
    module, x = layer(side, case), case.normal(case.B, case.T, case.C)
    module.train()
    trained = module(x.clone())
    zero = trained == 0 if isinstance(trained, Tensor) else torch.zeros(1)
    answers = ["all at 0" if bool(zero.all()) else "some at 0" if bool(zero.any()) else trained]
    module.eval()
    answers.append(layer(side, case, dropout=1.0)(x.clone()))
    for dtype in (torch.float64, torch.float16):
        module.to(dtype)
        answers.append(module(x.to(dtype)))
    unused = layer(side, case)
    unused.to(torch.float16)
    return [*answers, unused(x.half())]


@probe("PositionalEncoding", Table.of({"B": 2, "T": 8, "C": 40, "block": 9}))
def dropout_in_train_mode(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether there is one is open. If there is: what it takes away, and what it does to the rest."""
    module, x = layer(side, case, dropout=0.25), case.normal(case.B, case.T, case.C)
    plain = module(x.clone())
    module.train()
    trained = module(x.clone())
    if not (isinstance(trained, Tensor) and isinstance(plain, Tensor) and trained.shape == plain.shape):
        return "another shape"
    lost = trained == 0
    if not bool(lost.any()):
        return "none" if torch.equal(plain, trained) else "another output"
    factor = float((trained / plain)[~lost].double().median()) if not bool(lost.all()) else 0.0
    scaled = "not" if abs(factor - 1) < 1e-3 else "as the rate says" if abs(factor - 4 / 3) < 1e-3 else "otherwise"
    whole = bool(lost.all(-1).any())
    return "none" if scaled == "as the rate says" and not whole else {"scaled": scaled, "whole tokens": whole}


def layer(side: Proxy, case: Case, dropout: float = 0.0) -> Module:
    """A new one in eval mode. The sizes that it should not read are other ones than the number of positions."""
    sizes = {"n_embd": case.C, "dim": case.C, "n_heads": 1, "max_seq_len": 4, "vocab_size": 7}
    args = ModelArgs(**sizes, block_size=case.block, dropout=dropout)
    module = side.construct("PositionalEncoding", args)
    module.eval()
    return module
