"""As nanoGPT does it: a list of the names to be transposed, the masks left out, and a loop over what remains."""

import torch

from exercises.gpt import GPT

TRANSPOSED = ["attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight"]


def load_gpt2(model: GPT, state_dict):
    sd = {}
    for k in [k for k in state_dict if not k.endswith((".attn.masked_bias", ".attn.bias"))]:
        w = state_dict[k]
        sd[k] = w.t() if any(k.endswith(t) for t in TRANSPOSED) else w

    own = dict(model.named_parameters())
    width = model.wte.weight.shape[1]
    with torch.no_grad():
        for k, p in own.items():
            k = k.replace("blocks.", "transformer.h.")
            k = k.replace("norm_1", "ln_1").replace("norm_2", "ln_2")
            k = k.replace("mlp.fc1", "mlp.c_fc").replace("mlp.fc2", "mlp.c_proj").replace("attention.wo", "attn.c_proj")
            if k.startswith("norm."):
                k = k.replace("norm.", "transformer.ln_f.")
            if k.startswith("wte.") or k.startswith("wpe."):
                k = "transformer." + k
            for i, name in enumerate(("wq", "wk", "wv")):
                if f"attention.{name}" in k:
                    k = k.replace(f"attention.{name}", "attn.c_attn")
                    fused = sd[k]
                    p.copy_(fused[i * width : (i + 1) * width])
                    break
            else:
                assert p.shape == sd[k].shape, k
                p.copy_(sd[k])
