"""Checks of backprop: three Jacobians, and the forward and backward pass of a small classifier.

No two lengths of a case are equal, but for a square one, in which a transposed matrix still fits.
"""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Given,
    Object,
    Proxy,
    Table,
    agree,
    cases,
    close,
    fail,
    leaves_inputs_alone,
    of_shape,
    same,
    unmoved,
)

MATRICES = Table.of(
    {"m": 1, "n": 1},
    {"m": 2, "n": 3},
    {"m": 4, "n": 2},
    {"m": 1, "n": 3},
    {"m": 3, "n": 1},
    {"m": 3, "n": 3, "kind": "square"},
)
# f'(z) = a + b z + c z²: none is odd or even in z, and only one is 0 at 0
DERIVATIVES = Table.of(
    {"n": 1, "f_prime": (0.5, 1.0, 0.3)},
    {"n": 2, "f_prime": (-0.7, 2.0, 0.6)},
    {"n": 4, "f_prime": (1.5, -1.0, 0.4)},
    {"n": 3, "f_prime": (0.0, 2.0, 0.0), "kind": "the derivative of a square"},
    {"n": 3, "f_prime": (2.5, 0.0, 0.0), "kind": "a straight line"},
)
CLASSIFIERS = Table.of(
    {"m": 1, "n": 1},
    {"m": 2, "n": 3},
    {"m": 5, "n": 2},
    {"m": 1, "n": 4},
    {"m": 3, "n": 1},
    {"m": 3, "n": 3, "kind": "square"},
    {"m": 4, "n": 3, "kind": "sure of itself", "scale": 2.0},
)
LARGE = Table.of(
    {"m": 3, "n": 2, "kind": "z far above 0", "shift": (150.0, 200.0, 300.0)},
    {"m": 3, "n": 2, "kind": "z far below 0", "shift": (-150.0, -200.0, -300.0)},
    {"m": 4, "n": 3, "kind": "z of either sign", "shift": (0.0, 150.0, -150.0, 0.3)},
)
DTYPES = Table.of({"m": 2, "n": 3, "dtype": torch.float32}, {"m": 4, "n": 3, "dtype": torch.float64})
GRADIENTS = ("dx", "dW", "db", "du")
STEP = 1e-4  # of a central difference, in float64


@cases(MATRICES)
def test_jacobian_linear_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Entry (i, j) is the derivative of output i of Wx by x_j."""
    agree(subject, reference, "jacobian_linear", *matrix(case), names=("the Jacobian",))


@cases(DTYPES)
def test_jacobian_linear_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The Jacobian has the dtype and device of W, and W and x stay as they are."""
    W, x = matrix(case)
    agree(subject, reference, "jacobian_linear", W, x, names=("the Jacobian",))
    leaves_inputs_alone(subject, "jacobian_linear", W, x, inputs=("W", "x"))
    follows_device(subject, "jacobian_linear", W, x)


@cases(DERIVATIVES)
def test_jacobian_elementwise_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """f'(z_i) stands at (i, i), for any f', and 0 everywhere else."""
    f_prime = Given("polynomial", case.f_prime)
    agree(subject, reference, "jacobian_elementwise", f_prime, case.normal(case.n), names=("the Jacobian",))


@cases(Table.of({"n": 3, "dtype": torch.float32}, {"n": 2, "dtype": torch.float64}))
def test_jacobian_elementwise_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The Jacobian has the dtype and device of z, and z stays as it is."""
    f_prime, z = Given("polynomial", (0.5, 1.0, 0.3)), case.normal(case.n)
    want = reference.call("jacobian_elementwise", f_prime, z.double())
    close(subject.call("jacobian_elementwise", f_prime, z), want, "the Jacobian", dtype=z.dtype)
    leaves_inputs_alone(subject, "jacobian_elementwise", f_prime, z, inputs=("f_prime", "z"))
    follows_device(subject, "jacobian_elementwise", f_prime, z)


@cases(Table.of({"n": 1}, {"n": 2}, {"n": 5}))
def test_gradient_dot_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Entry i is the derivative of u^T h by u_i, and the gradient has the shape of u."""
    agree(subject, reference, "gradient_dot", case.normal(case.n), case.normal(case.n), names=("the gradient",))


@cases(Table.of({"n": 3, "dtype": torch.float32}, {"n": 2, "dtype": torch.float64}))
def test_gradient_dot_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradient has the dtype and device of u, and u and h stay as they are."""
    u, h = case.normal(case.n), case.normal(case.n)
    agree(subject, reference, "gradient_dot", u, h, names=("the gradient",))
    leaves_inputs_alone(subject, "gradient_dot", u, h, inputs=("u", "h"))
    follows_device(subject, "gradient_dot", u, h)


@cases(CLASSIFIERS)
def test_classifier_forward_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The score is u^T sigmoid(Wx + b): one number, of shape (), not yet a probability."""
    score_is_right(subject, reference, *variables(case))


@cases(LARGE)
def test_classifier_forward_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Entries of z of several hundred, of either sign, give a score like any others."""
    score_is_right(subject, reference, *variables(case))


@cases(DTYPES)
def test_classifier_forward_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The score has the dtype and device of x, and x, W, b and u stay as they are."""
    x, W, b, u = variables(case)
    score_is_right(subject, reference, x, W, b, u)
    leaves_inputs_alone(subject, "classifier_forward", x, W, b, u=u, inputs=("x", "W", "b"))
    follows_device(subject, "classifier_forward", x, W, b, u=u)


