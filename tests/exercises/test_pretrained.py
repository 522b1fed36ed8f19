"""Checks of load_gpt2: with a GPT-2's weights, the course's GPT gives that GPT-2's logits.

Where a check is about one part, the others are silent: their last weights are zero, so they add nothing to the stream.
All numbers are random, those of biases and norms too: a fresh GPT-2 has zeros and ones there, which hide mistakes.
"""

from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import (
    Case,
    Given,
    Module,
    Object,
    Proxy,
    Table,
    cases,
    close,
    equal,
    fail,
    holds,
    moved,
    of_shape,
    unmoved,
)

OUTSIDE = Table.of(
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 1, "T": 1},
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 5},
    {"C": 6, "H": 3, "V": 6, "block": 6, "layers": 1, "T": 6, "kind": "square tables"},
)
LAYERS = Table.of(
    {"C": 6, "H": 1, "V": 11, "block": 5, "layers": 1, "T": 2, "kind": "one head"},
    {"C": 6, "H": 2, "V": 11, "block": 7, "layers": 1, "T": 4},
    {"C": 12, "H": 3, "V": 17, "block": 7, "layers": 2, "T": 6},
)
DEEP = Table.of(
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 3, "T": 4},
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 3, "T": 4, "order": "shuffled"},
    {"C": 4, "H": 2, "V": 9, "block": 7, "layers": 12, "T": 5, "kind": "twelve layers"},
    {"C": 4, "H": 2, "V": 9, "block": 7, "layers": 12, "T": 5, "kind": "twelve layers", "order": "by name"},
    {"C": 4, "H": 1, "V": 9, "block": 7, "layers": 12, "T": 5, "kind": "twelve layers", "order": "backwards"},
)
OTHERS = Table.of(
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4, "kind": "masks of older versions"},
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4, "kind": "other heads"},
)
ONE = Table.of({"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4})
DTYPES = Table.of(
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4, "model": torch.float32, "tensors": torch.float32},
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4, "model": torch.float64, "tensors": torch.float32},
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4, "model": torch.float32, "tensors": torch.float64},
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4, "model": torch.float32, "tensors": torch.float16},
)


@cases(OUTSIDE)
def test_load_gpt2_embeddings(subject: Proxy, reference: Proxy, case: Case) -> None:
    """What stands outside the layers is right: wte, wpe, the last norm and lm_head. The layers' weights add nothing."""
    _agree(subject, reference, case, _state(case, silent=("attn.c_proj", "mlp.c_proj")))


