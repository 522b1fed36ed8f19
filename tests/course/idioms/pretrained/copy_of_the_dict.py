"""Takes every entry out of a copy of the dict, so that what was forgotten would be left over, and tests the shapes."""

import copy

import torch
from torch import nn

from exercises.gpt import GPT, DecoderBlock


def load_gpt2(model: GPT, state_dict: dict) -> None:
    left = copy.deepcopy(dict(state_dict))
    fill(model.wte, left, "transformer.wte")
    fill(model.wpe, left, "transformer.wpe")
    for number, block in enumerate(model.blocks):
        fill_block(block, left, f"transformer.h.{number}.")
    fill(model.norm, left, "transformer.ln_f")
    fill(model.lm_head, left, "lm_head")


def fill_block(block: DecoderBlock, left: dict, prefix: str) -> None:
    assert isinstance(block, DecoderBlock)
    fill(block.norm_1, left, prefix + "ln_1")
    fill(block.norm_2, left, prefix + "ln_2")
    for name in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"):
        left[prefix + name + ".weight"] = left[prefix + name + ".weight"].t_().contiguous()
    attention = block.attention
    thirds = {kind: left.pop(f"{prefix}attn.c_attn.{kind}").unflatten(0, (3, -1)) for kind in ("weight", "bias")}
    for i, layer in enumerate([attention.wq, attention.wk, attention.wv]):
        fill(layer, {f"x.{kind}": thirds[kind][i] for kind in thirds}, "x")
    fill(attention.wo, left, prefix + "attn.c_proj")
    fill(block.mlp.fc1, left, prefix + "mlp.c_fc")
    fill(block.mlp.fc2, left, prefix + "mlp.c_proj")


def fill(module: nn.Module, left: dict, name: str) -> None:
    for kind in ("weight", "bias"):
        parameter = getattr(module, kind, None)
        if parameter is not None:
            value = left.pop(f"{name}.{kind}")
            assert value.shape == parameter.shape
            with torch.no_grad():
                parameter.copy_(value)