@cases(CLASSIFIERS)
def test_classifier_backward_du(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The fourth value is the gradient of J = sigmoid(s) by u."""
    gradient_is_right(subject, reference, case, 3)


@cases(CLASSIFIERS)
def test_classifier_backward_db(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The third value is the gradient of J by b: all that lies between z and J."""
    gradient_is_right(subject, reference, case, 2)


@cases(CLASSIFIERS)
def test_classifier_backward_dW(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The second value is the gradient of J by W, in the shape of W."""
    gradient_is_right(subject, reference, case, 1)


@cases(CLASSIFIERS)
def test_classifier_backward_dx(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The first value is the gradient of J by x, back through W."""
    gradient_is_right(subject, reference, case, 0)


@cases(LARGE)
def test_classifier_backward_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Where z is several hundred, of either sign, the sigmoid is flat: its slope is 0, not NaN."""
    for part in range(4):
        gradient_is_right(subject, reference, case.again(), part)


@cases(Table.of({"m": 2, "n": 3}, {"m": 3, "n": 4}))
def test_classifier_backward_calls_apart(subject: Proxy, case: Case) -> None:
    """A cache belongs to its own forward call, whatever was called in between, and can be used again."""
    first, other = variables(case), variables(case)
    alone = four(subject.call("classifier_backward", forward(subject, *first)[1]), *first)
    mine = forward(subject, *first)[1]
    subject.call("classifier_backward", forward(subject, *other)[1])
    for change in ("Another forward and backward in between", "A second backward from the same cache"):
        again = four(subject.call("classifier_backward", mine), *first)
        for name, before, after in zip(GRADIENTS, alone, again, strict=True):
            unmoved(before, after, change, name)


@cases(DTYPES)
def test_classifier_backward_follows_input(subject: Proxy, case: Case) -> None:
    """Each gradient has the shape and the dtype of its variable."""
    given = variables(case)
    found = four(subject.call("classifier_backward", forward(subject, *given)[1]), *given)
    for name, gradient in zip(GRADIENTS, found, strict=True):
        if gradient.dtype != case.dtype:
            fail("wrong_dtype", what=name, got=str(gradient.dtype)[6:], want=str(case.dtype)[6:])


def matrix(case: Case) -> tuple[Tensor, Tensor]:
    return case.normal(case.m, case.n), case.normal(case.n)


def variables(case: Case) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x, W, b, u."""
    scale = case.dims.get("scale", 1.0)
    x, W = case.normal(case.n, scale=scale), case.normal(case.m, case.n)
    b, u = case.normal(case.m), case.normal(case.m, scale=scale)
    return x, W, b + torch.tensor(case.dims.get("shift", (0.0,)), dtype=b.dtype), u


def forward(side: Proxy, x: Tensor, W: Tensor, b: Tensor, u: Tensor) -> tuple[Any, Object]:
    """The score, and the cache, which stays where it is."""
    answer, cache = side.call_keeping(1, "classifier_forward", x, W, b, u=u)
    if not isinstance(answer, tuple) or len(answer) != 2:
        fail("wrong_count", what="the answer of classifier_forward", got=_count(answer), want=2)
    return answer[0], cache


def _count(answer: Any) -> str:
    return str(len(answer)) if isinstance(answer, (tuple, list)) else "one"


def score_is_right(subject: Proxy, reference: Proxy, *given: Tensor) -> None:
    want, _ = forward(reference, *(v.double() for v in given))
    close(forward(subject, *given)[0], want, "the score s", dtype=given[0].dtype)


def four(answer: Any, *given: Tensor) -> tuple[Tensor, ...]:
    """The gradients, each in the shape of its variable."""
    if not isinstance(answer, (tuple, list)):
        fail("wrong_type", what="the answer", got=type(answer).__name__, want="tuple of 4 gradients")
    if len(answer) != len(given):
        fail("wrong_count", what="the answer", got=len(answer), want=4)
    return tuple(of_shape(g, tuple(v.shape), n) for g, v, n in zip(answer, given, GRADIENTS, strict=True))


def gradient_is_right(subject: Proxy, reference: Proxy, case: Case, part: int) -> None:
    """As the reference has it, or as the student's own forward has it: a mistake there costs its points there."""
    given = variables(case)
    answer = subject.call("classifier_backward", forward(subject, *given)[1])
    if not isinstance(answer, (tuple, list)) or len(answer) != len(given):
        four(answer, *given)
    wide = [v.double() for v in given]
    want = reference.call("classifier_backward", forward(reference, *wide)[1])[part]
    got = of_shape(answer[part], tuple(want.shape), GRADIENTS[part])
    if not near(got, want) and near(got, slopes(subject, wide, part)):
        return
    same(got, want, (GRADIENTS[part],))


def near(got: Tensor, want: Tensor | None) -> bool:
    return want is not None and bool(torch.allclose(got.double(), want, rtol=1e-4, atol=1e-5))


def slopes(subject: Proxy, given: list[Tensor], part: int) -> Tensor | None:
    """The gradient of sigmoid(s) by one variable, from central differences of the student's own scores."""
    found = []
    for at in range(given[part].numel()):
        ends = []
        for step in (STEP, -STEP):
            moved = [v.clone() for v in given]
            moved[part].view(-1)[at] += step
            score = forward(subject, *moved)[0]
            if not isinstance(score, Tensor) or score.numel() != 1:
                return None
            ends.append(score.double().sigmoid().reshape(()))
        found.append((ends[0] - ends[1]) / (2 * STEP))
    return torch.stack(found).reshape(given[part].shape)


def follows_device(subject: Proxy, task: str, *args: Any, **kwargs: Any) -> None:
    if subject.device_problem(task, *args, **kwargs):
        fail("wrong_device", task=task)
