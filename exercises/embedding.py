"""Embedding: every token id becomes a row of a table that is learnt.

Letters: V vocabulary (`num`), d width.

The grader fills a module with known weights by the parameter names in its docstring. If you name or structure yours in
another way, keep it and add to this file a function

    load_weights(module, weights)

that copies `weights`, a dict with the docstring's names and shapes such as weights["weight"], into your own parameters
in place and returns nothing. It is called without gradients, and every parameter must be an affine function of the
weights.
"""

import torch
from torch import Tensor, nn


def one_hot(ids: Tensor, num: int) -> Tensor:
    """Every id as a vector of length `num` that is 1 in the place of the id, and 0 in all others.

    ids      (...) int64, of any shape, also (); every id is at least 0 and below num; unchanged by the call
    num      V, the size of the vocabulary, also where the largest ids do not occur in `ids`
    returns  (..., V) float32, on the device of ids

    The product of such a vector with a table (V, d) is one row of the table.
    """
    raise NotImplementedError("one_hot: write the body (stuck? run `grade hint embedding`)")


class Embedding(nn.Module):
    """A table with a row of d numbers for each of V ids: what a model reads in place of the ids.

    Parameters:
      weight   (V, d), row i is the vector of id i; random at the start, so that no two ids begin with equal vectors

    The look-up equals the product of the ids' one-hot vectors with the table, without the work of it. So a row gets
    the sum of the gradients of all places where its id stands, and a row whose id does not occur gets none. No id is
    special, none is padding. The vectors are not scaled. Train and eval mode give the same.

    Write it out: nn.Embedding and F.embedding are not your own work; indexing a tensor is.

    Source: Bengio et al., "A Neural Probabilistic Language Model" (2003), section 2.
    """

    def __init__(self, num: int, width: int) -> None:
        """num: V, how many ids there are. width: d, of their vectors."""
        super().__init__()
        raise NotImplementedError("Embedding.__init__: write the body (stuck? run `grade hint embedding`)")

    def forward(self, ids: Tensor) -> Tensor:
        """Look up every id.

        ids      (...) int64, of any shape, also (); every id is at least 0 and below V; unchanged by the call
        returns  (..., d) in the dtype of weight, which may be float64
        """
        raise NotImplementedError("Embedding.forward: write the body (stuck? run `grade hint embedding`)")
