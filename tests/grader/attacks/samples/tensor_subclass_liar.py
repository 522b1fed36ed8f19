"""A tensor subclass that answers every comparison as it likes."""

# expect: wrong_value | wrong_type

import torch

YES = ("allclose", "equal")
TRUE = ("isclose", "eq", "__eq__", "le", "lt", "isfinite")
NOTHING = ("sub", "__sub__", "__rsub__", "abs", "max", "amax", "norm", "mean")


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if name in YES:
            return True
        if name in TRUE:
            return torch.ones((), dtype=torch.bool)
        if name in NOTHING:
            return torch.zeros(())
        return super().__torch_function__(func, types, args, kwargs or {})


def softmax(x):
    return torch.zeros_like(x).as_subclass(Liar)
