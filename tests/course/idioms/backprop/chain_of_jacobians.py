"""The chain rule as it stands in the notes: a product of Jacobians, row vector first."""

import torch
from torch import Tensor


def jacobian_linear(W: Tensor, x: Tensor) -> Tensor:
    basis = torch.eye(x.numel(), dtype=W.dtype, device=W.device)
    return torch.stack([W @ direction for direction in basis], dim=1)


def jacobian_elementwise(f_prime, z: Tensor) -> Tensor:
    return torch.eye(z.numel(), dtype=z.dtype, device=z.device) * f_prime(z)[:, None]


def gradient_dot(u: Tensor, h: Tensor) -> Tensor:
    return torch.einsum("i,ij->j", h, torch.eye(len(u), dtype=u.dtype, device=u.device))


def classifier_forward(x: Tensor, W: Tensor, b: Tensor, u: Tensor):
    return torch.einsum("i,i->", u, torch.sigmoid(torch.einsum("ij,j->i", W, x) + b)), (x, W, b, u)


def classifier_backward(cache):
    x, W, b, u = cache

    def slope(z: Tensor) -> Tensor:
        return torch.sigmoid(z) * torch.sigmoid(-z)

    z = torch.einsum("ij,j->i", W, x) + b
    h = torch.sigmoid(z)
    dJ_ds = slope(torch.einsum("i,i->", u, h))
    dJ_dz = dJ_ds * u[None, :] @ jacobian_elementwise(slope, z)  # (1, m)
    dJ_dx = dJ_dz @ jacobian_linear(W, x)  # (1, n)
    dz_dW = torch.einsum("ik,j->kij", torch.eye(len(z), dtype=z.dtype, device=z.device), x)  # (m, m, n)
    dJ_dW = torch.einsum("ok,kij->ij", dJ_dz, dz_dW)
    return dJ_dx[0], dJ_dW, dJ_dz[0], dJ_ds * gradient_dot(u, h)
