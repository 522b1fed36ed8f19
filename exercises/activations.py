"""Activations: the bends between two matrices, without which they would be one matrix.

Letters: d width (`dim`), h hidden width (`hidden_dim`).

The functions work on every number by itself, in a tensor of any shape, also (); the answer has the shape, dtype and
device of x, and gradients flow to x. x stays as it is, and holds finite numbers; several hundred are no reason for inf
or NaN.

The grader fills a module with known weights by the parameter names in its docstring. If you name or structure yours in
another way, keep it and add to this file a function

    load_weights(module, weights)

that copies `weights`, a dict with the docstring's names and shapes such as weights["w1.weight"], into your own
parameters in place and returns nothing. It is called without gradients, and every parameter must be an affine function
of the weights.
"""

import math

import torch
from torch import Tensor, nn


def relu(x: Tensor) -> Tensor:
    """The rectifier: x where x is above 0, and 0 elsewhere.

    x        (...), float
    returns  the shape and dtype of x; never negative, which does not mean positive

    The gradient is 1 above 0 and 0 below; at 0 itself it may be either, or between.

    Source: Nair, Hinton, "Rectified Linear Units Improve Restricted Boltzmann Machines" (2010).
    """
    raise NotImplementedError("relu: write the body (stuck? run `grade hint activations`)")


def gelu(x: Tensor) -> Tensor:
    """The Gaussian error linear unit, exact: x * Phi(x).

    Phi(x) is the probability that a standard normal number is below x: Phi(-inf) = 0, Phi(0) = 1/2, Phi(inf) = 1. It
    can be had from the error function: erf(z) is the probability that a normal number of mean 0 and variance 1/2
    lies between -z and z.

    x        (...), float
    returns  the shape and dtype of x

    Write it out: F.gelu and nn.GELU are not your own work; torch.erf is welcome. The approximations with tanh or with
    the logistic function are other functions, too far from this one.

    Source: Hendrycks, Gimpel, "Gaussian Error Linear Units (GELUs)" (2016), section 2.
    """
    raise NotImplementedError("gelu: write the body (stuck? run `grade hint activations`)")


def gelu_tanh(x: Tensor) -> Tensor:
    """The approximation of gelu that GPT-2 was trained with: x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).

    It differs from the exact gelu by less than 0.001; all the same, a model needs the one that it was trained with.

    x        (...), float
    returns  the shape and dtype of x

    Write it out: F.gelu and nn.GELU are not your own work.

    Source: Hendrycks, Gimpel, "Gaussian Error Linear Units (GELUs)" (2016), section 2.
    """
    raise NotImplementedError("gelu_tanh: write the body (stuck? run `grade hint activations`)")


class SwiGLU(nn.Module):
    """A gated MLP: w2(silu(w1(x)) * w3(x)), with silu(z) = z * sigmoid(z).

    Parameters, no biases:
      w1.weight  (h, d), what opens the gates
      w2.weight  (d, h), back to the width of x
      w3.weight  (h, d), what goes through the gates

    F.silu is welcome. There is no dropout and no norm; train and eval mode give the same.

    Source: Shazeer, "GLU Variants Improve Transformer" (2020), equation 6.
    """

    def __init__(self, dim: int, hidden_dim: int) -> None:
        """dim: d, of what comes in and goes out. hidden_dim: h, as it is given, with no factor of your own."""
        super().__init__()
        raise NotImplementedError("SwiGLU.__init__: write the body (stuck? run `grade hint activations`)")

    def forward(self, x: Tensor) -> Tensor:
        """Every token by itself.

        x        (..., d), with any number of axes before the last; it stays as it is
        returns  the shape and dtype of x
        """
        raise NotImplementedError("SwiGLU.forward: write the body (stuck? run `grade hint activations`)")
