"""Questions that tell the known bugs of generate, lm_loss and loss_on_batch apart.

Draws are never compared one by one. What is seen of sampling is which tokens occur at all, where each is either
impossible or drawn a dozen times, and whether a token is drawn in few, some or most of the texts. So another order of
random numbers gives the same answers.
"""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Module, Proxy, Table, probe

ROWS = 300  # texts for each of three prompts
FEW, MOST = 0.09, 0.6  # bounds of "some", far from the shares of a right answer and of known bugs
SURE = 1000.0  # logits of this size leave nothing to chance, also where tokens are drawn by mistake

TEXTS = Table.of(
    {"B": 1, "T": 1, "V": 5, "new": 2, "block": 8, "limit": 8, "training": False},
    {"B": 1, "T": 3, "V": 5, "new": 1, "block": 8, "limit": 8, "training": True},
    {"B": 3, "T": 2, "V": 7, "new": 5, "block": 9, "limit": 9, "training": True},
    {"B": 3, "T": 2, "V": 7, "new": 6, "block": 4, "limit": 9, "training": False},
    {"B": 4, "T": 6, "V": 7, "new": 4, "block": 3, "limit": 3, "training": False},
    {"B": 2, "T": 2, "V": 5, "new": 4, "block": 1, "limit": 9, "training": False},
    {"B": 2, "T": 2, "V": 5, "new": 6, "block": 9, "limit": 9, "training": False, "favourite": 0},
    {"B": 2, "T": 2, "V": 5, "new": 6, "block": 9, "limit": 9, "training": False, "favourite": 4},
    {"B": 1, "T": 1, "V": 6, "new": 7, "block": 9, "limit": 9, "training": False, "turn": True},
)
TWO = (0.0, -0.5, -60.0, -60.0)  # two tokens may follow
FIVE = (0.0, -0.1, -0.2, -0.3, -0.4)
SEEN = Table.of(
    {"gaps": TWO, "sample": False},
    {"gaps": TWO, "sample": False, "top_k": 3},
    {"gaps": TWO, "sample": False, "temperature": 2.0},
    {"gaps": TWO, "given": True},
    {"gaps": TWO, "one prompt": True},
    {"gaps": TWO, "shift": 400.0, "temperature": 0.9},
    {"gaps": TWO, "far": 200.0, "temperature": 1.1},
    {"gaps": FIVE, "top_k": 2},
    {"gaps": FIVE, "top_k": 2, "shift": -50.0},
    {"gaps": FIVE, "top_k": 2, "shift": -500.0, "far": 3.0},
    {"gaps": FIVE, "top_k": 2, "shift": 10.0, "far": 3.0, "order": (2, 1, 3)},
    {"gaps": (0.0, -0.001, -0.3, -0.4, -0.401), "top_k": 2, "shift": -500.0, "temperature": 0.01},
    {"gaps": FIVE, "top_k": 1},
    {"gaps": FIVE, "top_k": 5},
    {"gaps": FIVE, "top_k": 7},
    {"gaps": FIVE, "top_k": 3, "dtype": torch.float64},
)
SHARES = Table.of(
    {"gap": 0.007, "temperature": 0.001},
    {"gap": 0.35, "temperature": 0.05, "top_k": 80},
    {"gap": 280.0, "temperature": 40.0},
    {"gap": 120.0, "temperature": 40.0},
    {"gap": 3.0, "temperature": 3.0},
)
SCORED = Table.of(
    {"B": 1, "T": 2, "V": 3},
    {"B": 3, "T": 5, "V": 4, "scale": 2.0, "dtype": torch.float64},
    {"B": 2, "T": 5, "V": 7, "ignored": {0: (2, 3, 4)}, "ignore": -100},
    {"B": 3, "T": 5, "V": 4, "ignored": {0: (1,), 2: (0, 2, 3)}, "ignore": 0},
    {"B": 3, "T": 4, "V": 6, "ignored": {1: (0, 1, 2, 3), 2: (0,)}, "ignore": -1},
    {"B": 2, "T": 4, "V": 5, "ignored": {0: (1,), 1: (1, 3)}, "ignore": 3},
    {"B": 2, "T": 4, "V": 5, "scale": 60.0},
    {"B": 2, "T": 4, "V": 5, "scale": 300.0},
)
BATCHES = Table.of(
    {"B": 1, "T": 3, "V": 5, "training": False},
    {"B": 3, "T": 4, "V": 7, "training": True, "dtype": torch.float64},
    {"B": 2, "T": 6, "V": 4, "training": True},
)


