"""The encoder: layers of self-attention and a feed-forward network, both added to a residual stream.

Letters: B batch, T tokens, C width of the stream (`n_embd`, which equals `dim`), H heads.

The grader fills your modules with weights of its own, by the parameter names in each docstring. Is a module of yours
built in another way? Then add a function to this file that copies the named weights into your own parameters, in
place:

    def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
        if isinstance(module, MLP):
            module.matrices[0].copy_(weights["w1.weight"].T)

It is called, without gradients, for every module whose class is an exercise of this file. `weights` has the names that
the class's docstring leads to (`w1.weight`, `attention.wq.weight`), less those of every part that is an exercise
itself and stands under the name given there: such a part is filled on its own.
"""

import torch.nn.functional as F
from torch import Tensor, nn

from exercises.model_args import ModelArgs
from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class MLP(nn.Module):
    """The feed-forward network: two linear layers with a ReLU between them, at every position alone.

    MLP(x) = w2(relu(w1(x)))

    dim         width of input and output
    hidden_dim  width between the two layers
    dropout     probability of dropping a value. Dropout in here is welcome, not required; where you use it, it acts in
                train mode only, at this rate, and draws anew for every value

    Input and output are (B, T, dim). Neither layer has a bias.

    Parameters: w1.weight (hidden_dim, dim), w2.weight (dim, hidden_dim).

    Source: Vaswani et al., Attention Is All You Need (2017), section 3.3, there with biases.
    """

    def __init__(self, dim: int, hidden_dim: int, dropout: float) -> None:
        super().__init__()
        raise NotImplementedError("MLP.__init__: write the body (stuck? run `grade hint encoder`)")

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, dim) -> (B, T, dim)."""
        raise NotImplementedError("MLP.forward: write the body (stuck? run `grade hint encoder`)")


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each added to the stream that it read.

    The layer is pre-norm: a sub-layer reads the *normalised* stream, and its answer is added to the stream *itself*,
    which is never normalised here. With the stream x, its value h after attention, and the output y:

        h = x + attention of norm(x) to itself
        y = h + feed-forward network of norm(h)

    Every token may attend to every other, to the ones after it too, unless the mask forbids it.

    args.n_embd, args.dim, args.n_heads, args.dropout   sizes and dropout of the attention
    MLP(args.dim, args.dim, args.dropout)               is the feed-forward network

    mask   None, or True (or 1) where a query may attend to a key. It is handed to the attention as it is, and
           broadcasts to (B, H, T, T): (B, 1, 1, T) hides padding, (T, T), (B, 1, T, T) and (B, H, T, T) itself are
           other shapes that occur.

    Parts, all with parameters: attention_norm (LayerNorm), attention (MultiHeadAttention, not causal),
    fnn_norm (LayerNorm), feed_forward (MLP). Both norms have LayerNorm's default eps, 1e-6.

    Sources: Vaswani et al. (2017), section 3.1; Xiong et al., On Layer Normalization in the Transformer Architecture
    (2020), for the norm in front of the sub-layer instead of behind the sum. Build it from your own parts: PyTorch's
    nn.TransformerEncoderLayer and its relatives are not allowed.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("EncoderLayer.__init__: write the body (stuck? run `grade hint encoder`)")

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """x (B, T, C) -> (B, T, C)."""
        raise NotImplementedError("EncoderLayer.forward: write the body (stuck? run `grade hint encoder`)")


class Encoder(nn.Module):
    """A stack of args.n_layer encoder layers, then one norm.

    Layer 0 reads x, each further layer reads what the one before it gave, and every layer gets the mask. The sums in a
    pre-norm stream grow from layer to layer; the norm after the last one brings them back to one scale.

    Parts: layers (args.n_layer EncoderLayers with weights of their own), norm (LayerNorm, eps 1e-6).

    Source: Vaswani et al. (2017), section 3.1; the final norm belongs to the pre-norm form. nn.TransformerEncoder is
    not allowed.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("Encoder.__init__: write the body (stuck? run `grade hint encoder`)")

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """x (B, T, C), mask as in EncoderLayer -> (B, T, C)."""
        raise NotImplementedError("Encoder.forward: write the body (stuck? run `grade hint encoder`)")
