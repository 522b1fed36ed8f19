"""A class holds the parameters and the state; a stream of losses; foreach operators for the clipping."""

import torch
from torch.nn import functional as F


class Cell:
    def __init__(self, h, W_h, W_e, b1, U, b2):
        self.h, self.W_h, self.W_e, self.b1, self.U, self.b2 = h, W_h, W_e, b1, U, b2

    def read(self, e):
        self.h = torch.addmv(torch.addmv(self.b1, self.W_h, self.h), self.W_e, e).sigmoid()
        return torch.addmv(self.b2, self.U, self.h)


def rnn_step(e, h, W_h, W_e, b1, U, b2):
    cell = Cell(h, W_h, W_e, b1, U, b2)
    scores = cell.read(e)
    return cell.h, torch.exp(scores - torch.logsumexp(scores, 0))


def rnn_lm_loss(ids, E, h0, W_h, W_e, b1, U, b2):
    cell = Cell(h0, W_h, W_e, b1, U, b2)

    def stream():
        for now, then in zip(ids.tolist(), ids.tolist()[1:], strict=False):
            yield F.cross_entropy(cell.read(E[now]).unsqueeze(0), torch.tensor([then], device=ids.device))

    return sum(stream()) / (ids.numel() - 1)


def clip_grad_norm(parameters, max_norm):
    grads = [p.grad.detach() for p in parameters if p.grad is not None]
    if len(grads) == 0:
        return 0.0
    norms = torch._foreach_norm(grads)
    total = torch.linalg.vector_norm(torch.stack(norms))
    torch._foreach_mul_(grads, torch.clamp(max_norm / (total + 1e-6), max=1.0).to(grads[0].dtype))
    return total