@probe("generate", TEXTS)
def text(side: Proxy, reference: Proxy, case: Case) -> Any:
    """A greedy answer, and all that the model can tell of it."""
    model, ids = _reader(side, case)
    (model.train if case.training else model.eval)()
    with torch.enable_grad():  # a known bug leaves gradients off, and runs in the grader's own process
        answer = side.call("generate", model, ids, case.new, block_size=case.block)
        during = _record(model, case.block)
        model(ids[:, :1])
        return {"answer": answer, "during": during, "after": _record(model, case.block)["gradients"]}


@probe("generate", TEXTS.where(block=3) + TEXTS.where(block=1))
def prompt_after(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What has become of the prompt."""
    model, ids = _reader(side, case)
    model.eval()
    with torch.enable_grad():
        return side.inputs_after("generate", model, ids, case.new, block_size=case.block)[1]


@probe("generate", Table.of({"T": 6, "block": 3}, {"T": 3, "block": 9}))
def sampled_context(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether the best of one is what is taken without sampling: both read the same tokens."""
    now, past = case.normal(7, 7, scale=SURE), case.normal(7, 7, scale=2 * SURE)
    model, ids = side.given_model(now=now, past=past, block_size=9), case.integers(0, 7, 6, case.T)
    model.eval()
    with torch.enable_grad():
        best = side.call("generate", model, ids, 2, block_size=case.block)
        drawn = side.call("generate", model, ids, 2, block_size=case.block, do_sample=True, top_k=1)
    return _equal(best, drawn)


@probe("generate", SEEN)
def seen(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Which tokens occur after each of three prompts: the best, the second best …"""
    V, order = len(case.gaps), case.dims.get("order", (1, 2, 3))
    model = _after_one(side, torch.tensor(case.gaps), case)
    answer = _ask(side, model, (1, 1, 1) if "one prompt" in case.dims else order, 1, case)
    if not _has_shape(answer, 2):
        return _kind(answer)
    ranks = ((answer[:, 1] - answer[:, 0] - 1) % V).view(3, ROWS)
    drawn = answer[:, 1].view(3, ROWS)
    if case.dims.get("sample", True) and case.dims.get("top_k") != 1 and bool((drawn == drawn[:, :1]).all()):
        return "one token for all"
    return [[bool((group == rank).any()) for rank in range(V)] for group in ranks]


@probe("generate", SHARES)
def shares(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How often the best of a hundred tokens is drawn: at another temperature that is quite another number."""
    gaps = torch.full((100,), -case.gap)
    gaps[0] = 0.0
    answer = _ask(side, _after_one(side, gaps, case), (1, 2, 3), 1, case)
    if not _has_shape(answer, 2):
        return _kind(answer)
    best = ((answer[:, 1] - answer[:, 0] - 1) % 100 == 0).double().mean()
    drawn = answer[:, 1].view(3, ROWS)
    if best < 1 and bool((drawn == drawn[:, :1]).all()):
        return "one token for all"
    return "few" if best < FEW else "most" if best > MOST else "some"


@probe("generate", Table.of({"given": True}, {}))
def steps(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether the token of the first step comes again in the second, when all four are equally likely."""
    answer = _ask(side, _after_one(side, torch.zeros(4), case), (1, 2, 3), 2, case)
    if not _has_shape(answer, 3):
        return _kind(answer)
    if bool((answer[:, 1:] == answer[:1, 1:]).all()):
        return "one token for all"
    again = (answer[:, 1] == answer[:, 2]).double().mean()
    return "always" if again == 1 else "never" if again == 0 else "at times"


@probe("generate", Table.of({"B": 40, "T": 2, "V": 7, "new": 4}))
def streams(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Which seeds decide: the generator's, or torch's own."""
    now, past = case.normal(case.V, case.V, scale=0.5), case.normal(case.V, case.V, scale=0.5)
    model, ids = side.given_model(now=now, past=past, block_size=20), case.integers(0, case.V, case.B, case.T)
    model.eval()

    def sample(torch_seed: int, seed: int | None) -> Any:
        side.seed += torch_seed
        options = {} if seed is None else {"generator": torch.Generator().manual_seed(seed)}
        with torch.enable_grad():
            answer = side.call("generate", model, ids, case.new, block_size=20, do_sample=True, **options)
        side.seed -= torch_seed
        return answer

    given = sample(0, 5)
    reseeded = any(call[4] != side.seed for call in model.record()["calls"])
    same, other = sample(1, 5), sample(0, 6)
    return [reseeded, _equal(given, same), _equal(given, other), _equal(sample(0, None), sample(1, None))]


@probe("lm_loss", SCORED)
def score(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The loss, its gradient, and the inputs after the call."""
    logits, tokens = case.normal(case.B, case.T, case.V, scale=case.dims.get("scale", 1.0)), _tokens(case)
    ignore = case.dims.get("ignore", -100)
    return {
        "inputs": side.inputs_after("lm_loss", logits.clone(), tokens.clone(), ignore),
        "loss": side.gradients("lm_loss", logits, tokens, ignore, cotangents=[torch.ones((), dtype=logits.dtype)]),
    }


@probe("loss_on_batch", BATCHES)
def batch(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The loss, input_ids afterwards, what the model can tell, and its logits as they are then."""
    model, ids = _model(side, case), case.integers(0, case.V, case.B, case.T)
    after, seen = side.inputs_after("loss_on_batch", model, ids.clone())[1], _record(model, case.T)
    model.eval()
    logits = model(ids)
    (model.train if case.training else model.eval)()
    return {"after": after, "seen": seen, "logits": logits, "loss": side.call("loss_on_batch", model, ids)}


@probe("loss_on_batch", BATCHES)
def batch_gradients(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The gradients of the model."""
    model, ids = _model(side, case), case.integers(0, case.V, case.B, case.T)
    one = torch.ones((), dtype=case.dims.get("dtype", torch.float32))
    return side.gradients("loss_on_batch", model, ids, cotangents=[one])


def _model(side: Proxy, case: Case) -> Module:
    now, past = case.normal(case.V, case.V), case.normal(case.V, case.V, scale=2.0)
    model = side.given_model(now=now, past=past, block_size=case.T)
    (model.train if case.training else model.eval)()
    return model


def _reader(side: Proxy, case: Case) -> tuple[Module, Tensor]:
    """A model that depends on all it reads, and prompts without the token 0."""
    now, past = case.normal(case.V, case.V, scale=SURE), case.normal(case.V, case.V, scale=2 * SURE)
    if "favourite" in case.dims:
        now[:, case.favourite] += 100 * SURE
    if "turn" in case.dims:
        now += 100 * SURE * torch.eye(case.V).roll(1, 1)  # n + 1 after n
    ids = 1 + case.integers(0, case.V - 1, case.B, case.T)
    return side.given_model(now=now, past=past, block_size=case.limit), ids


def _after_one(side: Proxy, gaps: Tensor, case: Case) -> Module:
    """A model whose best token after n is n + 1, the next best n + 2 …; `gaps` are their logits."""
    number = torch.arange(len(gaps))
    now = gaps[(number[None, :] - number[:, None] - 1) % len(gaps)]  # (V, V)
    now = now + case.dims.get("shift", 0.0) + case.dims.get("far", 0.0) * number[:, None]
    now = now.to(case.dims.get("dtype", torch.float32))
    model = side.given_model(now=now, past=torch.zeros_like(now), block_size=8)
    model.eval()
    return model


def _ask(side: Proxy, model: Module, prompts: tuple[int, ...], new: int, case: Case) -> Any:
    settings = {key: case.dims[key] for key in ("temperature", "top_k") if key in case.dims}
    if "given" in case.dims:
        settings["generator"] = torch.Generator().manual_seed(case.seed)
    ids = torch.tensor(prompts).repeat_interleave(ROWS)[:, None]
    sample = case.dims.get("sample", True)
    with torch.enable_grad():
        return side.call("generate", model, ids, new, block_size=8, do_sample=sample, **settings)


def _has_shape(answer: Any, length: int) -> bool:
    return isinstance(answer, Tensor) and answer.shape == (3 * ROWS, length)


def _kind(answer: Any) -> Any:
    return list(answer.shape) if isinstance(answer, Tensor) else "no tensor"


def _record(model: Module, most: int) -> dict[str, Any]:
    """Whether a call so far had more ids than `most`, train mode or gradients on, and how the model is left.

    A model that was never called, because a copy of it was, has had none of these.
    """
    record = model.record()
    called = {
        "too long": any(call[0] > most for call in record["calls"]),
        "train": any(call[1] for call in record["calls"]),
        "gradients": any(call[2] for call in record["calls"]),
    }
    return called | {key: record[key] for key in ("training", "frozen", "grads")}


def _tokens(case: Case) -> Tensor:
    tokens = case.integers(0, case.V, case.B, case.T)
    if "ignore" in case.dims:
        tokens = torch.where(tokens == case.ignore, (tokens + 1) % case.V, tokens)
        for row, places in case.ignored.items():
            tokens[row, list(places)] = case.ignore
    return tokens


def _equal(a: Any, b: Any) -> bool:
    return isinstance(a, Tensor) and isinstance(b, Tensor) and torch.equal(a, b)
