"""The references of rnn against nn.RNNCell-like sums written out, F.cross_entropy, autograd and PyTorch's clipping."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from solutions import rnn as course
from solutions import standins

STEPS = pytest.mark.parametrize("rnn_step", [course.rnn_step, standins.rnn_step])


def draw(*shape, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def model(d=2, n=3, V=4):
    return draw(n, n, seed=1), draw(n, d, seed=2), draw(n, seed=3), draw(V, n, seed=4), draw(V, seed=5)


@STEPS
def test_a_step_written_out(rnn_step):
    e, h, (W_h, W_e, b1, U, b2) = draw(2, seed=8), draw(3, seed=9), model()
    state, probabilities = rnn_step(e, h, W_h, W_e, b1, U, b2)
    for i in range(3):
        z = b1[i] + sum(W_h[i, j] * h[j] for j in range(3)) + sum(W_e[i, j] * e[j] for j in range(2))
        assert state[i].item() == pytest.approx(1 / (1 + math.exp(-z.item())), rel=1e-12)
    scores = [(b2[k] + sum(U[k, i] * state[i] for i in range(3))).item() for k in range(4)]
    total = sum(math.exp(score) for score in scores)
    assert probabilities.tolist() == pytest.approx([math.exp(score) / total for score in scores], rel=1e-12)


@STEPS
def test_worked_numbers(rnn_step):
    state, probabilities = rnn_step(
        torch.tensor([1.0]), torch.tensor([0.5]), torch.tensor([[2.0]]), torch.tensor([[-1.0]]), torch.tensor([0.0]),
        torch.tensor([[2.0], [0.0]]), torch.tensor([0.0, 1.0]),
    )  # fmt: skip
    assert state.tolist() == [0.5]  # sigmoid(2 * 0.5 - 1)
    assert probabilities.tolist() == [0.5, 0.5]  # scores 1 and 1


@STEPS
@pytest.mark.parametrize("far", [500.0, -500.0])
def test_a_step_does_not_overflow(rnn_step, far):
    W_h, W_e, b1, U, b2 = (x.float() for x in model())
    state, probabilities = rnn_step(torch.ones(2), torch.ones(3), W_h, W_e, b1 + far, U, b2 + far)
    assert state.tolist() == [float(far > 0)] * 3
    torch.testing.assert_close(probabilities.sum(), torch.tensor(1.0))


@STEPS
def test_the_gradients_of_a_step(rnn_step):
    given = [x.requires_grad_() for x in (draw(2, seed=8), draw(3, seed=9), *model())]
    assert torch.autograd.gradcheck(rnn_step, given)


@pytest.mark.parametrize("ids", [[1, 2], [3, 0, 3, 3, 1], [2] * 7])
def test_the_loss_is_cross_entropy(ids):
    E, h0, (W_h, W_e, b1, U, b2) = draw(4, 2, seed=6), draw(3, seed=7), model()
    ids, state, rows = torch.tensor(ids), h0, []
    for token in ids[:-1]:
        state = torch.sigmoid(F.linear(state, W_h) + F.linear(E[token], W_e, b1))
        rows.append(F.linear(state, U, b2))
    loss = course.rnn_lm_loss(ids, E, h0, W_h, W_e, b1, U, b2)
    torch.testing.assert_close(loss, F.cross_entropy(torch.stack(rows), ids[1:]))


def test_the_loss_of_a_model_that_knows_nothing():
    zeros = [torch.zeros(shape) for shape in ((5, 2), (3,), (3, 3), (3, 2), (3,), (5, 3), (5,))]
    assert course.rnn_lm_loss(torch.tensor([0, 4, 2]), *zeros).item() == pytest.approx(math.log(5), rel=1e-6)


def test_the_gradients_of_the_loss():
    given = [x.requires_grad_() for x in (draw(4, 2, seed=6), draw(3, seed=7), *model())]
    assert torch.autograd.gradcheck(lambda *g: course.rnn_lm_loss(torch.tensor([3, 0, 3, 1]), *g), given)


def parameters(*grads):
    made = [nn.Parameter(torch.ones(1 if g is None else len(g))) for g in grads]
    for parameter, grad in zip(made, grads, strict=True):
        parameter.grad = None if grad is None else torch.tensor(grad)
    return made


@pytest.mark.parametrize("max_norm", [0.1, 1.0, 6.5, 12.9, 13.1, 100.0])
def test_clipping_is_pytorchs(max_norm):
    grads = [3.0, -4.0], None, [12.0, 0.0, 0.0]
    mine, theirs = parameters(*grads), parameters(*grads)
    norm = course.clip_grad_norm((p for p in mine), max_norm)
    assert float(norm) == pytest.approx(float(nn.utils.clip_grad_norm_(theirs, max_norm)), rel=1e-6)
    for a, b in zip(mine, theirs, strict=True):
        assert (a.grad is None) == (b.grad is None)
        if a.grad is not None:
            torch.testing.assert_close(a.grad, b.grad, rtol=1e-5, atol=0)
        assert (a == 1).all()


def test_clipping_worked_by_hand():
    made = parameters([3.0, -4.0], [12.0])
    assert float(course.clip_grad_norm(made, 6.5)) == 13.0
    assert [p.grad.tolist() for p in made] == [[1.5, -2.0], [6.0]]


@pytest.mark.parametrize("grads", [(), (None, None), ([0.0, 0.0],)])
def test_nothing_to_clip(grads):
    made = parameters(*grads)
    assert float(course.clip_grad_norm(made, 1.0)) == 0
    assert [None if p.grad is None else p.grad.tolist() for p in made] == list(grads)
