"""Changes every setting of torch that a later submission would feel."""

# expect: wrong_value | wrong_dtype

import sys

import torch

torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_num_threads(1)
torch.set_flush_denormal(True)
torch.backends.mkldnn.enabled = False
torch.manual_seed = lambda seed=0: torch.default_generator
sys.setrecursionlimit(10**6)


def softmax(x):
    return torch.zeros(x.shape)
