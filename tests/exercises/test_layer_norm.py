"""Checks of layer_norm: each token gets mean 0 and variance 1 by itself, then a learnt scale and shift."""

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Proxy,
    Table,
    Twins,
    cases,
    close,
    leaves_inputs_alone,
    of_shape,
    own_work,
    twins,
    unmoved,
)


@cases(
    Table.of(
        {"shape": (3,), "kind": "one token"},
        {"shape": (2, 3)},
        {"shape": (4, 4), "kind": "as many tokens as features"},
        {"shape": (2, 3, 5)},
        {"shape": (3, 3, 3), "kind": "cube"},
        {"shape": (2, 3, 4, 6)},
        {"shape": (2, 1, 4), "kind": "one token each"},
        {"shape": (2, 1, 2, 3, 4)},
        {"shape": (2, 3, 5), "kind": "far from 0", "mean": 5.0, "scale": 3.0},
        {"shape": (3, 2, 5), "kind": "transposed"},
        {"shape": (9, 2, 70), "kind": "one feature far out"},
    )
)
def test_layer_norm_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is (x - mean) / sqrt(variance + eps) * weight + bias, for tokens in any number of axes."""
    width = case.shape[-1]
    weights = {"weight": case.normal(width), "bias": case.normal(width)}  # of either sign
    layer = twins(subject, reference, case, "LayerNorm", width, weights=weights)
    x = tokens(case) * case.dims.get("scale", 1.0) + case.dims.get("mean", 0.5)
    if case.dims.get("kind") == "transposed":
        x = x.transpose(0, 1).contiguous().transpose(0, 1)
    if case.dims.get("kind") == "one feature far out":
        x[..., -3] = 30.0
    layer.agree(x)


@cases(Table.of({"shape": (1, 2)}, {"shape": (2, 3)}, {"shape": (5, 2)}, {"shape": (1, 1)}))
def test_layer_norm_biased_variance(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The variance is divided by d, not by d - 1; few features show it most."""
    norm(subject, reference, case).agree(tokens(case) + 0.3, scale=noise(case))


@cases(
    Table.of(
        {"shape": (2, 4), "eps": 0.5},
        {"shape": (2, 3, 5), "eps": 0.05, "scale": 0.3},
        {"shape": (3, 4), "eps": 2.0, "scale": 3.0},
    )
)
def test_layer_norm_eps_inside_root(subject: Proxy, reference: Proxy, case: Case) -> None:
    """eps is added to the variance, inside the root, and it is the eps the layer was made with."""
    layer = twins(subject, reference, case, "LayerNorm", case.shape[-1], case.eps)
    layer.agree(tokens(case) * case.dims.get("scale", 1.0))


@cases(
    Table.of(
        {"shape": (1, 4), "spread": 0.0, "kind": "equal features"},
        {"shape": (3, 1), "spread": 0.0, "kind": "one feature"},
        {"shape": (2, 4), "spread": 1e-3},
        {"shape": (2, 3, 5), "spread": 3e-4},
    )
)
def test_layer_norm_default_eps(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Without an argument eps is 1e-6: nearly equal features show it, and equal ones come out as `bias`, not NaN."""
    x = tokens(case) * case.spread if case.spread else torch.full(case.shape, 0.5)
    norm(subject, reference, case).agree(x, scale=noise(case))


@cases(Table.of({"shape": (3, 4)}, {"shape": (2, 3, 5)}, {"shape": (4, 4, 4), "kind": "cube"}))
def test_layer_norm_last_axis_only(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A token's output does not depend on the other tokens or sequences, in eval and in train mode."""
    layer = norm(subject, reference, case)
    first = (0,) * (len(case.shape) - 1)
    x, other = tokens(case), 3.0 * tokens(case) + 2.0
    other[first] = x[first]
    before, after = (of_shape(layer.student(version), case.shape)[first] for version in (x, other))
    unmoved(before, after, "A change of all other tokens", "the first token's output")
    layer.student.train()
    after = of_shape(layer.student(other), case.shape)[first]
    unmoved(before, after, "Train mode, with other tokens,", "the first token's output")


@cases(Table.of({"shape": (2, 3)}, {"shape": (2, 3, 5)}))
def test_layer_norm_starts_plain(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A new layer scales by 1 and shifts by 0."""
    fresh = subject.construct("LayerNorm", case.shape[-1])
    x = case.normal(*case.shape)
    close(fresh(x), reference.construct("LayerNorm", case.shape[-1])(x))


@cases(
    Table.of(
        {"shape": (2, 3)},
        {"shape": (2, 3, 5)},
        {"shape": (2, 4), "eps": 0.5},
        {"shape": (3, 4), "kind": "train mode"},
        {"shape": (3,), "kind": "one token"},
        {"shape": (2, 2, 3, 4)},
    )
)
def test_layer_norm_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow to x, also through its mean and variance, and to weight and bias."""
    eps = case.dims.get("eps", 1e-6)
    layer = twins(subject, reference, case, "LayerNorm", case.shape[-1], eps)
    if case.dims.get("kind") == "train mode":
        layer.student.train()
    layer.agree_gradients(tokens(case), inputs=("x",))


@cases(Table.of({"shape": (2, 5)}))
def test_layer_norm_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The only trainable numbers are weight and bias, one of each per feature; every layer has and reads its own."""
    layer = norm(subject, reference, case)
    layer.same_parameters()
    layer.own_weights(norm(subject, reference, case), tokens(case))


@cases(Table.of({"shape": (2, 3)}, {"shape": (2, 3, 5)}))
def test_layer_norm_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output has the dtype and device of x, x stays as it is, and earlier calls leave no trace."""
    layer = norm(subject, reference, case)
    x = case.normal(*case.shape)
    leaves_inputs_alone(layer.student, x, inputs=("x",))
    before = of_shape(layer.student(x), case.shape)
    layer.agree(3.0 * tokens(case) + 2.0)
    unmoved(before, of_shape(layer.student(x), case.shape), "A call with other tokens in between", "the output")
    layer.repeatable(x)
    layer.follows_device(x)
    layer.follows_dtype(x)


def test_layer_norm_own_work(subject: Proxy) -> None:
    """You wrote the normalisation yourself, without PyTorch's."""
    own_work(subject, "LayerNorm", torch.ones(2, 3), construct=[3])


def noise(case: Case) -> float:
    """Equal features are divided by the root of eps alone, so a rounding error comes out a thousand times larger."""
    return 10.0 if case.shape[-1] == 1 or case.dims.get("spread") == 0 else 1.0


def norm(subject: Proxy, reference: Proxy, case: Case) -> Twins:
    return twins(subject, reference, case, "LayerNorm", case.shape[-1])


def tokens(case: Case) -> Tensor:
    """Features in random order, of variance near 1: nearly equal ones would drown right answers in rounding noise."""
    width = case.shape[-1]
    steps = torch.linspace(-1.5, 1.5, width)[case.shuffled(width)]
    return steps + case.normal(*case.shape, scale=0.2)
