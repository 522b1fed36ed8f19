"""Checks of word2vec: pairs of near words, two losses with their gradients, counts, a decomposition, a step."""

from collections import Counter
from typing import Any

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Object,
    Proxy,
    Table,
    cases,
    close,
    equal,
    fail,
    holds,
    in_float64,
    leaves_inputs_alone,
    of_shape,
    same,
)

WORDS = ("sat", "Zoo", "cat", "the", "été", "猫", "10", "9", "mat", "don't", "The", "")  # sorted in no order of lengths
LIMIT = 10.0  # times the usual one, for scores of up to 600: the last digit of float32 is then worth 0.00006
NAMES = ("the loss", "the gradient of center", "the gradient of U")

TEXTS = Table.of(
    {"T": 2, "distinct": 2, "window": 1},
    {"T": 3, "distinct": 3, "window": 1},
    {"T": 6, "distinct": 6, "window": 2},
    {"T": 9, "distinct": 9, "window": 3},
    {"T": 12, "distinct": 12, "window": 1},
    {"T": 12, "distinct": 12, "window": 5},
)
REPEATS = Table.of(
    {"T": 2, "distinct": 1, "window": 1, "kind": "one word twice"},
    {"T": 4, "distinct": 2, "window": 1, "kind": "in turn"},
    {"T": 4, "distinct": 2, "window": 2, "kind": "in turn"},
    {"T": 7, "distinct": 3, "window": 2},
    {"T": 60, "distinct": 5, "window": 4},
    {"T": 40, "distinct": 12, "window": 3},
)
EDGES = Table.of(
    {"T": 0, "distinct": 1, "window": 2, "kind": "no words"},
    {"T": 1, "distinct": 1, "window": 3, "kind": "one word"},
    {"T": 3, "distinct": 3, "window": 2, "kind": "the window is the text"},
    {"T": 4, "distinct": 4, "window": 9, "kind": "the window is longer"},
)
SCORED = Table.of(
    {"V": 2, "d": 1, "K": 1, "outside": 0},
    {"V": 3, "d": 2, "K": 1, "outside": 2, "kind": "the last word"},
    {"V": 4, "d": 4, "K": 2, "outside": 1, "kind": "as many words as numbers"},
    {"V": 7, "d": 4, "K": 3, "outside": 0, "kind": "the first word"},
    {"V": 5, "d": 6, "K": 4, "outside": 3, "scale": 1.5},
    {"V": 9, "d": 3, "K": 5, "outside": 4, "dtype": torch.float64},
)
LARGE = Table.of(
    {"V": 6, "d": 5, "K": 4, "outside": 2, "kind": "scores of hundreds", "side": -1},
    {"V": 6, "d": 5, "K": 4, "outside": 5, "kind": "scores of hundreds", "side": 1},
    {"V": 7, "d": 4, "K": 3, "outside": 0, "kind": "scores of hundreds", "side": 0},
)
MATRICES = Table.of(
    {"shape": (1, 3), "k": 1},
    {"shape": (3, 3), "k": 1},
    {"shape": (3, 3), "k": 3, "kind": "all columns"},
    {"shape": (6, 4), "k": 2, "kind": "tall"},
    {"shape": (3, 5), "k": 2, "kind": "wide"},
    {"shape": (5, 5), "k": 3},
    {"shape": (4, 7), "k": 4, "kind": "wide, all columns"},
    {"shape": (5, 4), "k": 3, "dtype": torch.float64},
)
STEPS = Table.of(
    {"shapes": [(3,)], "lr": 0.1},
    {"shapes": [(2, 3), (3, 2)], "lr": 0.5},
    {"shapes": [(4,), (), (2, 3)], "lr": 2.0},
    {"shapes": [(2, 2), (2, 2), (2, 2)], "lr": 0.03, "dtype": torch.float64},
)


@cases(TEXTS)
def test_context_pairs_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every word makes a pair with each word at most `window` positions to its left or right."""
    _same_pairs(subject, reference, case)


@cases(REPEATS)
def test_context_pairs_repeats(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Equal words are told apart by their positions, and equal pairs are all there."""
    _same_pairs(subject, reference, case)


