"""Entry by entry, in loops, into tensors of zeros."""

import torch


def jacobian_linear(W, x):
    m, n = W.shape
    J = torch.zeros(m, n, dtype=W.dtype, device=W.device)
    for i in range(m):
        for j in range(n):
            J[i, j] = W[i, j]
    return J


def jacobian_elementwise(f_prime, z):
    n = z.shape[0]
    J = torch.zeros(n, n, dtype=z.dtype, device=z.device)
    for i in range(n):
        J[i, i] = f_prime(z[i])
    return J


def gradient_dot(u, h):
    gradient = torch.zeros_like(u)
    for i in range(u.shape[0]):
        gradient[i] = h[i]
    return gradient


def classifier_forward(x, W, b, u):
    m, n = W.shape
    h = torch.zeros_like(b)
    for i in range(m):
        z_i = b[i]
        for j in range(n):
            z_i = z_i + W[i, j] * x[j]
        h[i] = 1.0 / (1.0 + torch.exp(-z_i))
    s = sum(u[i] * h[i] for i in range(m))
    return s, {"x": x, "W": W, "b": b, "u": u, "h": h, "s": s}


def classifier_backward(cache):
    x, W, u, h, s = (cache[name] for name in "xWuhs")
    m, n = W.shape
    J = 1.0 / (1.0 + torch.exp(-s))
    slope = J * (1.0 - J)
    dx, dW, db, du = (torch.zeros_like(v) for v in (x, W, u, u))
    for i in range(m):
        du[i] = slope * h[i]
        db[i] = slope * u[i] * h[i] * (1.0 - h[i])
        for j in range(n):
            dW[i, j] = db[i] * x[j]
            dx[j] += db[i] * W[i, j]
    return dx, dW, db, du
