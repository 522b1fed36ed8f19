"""Einsum all the way, and a softmax written out."""

import torch
from torch import Tensor, nn


class AdditiveAttention(nn.Module):
    def __init__(self, q_dim: int, k_dim: int, hidden: int) -> None:
        super().__init__()
        self.q_dim = q_dim
        self.W = nn.Linear(q_dim + k_dim, hidden, bias=True)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, query: Tensor, keys: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        left, right = self.W.weight.split([self.q_dim, keys.shape[-1]], dim=1)
        z = torch.einsum("bq,hq->bh", query, left)[:, None, :] + torch.einsum("bsk,hk->bsh", keys, right) + self.W.bias
        e = torch.einsum("bsh,oh->bs", z.tanh(), self.v.weight)
        if mask is not None:
            e = torch.where(mask.to(torch.bool), e, torch.full_like(e, -torch.inf))
        a = (e - e.max(dim=-1, keepdim=True).values).exp()
        a = a / a.sum(dim=-1, keepdim=True)
        return torch.einsum("bs,bsk->bk", a, keys), a
