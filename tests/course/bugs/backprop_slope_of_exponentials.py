"""A known bug: the slope of the hidden sigmoid is worked out from exponentials, which overflow."""

import torch


def jacobian_linear(W, x):
    return W.clone()


def jacobian_elementwise(f_prime, z):
    return torch.diag(f_prime(z))


def gradient_dot(u, h):
    return h.clone()


def classifier_forward(x, W, b, u):
    z = W @ x + b
    s = u @ torch.sigmoid(z)
    return s, (x, W, u, z, s)


def classifier_backward(cache):
    x, W, u, z, s = cache
    J = torch.sigmoid(s)
    ds = J * (1 - J)
    dz = ds * u * torch.exp(-z) / (1 + torch.exp(-z)) ** 2
    return W.T @ dz, torch.outer(dz, x), dz, ds * torch.sigmoid(z)
