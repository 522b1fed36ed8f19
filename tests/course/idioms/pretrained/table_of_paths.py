"""One table from the model's paths to the library's names, read with get_parameter; einsum turns the weights round."""

import torch
from torch import Tensor, nn

from exercises.gpt import GPT

BLOCK = [
    ("norm_1", "ln_1", None),
    ("attention.wq", "attn.c_attn", 0),
    ("attention.wk", "attn.c_attn", 1),
    ("attention.wv", "attn.c_attn", 2),
    ("attention.wo", "attn.c_proj", None),
    ("norm_2", "ln_2", None),
    ("mlp.fc1", "mlp.c_fc", None),
    ("mlp.fc2", "mlp.c_proj", None),
]


@torch.no_grad()
def load_gpt2(model: GPT, state_dict: dict[str, Tensor]) -> None:
    table = [("wte", "transformer.wte", None), ("wpe", "transformer.wpe", None)]
    table += [("norm", "transformer.ln_f", None), ("lm_head", "lm_head", None)]
    for n in range(len(model.blocks)):
        table += [(f"blocks.{n}.{ours}", f"transformer.h.{n}.{theirs}", third) for ours, theirs, third in BLOCK]
    for ours, theirs, third in table:
        module = model.get_submodule(ours)
        for kind, parameter in module.named_parameters(recurse=False):
            parameter.copy_(piece(state_dict[f"{theirs}.{kind}"], theirs, third))


def piece(tensor: Tensor, name: str, third: int | None) -> Tensor:
    if third is not None:
        width = tensor.shape[-1] // 3
        tensor = tensor.narrow(-1, third * width, width)
    if ".c_" in name and tensor.ndim == 2:
        tensor = torch.einsum("io->oi", tensor)
    return tensor


def parameters_of(module: nn.Module) -> list[str]:
    return [name for name, _ in module.named_parameters()]
