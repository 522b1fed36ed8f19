"""Puts new parameters into the model's parts, clones in the model's dtype, in the manner of LLMs-from-scratch."""

import numpy as np
import torch
from torch import nn

from exercises.gpt import GPT


def assign(left: nn.Parameter, right: np.ndarray) -> nn.Parameter:
    if left.shape != right.shape:
        raise ValueError(f"Shape mismatch. Left: {left.shape}, Right: {right.shape}")
    return nn.Parameter(torch.tensor(right, dtype=left.dtype, device=left.device))


def load_gpt2(model: GPT, state_dict: dict[str, torch.Tensor]) -> GPT:
    params = {name: tensor.detach().cpu().double().numpy() for name, tensor in state_dict.items()}
    model.wpe.weight = assign(model.wpe.weight, params["transformer.wpe.weight"])
    model.wte.weight = assign(model.wte.weight, params["transformer.wte.weight"])
    for b, block in enumerate(model.blocks):
        name = f"transformer.h.{b}."
        attention, mlp = block.attention, block.mlp
        q_w, k_w, v_w = np.split(params[name + "attn.c_attn.weight"], 3, axis=-1)
        attention.wq.weight = assign(attention.wq.weight, q_w.T)
        attention.wk.weight = assign(attention.wk.weight, k_w.T)
        attention.wv.weight = assign(attention.wv.weight, v_w.T)
        q_b, k_b, v_b = np.split(params[name + "attn.c_attn.bias"], 3, axis=-1)
        attention.wq.bias = assign(attention.wq.bias, q_b)
        attention.wk.bias = assign(attention.wk.bias, k_b)
        attention.wv.bias = assign(attention.wv.bias, v_b)
        for linear, key in ((attention.wo, "attn.c_proj"), (mlp.fc1, "mlp.c_fc"), (mlp.fc2, "mlp.c_proj")):
            linear.weight = assign(linear.weight, params[f"{name}{key}.weight"].T)
            linear.bias = assign(linear.bias, params[f"{name}{key}.bias"])
        for norm, key in ((block.norm_1, "ln_1"), (block.norm_2, "ln_2")):
            norm.weight = assign(norm.weight, params[f"{name}{key}.weight"])
            norm.bias = assign(norm.bias, params[f"{name}{key}.bias"])
    model.norm.weight = assign(model.norm.weight, params["transformer.ln_f.weight"])
    model.norm.bias = assign(model.norm.bias, params["transformer.ln_f.bias"])
    model.lm_head.weight = assign(model.lm_head.weight, params["lm_head.weight"])
    return model
