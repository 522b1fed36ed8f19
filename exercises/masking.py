"""Masks: who may attend to whom, and a softmax that obeys.

Letters: B batch, T query length, S key length. Scores have queries on the last axis but one, keys on the last.

A boolean mask says True = may attend, and an integer mask says the same with 1 and 0. A mask broadcasts to the scores:
(T, S) is one mask for all, (B, 1, 1, S) hides keys of a whole sequence, (B, 1, T, S) is one mask per sequence.
"""

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    """Who may attend to whom when nobody may look ahead.

    Position i sees the positions 0 … i: itself and everything before it, nothing after it.

    size     the sequence length T, at least 1
    returns  (T, T) bool, True = may attend; row i belongs to the query at position i

    Source: "Attention Is All You Need" (2017), section 3.2.3.
    """
    raise NotImplementedError("causal_mask: write the body (stuck? run `grade hint masking`)")


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Hide the filler that makes all sequences of a batch equally long.

    ids      (B, S) integers, one token id per position
    pad_id   the id of the filler, any integer; it may stand anywhere in a sequence, or nowhere
    returns  (B, 1, 1, S) bool, True where the token is a real one; the two 1s broadcast over heads and queries.
             It is on the device of `ids`.
    """
    raise NotImplementedError("padding_mask: write the body (stuck? run `grade hint masking`)")


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """The same mask as numbers that are added to the scores before softmax.

    mask     any shape, bool (True = may attend) or integers (1 = may attend, 0 = may not); it stays as it is
    dtype    a float type: that of the scores
    returns  the shape of `mask`, in `dtype` and on the device of `mask`: 0 where it may attend, -inf where it may not
    """
    raise NotImplementedError("additive_mask: write the body (stuck? run `grade hint masking`)")


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    """Softmax along `dim` over the allowed entries only; hidden entries get exactly 0.

    scores   any shape, for instance (B, H, T, S), float32 or float64; it stays as it is
    mask     broadcasts to `scores`, True or 1 = allowed, False or 0 = hidden; None allows everything
    dim      the axis along which the weights sum to 1
    returns  the shape and dtype of `scores`

    The value of a hidden score has no influence, however large it is. Scores of several hundred, of either sign, must
    not overflow. Where nothing is allowed along `dim`, all weights are 0, never NaN.

    Write the softmax out: an operator that does it whole (torch.softmax, log_softmax …) is not your own work.

    Source: "Attention Is All You Need" (2017), sections 3.2.1 and 3.2.3.
    """
    raise NotImplementedError("masked_softmax: write the body (stuck? run `grade hint masking`)")
