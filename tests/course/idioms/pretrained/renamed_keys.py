"""Builds a state dict under the model's own names, by string surgery, and leaves the copying to load_state_dict."""

import re

import torch
from torch import Tensor

from exercises.gpt import GPT

NAMES = {
    "ln_1": "norm_1",
    "ln_2": "norm_2",
    "attn.c_proj": "attention.wo",
    "mlp.c_fc": "mlp.fc1",
    "mlp.c_proj": "mlp.fc2",
}
TOP = {"transformer.wte": "wte", "transformer.wpe": "wpe", "transformer.ln_f": "norm", "lm_head": "lm_head"}


def load_gpt2(model: GPT, state_dict: dict[str, Tensor]) -> None:
    renamed: dict[str, Tensor] = {}
    for key, value in state_dict.items():
        path, _, kind = key.rpartition(".")
        if kind not in ("weight", "bias"):
            continue
        if path in TOP:
            renamed[f"{TOP[path]}.{kind}"] = value
            continue
        match = re.fullmatch(r"transformer\.h\.(\d+)\.(.+)", path)
        if match is None:
            continue
        number, part = match.groups()
        if ".c_" in f".{part}" and kind == "weight":
            value = torch.transpose(value, 0, 1)
        if part == "attn.c_attn":
            for letter, piece in zip("qkv", torch.tensor_split(value, 3), strict=True):
                renamed[f"blocks.{number}.attention.w{letter}.{kind}"] = piece
        elif part in NAMES:
            renamed[f"blocks.{number}.{NAMES[part]}.{kind}"] = value
    wanted = model.state_dict()
    model.load_state_dict({name: renamed[name] for name in wanted if name in renamed}, strict=False)
