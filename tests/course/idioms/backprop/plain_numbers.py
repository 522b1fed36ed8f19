"""Plain Python numbers, lists of lists, and tensors only at the very end."""

import math

import torch


def jacobian_linear(W, x):
    return torch.tensor([list(row) for row in W.tolist()], dtype=W.dtype)


def jacobian_elementwise(f_prime, z):
    numbers = z.tolist()
    return torch.tensor([[f_prime(a) if i == j else 0.0 for j, _ in enumerate(numbers)] for i, a in enumerate(numbers)],
                        dtype=z.dtype)  # fmt: skip


def gradient_dot(u, h):
    return torch.tensor(h.tolist(), dtype=u.dtype)


def squash(number):
    return 1 / (1 + math.exp(-number)) if number > -700 else 0.0


def classifier_forward(x, W, b, u):
    rows, inputs, shifts, outs = W.tolist(), x.tolist(), b.tolist(), u.tolist()
    hidden = [
        squash(sum(w * v for w, v in zip(row, inputs, strict=False)) + shift)
        for row, shift in zip(rows, shifts, strict=False)
    ]
    score = sum(o * h for o, h in zip(outs, hidden, strict=False))
    return torch.tensor(score, dtype=x.dtype), (rows, inputs, outs, hidden, score, x.dtype)


def classifier_backward(cache):
    rows, inputs, outs, hidden, score, dtype = cache
    top = squash(score) * (1 - squash(score))
    delta = [top * o * h * (1 - h) for o, h in zip(outs, hidden, strict=False)]
    to_x = [sum(d * row[j] for d, row in zip(delta, rows, strict=False)) for j in range(len(inputs))]
    to_W = [[d * v for v in inputs] for d in delta]
    to_u = [top * h for h in hidden]
    return tuple(torch.tensor(values, dtype=dtype) for values in (to_x, to_W, delta, to_u))
