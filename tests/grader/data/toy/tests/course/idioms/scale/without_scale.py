"""Everything in one line, without the other function."""


def scale(x, factor=2.0):
    return factor * x


def soften(x, factor=2.0):
    powers = (x * factor - (x * factor).max(-1, keepdim=True).values).exp()
    return powers / powers.sum(-1, keepdim=True)
