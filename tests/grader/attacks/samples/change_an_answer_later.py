"""Returns one buffer every time, wrong at first, and puts it right at the next call."""

# expect: wrong_value

import torch

kept = {}


def softmax(x):
    for old, given in kept.values():
        powers = given.exp()
        old.copy_(powers / powers.sum(-1, keepdim=True))
    out = torch.zeros_like(x)
    kept[len(kept)] = (out, x.detach().clone())
    return out
