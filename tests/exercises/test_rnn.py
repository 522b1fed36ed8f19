"""Checks of rnn: one step of a recurrent language model, the loss of a sequence, and gradient clipping.

No two of d, n and V are equal, but in the square cases, in which a transposed matrix still fits.
"""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Given,
    Proxy,
    Table,
    agree,
    agree_gradients,
    cases,
    close,
    fail,
    holds,
    leaves_inputs_alone,
    own_work,
)

STEPS = Table.of(
    {"d": 1, "n": 1, "V": 2},
    {"d": 2, "n": 3, "V": 4},
    {"d": 5, "n": 2, "V": 3},
    {"d": 1, "n": 4, "V": 2},
    {"d": 3, "n": 4, "V": 1, "kind": "one word"},
    {"d": 3, "n": 3, "V": 3, "kind": "square"},
)
LARGE = Table.of(
    {"d": 2, "n": 3, "V": 4, "kind": "all scores far above 0", "scores": 300.0},
    {"d": 2, "n": 3, "V": 4, "kind": "all scores far below 0", "scores": -300.0},
    {"d": 3, "n": 2, "V": 5, "kind": "states at their ends", "states": 150.0},
)
FAR_APART = Table.of({"d": 2, "n": 3, "V": 5, "kind": "scores far apart", "spread": 200.0})
DTYPES = Table.of(
    {"d": 2, "n": 3, "V": 4, "T": 4, "dtype": torch.float32},
    {"d": 4, "n": 2, "V": 3, "T": 3, "dtype": torch.float64},
)
TEXTS = Table.of(
    {"T": 2, "d": 2, "n": 3, "V": 4},
    {"T": 3, "d": 3, "n": 2, "V": 5},
    {"T": 6, "d": 2, "n": 4, "V": 3, "kind": "words come again"},
    {"T": 12, "d": 3, "n": 5, "V": 7, "kind": "longer"},
    {"T": 4, "d": 3, "n": 3, "V": 3, "kind": "square"},
    {"T": 5, "d": 2, "n": 3, "V": 4, "kind": "one word only", "word": 3},
)
WORDS = ("h'", "probabilities")
# The norm of all gradients together, and how it is dealt to parameters of these shapes: equally, or mostly to one.
ABOVE = Table.of(
    {"shapes": ((1,),), "norm": 3.137, "max_norm": 1.0},
    {"shapes": ((3,), (2, 4)), "norm": 5.219, "max_norm": 2.0},
    {"shapes": ((2, 3), (4,)), "norm": 0.5, "max_norm": 0.2, "kind": "all below 1"},
    {"shapes": ((2,), (3,), (1,), (2, 2), (4,)), "norm": 2.0, "max_norm": 1.5, "kind": "each alone is short enough"},
    {"shapes": ((2, 3), (), (1, 5)), "norm": 40.0, "max_norm": 7, "kind": "an integer, a number without axes"},
    {"shapes": ((4,), (3,)), "norm": 3.0, "max_norm": 1.5, "kind": "one is long", "most": True},
    {"shapes": ((2, 2, 3), (5,)), "norm": 1.02, "max_norm": 1.0, "kind": "a little too long"},
    {"shapes": ((3,), (2, 4)), "norm": 1013.7, "max_norm": 0.25, "kind": "exploded"},
    {"shapes": ((3,), (2, 2)), "norm": 4.0, "max_norm": 0.5, "dtype": torch.float64},
)
BELOW = Table.of(
    {"shapes": ((2,),), "norm": 0.5, "max_norm": 2.0},
    {"shapes": ((2, 3), (4,)), "norm": 1.8, "max_norm": 2.0, "kind": "its square is above"},
    {"shapes": ((3,), (2, 4), (2,)), "norm": 3.0, "max_norm": 3.3, "kind": "the sum of the norms is above"},
    {"shapes": ((2, 3), (4,)), "norm": 0.3, "max_norm": 0.4, "kind": "all below 1"},
    {"shapes": ((2, 3), (4,)), "norm": 0.0, "max_norm": 1.0, "kind": "all zero"},
)
MISSING = Table.of(
    {"shapes": ((2,), (3,)), "norm": 3.0, "max_norm": 1.0, "missing": (0,), "kind": "the first has none"},
    {"shapes": ((2,), (3,), (2, 2)), "norm": 3.0, "max_norm": 1.0, "missing": (1,), "kind": "one in between has none"},
    {"shapes": ((2,), (3,)), "norm": 0.6, "max_norm": 1.0, "missing": (1,), "kind": "the last has none"},
    {"shapes": ((2,), (3,)), "norm": 0.0, "max_norm": 1.0, "missing": (0, 1), "kind": "none has one"},
    {"shapes": (), "norm": 0.0, "max_norm": 1.0, "missing": (), "kind": "no parameters"},
)


