"""The keys are channels: both layers are convolutions of width 1, as in old translation code."""

import torch
from torch import nn
from torch.nn import functional as F


class AdditiveAttention(nn.Module):
    def __init__(self, q_dim, k_dim, hidden):
        super().__init__()
        self.first = nn.Conv1d(q_dim + k_dim, hidden, 1)
        self.second = nn.Conv1d(hidden, 1, 1, bias=False)

    def forward(self, query, keys, mask=None):
        S = keys.shape[1]
        pairs = torch.cat((query[:, :, None].repeat(1, 1, S), keys.transpose(1, 2)), dim=1)  # (B, q + k, S)
        energy = self.second(torch.tanh(self.first(pairs)))  # (B, 1, S)
        if mask is not None:
            energy = energy.masked_fill(mask.unsqueeze(1).eq(0), torch.finfo(energy.dtype).min)
        weights = F.softmax(energy, dim=2)
        return weights.matmul(keys).flatten(1), weights[:, 0]


def load_weights(module, weights):
    module.first.weight.copy_(weights["W.weight"].unsqueeze(-1))
    module.first.bias.copy_(weights["W.bias"])
    module.second.weight.copy_(weights["v.weight"].unsqueeze(-1))