@cases(EDGES)
def test_context_pairs_edges(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Where the text begins or ends there are fewer pairs; a text of one word, or of none, has none."""
    _same_pairs(subject, reference, case)


@cases(SCORED)
def test_naive_softmax_loss(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss is minus the logarithm of the softmax of all dot products, at the outside word."""
    _losses(subject, reference, "naive_softmax_loss_and_gradient", *_vectors(case))


@cases(SCORED)
def test_naive_softmax_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradients of center and U say how the loss changes with each of their numbers."""
    _gradients(subject, reference, "naive_softmax_loss_and_gradient", *_vectors(case))


@cases(LARGE)
def test_naive_softmax_stable(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred give a finite loss, and the right gradients."""
    center, outside, U = _vectors(case)
    _losses(subject, reference, "naive_softmax_loss_and_gradient", center, outside, U, limit=LIMIT)
    _gradients(subject, reference, "naive_softmax_loss_and_gradient", center, outside, U, limit=LIMIT)


@cases(SCORED)
def test_naive_softmax_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answers have the dtype and device of the vectors, which stay as they are; a second call gives the same."""
    _follows(subject, reference, "naive_softmax_loss_and_gradient", *_vectors(case), names=("center", "", "U"))


@cases(SCORED)
def test_neg_sampling_loss(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss is -log sigmoid of the outside word's score, and -log sigmoid of minus each sample's score."""
    center, outside, U = _vectors(case)
    _losses(subject, reference, "neg_sampling_loss_and_gradient", center, outside, _samples(case), U=U)


@cases(SCORED)
def test_neg_sampling_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradients say how the loss changes; rows of U that take no part have gradient 0."""
    center, outside, U = _vectors(case)
    _gradients(subject, reference, "neg_sampling_loss_and_gradient", center, outside, _samples(case), U=U)


@cases(
    Table.of(
        {"V": 2, "d": 3, "outside": 1, "drawn": [0, 0]},
        {"V": 5, "d": 4, "outside": 0, "drawn": [3, 1, 3]},
        {"V": 6, "d": 3, "outside": 5, "drawn": [2, 2, 0, 2, 0]},
        {"V": 4, "d": 4, "outside": 2, "drawn": [1, 3, 0, 0, 1, 3, 1, 0, 3], "dtype": torch.float64},
    )
)
def test_neg_sampling_repeats(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A word that was drawn several times counts each time, in the loss and in both gradients."""
    center, outside, U = _vectors(case)
    _losses(subject, reference, "neg_sampling_loss_and_gradient", center, outside, torch.tensor(case.drawn), U=U)
    _gradients(subject, reference, "neg_sampling_loss_and_gradient", center, outside, torch.tensor(case.drawn), U=U)


@cases(LARGE)
def test_neg_sampling_stable(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred give a finite loss, and the right gradients."""
    (center, outside, U), samples = _vectors(case), _samples(case)
    _losses(subject, reference, "neg_sampling_loss_and_gradient", center, outside, samples, U=U, limit=LIMIT)
    _gradients(subject, reference, "neg_sampling_loss_and_gradient", center, outside, samples, U=U, limit=LIMIT)


@cases(SCORED)
def test_neg_sampling_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answers have the dtype and device of the vectors, which stay as they are; a second call gives the same."""
    (center, outside, U), samples = _vectors(case), _samples(case)
    names = ("center", "", "neg_idx", "U")
    _follows(subject, reference, "neg_sampling_loss_and_gradient", center, outside, samples, U=U, names=names)


@cases(TEXTS + REPEATS + EDGES.where(kind="one word"))
def test_cooccurrence_words(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The first answer is the list of distinct words, each once, in the order of Python's strings."""
    want, got = _counted(subject, reference, case)
    words = got[0]
    equal(list(words) if isinstance(words, tuple) else words, want[0], "the list of words")


@cases(TEXTS + EDGES.where(kind="one word") + EDGES.where(kind="the window is longer"))
def test_cooccurrence_counts(subject: Proxy, reference: Proxy, case: Case) -> None:
    """X[i, j] counts how often words[j] stands within the window of words[i], on either side."""
    want, got = _counted(subject, reference, case)
    close(got[1], want[1].double(), "X")


@cases(REPEATS)
def test_cooccurrence_repeats(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Words that occur several times add up their counts, also beside themselves."""
    want, got = _counted(subject, reference, case)
    close(got[1], want[1].double(), "X")


@cases(MATRICES)
def test_svd_embedding_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer is the first k columns of U, each times its singular value; signs of columns are left open."""
    _same_columns(subject, reference, _matrix(case), case.k)


@cases(MATRICES)
def test_svd_embedding_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer has the dtype of X, X stays as it is, and a second call gives the same."""
    X = _matrix(case)
    leaves_inputs_alone(subject, "svd_embedding", X, case.k, inputs=("X",))
    got = of_shape(subject.call("svd_embedding", X, case.k), (case.shape[0], case.k))
    if got.dtype != X.dtype:
        fail("wrong_dtype", what="the output", got=str(got.dtype)[6:], want=str(X.dtype)[6:])
    _same_columns(subject, reference, 2 * X, case.k)
    _same_columns(subject, reference, X, case.k)


@cases(STEPS)
def test_sgd_step_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each parameter minus the learning rate times its own gradient."""
    params, grads = _parameters(case)
    _same_step(subject, reference, params, grads, case.lr)


@cases(STEPS)
def test_sgd_step_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answers are new tensors of the same dtype: parameters and gradients stay as they are."""
    params, grads = _parameters(case)
    _same_step(subject, reference, params, grads, case.lr)
    held = subject.built("sgd_step", params, grads, case.lr, of="list")  # tensors that stay there, to be handed in
    for name, arguments in {"params": (held, grads), "grads": (params, held)}.items():
        before = _held(subject, held, case)
        subject.call("sgd_step", *arguments, case.lr)
        for i, (was, now) in enumerate(zip(before, _held(subject, held, case), strict=True)):
            if not (isinstance(was, Tensor) and isinstance(now, Tensor) and torch.equal(was, now)):
                fail("input_changed", what=f"{name}[{i}]")


def _text(case: Case) -> list[str]:
    """T words, each of the distinct ones at least once, if there are as many places."""
    words = [WORDS[int(i)] for i in case.shuffled(len(WORDS))[: case.distinct]]
    if case.dims.get("kind") == "in turn":
        return [words[t % 2] for t in range(case.T)]
    places = torch.cat([torch.arange(case.distinct), case.integers(0, case.distinct, case.T)])[: case.T]
    return [words[int(places[int(t)])] for t in case.shuffled(case.T)]


def _same_pairs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Equal as multisets. A pair may be a list as well."""
    tokens = _text(case)
    want = Counter(reference.call("context_pairs", tokens, case.window))
    got = subject.call("context_pairs", tokens, case.window)
    if not isinstance(got, (list, tuple)):
        equal(got, list(want), "the answer")
    for i, pair in enumerate(got):
        words = isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(word, str) for word in pair)
        holds(words, f"Entry {i} of the answer should be a pair of two words, got {repr(pair)[:80]}.")
    have = Counter((pair[0], pair[1]) for pair in got)
    for pair in [*want, *have]:
        if have[pair] != want[pair]:
            text = f"In {tokens[:12]} with window {case.window}" if case.T <= 12 else f"In a text of {case.T} words"
            holds(False, f"{text}, the pair {pair} should be there {want[pair]} times, got {have[pair]} times.")


def _vectors(case: Case) -> tuple[Tensor, int, Tensor]:
    """center, outside_idx and U. Where scores are hundreds they are whole numbers, so that no rounding adds to them."""
    if case.dims.get("kind") == "scores of hundreds":
        center, U = _signs(case, case.d) * case.integers(5, 11, case.d), case.integers(-12, 13, case.V, case.d).float()
        if case.side:  # the outside word at one end, a neighbour at the other
            U[[case.outside, case.outside - 1]] = 12.0 * case.side * torch.stack([center.sign(), -center.sign()])
        return center, case.outside, U
    scale = case.dims.get("scale", 0.8)
    return case.normal(case.d, scale=scale), case.outside, case.normal(case.V, case.d, scale=scale)


def _signs(case: Case, n: int) -> Tensor:
    return case.integers(0, 2, n) * 2.0 - 1.0


def _samples(case: Case) -> Tensor:
    """K different words, none of them the outside word; the one before it is always there."""
    others = [i for i in case.shuffled(case.V).tolist() if i not in (case.outside, (case.outside - 1) % case.V)]
    samples = torch.tensor([(case.outside - 1) % case.V, *others][: case.K])
    return samples[case.shuffled(case.K)]


def _three(subject: Proxy, reference: Proxy, task: str, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The wanted loss and gradients, and the student's, of whatever kind each of them is."""
    want = reference.call(task, *in_float64(args), **in_float64(kwargs))
    got = subject.call(task, *args, **kwargs)
    if not isinstance(got, (tuple, list)):
        same(got, want, NAMES)
    if len(got) != 3:
        fail("wrong_count", what="the answer", got=len(got), want=3)
    return want, got


def _losses(
    subject: Proxy, reference: Proxy, task: str, center: Tensor, *args: Any, limit: float = 1.0, **kwargs: Any
) -> None:
    want, got = _three(subject, reference, task, center, *args, **kwargs)
    same(got[0], want[0], NAMES[:1], center.dtype, limit)


def _gradients(
    subject: Proxy, reference: Proxy, task: str, center: Tensor, *args: Any, limit: float = 1.0, **kwargs: Any
) -> None:
    want, got = _three(subject, reference, task, center, *args, **kwargs)
    same(got[1], want[1], NAMES[1:2], center.dtype, limit)
    same(got[2], want[2], NAMES[2:], center.dtype, limit)


def _follows(
    subject: Proxy, reference: Proxy, task: str, center: Tensor, *args: Any, names: tuple[str, ...], **kwargs: Any
) -> None:
    leaves_inputs_alone(subject, task, center, *args, inputs=names, **kwargs)
    for vector in (center, -2 * center, center):
        want, got = _three(subject, reference, task, vector, *args, **kwargs)
        same(got, want, NAMES, center.dtype)
    if subject.device_problem(task, center, *args, **kwargs):
        fail("wrong_device", task=task)


def _counted(subject: Proxy, reference: Proxy, case: Case) -> tuple[Any, Any]:
    tokens = _text(case)
    want, got = (side.call("cooccurrence", tokens, case.window) for side in (reference, subject))
    if not isinstance(got, (tuple, list)):
        same(got, want)
    if len(got) != 2:
        fail("wrong_count", what="the answer", got=len(got), want=2)
    return want, got


def _matrix(case: Case) -> Tensor:
    """Singular values 9, 6, 4 … with directions of all kinds, so that rows and columns have nothing in common."""
    rows, columns = case.shape
    rank = min(rows, columns)
    left, right = (torch.linalg.qr(case.normal(n, n).double())[0][:, :rank] for n in (rows, columns))
    values = 9.0 * 1.5 ** -torch.arange(rank, dtype=torch.float64)
    return ((left * values) @ right.T).to(case.dims.get("dtype", torch.float32))


def _same_columns(subject: Proxy, reference: Proxy, X: Tensor, k: int) -> None:
    want = reference.call("svd_embedding", X.double(), k)
    got = of_shape(subject.call("svd_embedding", X, k), tuple(want.shape))
    turned = torch.where((got.double() * want).sum(0) < 0, -1.0, 1.0)  # (k,)
    # Ten times the limit: right answers by way of X X^T lose half of their digits.
    close(got * turned.to(got.dtype) if got.is_floating_point() else got, want, scale=10.0)


def _parameters(case: Case) -> tuple[list[Tensor], list[Tensor]]:
    return [case.normal(*shape) for shape in case.shapes], [case.normal(*shape) for shape in case.shapes]


def _same_step(subject: Proxy, reference: Proxy, params: list[Tensor], grads: list[Tensor], lr: float) -> None:
    want = tuple(reference.call("sgd_step", in_float64(params), in_float64(grads), lr))
    got = subject.call("sgd_step", params, grads, lr)
    same(got, want, [f"entry {i} of the answer" for i in range(len(want))], params[0].dtype)


def _held(subject: Proxy, held: Any, case: Case) -> list[Any]:
    """The tensors of a list that stays on the student's side."""
    values = Object(subject, held.handle, "sgd_step")
    return [values.call("__getitem__", i) for i in range(len(case.shapes))]
