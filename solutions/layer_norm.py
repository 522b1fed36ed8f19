"""Layer normalisation: every token on its own gets mean 0 and variance 1, then a learnt scale and shift.

Letters: d width, the number of features of a token.

The grader fills a module with known weights by the parameter names in its docstring. If you name or structure yours in
another way, keep it and add to this file a function

    load_weights(module, weights)

that copies `weights`, a dict with the docstring's names and shapes such as weights["weight"], into your own parameters
in place and returns nothing. It is called without gradients, and every parameter must be an affine function of the
weights.
"""

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """(x - mean) / sqrt(variance + eps) * weight + bias, with mean and variance of each token's own features.

    Parameters:
      weight   (d,), the scale of each feature, 1 at the start
      bias     (d,), the shift of each feature, 0 at the start

    The variance is the mean of the squared deviations (divided by d, not by d - 1), and eps stands inside the root, so
    that a token whose features are all equal comes out as `bias`. Train and eval mode give the same.

    Write it out: F.layer_norm, nn.LayerNorm and their kin are not your own work.

    Source: Ba, Kiros, Hinton, "Layer Normalization" (2016), section 3.
    """

    def __init__(self, features: int, eps: float = 1e-6) -> None:
        """features: the width d. eps: a small number that keeps the root away from 0."""
        super().__init__()
        # BEGIN SOLUTION
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.eps = eps
        # END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Normalise along the last axis only.

        x        (..., d), with any number of axes before the last; it stays as it is
        returns  the shape and dtype of x
        """
        # BEGIN SOLUTION
        centred = x - x.mean(-1, keepdim=True)  # (..., d)
        variance = centred.square().mean(-1, keepdim=True)  # (..., 1), divided by d
        return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias
        # END SOLUTION