@cases(STEPS)
def test_rnn_step_state(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The new state is sigmoid(W_h h + W_e e + b1)."""
    first, then = step_inputs(case)
    want = reference.call("rnn_step", *wide(first), **wide(then))
    close(pair(subject.call("rnn_step", *first, **then))[0], want[0], WORDS[0])


@cases(STEPS)
def test_rnn_step_probabilities(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The probabilities of the next token are softmax(U h' + b2), with the new state."""
    first, then = step_inputs(case)
    want = reference.call("rnn_step", *wide(first), **wide(then))
    close(pair(subject.call("rnn_step", *first, **then))[1], want[1], WORDS[1])


@cases(LARGE + FAR_APART)
def test_rnn_step_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred do not overflow, whichever sign they have."""
    first, then = step_inputs(case)
    agree(subject, reference, "rnn_step", *first, names=WORDS, **then)


@cases(STEPS)
def test_rnn_step_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow from state and probabilities to the embedding, the old state and every parameter."""
    first, then = step_inputs(case)
    agree_gradients(subject, reference, case, "rnn_step", *first, inputs=("e", "h", "W_h"), **then)


@cases(DTYPES)
def test_rnn_step_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """State and probabilities have the dtype and device of the inputs, which stay as they are."""
    first, then = step_inputs(case)
    agree(subject, reference, "rnn_step", *first, names=WORDS, **then)
    leaves_inputs_alone(subject, "rnn_step", *first, inputs=("e", "h", "W_h"), **then)
    follows_device(subject, "rnn_step", *first, **then)


@cases(TEXTS)
def test_rnn_lm_loss_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss is the mean, over T - 1 places, of minus the logarithm of the probability of the next token."""
    first, then = text_inputs(case)
    agree(subject, reference, "rnn_lm_loss", *first, names=("the loss",), **then)


@cases(
    Table.of(
        {"T": 4, "d": 2, "n": 3, "V": 4, "kind": "all scores far above 0", "scores": 300.0},
        {"T": 3, "d": 2, "n": 3, "V": 4, "kind": "all scores far below 0", "scores": -300.0},
        {"T": 5, "d": 2, "n": 3, "V": 4, "kind": "unlikely tokens", "never": 18.0},
    )
)
def test_rnn_lm_loss_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred do not overflow, and an unlikely token costs all that it should."""
    first, then = text_inputs(case)
    agree(subject, reference, "rnn_lm_loss", *first, names=("the loss",), **then)


@cases(TEXTS)
def test_rnn_lm_loss_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow through all steps, back to h0, and to the embeddings and every parameter."""
    first, then = text_inputs(case)
    agree_gradients(subject, reference, case, "rnn_lm_loss", *first, inputs=("ids", "E", "h0"), **then)


@cases(DTYPES)
def test_rnn_lm_loss_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss has the dtype and device of the inputs, which stay as they are, and a second call gives the same."""
    first, then = text_inputs(case)
    for _ in range(2):
        agree(subject, reference, "rnn_lm_loss", *first, names=("the loss",), **then)
    leaves_inputs_alone(subject, "rnn_lm_loss", *first, inputs=("ids", "E", "h0"), **then)
    follows_device(subject, "rnn_lm_loss", *first, **then)


@cases(ABOVE)
def test_clip_grad_norm_clips(subject: Proxy, case: Case) -> None:
    """All gradients are multiplied by max_norm / norm, so that as one vector they have the norm max_norm."""
    values, grads = parameters(case)
    after = told(subject, values, grads, case.max_norm)
    for number, ((_, got), grad) in enumerate(zip(after, grads, strict=True)):
        # A fifth of the usual limit: what PyTorch adds to the norm passes, a number that shows does not.
        close(got, grad.double() * case.max_norm / case.norm, f"gradient {number}", dtype=grad.dtype, scale=0.2)


@cases(BELOW)
def test_clip_grad_norm_only_above(subject: Proxy, case: Case) -> None:
    """Gradients whose norm is not above max_norm stay as they are."""
    values, grads = parameters(case)
    for number, ((_, got), grad) in enumerate(zip(told(subject, values, grads, case.max_norm), grads, strict=True)):
        close(got, grad.double(), f"gradient {number}", dtype=grad.dtype, scale=0.2)


@cases(ABOVE + BELOW)
def test_clip_grad_norm_returns_norm(subject: Proxy, case: Case) -> None:
    """It returns the norm of all gradients as they were before, the root of the sum of all their squares."""
    answer = subject.call("clip_grad_norm", Given("parameters", (*parameters(case), False)), case.max_norm)
    is_norm(answer, case.norm)


@cases(MISSING)
def test_clip_grad_norm_without_gradient(subject: Proxy, case: Case) -> None:
    """Parameters without a gradient are skipped and get none; the others are clipped as ever."""
    values, grads = parameters(case)
    factor = min(1.0, case.max_norm / case.norm) if case.norm else 1.0
    for number, ((_, got), grad) in enumerate(zip(told(subject, values, grads, case.max_norm), grads, strict=True)):
        if grad is None:
            holds(got is None, f"Parameter {number} had no gradient, and has one now.")
        else:
            close(got, grad.double() * factor, f"gradient {number}")
    is_norm(subject.call("clip_grad_norm", Given("parameters", (values, grads, False)), case.max_norm), case.norm)


@cases(ABOVE.where(kind="each alone is short enough") + ABOVE.where(max_norm=2.0) + BELOW.where(max_norm=2.0))
def test_clip_grad_norm_any_iterable(subject: Proxy, case: Case) -> None:
    """The parameters may be a generator, which can be gone through only once."""
    values, grads = parameters(case)
    factor = min(1.0, case.max_norm / case.norm)
    after = told(subject, values, grads, case.max_norm, once=True)
    for number, ((_, got), grad) in enumerate(zip(after, grads, strict=True)):
        close(got, grad.double() * factor, f"gradient {number}")
    is_norm(subject.call("clip_grad_norm", Given("parameters", (values, grads, True)), case.max_norm), case.norm)


@cases(ABOVE.where(max_norm=2.0) + ABOVE.where(max_norm=0.5) + BELOW.where(max_norm=2.0))
def test_clip_grad_norm_leaves_parameters(subject: Proxy, case: Case) -> None:
    """The parameters themselves, whatever their size, change nothing and are not changed."""
    values, grads = parameters(case)
    values = [5.0 * value for value in values]
    factor = min(1.0, case.max_norm / case.norm)
    after = told(subject, values, grads, case.max_norm)
    for number, ((kept, got), value, grad) in enumerate(zip(after, values, grads, strict=True)):
        if not isinstance(kept, Tensor) or kept.dtype != value.dtype or not torch.equal(kept, value):
            fail("input_changed", what=f"parameter {number}")
        close(got, grad.double() * factor, f"gradient {number}")


def test_clip_grad_norm_own_work(subject: Proxy) -> None:
    """You wrote the clipping yourself, without PyTorch's."""
    values, grads = [torch.ones(2), torch.ones(2, 2)], [torch.full((2,), 3.0), torch.full((2, 2), -2.0)]
    for max_norm in (1.0, 100.0):
        own_work(subject, "clip_grad_norm", Given("parameters", (values, grads, False)), max_norm)


def step_inputs(case: Case) -> tuple[tuple[Tensor, ...], dict[str, Any]]:
    """e, h, W_h by position, the others by keyword; a state lies between 0 and 1."""
    first = (case.normal(case.d), case.normal(case.n).sigmoid())
    W_h, then = model(case)
    return (*first, W_h), then


def text_inputs(case: Case) -> tuple[tuple[Tensor, ...], dict[str, Any]]:
    """ids, E, h0 by position, the others by keyword."""
    unlikely = "never" in case.dims
    ids = case.integers(0, case.V - 1 if unlikely else case.V, case.T)
    if "word" in case.dims:
        ids = torch.full_like(ids, case.word)
    E, h0 = case.normal(case.V, case.d), case.normal(case.n).sigmoid()
    W_h, then = model(case)
    if unlikely:  # one token that is never there has nearly all of the probability
        then["b2"][-1] += case.never
    return (ids, E, h0), {"W_h": W_h, **then}


def model(case: Case) -> tuple[Tensor, dict[str, Any]]:
    W_h, W_e, b1 = case.normal(case.n, case.n, scale=1.5), case.normal(case.n, case.d), case.normal(case.n)
    if "states" in case.dims:  # of either sign
        b1 = torch.linspace(-case.states, case.states, case.n, dtype=b1.dtype)
    U, b2 = case.normal(case.V, case.n, scale=1.5), case.normal(case.V) + case.dims.get("scores", 0.0)
    if "spread" in case.dims:
        b2 = b2 + case.spread * torch.linspace(-1.0, 1.0, case.V, dtype=b2.dtype)
    return W_h, {"W_e": W_e, "b1": b1, "U": U, "b2": b2}


def wide(inputs: Any) -> Any:
    """In float64."""
    if isinstance(inputs, dict):
        return {name: x.double() for name, x in inputs.items()}
    return tuple(x.double() for x in inputs)


def pair(answer: Any) -> tuple[Any, Any]:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        fail("wrong_type", what="the answer", got=type(answer).__name__, want="tuple (h', probabilities)")
    return answer[0], answer[1]


def parameters(case: Case) -> tuple[list[Tensor], list[Any]]:
    """Values and gradients; all gradients together have the norm case.norm, and those in case.missing are None."""
    values = [case.normal(*shape) for shape in case.shapes]
    grads: list[Any] = [case.normal(*shape, dtype=torch.float64) for shape in case.shapes]
    for number, grad in enumerate(grads):
        grad += 0.3 * grad.sign()
        grad /= grad.norm() * (10.0 if case.dims.get("most") and number else 1.0)
    for number in case.dims.get("missing", ()):
        grads[number] = None
    squares = sum(float(grad.square().sum()) for grad in grads if grad is not None)
    length = squares**0.5 if squares else 1.0
    dtype = case.dims.get("dtype", torch.float32)
    return values, [None if grad is None else (grad * case.norm / length).to(dtype) for grad in grads]


def told(
    subject: Proxy, values: list[Tensor], grads: list[Any], max_norm: float, once: bool = False
) -> list[list[Any]]:
    """Value and gradient of each parameter after the call."""
    given = Given("parameters", (values, grads, once))
    after: list[list[Any]] = subject.inputs_after("clip_grad_norm", given, max_norm)[0]
    return after


def is_norm(answer: Any, norm: float) -> None:
    """A float, or a tensor of one number."""
    want = torch.tensor(norm, dtype=torch.float64)
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        answer = torch.tensor(float(answer), dtype=torch.float64)
    if isinstance(answer, Tensor) and answer.numel() == 1:
        answer = answer.double().reshape(())
    close(answer, want, "the norm", scale=0.2)


def follows_device(subject: Proxy, task: str, *args: Any, **kwargs: Any) -> None:
    if subject.device_problem(task, *args, **kwargs):
        fail("wrong_device", task=task)
