"""The functions are modules that are called; PyTorch's relu, which is nobody's own work here; gelu in float32."""

import torch
from torch import nn


class GELU(nn.Module):
    def forward(self, x):
        y = x.float()
        y = y * 0.5 * (1.0 + torch.erf(y / 2.0**0.5))
        return y.type_as(x)


class GELUTanh(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.sqrt(torch.tensor(2.0 / torch.pi)))

    def forward(self, x):
        # the constant as a plain number, so that a float64 x stays float64 and nothing has to travel
        return 0.5 * x * (1 + torch.tanh(float(self.scale) * (x + 0.044715 * torch.pow(x, 3))))


_relu, _gelu, _gelu_tanh = nn.ReLU(), GELU(), GELUTanh()


def relu(x):
    return _relu(x)


def gelu(x):
    return _gelu(x)


def gelu_tanh(x):
    return _gelu_tanh(x)


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.w1 = nn.Linear(in_features=dim, out_features=hidden_dim, bias=False)
        self.w2 = nn.Linear(in_features=hidden_dim, out_features=dim, bias=False)
        self.w3 = nn.Linear(in_features=dim, out_features=hidden_dim, bias=False)

    def forward(self, inputs):
        gates = self.w1(inputs)
        gates = gates * gates.sigmoid()
        gates *= self.w3(inputs)  # gates is ours, not the caller's
        return self.w2(gates)
