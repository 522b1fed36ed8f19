"""Attention: a weighted mean of values, where a query decides the weights by comparing itself with keys.

Letters: B batch, T query length, S key length, d width, H heads. Batch first. T and S differ wherever the keys come
from elsewhere. Masks say True (or 1) = may attend and broadcast to the scores, as in `masking.py`.

The grader fills a module with known weights by the parameter names in its docstring. If you structure yours in another
way (one fused projection, a list of heads), keep it and add to this file a function

    load_weights(module, weights)

that copies `weights`, a dict with the docstring's names and shapes such as weights["wq.weight"], into your own
parameters in place and returns nothing. It is called without gradients, and every parameter must be an affine
function of the weights: copied, transposed, split, joined or scaled.
"""

import math
from collections.abc import Callable

from torch import Tensor, nn

from exercises.model_args import ModelArgs
from solutions.masking import causal_mask, masked_softmax


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Turn scores into weights: positive, in the order of the scores, with sum 1 along `dim`.

    x        any shape, float32 or float64; it stays as it is. Entries of -inf get weight 0.
    dim      the axis along which the weights sum to 1, counted from either end
    returns  the shape and dtype of `x`: exp(x) over its sum along `dim`

    Scores of several hundred, of either sign, must not overflow: exp(100) is infinite in float32.

    Write it out: an operator that does it whole (torch.softmax, log_softmax and the like) is not your own work.
    """
    # BEGIN SOLUTION
    shifted = x - x.amax(dim, keepdim=True)  # exp never overflows; the shift cancels in the quotient
    weights = shifted.exp()
    return weights / weights.sum(dim, keepdim=True)
    # END SOLUTION


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout: Callable[[Tensor], Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention: softmax(query key^T / sqrt(d_k)) value. Self-attention is attention(x, x, x).

    query    (..., T, d_k); the axes before the last two are batch axes, there may be none, (B,) or (B, H)
    key      (..., S, d_k)
    value    (..., S, d_v); d_v may differ from d_k
    mask     None, or bool / integers that broadcast to the scores (..., T, S): True or 1 = may attend
    dropout  None, or any callable on the weights (..., T, S): it acts after softmax, before the weighted sum
    returns  (output, weights): output (..., T, d_v), and weights (..., T, S), whose rows sum to 1

    Hidden keys have no influence at all. The inputs stay as they are. Not graded: the row of a query that may attend to
    nothing, and the returned weights when there is a dropout.

    Write it out: F.scaled_dot_product_attention and nn.MultiheadAttention are not your own work; torch.softmax is fine.

    Source: "Attention Is All You Need" (2017), section 3.2.1, equation 1.
    """
    # BEGIN SOLUTION
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))  # (..., T, S)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)  # a row per query, over its keys
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights  # (..., T, d_v), (..., T, S)
    # END SOLUTION


class MultiHeadAttention(nn.Module):
    """Several small attentions side by side, each on its own slice of the projected width.

    Parameters, all linear layers without bias (the weight of Linear(a, b) has shape (b, a)):
      wq, wk, wv   n_embd -> dim, the projections of query, key and value
      wo           dim -> n_embd, applied to the heads' outputs joined in order

    Head h works on the features h * dim / H … (h + 1) * dim / H - 1 of the projections, and its scores are scaled by
    the root of that head width. `is_causal` hides every later position from a query (self-attention, T = S).

    In train mode dropout with probability `args.dropout` acts on the attention weights, after softmax.

    Write it out: F.scaled_dot_product_attention and nn.MultiheadAttention are not your own work; torch.softmax is fine.

    Source: "Attention Is All You Need" (2017), section 3.2.2.
    """

    def __init__(self, args: ModelArgs, is_causal: bool = False) -> None:
        """Read n_embd, dim, n_heads, dropout and max_seq_len from `args`."""
        super().__init__()
        # BEGIN SOLUTION
        self.n_heads = args.n_heads
        self.max_seq_len = args.max_seq_len
        self.is_causal = is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)
        # END SOLUTION

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        """Attend from the query's positions to the key's.

        query    (B, T, n_embd)
        key      (B, S, n_embd)
        value    (B, S, n_embd)
        mask     None, or bool / integers that broadcast to the scores (B, H, T, S), such as (T, S), (B, 1, 1, S) or
                 (B, 1, T, S): True or 1 = may attend. With is_causal, only what both allow may be attended to.
        returns  (B, T, n_embd)

        Raises ValueError (or AssertionError) if is_causal and T exceeds args.max_seq_len; T = max_seq_len is fine.
        """
        # BEGIN SOLUTION
        length = query.size(1)
        if self.is_causal:
            if length > self.max_seq_len:
                raise ValueError(f"got {length} positions, but max_seq_len is {self.max_seq_len}")
            causal = causal_mask(length).to(query.device)  # (T, T)
            mask = causal if mask is None else causal & mask.bool()

        def split(x: Tensor) -> Tensor:  # (B, L, dim) -> (B, H, L, dim/H); L is x's own length, T or S
            return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

        q, k, v = split(self.wq(query)), split(self.wk(key)), split(self.wv(value))
        heads, _ = attention(q, k, v, mask, self.dropout)  # (B, H, T, dim/H)
        return self.wo(heads.transpose(1, 2).flatten(2))  # (B, T, H, dim/H) -> (B, T, dim) -> (B, T, n_embd)
        # END SOLUTION
