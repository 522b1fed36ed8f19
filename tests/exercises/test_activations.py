"""Checks of relu, gelu, gelu_tanh and SwiGLU: the bends between two matrices."""

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Proxy,
    Table,
    Twins,
    agree,
    agree_gradients,
    cases,
    fail,
    leaves_inputs_alone,
    of_shape,
    own_work,
    twins,
    unmoved,
)

SHAPES = Table.of(
    {"shape": (), "kind": "all below 0"},
    {"shape": (), "kind": "all above 0"},
    {"shape": (5,)},
    {"shape": (2, 7)},
    {"shape": (1, 1, 1)},
    {"shape": (2, 3, 5), "scale": 3.0},
    {"shape": (4, 3), "kind": "transposed", "scale": 2.0},
    {"shape": (2, 3, 2, 4), "scale": 0.1},
    {"shape": (3, 4), "kind": "all below 0"},
    {"shape": (3, 4), "kind": "all above 0"},
    {"shape": (2, 5), "dtype": torch.float64, "kind": "float64"},
)
BENDS = Table.of(
    {"low": -1.0, "high": 1.0, "n": 5},
    {"low": -3.5, "high": -1.0, "n": 26},
    {"low": 1.0, "high": 3.5, "n": 26},
    {"low": -6.0, "high": 6.0, "n": 49, "dtype": torch.float64},
)
LARGE = Table.of(
    {"sizes": (10.0, 30.0)},
    {"sizes": (100.0, 300.0, 900.0)},
    {"sizes": (30.0, 800.0), "dtype": torch.float64},
)
LEFT = Table.of({"shape": (2, 3)}, {"shape": (2, 3, 5)}, {"shape": (2, 5), "dtype": torch.float64})


@cases(SHAPES + LARGE)
def test_relu_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Numbers above 0 stay as they are, small and large ones, and all others become 0."""
    x = _large(case) if "sizes" in case.dims else _numbers(case)
    if x.dim() == 2:
        x[0, 0] = 0.0
    agree(subject, reference, "relu", x)


@cases(SHAPES)
def test_relu_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradient passes through above 0, and stops below."""
    x = _numbers(case)
    agree_gradients(subject, reference, case, "relu", x + 0.05 * x.sign(), inputs=("x",))  # the bend is left open


@cases(LEFT)
def test_relu_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer has the dtype and device of x, x stays as it is, and so does the answer of a second call."""
    _follows(subject, reference, case, "relu")


@cases(SHAPES)
def test_gelu_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every number is multiplied by the probability that a standard normal number is below it."""
    agree(subject, reference, "gelu", _numbers(case))


@cases(BENDS)
def test_gelu_exact(subject: Proxy, reference: Proxy, case: Case) -> None:
    """It is the exact function: the approximations differ from it by up to 0.0005, and by more, around 2."""
    agree(subject, reference, "gelu", _even(case))


@cases(LARGE)
def test_gelu_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Numbers of several hundred come out as they are, or as 0, never as inf or NaN."""
    agree(subject, reference, "gelu", _large(case))


@cases(SHAPES + BENDS)
def test_gelu_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow to x through both factors."""
    x = _even(case) if "low" in case.dims else _numbers(case)
    agree_gradients(subject, reference, case, "gelu", x, inputs=("x",))


@cases(LEFT)
def test_gelu_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer has the dtype and device of x, x stays as it is, and so does the answer of a second call."""
    _follows(subject, reference, case, "gelu")


def test_gelu_own_work(subject: Proxy) -> None:
    """You wrote the function yourself, without PyTorch's."""
    own_work(subject, "gelu", torch.linspace(-2.0, 2.0, 6).view(2, 3))


@cases(SHAPES)
def test_gelu_tanh_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))."""
    agree(subject, reference, "gelu_tanh", _numbers(case))


@cases(BENDS)
def test_gelu_tanh_approximation(subject: Proxy, reference: Proxy, case: Case) -> None:
    """It is the function with tanh, with the constants of the docstring, and not the exact one."""
    agree(subject, reference, "gelu_tanh", _even(case))


@cases(LARGE)
def test_gelu_tanh_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Numbers of several hundred come out as they are, or as 0, never as inf or NaN."""
    agree(subject, reference, "gelu_tanh", _large(case))


@cases(SHAPES + BENDS)
def test_gelu_tanh_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow to x from all the places where it stands in the formula."""
    x = _even(case) if "low" in case.dims else _numbers(case)
    agree_gradients(subject, reference, case, "gelu_tanh", x, inputs=("x",))


@cases(LEFT)
def test_gelu_tanh_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer has the dtype and device of x, x stays as it is, and so does the answer of a second call."""
    _follows(subject, reference, case, "gelu_tanh")


