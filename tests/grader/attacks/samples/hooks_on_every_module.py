"""A hook and a patch that change the output of every module of the process, a reference's too."""

# expect: wrong_value

import torch
from torch.nn.modules import module


def nothing(_, args, out):
    return torch.zeros_like(out) if isinstance(out, torch.Tensor) else out


module.register_module_forward_hook(nothing)
torch.nn.Module.__call__ = lambda self, *args, **kwargs: torch.zeros_like(args[0])


def softmax(x):
    return torch.zeros_like(x)
