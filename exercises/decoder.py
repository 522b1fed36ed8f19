"""The decoder: layers of masked self-attention, attention to the encoder, and a feed-forward network.

Letters: B batch, T target tokens, S source tokens (any number, also other than T), C width of the stream (`n_embd`,
which equals `dim`), H heads.

The grader fills your modules with weights of its own, by the parameter names that the docstrings lead to. Is a module
of yours built in another way? Then add a function to this file that copies the named weights into your own parameters,
in place:

    def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
        if isinstance(module, DecoderLayer):
            module.scales[0].copy_(weights["attention_norm_1.weight"])

It is called, without gradients, for every module whose class is an exercise of this file. `weights` has the names that
the class's docstring leads to, less those of every part that is an exercise itself and stands under the name given
there: such a part is filled on its own.
"""

from torch import Tensor, nn

from exercises.model_args import ModelArgs
from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the encoder's output, then a feed-forward network: three residual sub-layers.

    The layer is pre-norm: a sub-layer reads the *normalised* stream, and its answer is added to the stream *itself*.

    1. Self-attention of the target. A position sees itself and what is before it, never what is after it.
    2. Cross-attention. The queries come from the stream, keys and values are `enc_out`, the whole of it. The encoder
       has normalised its output already: here it is used as it is.
    3. The feed-forward network, MLP(args.dim, args.dim, args.dropout).

    x         (B, T, C), the target's stream; T is at most args.max_seq_len
    enc_out   (B, S, C), the encoder's output
    src_mask  None, or True (or 1) where a target position may attend to a source position. It belongs to the
              cross-attention alone, and broadcasts to (B, H, T, S): (B, 1, 1, S) hides padding of the source,
              (T, S), (B, 1, T, S) and (B, H, T, S) itself are other shapes that occur

    Parts, all with parameters: attention_norm_1 (LayerNorm), mask_attention (MultiHeadAttention, causal),
    attention_norm_2 (LayerNorm), attention (MultiHeadAttention, not causal), ffn_norm (LayerNorm), feed_forward (MLP).
    All norms have LayerNorm's default eps, 1e-6.

    Sources: Vaswani et al., Attention Is All You Need (2017), sections 3.1 and 3.2.3; Xiong et al., On Layer
    Normalization in the Transformer Architecture (2020), for the norm in front of the sub-layer. Build it from your
    own parts: PyTorch's nn.TransformerDecoderLayer and its relatives are not allowed.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("DecoderLayer.__init__: write the body (stuck? run `grade hint decoder`)")

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """x (B, T, C), enc_out (B, S, C) -> (B, T, C)."""
        raise NotImplementedError("DecoderLayer.forward: write the body (stuck? run `grade hint decoder`)")


class Decoder(nn.Module):
    """A stack of args.n_layer decoder layers, then one norm.

    Layer 0 reads x, each further layer reads what the one before it gave. Every layer attends to the same `enc_out`,
    under the same `src_mask`.

    Parts: layers (args.n_layer DecoderLayers with weights of their own), norm (LayerNorm, eps 1e-6).

    Source: Vaswani et al. (2017), section 3.1; the final norm belongs to the pre-norm form. nn.TransformerDecoder is
    not allowed.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("Decoder.__init__: write the body (stuck? run `grade hint decoder`)")

    def forward(self, x: Tensor, enc_out: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """x (B, T, C), enc_out (B, S, C), src_mask as in DecoderLayer -> (B, T, C)."""
        raise NotImplementedError("Decoder.forward: write the body (stuck? run `grade hint decoder`)")