def test_gelu_tanh_own_work(subject: Proxy) -> None:
    """You wrote the function yourself, without PyTorch's."""
    own_work(subject, "gelu_tanh", torch.linspace(-2.0, 2.0, 6).view(2, 3))


@cases(
    Table.of(
        {"shape": (3,), "hidden": 4, "kind": "one token"},
        {"shape": (2, 4), "hidden": 3, "kind": "narrower inside"},
        {"shape": (2, 1), "hidden": 1, "kind": "width 1"},
        {"shape": (4, 4), "hidden": 4, "kind": "all equal"},
        {"shape": (2, 3, 5), "hidden": 7},
        {"shape": (2, 3, 4, 5), "hidden": 6},
        {"shape": (2, 3, 5), "hidden": 8, "scale": 4.0, "kind": "large numbers"},
        {"shape": (2, 3, 4), "hidden": 5, "scale": 0.1, "kind": "small numbers"},
    )
)
def test_swiglu_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is w2(silu(w1 x) * w3 x), for tokens in any number of axes."""
    layer, x = _swiglu(subject, reference, case)
    layer.agree(x, scale=10.0 if "scale" in case.dims else 1.0)  # the products are hundreds, and their sums cancel


@cases(
    Table.of({"shape": (2, 3), "hidden": 4}, {"shape": (2, 3, 5), "hidden": 4}, {"shape": (3, 3), "hidden": 3}),
)
def test_swiglu_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow to x and to all three weights."""
    layer, x = _swiglu(subject, reference, case)
    layer.agree_gradients(x, inputs=("x",))
    layer.student.train()
    layer.agree_gradients(x, inputs=("x",))


@cases(Table.of({"shape": (2, 3), "hidden": 5}, {"shape": (2, 6), "hidden": 4}))
def test_swiglu_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The only trainable numbers are three matrices, two of them (hidden_dim, dim) and one the other way round."""
    _swiglu(subject, reference, case)[0].same_parameters()


@cases(Table.of({"shape": (2, 3), "hidden": 4}, {"shape": (2, 3, 5), "hidden": 4}))
def test_swiglu_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output has the dtype and device of x, x stays as it is, and neither the mode nor earlier calls matter."""
    layer, x = _swiglu(subject, reference, case)
    leaves_inputs_alone(layer.student, x, inputs=("x",))
    layer.repeatable(x)
    layer.student.train()
    for _ in range(3):  # a rate of 0.1 on so few numbers may drop none of them once
        layer.student.proxy.seed += 1
        layer.agree(x)
    layer.student.eval()
    layer.follows_device(x)
    layer.follows_dtype(x)


def _numbers(case: Case) -> Tensor:
    """Numbers on both sides of 0, unless the case wants one side."""
    x, kind = case.normal(*case.shape, scale=case.dims.get("scale", 1.0)), case.dims.get("kind")
    if kind == "transposed":
        return x.T.contiguous().T
    return -x.abs() if kind == "all below 0" else x.abs() if kind == "all above 0" else x


def _even(case: Case) -> Tensor:
    """Numbers from low to high in equal steps, a little off, so that no formula is right by chance."""
    x = torch.linspace(case.low, case.high, case.n, dtype=torch.float64) + case.normal(1, scale=0.01).double()
    return x.to(case.dims.get("dtype", torch.float32))


def _large(case: Case) -> Tensor:
    sizes = torch.tensor(case.sizes, dtype=torch.float64)
    return torch.stack([sizes, -sizes, sizes / 7]).to(case.dims.get("dtype", torch.float32))


def _follows(subject: Proxy, reference: Proxy, case: Case, task: str) -> None:
    x = case.normal(*case.shape)
    leaves_inputs_alone(subject, task, x, inputs=("x",))
    agree(subject, reference, task, x)
    before = of_shape(subject.call(task, x), case.shape)
    subject.call(task, 3.0 * case.normal(*case.shape))
    unmoved(before, of_shape(subject.call(task, x), case.shape), "A call with other numbers in between", "the output")
    if subject.device_problem(task, x):
        fail("wrong_device", task=task)


def _swiglu(subject: Proxy, reference: Proxy, case: Case) -> tuple[Twins, Tensor]:
    """Both layers with equal weights, and tokens."""
    width = case.shape[-1]
    layer = twins(subject, reference, case, "SwiGLU", width, case.hidden)
    return layer, case.normal(*case.shape, scale=case.dims.get("scale", 1.0))
