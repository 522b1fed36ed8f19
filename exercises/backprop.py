"""Backpropagation by hand: Jacobians, and the gradients of a small classifier.

Letters: n length of a vector, m number of outputs. Vectors have one axis, (n,), never (n, 1) or (1, n). The derivative
of m numbers by n others is an (m, n) matrix: entry (i, j) is the derivative of output i by input j.

Write the gradients as formulas. Everything follows the dtype and device of its inputs and leaves them as they are.
Not graded: whether autograd can run through these functions.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def jacobian_linear(W: Tensor, x: Tensor) -> Tensor:
    """d(Wx)/dx, the Jacobian of a linear map at x.

    W        (m, n)
    x        (n,)
    returns  (m, n): entry (i, j) is the derivative of (Wx)_i by x_j

    Source: Stanford CS224N, lecture notes on neural networks, section on Jacobians.
    """
    raise NotImplementedError("jacobian_linear: write the body (stuck? run `grade hint backprop`)")


def jacobian_elementwise(f_prime: Callable[[Tensor], Tensor], z: Tensor) -> Tensor:
    """dh/dz for h = f(z), where f acts on each entry by itself.

    f_prime  the derivative of f: takes a tensor of any shape, returns f' of each entry in the same shape. It need not
             be 0 at 0
    z        (n,)
    returns  (n, n): entry (i, j) is the derivative of h_i by z_j
    """
    raise NotImplementedError("jacobian_elementwise: write the body (stuck? run `grade hint backprop`)")


def gradient_dot(u: Tensor, h: Tensor) -> Tensor:
    """d(u^T h)/du, the gradient of a dot product by its first vector.

    u, h     (n,)
    returns  (n,): a gradient has the shape of what it is taken by, here u
    """
    raise NotImplementedError("gradient_dot: write the body (stuck? run `grade hint backprop`)")


def classifier_forward(x: Tensor, W: Tensor, b: Tensor, u: Tensor) -> tuple[Tensor, Any]:
    """The score of a classifier with one hidden layer: z = Wx + b, h = sigmoid(z), s = u^T h.

    x        (n,), the input
    W        (m, n)
    b        (m,)
    u        (m,)
    returns  (s, cache): s of shape (), the score itself; and whatever `classifier_backward` will need, in any form you
             like. All of it goes into the cache: two calls in a row must not get into each other's way.

    Entries of z may be hundreds in size, of either sign: exp(100) is infinite in float32, and inf / inf is NaN.

    Source: Stanford CS224N, lecture notes on neural networks, section on a window classifier.
    """
    raise NotImplementedError("classifier_forward: write the body (stuck? run `grade hint backprop`)")


def classifier_backward(cache: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The gradients of J = sigmoid(s) by all that went into `classifier_forward`.

    cache    the second value of a call of your `classifier_forward`; it may be handed in more than once
    returns  (dx, dW, db, du), each in the shape of its variable: (n,), (m, n), (m,), (m,)

    J is the probability the classifier gives, its last sigmoid included; it is no loss with a logarithm.

    Source: Rumelhart, Hinton, Williams, "Learning representations by back-propagating errors" (1986).
    """
    raise NotImplementedError("classifier_backward: write the body (stuck? run `grade hint backprop`)")


