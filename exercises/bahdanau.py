"""Additive attention, as Bahdanau's translator has it: a small network compares the query with every key.

Letters: B batch, S keys, the places that can be looked at. Batch first. One query a sequence: the decoder's state.

The grader fills the module with known weights by the parameter names in its docstring. If you structure yours in
another way (one projection for the query and one for the keys, v as a vector), keep it and add to this file a function

    load_weights(module, weights)

that copies `weights`, a dict with the docstring's names and shapes such as weights["W.weight"], into your own
parameters in place and returns nothing. It is called without gradients, and every parameter must be an affine function
of the weights: copied, transposed, split, joined or scaled.
"""

import torch
from torch import Tensor, nn


class AdditiveAttention(nn.Module):
    """score = v(tanh(W([query; key]))) for every key; softmax over the keys; the weighted sum of the keys.

    Parameters (the weight of Linear(a, b) has shape (b, a)):
      W   linear, q_dim + k_dim -> hidden, with bias; its first q_dim columns meet the query, the others the key
      v   linear, hidden -> 1, without bias

    There is no scale, and no dropout is asked for.

    Source: Bahdanau, Cho, Bengio, "Neural Machine Translation by Jointly Learning to Align and Translate" (2015),
    section 3.1.
    """

    def __init__(self, q_dim: int, k_dim: int, hidden: int) -> None:
        """q_dim, k_dim: the widths of query and keys. hidden: the width in between."""
        super().__init__()
        raise NotImplementedError("AdditiveAttention.__init__: write the body (stuck? run `grade hint bahdanau`)")

    def forward(self, query: Tensor, keys: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Look at all keys of the same sequence, at each as much as the query wants.

        query    (B, q_dim)
        keys     (B, S, k_dim)
        mask     None, or (B, S), bool or integers: True or 1 = may attend
        returns  (context, weights): (B, k_dim), the sum of the keys, each times its weight; and (B, S), which sum to 1
                 in each sequence

        B and S may be 1. Scores may be hundreds in size. A hidden key has weight 0 and no influence at all. All inputs
        stay as they are. Not graded: a sequence whose keys are all hidden.
        """
        raise NotImplementedError("AdditiveAttention.forward: write the body (stuck? run `grade hint bahdanau`)")
