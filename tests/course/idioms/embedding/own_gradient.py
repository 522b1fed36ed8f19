"""The look-up is a torch.autograd.Function that adds up the gradients itself; gather, and where for the vectors."""

import torch
from torch import Tensor, nn


class LookUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, ids):
        ctx.save_for_backward(ids)
        ctx.num = table.shape[0]
        places = ids.reshape(-1, 1).expand(-1, table.shape[1])
        return table.gather(0, places).reshape(*ids.shape, table.shape[1])

    @staticmethod
    def backward(ctx, gradient):
        (ids,) = ctx.saved_tensors
        width = gradient.shape[-1]
        return gradient.new_zeros(ctx.num, width).index_add(0, ids.reshape(-1), gradient.reshape(-1, width)), None


def one_hot(ids: Tensor, num: int) -> Tensor:
    hit = ids[..., None] == torch.arange(num, device=ids.device)
    return torch.where(hit, 1.0, 0.0)


class Embedding(nn.Module):
    def __init__(self, num: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(num, width)))

    def forward(self, ids: Tensor) -> Tensor:
        return LookUp.apply(self.weight, ids)
