"""Functions with a backward pass written by hand; the layer is three plain parameters in einsum."""

import math

import torch
from torch import Tensor, nn


class Rectify(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * (x > 0)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * (x >= 0).to(gradient.dtype)


class Gaussian(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * (0.5 + 0.5 * torch.erf(x * math.sqrt(0.5)))

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        density = torch.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
        return gradient * (0.5 + 0.5 * torch.erf(x * math.sqrt(0.5)) + x * density)


class Bent(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        c = math.sqrt(2 / math.pi)
        t = torch.tanh(c * (x + 0.044715 * x**3))
        ctx.save_for_backward(x, t)
        return 0.5 * x * (1 + t)

    @staticmethod
    def backward(ctx, gradient):
        x, t = ctx.saved_tensors
        slope = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x**2)
        return gradient * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope)


relu, gelu, gelu_tanh = Rectify.apply, Gaussian.apply, Bent.apply


class Matrix(nn.Module):
    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(rows, columns) / math.sqrt(columns))


class SwiGLU(nn.Module):
    def __init__(self, dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.w1, self.w3 = Matrix(hidden_dim, dim), Matrix(hidden_dim, dim)
        self.w2 = Matrix(dim, hidden_dim)

    def forward(self, x: Tensor) -> Tensor:
        opening = torch.einsum("...d,hd->...h", x, self.w1.weight)
        through = torch.einsum("...d,hd->...h", x, self.w3.weight)
        return torch.einsum("...h,...h,...h,dh->...d", opening, opening.sigmoid(), through, self.w2.weight)
