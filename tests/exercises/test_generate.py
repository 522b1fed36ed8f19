"""Checks of generate, lm_loss and loss_on_batch, on a small given model.

Its logits depend on every id it reads, it refuses more ids than its limit, and in train mode they are negated, so that
a forgotten eval() shows. Sampling is judged by which tokens occur, and by counts that a right answer misses fewer than
one time in a billion.
"""

import math
from typing import Any

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Module,
    Proxy,
    Table,
    agree,
    agree_gradients,
    cases,
    close,
    close_gradient,
    equal,
    fail,
    holds,
    leaves_inputs_alone,
    of_shape,
    same,
)

RARE = 1e-13  # the chance that a right answer misses one count; all checks together compare fewer than a thousand
MODE = {True: "train", False: "eval"}

PROMPTS = Table.of(
    {"kind": "one token", "B": 1, "T": 1, "V": 5, "new": 2},
    {"kind": "one step", "B": 4, "T": 3, "V": 6, "new": 1},
    {"kind": "several steps", "B": 3, "T": 2, "V": 7, "new": 5},
    {"kind": "settings of sampling", "B": 4, "T": 3, "V": 7, "new": 6, "temperature": 3.0, "top_k": 5},
    {"kind": "large logits", "B": 2, "T": 4, "V": 6, "new": 5, "scale": 300.0},
    {"kind": "0 for ever", "B": 2, "T": 3, "V": 5, "new": 6, "favourite": 0},
    {"kind": "the last id for ever", "B": 2, "T": 3, "V": 5, "new": 6, "favourite": 4},
    {"kind": "every id in turn", "B": 1, "T": 1, "V": 7, "new": 8, "turn": True},
    {"kind": "float64", "B": 2, "T": 3, "V": 6, "new": 4, "dtype": torch.float64},
)
LONG = Table.of(
    {"kind": "block of one", "B": 8, "T": 2, "V": 7, "new": 4, "block": 1, "limit": 1},
    {"kind": "grows past the block", "B": 8, "T": 2, "V": 7, "new": 6, "block": 4, "limit": 4},
    {"kind": "longer prompt", "B": 8, "T": 6, "V": 7, "new": 4, "block": 3, "limit": 3},
    {"kind": "the model would take more", "B": 8, "T": 6, "V": 7, "new": 4, "block": 2, "limit": 50},
    {"kind": "fills the block", "B": 8, "T": 3, "V": 7, "new": 6, "block": 8, "limit": 8},
    {"kind": "while sampling", "B": 8, "T": 3, "V": 7, "new": 4, "block": 4, "limit": 4, "do_sample": True},
    {"kind": "the best of one", "B": 8, "T": 6, "V": 7, "new": 4, "block": 3, "limit": 9, "do_sample": True, "top_k": 1},
)
FOUND = Table.of(
    {"kind": "found in eval mode", "B": 3, "T": 2, "V": 7, "new": 4, "training": False},
    {"kind": "found in train mode", "B": 3, "T": 2, "V": 7, "new": 4, "training": True},
    {"kind": "sampling in train mode", "B": 3, "T": 2, "V": 7, "new": 4, "training": True, "do_sample": True},
)
DRAWS = Table.of(
    {"kind": "plain", "B": 1200, "V": 4, "given": False},
    {"kind": "with a generator", "B": 1200, "V": 5, "given": True},
    {"kind": "large logits", "B": 1200, "V": 4, "given": False, "shift": 400.0},
    {"kind": "rows far apart", "B": 1200, "V": 4, "given": False, "apart": 100.0},
)
TEMPERATURES = Table.of(
    {"kind": "cool", "B": 1200, "V": 5, "temperature": 0.3},
    {"kind": "small logits, cold", "B": 1200, "V": 4, "temperature": 0.001, "scale": 0.001},
    {"kind": "large logits, hot", "B": 1200, "V": 4, "temperature": 50.0, "scale": 30.0},
)
TOP = Table.of(
    {"kind": "the best", "B": 1200, "V": 5, "k": 1},
    {"kind": "two, low logits", "B": 1200, "V": 6, "k": 2, "shift": -500.0},
    {"kind": "three, low logits, cold", "B": 1200, "V": 6, "k": 3, "shift": -500.0, "temperature": 0.002},
    {"kind": "two, hot", "B": 1200, "V": 5, "k": 2, "temperature": 3.0},
    {"kind": "all, hot", "B": 1200, "V": 6, "k": 6, "temperature": 3.0},
    {"kind": "more than there are", "B": 1200, "V": 4, "k": 7},
    {"kind": "three, float64", "B": 1200, "V": 5, "k": 3, "dtype": torch.float64},
)
LOSSES = Table.of(
    {"kind": "one target", "B": 1, "T": 2, "V": 3},
    {"kind": "one row", "B": 1, "T": 4, "V": 5},
    {"kind": "plain", "B": 2, "T": 5, "V": 7},
    {"kind": "more tokens than ids", "B": 3, "T": 6, "V": 4, "scale": 3.0},
    {"kind": "float64", "B": 2, "T": 3, "V": 5, "dtype": torch.float64},
    {"kind": "transposed", "B": 3, "T": 4, "V": 5},
)
IGNORED = Table.of(
    {"kind": "the end of one row", "B": 2, "T": 5, "V": 7, "ignore": -100, "where": "end"},
    {"kind": "an id of its own", "B": 3, "T": 5, "V": 7, "ignore": 0, "where": "end"},
    {"kind": "another id", "B": 2, "T": 6, "V": 4, "ignore": 3, "where": "anywhere"},
    {"kind": "a whole row", "B": 3, "T": 4, "V": 6, "ignore": -1, "where": "row"},
    {"kind": "the first tokens", "B": 2, "T": 5, "V": 6, "ignore": -100, "where": "start"},
)
BATCHES = Table.of(
    {"kind": "one target", "B": 3, "T": 2, "V": 5, "limit": 9},
    {"kind": "one row", "B": 1, "T": 4, "V": 6, "limit": 9},
    {"kind": "as long as allowed", "B": 3, "T": 5, "V": 7, "limit": 5},
    {"kind": "train mode", "B": 2, "T": 3, "V": 5, "limit": 9, "training": True},
)


