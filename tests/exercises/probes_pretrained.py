"""Questions that tell the known bugs of load_gpt2 apart.

The model is filled with known weights first, so that what is not copied shows as the same numbers on every side.
"""

from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Given, Module, Object, Proxy, Table, fill, probe

SIZES = Table.of(
    {"C": 6, "H": 2, "V": 11, "block": 5, "layers": 2, "T": 4},
    {"C": 6, "H": 3, "V": 6, "block": 6, "layers": 1, "T": 3},
    {"C": 4, "H": 2, "V": 7, "block": 5, "layers": 12, "T": 3},
    {"C": 4, "H": 2, "V": 7, "block": 5, "layers": 3, "T": 3, "backwards": True},
)
OTHERS = Table.of({"C": 6, "H": 2, "V": 11, "block": 5, "layers": 1, "T": 4})


@probe("load_gpt2", SIZES)
def logits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The logits of the loaded model, which begins with other weights."""
    model, state = _model(side, reference, case), _state(case)
    if "backwards" in case.dims:
        state = dict(reversed(state.items()))
    side.call("load_gpt2", model, state)
    return model(_ids(case))


@probe("load_gpt2", OTHERS)
def other_names(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The same with names that belong to no part."""
    model, mask = _model(side, reference, case), torch.ones(1, 1, case.block, case.block).tril()
    others = {"transformer.h.0.attn.bias": mask, "transformer.h.0.attn.masked_bias": torch.tensor(-1e4)}
    side.call("load_gpt2", model, {"score.weight": case.normal(2, case.C), **_state(case), **others})
    return model(_ids(case))


@probe("load_gpt2", OTHERS)
def state_dict_after(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What has become of the dict, and whether the model goes on with its tensors (worker/given.py)."""
    model, state = _model(side, reference, case), _state(case)
    after = side.inputs_after("load_gpt2", model, Given("state_dict", (state,)))[1]
    found = {name: after.get(name) for name in state}
    return {"names": sorted(after), "tensors": found, "shared": bool(model(_ids(case)).isnan().any())}


@probe("load_gpt2", OTHERS)
def model_after(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What has become of the model's parameters, in float64. The bias of the keys shows in no logits."""
    model, state = _model(side, reference, case), _state(case)
    model.to(torch.float64)
    side.call("load_gpt2", model, state)
    rows = model.parameters()
    inside = Object(model.proxy, model.handle, model.task)
    key, answer = inside.call("state_dict").get("blocks.0.attention.wk.bias").clone(), model(_ids(case))
    inside.call("load_state_dict", {"lm_head.weight": torch.zeros(case.V, case.C)}, strict=False)
    numbers = sum(torch.Size(row.shape).numel() for row in rows)
    return {
        "numbers": numbers,
        "dtypes": sorted({str(row.dtype) for row in rows}),
        "trainable": all(row.requires_grad for row in rows),
        "logits": answer,
        "key": key,
        "head apart": bool((inside.call("state_dict")["wte.weight"] != 0).any()),
    }


def _model(side: Proxy, reference: Proxy, case: Case) -> Module:
    sizes = {"n_embd": case.C, "dim": case.C, "n_heads": case.H, "vocab_size": case.V, "n_layer": case.layers}
    return fill(side, reference, case, "GPT", ModelArgs(**sizes, block_size=case.block, max_seq_len=case.block))


def _ids(case: Case) -> Tensor:
    return case.integers(0, case.V, 2, case.T)


def _state(case: Case) -> dict[str, Tensor]:
    """Weights under the names of GPT2LMHeadModel.state_dict(), in its order."""
    C = case.C
    layer = {"ln_1": (C,), "attn.c_attn": (C, 3 * C), "attn.c_proj": (C, C)}
    layer |= {"ln_2": (C,), "mlp.c_fc": (C, 4 * C), "mlp.c_proj": (4 * C, C)}
    parts = {f"h.{n}.{name}": shape for n in range(case.layers) for name, shape in layer.items()} | {"ln_f": (C,)}
    shapes: dict[str, tuple[int, ...]] = {"wte.weight": (case.V, C), "wpe.weight": (case.block, C)}
    for name, shape in parts.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[-1:]}
    weights = case.weights({f"transformer.{name}": shape for name, shape in shapes.items()})
    return {**weights, "lm_head.weight": weights["transformer.wte.weight"].clone()}
