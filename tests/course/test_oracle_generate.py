"""The references of generate, lm_loss and loss_on_batch against sums written out, and the stand-in."""

import itertools
import math

import pytest
import torch
from torch import nn

from solutions import generate as course
from solutions import standins

LOSSES = pytest.mark.parametrize("lm_loss", [course.lm_loss, standins.lm_loss])


class Table(nn.Module):
    """Logits that depend on the last two ids; dropout shows the mode, and a long input is refused."""

    def __init__(self, vocabulary=5, limit=4, scale=1.0):
        super().__init__()
        generator = torch.Generator().manual_seed(3)
        shape = (vocabulary, vocabulary, vocabulary)
        self.scores = nn.Parameter(torch.randn(shape, generator=generator, dtype=torch.float64) * scale)
        self.limit = limit
        self.seen = []

    def forward(self, ids):
        if ids.shape[1] > self.limit:
            raise ValueError(f"at most {self.limit} ids, got {ids.shape[1]}")
        self.seen.append((ids.shape[1], self.training, torch.is_grad_enabled()))
        before = torch.cat([ids[:, :1], ids[:, :-1]], 1)
        logits = self.scores[before, ids]
        return -logits if self.training else logits


def draw(*shape, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def written_out(logits, tokens, ignored):
    """The loss, target by target, in Python's own arithmetic."""
    losses = []
    for b, t in itertools.product(range(len(tokens)), range(tokens.shape[1] - 1)):
        if tokens[b, t + 1] != ignored:
            scores = logits[b, t].tolist()
            top = max(scores)
            total = sum(math.exp(score - top) for score in scores)
            losses.append(math.log(total) + top - scores[tokens[b, t + 1]])
    return sum(losses) / len(losses)


@pytest.mark.parametrize("training", [True, False])
def test_greedy_takes_the_largest_logit_of_the_last_position(training):
    model = Table().train(training)
    prompts = torch.tensor([[1, 4], [3, 0], [2, 2]])
    answer = course.generate(model, prompts, 6, block_size=4)
    assert answer.shape == (3, 8)
    assert torch.equal(answer[:, :2], prompts)
    for row, t in itertools.product(answer.tolist(), range(2, 8)):
        assert row[t] == max(range(5), key=lambda token: model.scores[row[t - 2], row[t - 1], token].item())
    assert model.training == training
    assert [length for length, _, _ in model.seen] == [2, 3, 4, 4, 4, 4]
    assert not any(mode or grad for _, mode, grad in model.seen)


def test_a_block_of_one_forgets_everything_else():
    model = Table(limit=1)
    answer = course.generate(model, torch.tensor([[4, 1]]), 3, block_size=1)[0].tolist()
    assert answer[2] == int(model.scores[1, 1].argmax())
    assert answer[3] == int(model.scores[answer[2], answer[2]].argmax())


@pytest.mark.parametrize(
    ("temperature", "top_k"), [(1.0, None), (0.5, None), (3.0, None), (1.0, 2), (2.0, 3), (1.0, 9)]
)
def test_sampling_has_the_stated_probabilities(temperature, top_k):
    model = Table().eval()
    settings = {"temperature": temperature, "top_k": top_k, "do_sample": True}
    generator = torch.Generator().manual_seed(8)
    answer = course.generate(model, torch.full((20000, 1), 2), 1, 4, generator=generator, **settings)
    scores = [score / temperature for score in model.scores[2, 2].tolist()]
    bar = sorted(scores)[-min(top_k or 5, 5)]
    weights = [math.exp(score) if score >= bar else 0.0 for score in scores]
    for token, weight in enumerate(weights):
        share = weight / sum(weights)
        spread = 7 * math.sqrt(share * (1 - share) / 20000)  # seven standard deviations
        assert abs((answer[:, 1] == token).double().mean().item() - share) <= spread


def test_equal_generators_give_equal_answers():
    def sample(seed):
        generator = torch.Generator().manual_seed(seed)
        return course.generate(Table(limit=20), torch.zeros(9, 1).long(), 9, 20, do_sample=True, generator=generator)

    assert torch.equal(sample(1), sample(1))
    assert not torch.equal(sample(1), sample(2))


@LOSSES
@pytest.mark.parametrize("ignored", [-100, -1, 0, 6])
def test_lm_loss_is_the_sum_written_out(lm_loss, ignored):
    logits, tokens = draw(3, 5, 7) * 3, torch.randint(0, 7, (3, 5), generator=torch.Generator().manual_seed(2))
    tokens[0, 2:] = tokens[2] = ignored
    assert lm_loss(logits, tokens, ignored).item() == pytest.approx(written_out(logits, tokens, ignored), rel=1e-12)


@LOSSES
def test_lm_loss_of_worked_numbers(lm_loss):
    # position 0 gives its target, token 1, the probability 3/4; what position 1 says has no target
    logits = torch.tensor([[[0.0, math.log(3.0)], [5.0, -5.0]]])
    assert lm_loss(logits, torch.tensor([[0, 1]])).item() == pytest.approx(math.log(4 / 3), rel=1e-6)
    assert lm_loss(torch.zeros(2, 4, 8), torch.zeros(2, 4).long()).item() == pytest.approx(math.log(8), rel=1e-6)


@LOSSES
def test_lm_loss_has_the_gradient_of_probabilities_minus_targets(lm_loss):
    logits, tokens = draw(2, 4, 5).requires_grad_(), torch.tensor([[0, 3, -100, 1], [2, -100, 4, 4]])
    lm_loss(logits, tokens).backward()
    want = torch.zeros(2, 4, 5, dtype=torch.float64)
    for b, t in ((0, 0), (0, 2), (1, 1), (1, 2)):  # the four counted targets
        want[b, t] = logits[b, t].detach().softmax(-1) / 4
        want[b, t, tokens[b, t + 1]] -= 1 / 4
    torch.testing.assert_close(logits.grad, want)


@pytest.mark.parametrize("training", [True, False])
def test_loss_on_batch_is_the_mean_of_all_next_tokens(training):
    model = Table(limit=5).train(training)
    ids = torch.tensor([[1, 4, 0, 2, 2], [3, 3, 1, 0, 4]])
    loss = course.loss_on_batch(model, ids)
    assert loss.item() == pytest.approx(written_out(model(ids).detach(), ids, None), rel=1e-12)
    loss.backward()
    assert model.scores.grad.abs().sum() > 0
    assert model.training == training