@cases(LAYERS)
def test_load_gpt2_attention(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Attention is right: its norm, query, key and value, and the layer behind the heads. The MLP adds nothing."""
    student, teacher = _agree(subject, reference, case, _state(case, silent=("mlp.c_proj",)))
    for n in range(case.layers):  # a key's bias adds the same to all scores of a query, so that no logits show it
        name = f"blocks.{n}.attention.wk.bias"
        close(_parameters(student).get(name), _parameters(teacher)[name], f"the bias of the keys in layer {n}")


@cases(LAYERS)
def test_load_gpt2_mlp(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The MLP is right: its norm and its two linear layers. Attention adds nothing."""
    _agree(subject, reference, case, _state(case, silent=("attn.c_proj",)))


@cases(DEEP)
def test_load_gpt2_every_layer(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every layer gets its own weights, however many there are and in whichever order the names come."""
    state = _state(case, silent=("attn.c_proj",))  # a mistake in attention is told by its own check
    _agree(subject, reference, case, {name: state[name] for name in _ordered(list(state), case)})


@cases(
    Table.of(
        {"C": 6, "H": 2, "V": 11, "block": 6, "layers": 2, "B": 3},
        {"C": 12, "H": 4, "V": 19, "block": 7, "layers": 3, "B": 2},
    )
)
def test_load_gpt2_continues(subject: Proxy, reference: Proxy, case: Case) -> None:
    """From one token up to block_size tokens, the logits and the greedy continuation are those of the GPT-2."""
    student, teacher = _loaded(subject, reference, case, _state(case))
    ids = case.integers(0, case.V, case.B, 1)
    while ids.size(1) < case.block:
        want = teacher(ids)[:, -1]
        got = of_shape(student(ids), (*ids.shape, case.V), "the logits")[:, -1]
        close(got, want, f"the last logits of {ids.size(1)} tokens", dtype=torch.float32)
        equal(got.argmax(-1), want.argmax(-1), "the greedy token")
        ids = torch.cat([ids, want.argmax(-1, keepdim=True)], dim=1)
    close(student(ids), teacher(ids), "the logits of block_size tokens", dtype=torch.float32)


@cases(OTHERS)
def test_load_gpt2_ignores_others(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Names that are none of a GPT-2's weights are ignored, wherever they stand."""
    state, before, after = _state(case), {}, {}
    if case.kind == "masks of older versions":
        for n in range(case.layers):
            attention = f"transformer.h.{n}.attn"
            after[f"{attention}.bias"] = torch.ones(case.block, case.block, dtype=torch.bool).tril()[None, None]
            before[f"{attention}.masked_bias"] = torch.tensor(-1e4)
    else:
        before = {"score.weight": case.normal(2, case.C), "transformer.h.0.ln_3.weight": case.normal(case.C)}
        after = {"lm_head.bias": case.normal(case.V), "transformer.h.1.attn.c_attn.scale": case.normal(3 * case.C)}
    alone, among_others, ids = _model(subject, case), _model(subject, case), _ids(case)
    subject.call("load_gpt2", alone, state)
    subject.call("load_gpt2", among_others, {**before, **state, **after})
    unmoved(_filled(alone, ids, case), _filled(among_others, ids, case), "A name that is no weight's", "the logits")


@cases(ONE)
def test_load_gpt2_leaves_state_dict_alone(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The call changes neither the dict nor its tensors, and the model has copies: no later change touches both."""
    state, model = _state(case), _model(subject, case)
    after = subject.inputs_after("load_gpt2", model, Given("state_dict", (state,)))[1]
    _unchanged(state, after)
    # By now the tensors that were handed in are full of NaN (worker/given.py).
    holds(
        bool(_filled(model, _ids(case), case).isfinite().all()),
        "When the tensors of state_dict are changed after the call, the model changes with them: it shares their "
        "memory, where it should have copies.",
    )


@cases(DTYPES)
def test_load_gpt2_keeps_the_model(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The model's parameters keep their dtype, are as many as before, and can all be trained."""
    state = {name: tensor.to(torch.float16).float() for name, tensor in _state(case).items()}  # exact in each dtype
    model, plain, ids = _model(subject, case), _model(subject, case), _ids(case)
    model.to(case.model)
    before = _numbers(model)
    subject.call("load_gpt2", model, {name: tensor.to(case.tensors) for name, tensor in state.items()})
    for row in model.parameters():
        if row.dtype != case.model:
            fail("wrong_dtype", what=f"parameter {row.name}", got=str(row.dtype)[6:], want=str(case.model)[6:])
        holds(row.requires_grad, f"Parameter {row.name} cannot be trained any more: its requires_grad is False.")
    if _numbers(model) != before:
        fail("parameter_count", task="the model", got=_numbers(model), want=before)
    for path, what in model.unregistered():
        fail("unregistered", task="the model", what=what, path=path)
    subject.call("load_gpt2", plain, state)
    close(_filled(model, ids, case), _filled(plain, ids, case).double(), "the logits", dtype=case.model)
    zeros = {"lm_head.weight": torch.zeros(case.V, case.C)}
    Object(model.proxy, model.handle, model.task).call("load_state_dict", zeros, strict=False)
    table = _parameters(model).get("wte.weight")
    holds(
        isinstance(table, Tensor) and bool((table != 0).any()),
        "A change of lm_head.weight changes wte.weight too: they share their memory, where lm_head should have a copy.",
    )


@cases(ONE)
def test_load_gpt2_again(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Weights that were loaded earlier leave no trace when others are loaded."""
    once, twice, ids, state = _model(subject, case), _model(subject, case), _ids(case), _state(case)
    subject.call("load_gpt2", once, state)
    subject.call("load_gpt2", twice, _state(case))
    subject.call("load_gpt2", twice, state)
    unmoved(_filled(once, ids, case), _filled(twice, ids, case), "What was loaded before", "the logits")


def _agree(subject: Proxy, reference: Proxy, case: Case, state: dict[str, Tensor]) -> tuple[Module, Module]:
    """With these weights both give the same logits."""
    student, teacher = _loaded(subject, reference, case, state)
    ids = _ids(case)
    close(student(ids), teacher(ids), "the logits", dtype=torch.float32)
    return student, teacher


def _loaded(subject: Proxy, reference: Proxy, case: Case, state: dict[str, Tensor]) -> tuple[Module, Module]:
    """A GPT on either side, in eval mode, with the weights of `state`; the reference's in float64."""
    student, teacher = _model(subject, case), _model(reference, case)
    teacher.to(torch.float64)
    subject.call("load_gpt2", student, state)
    reference.call("load_gpt2", teacher, state)
    return student, teacher


def _filled(model: Module, ids: Tensor, case: Case) -> Tensor:
    """The logits of a model after loading; a fresh one's would be another's."""
    fresh = _model(model.proxy, case)
    logits = of_shape(model(ids), (*ids.shape, case.V), "the logits")
    moved(of_shape(fresh(ids), tuple(logits.shape)), logits, "The call of load_gpt2", "the model's logits")
    return logits


def _model(side: Proxy, case: Case) -> Module:
    sizes = {"n_embd": case.C, "dim": case.C, "n_heads": case.H, "vocab_size": case.V, "n_layer": case.layers}
    model = side.construct("GPT", ModelArgs(**sizes, block_size=case.block, max_seq_len=case.block))
    model.eval()
    return model


def _ids(case: Case) -> Tensor:
    """Two rows that hold the first and the last id."""
    ids = case.integers(0, case.V, 2, case.T)
    ids[0, 0], ids[1, 0] = 0, case.V - 1
    return ids


def _state(case: Case, silent: tuple[str, ...] = ()) -> dict[str, Tensor]:
    """Random weights under the names of GPT2LMHeadModel.state_dict(), in its order; those of `silent` layers are 0."""
    weights = case.weights(_shapes(case.C, case.V, case.block, case.layers))
    for name in weights:
        if any(layer in name for layer in silent):
            weights[name] = torch.zeros_like(weights[name])
    return {**weights, "lm_head.weight": weights["transformer.wte.weight"].clone()}


def _shapes(C: int, V: int, block: int, layers: int) -> dict[str, tuple[int, ...]]:
    def both(name: str, *shape: int) -> dict[str, tuple[int, ...]]:
        return {f"transformer.{name}.weight": shape, f"transformer.{name}.bias": shape[-1:]}

    shapes: dict[str, tuple[int, ...]] = {"transformer.wte.weight": (V, C), "transformer.wpe.weight": (block, C)}
    for n in range(layers):
        shapes |= both(f"h.{n}.ln_1", C) | both(f"h.{n}.attn.c_attn", C, 3 * C) | both(f"h.{n}.attn.c_proj", C, C)
        shapes |= both(f"h.{n}.ln_2", C) | both(f"h.{n}.mlp.c_fc", C, 4 * C) | both(f"h.{n}.mlp.c_proj", 4 * C, C)
    return shapes | both("ln_f", C)


def _ordered(names: list[str], case: Case) -> list[str]:
    order = case.dims.get("order")
    if order == "shuffled":
        return [names[i] for i in case.shuffled(len(names))]
    return names[::-1] if order == "backwards" else sorted(names) if order == "by name" else names


def _unchanged(before: dict[str, Tensor], after: Any) -> None:
    """The dict holds what it held."""
    for name, tensor in before.items():
        now = after.get(name)
        if not isinstance(now, Tensor) or now.dtype != tensor.dtype or not torch.equal(now, tensor):
            fail("input_changed", what=f'state_dict["{name}"]')
    for name in after:
        if name not in before:
            fail("input_changed", what=f'state_dict["{str(name)[:80]}"]')


def _parameters(model: Module) -> dict[str, Tensor]:
    """What its state_dict() gives."""
    return dict(Object(model.proxy, model.handle, model.task).call("state_dict"))


def _numbers(model: Module) -> int:
    return sum(torch.Size(row.shape).numel() for row in model.parameters())