@cases(PROMPTS)
def test_generate_greedy(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Without sampling each row gets, step by step, the token with the largest logit behind all that came before."""
    settings = {"temperature": case.dims.get("temperature", 1.0), "top_k": case.dims.get("top_k")}
    models = _models(subject, reference, case, scale=case.dims.get("scale", 1.0))
    want, got = _generate(subject, reference, models, _ids(case), case.new, block_size=20, **settings)
    equal(got, want, "the answer", dtype=torch.int64)


@cases(LONG)
def test_generate_context(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model reads the last block_size tokens, and never more, however long prompt and answer are."""
    models = _models(subject, reference, case, limit=case.limit)
    sampling = case.dims.get("do_sample", False)
    settings = {"block_size": case.block, "do_sample": sampling, "top_k": case.dims.get("top_k")}
    want, got = _generate(subject, reference, models, _ids(case), case.new, **settings)
    of_shape(got, (case.B, case.T + case.new), "the answer")
    longest = max((call[0] for call in models[0].record()["calls"]), default=0)
    holds(longest <= case.block, f"The model was given {longest} ids at once, block_size is {case.block}.")
    if not sampling or settings["top_k"] == 1:
        equal(got, want, "the answer")


@cases(FOUND)
def test_generate_mode(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model is called in eval mode, and then put back into the mode it was found in."""
    model = _models(subject, reference, case)[0]
    if case.training:
        model.train()
    subject.call("generate", model, _ids(case), case.new, block_size=20, do_sample=case.dims.get("do_sample", False))
    record = model.record()
    during = [call[1] for call in record["calls"]]
    holds(not any(during), f"The model was in train mode in {sum(during)} of {len(during)} calls.")
    if record["training"] != case.training:
        fail("global_state", what="the model's mode", got=MODE[record["training"]], want=MODE[case.training])


@cases(FOUND)
def test_generate_no_grad(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model runs without recording gradients, and afterwards gradients are recorded again."""
    model, ids = _models(subject, reference, case)[0], _ids(case)
    subject.call("generate", model, ids, case.new, block_size=20, do_sample=case.dims.get("do_sample", False))
    for step, call in enumerate(model.record()["calls"], 1):
        if call[2]:
            fail("needs_no_grad", what=f"Call {step} of the model")
    model(ids)
    if not model.record()["calls"][-1][2]:
        fail("global_state", what="gradients", got="off", want="on")
    if model.record()["frozen"]:
        fail("global_state", what="requires_grad of the model's parameters", got="off", want="on")


@cases(DRAWS)
def test_generate_sampling(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With do_sample each row, at each step, draws its own token from the softmax of the last logits."""
    student, teacher = _level_models(subject, reference, case)
    options = {"generator": torch.Generator().manual_seed(case.seed)} if case.given else {}
    prompts = torch.zeros(case.B, 1, dtype=torch.int64)
    got = of_shape(subject.call("generate", student, prompts, 2, block_size=8, do_sample=True, **options), (case.B, 3))
    after = _after_each(teacher, case).softmax(-1)  # (V, V)
    both = (after[0, :, None] * after).flatten()  # (V * V,)
    _counted(got[:, 1], after[0], "The first new token")
    _counted(got[:, 2], after[0] @ after, "The second new token")
    rows = (after[0, :, None] * after[0]).flatten()  # (V * V,)
    _counted(got[::2, 1] * case.V + got[1::2, 1], rows, "The first new tokens of neighbouring rows", pairs=case.V)
    _counted(got[:, 1] * case.V + got[:, 2], both, "The two new tokens of a row", pairs=case.V)


@cases(TEMPERATURES)
def test_generate_temperature(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The logits are divided by the temperature before the softmax: cold is almost greedy, hot is almost even."""
    student, teacher = _level_models(subject, reference, case)
    settings = {"do_sample": True, "temperature": case.temperature}
    prompts = torch.zeros(case.B, 1, dtype=torch.int64)
    got = of_shape(subject.call("generate", student, prompts, 2, block_size=8, **settings), (case.B, 3))
    after = (_after_each(teacher, case) / case.temperature).softmax(-1)  # (V, V)
    _counted(got[:, 1], after[0], f"The first token at temperature {case.temperature}")
    _counted(got[:, 2], after[0] @ after, f"The second token at temperature {case.temperature}")


@cases(TOP)
def test_generate_top_k(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Only the k tokens with the largest logits of a row can be drawn, and all of these can."""
    student, teacher = _level_models(subject, reference, case)
    settings = {"do_sample": True, "top_k": case.k, "temperature": case.dims.get("temperature", 1.0)}
    prompts = torch.arange(3).repeat_interleave(case.B // 3)[:, None]  # (B, 1): three prompts, each many times
    got = of_shape(subject.call("generate", student, prompts, 2, block_size=8, **settings), (case.B, 3))
    logits = _after_each(teacher, case) / settings["temperature"]  # (V, V)
    low = logits.argsort(-1).argsort(-1) < case.V - case.k  # all but the k largest of a row
    after = logits.masked_fill(low, -torch.inf).softmax(-1)
    for prompt in range(3):
        drawn = got[prompts[:, 0] == prompt]
        _counted(drawn[:, 1], after[prompt], f"With top_k={case.k}, the first token after prompt {prompt}")
        _counted(drawn[:, 2], after[prompt] @ after, f"With top_k={case.k}, the second token after prompt {prompt}")


@cases(Table.of({"B": 40, "T": 2, "V": 7, "new": 4}, {"B": 40, "T": 2, "V": 7, "new": 4, "top_k": 4}))
def test_generate_generator(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Equal generators give equal answers, another seed gives another; without one, every call draws anew."""
    model, ids = _models(subject, reference, case, scale=0.5)[0], _ids(case)

    def sample(torch_seed: int, seed: int | None) -> Tensor:
        subject.seed += torch_seed
        options: dict[str, Any] = {} if seed is None else {"generator": torch.Generator().manual_seed(seed)}
        options |= {"do_sample": True, "top_k": case.dims.get("top_k")}
        answer = subject.call("generate", model, ids, case.new, block_size=20, **options)
        subject.seed -= torch_seed
        return of_shape(answer, (case.B, case.T + case.new))

    once = sample(0, 5)
    seeds = {call[4] for call in model.record()["calls"]}
    holds(seeds <= {subject.seed}, "torch's own stream was seeded anew, though a generator was given.")
    holds(torch.equal(once, sample(1, 5)), "Two generators with the same seed gave different answers.")
    holds(not torch.equal(once, sample(0, 6)), "Two generators with different seeds gave the same answer.")
    holds(not torch.equal(sample(0, None), sample(1, None)), "Two calls without a generator gave the same answer.")


@cases(Table.of({"B": 3, "T": 4, "V": 7, "new": 3}))
def test_generate_prompt(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The answer begins with the prompt, which itself stays as it is."""
    model, ids = _models(subject, reference, case)[0], _ids(case)
    leaves_inputs_alone(subject, "generate", model, ids, case.new, block_size=20, inputs=("model", "ids"))
    leaves_inputs_alone(subject, "generate", model, ids, case.new, block_size=2, inputs=("model", "ids"))
    got = subject.call("generate", model, ids, case.new, block_size=2, do_sample=True, top_k=2)
    equal(of_shape(got, (case.B, case.T + case.new))[:, : case.T], ids, "the beginning of the answer")


@cases(LOSSES)
def test_lm_loss_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss is the mean of -log p(token t + 1) under the softmax of the logits at t, over all rows."""
    agree(subject, reference, "lm_loss", *_scored(case))


@cases(LOSSES)
def test_lm_loss_next_token(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Position t is asked for token t + 1: logits that know the next token cost almost nothing."""
    _, tokens = _scored(case)
    following = torch.cat([tokens[:, 1:], (tokens[:, :1] + 1) % case.V], dim=1)  # (B, T); the last one is made up
    logits = 30.0 * torch.nn.functional.one_hot(following, case.V).to(case.dims.get("dtype", torch.float32))
    agree(subject, reference, "lm_loss", logits, tokens)
    agree(subject, reference, "lm_loss", -logits, tokens)


@cases(IGNORED)
def test_lm_loss_ignored(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Targets equal to ignore_index add nothing, and the mean is over the others of the whole batch."""
    arguments = _with_ignored(case, *_scored(case))
    agree(subject, reference, "lm_loss", *arguments, *([] if case.ignore == -100 else [case.ignore]))


@cases(Table.of({"B": 2, "T": 4, "V": 5, "size": 300.0}, {"B": 2, "T": 4, "V": 5, "size": 1e4}))
def test_lm_loss_stable(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Logits of several hundred give a finite loss."""
    logits, tokens = _scored(case)
    agree(subject, reference, "lm_loss", logits * case.size, tokens)


@cases(LOSSES + IGNORED)
def test_lm_loss_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every counted position gets its gradient; ignored ones, and the last, get none."""
    logits, tokens = _scored(case)
    if "ignore" in case.dims:
        logits, tokens = _with_ignored(case, logits, tokens)
    agree_gradients(
        subject, reference, case, "lm_loss", logits, tokens, case.dims.get("ignore", -100), inputs=("logits",)
    )


@cases(Table.of({"B": 2, "T": 5, "V": 7, "ignore": 0, "where": "end", "dtype": torch.float64}))
def test_lm_loss_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The loss has the dtype and device of the logits, and both inputs stay as they are."""
    arguments = (*_with_ignored(case, *_scored(case)), case.ignore)
    leaves_inputs_alone(subject, "lm_loss", *arguments, inputs=("logits", "tokens"))
    agree(subject, reference, "lm_loss", *arguments)
    if subject.device_problem("lm_loss", *arguments):
        fail("wrong_device", task="lm_loss")


@cases(BATCHES)
def test_loss_on_batch_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each token but the first is predicted from those before it, once, and the mean is returned."""
    models, ids = _trained(_models(subject, reference, case, limit=case.limit), case), _ids(case)
    want, got = reference.call("loss_on_batch", models[1], ids), subject.call("loss_on_batch", models[0], ids)
    same(got, want, ("the loss",), torch.float32)


@cases(Table.of({"B": 3, "T": 4, "V": 7, "training": True}, {"B": 3, "T": 4, "V": 7, "training": False}))
def test_loss_on_batch_mode(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model runs in the mode it is in, and stays in it."""
    models, ids = _trained(_models(subject, reference, case), case), _ids(case)
    got, record = subject.call("loss_on_batch", models[0], ids), models[0].record()
    for training in [call[1] for call in record["calls"]] + [record["training"]]:
        if training != case.training:
            fail("global_state", what="the model's mode", got=MODE[training], want=MODE[case.training])
    close(got, reference.call("loss_on_batch", models[1], ids), "the loss")


@cases(BATCHES)
def test_loss_on_batch_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients are recorded, all the way from the loss to the parameters of the model."""
    models, ids = _trained(_models(subject, reference, case, limit=case.limit), case), _ids(case)
    one = torch.ones((), dtype=torch.float32)
    got = subject.gradients("loss_on_batch", models[0], ids, cotangents=[one])
    holds(any(call[2] for call in models[0].record()["calls"]), "The model was called with gradients off.")
    want = reference.gradients("loss_on_batch", models[1], ids, cotangents=[one.double()])
    for name, expected in want.weights.items():
        if expected is not None:
            close_gradient(got.weights.get(name), expected, f"the model's parameter {name}")


@cases(Table.of({"B": 3, "T": 5, "V": 7, "dtype": torch.float64}))
def test_loss_on_batch_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """input_ids stays as it is, and the loss has the dtype of the model's logits."""
    models, ids = _models(subject, reference, case), _ids(case)
    leaves_inputs_alone(subject, "loss_on_batch", models[0], ids, inputs=("model", "input_ids"))
    if (grads := models[0].record()["grads"]) != "as it was":
        fail("global_state", what=".grad of the model's parameters", got=grads, want="what was there")
    want, got = reference.call("loss_on_batch", models[1], ids), subject.call("loss_on_batch", models[0], ids)
    same(got, want, ("the loss",), torch.float64)


def _models(subject: Proxy, reference: Proxy, case: Case, limit: int = 20, scale: float = 1.0) -> tuple[Module, Module]:
    """The same model on both sides, in eval mode; its past weighs more than its present, so that history shows."""
    now, past = case.normal(case.V, case.V, scale=scale), case.normal(case.V, case.V, scale=2 * scale)
    if "favourite" in case.dims:
        now[:, case.favourite] += 100.0
    if "turn" in case.dims:
        now += 100.0 * torch.eye(case.V).roll(1, 1)  # n + 1 after n
    return _pair(subject, reference, now, past, limit)


def _trained(models: tuple[Module, Module], case: Case) -> tuple[Module, Module]:
    """Both in train mode, if the case says so."""
    if case.dims.get("training"):
        for model in models:
            model.train()
    return models


def _level_models(subject: Proxy, reference: Proxy, case: Case) -> tuple[Module, Module]:
    """The last token alone decides: its logits are c, c + 0.8, c + 1.6 … in an order, and from a c, of its own.

    All of them times the case's scale; the c of two tokens differ by 1.5, or by what the case says.
    """
    order = torch.stack([case.shuffled(case.V) for _ in range(case.V)])  # (V, V)
    apart, scale = case.dims.get("apart", 1.5), case.dims.get("scale", 1.0)
    now = scale * (0.8 * order + apart * case.shuffled(case.V)[:, None]) + case.dims.get("shift", 0.0)
    now = now.to(case.dims.get("dtype", torch.float32))
    return _pair(subject, reference, now, torch.zeros_like(now), 8)


def _after_each(teacher: Module, case: Case) -> Tensor:
    """Logits (V, V) of the token after each of the V tokens."""
    logits: Tensor = teacher(torch.arange(case.V)[:, None])[:, -1]
    return logits


def _pair(subject: Proxy, reference: Proxy, now: Tensor, past: Tensor, limit: int) -> tuple[Module, Module]:
    student = subject.given_model(now=now, past=past, block_size=limit)
    teacher = reference.given_model(now=now.double(), past=past.double(), block_size=limit)
    student.eval()
    teacher.eval()
    return student, teacher


def _generate(
    subject: Proxy, reference: Proxy, models: tuple[Module, Module], ids: Tensor, new: int, **settings: object
) -> tuple[Tensor, Tensor]:
    """What the reference gives, and what the student's code gives."""
    want = reference.call("generate", models[1], ids, new, **settings)
    return want, subject.call("generate", models[0], ids, new, **settings)


def _ids(case: Case) -> Tensor:
    return case.integers(0, case.V, case.B, case.T)


def _scored(case: Case) -> tuple[Tensor, Tensor]:
    """Logits (B, T, V), and tokens (B, T)."""
    logits, ids = case.normal(case.B, case.T, case.V, scale=case.dims.get("scale", 1.0)), _ids(case)
    if case.dims.get("kind") == "transposed":  # the same numbers in another order in memory
        logits, ids = logits.transpose(0, 1).contiguous().transpose(0, 1), ids.T.contiguous().T
    return logits, ids


def _with_ignored(case: Case, logits: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Some tokens are ignore_index, never all targets."""
    position, ignored = torch.arange(case.T), torch.zeros(case.B, case.T, dtype=torch.bool)
    if case.where == "end":
        ignored[0] = position >= 2
    elif case.where == "start":
        ignored[:, :2] = True
    elif case.where == "row":
        ignored[1] = True
    elif case.where == "anywhere":
        ignored[:, 1::2] = True
    other = torch.where(tokens == case.ignore, (tokens + 1) % case.V, tokens)  # no other token has this value
    return logits, other.masked_fill(ignored, case.ignore)


def _counted(drawn: Tensor, probabilities: Tensor, what: str, pairs: int = 0) -> None:
    """The tokens `drawn` (n,) are as frequent as their probabilities say, within what chance explains.

    With `pairs`, the number V of ids, a number stands for two tokens: V times the one plus the other.
    """
    n = len(drawn)
    for token, p in enumerate(probabilities.tolist()):
        count, name = int((drawn == token).sum()), f"{token // pairs} and {token % pairs}" if pairs else f"{token}"
        if count and p == 0:
            fail("wrong_support", what=what, got=name, want="is not among those that may be drawn")
        if n * _surprise(count / n, p) > math.log(2 / RARE):
            fail("wrong_frequency", what=f"{what}: {name}", got=count, draws=n, want=round(n * p, 1))


def _surprise(seen: float, p: float) -> float:
    """Relative entropy of two coins: `seen` or more extreme has probability below 2 exp(-n surprise) (Chernoff)."""
    terms = [(a, b) for a, b in ((seen, p), (1 - seen, 1 - p)) if a > 0]
    return sum(a * math.log(a / b) if b > 0 else math.inf for a, b in terms)
