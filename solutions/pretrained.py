"""Published weights: copy those of a GPT-2 of the transformers library into your own GPT, which then speaks as it does.

Letters: C width of the stream (`n_embd`), V vocabulary size, N number of a layer, from 0.
"""

import torch
from torch import Tensor, nn

from solutions.gpt import GPT


def load_gpt2(model: GPT, state_dict: dict[str, Tensor]) -> None:
    """Copy every weight and bias of a GPT-2 into `model`: afterwards both give the same logits for the same ids.

    model       a GPT of the same sizes as the GPT-2; changed in place. Its parts and parameters have the names in
                the docstrings of gpt.py, whatever they are called in a GPT of your own
    state_dict  tensors by name, as GPT2LMHeadModel.state_dict() gives them; neither the dict nor a tensor in it is
                changed by the call

    The names in `state_dict` and the shapes of the tensors (N counts from 0, and goes above 9):

        transformer.wte.weight                  (V, C)           what a token means
        transformer.wpe.weight                  (block_size, C)  where it stands
        transformer.h.N.ln_1.weight, .bias      (C,), (C,)       the norm before attention
        transformer.h.N.attn.c_attn.weight      (C, 3C)          query, key and value in one linear layer
        transformer.h.N.attn.c_attn.bias        (3C,)
        transformer.h.N.attn.c_proj.weight      (C, C)           the linear layer behind the heads
        transformer.h.N.attn.c_proj.bias        (C,)
        transformer.h.N.ln_2.weight, .bias      (C,), (C,)       the norm before the MLP
        transformer.h.N.mlp.c_fc.weight, .bias  (C, 4C), (4C,)   the MLP's two linear layers
        transformer.h.N.mlp.c_proj.weight       (4C, C)
        transformer.h.N.mlp.c_proj.bias         (C,)
        transformer.ln_f.weight, .bias          (C,), (C,)       the norm behind the last layer
        lm_head.weight                          (V, C)           equal to transformer.wte.weight

    Three things differ from your model:

    - The linear layers of attention and MLP (all that begin with `c_`) are of the library's class Conv1D, which works
      out x @ weight + bias. Their weights lie the other way round than those of an nn.Linear; no others do.
    - c_attn makes query, key and value at once, side by side along its last axis, in this order. The heads are
      contiguous blocks, as in your model.
    - There lm_head and wte share one parameter. Here lm_head keeps a parameter of its own, and gets a copy.

    The names may come in any order, and there may be others, such as the transformer.h.N.attn.bias and
    transformer.h.N.attn.masked_bias of older versions: masks, no weights. They are ignored.

    The numbers are copied, so that training `model` later leaves `state_dict` as it is. Nothing else about the model
    changes: its parameters keep their dtype, whatever that of the tensors is, and stay trainable.

    Source: Radford et al., Language Models are Unsupervised Multitask Learners (2019); class GPT2LMHeadModel in the
    documentation of the transformers library.
    """
    # BEGIN SOLUTION

    def fill(part: nn.Module, weight: Tensor, bias: Tensor) -> None:
        part.weight.copy_(weight)  # copy_ also casts to the model's dtype
        part.bias.copy_(bias)

    def stored(name: str) -> tuple[Tensor, Tensor]:
        return state_dict[f"{name}.weight"], state_dict[f"{name}.bias"]

    def conv1d(name: str) -> tuple[Tensor, Tensor]:
        weight, bias = stored(name)
        return weight.t(), bias  # (in, out) -> (out, in), as nn.Linear has it

    with torch.no_grad():
        model.wte.weight.copy_(state_dict["transformer.wte.weight"])
        model.wpe.weight.copy_(state_dict["transformer.wpe.weight"])
        for number, block in enumerate(model.blocks):
            layer = f"transformer.h.{number}"
            fill(block.norm_1, *stored(f"{layer}.ln_1"))
            weight, bias = conv1d(f"{layer}.attn.c_attn")  # (3C, C), (3C,)
            (q, k, v), (q_bias, k_bias, v_bias) = weight.chunk(3), bias.chunk(3)  # each (C, C), and (C,)
            fill(block.attention.wq, q, q_bias)
            fill(block.attention.wk, k, k_bias)
            fill(block.attention.wv, v, v_bias)
            fill(block.attention.wo, *conv1d(f"{layer}.attn.c_proj"))
            fill(block.norm_2, *stored(f"{layer}.ln_2"))
            fill(block.mlp.fc1, *conv1d(f"{layer}.mlp.c_fc"))
            fill(block.mlp.fc2, *conv1d(f"{layer}.mlp.c_proj"))
        fill(model.norm, *stored("transformer.ln_f"))
        model.lm_head.weight.copy_(state_dict["lm_head.weight"])
    # END SOLUTION
