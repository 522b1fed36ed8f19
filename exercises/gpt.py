"""GPT-2: a stack of decoder blocks without an encoder, built so that the published weights fit.

Letters: B batch, T tokens, C width of the stream (`n_embd`, which equals `dim`), H heads, V vocabulary size.

Three things differ from the course's other exercises, because GPT-2 was trained that way: every linear layer but
lm_head has a bias, the norms have eps 1e-5, and the activation is GELU in its tanh form.

The grader fills your modules with weights of its own, by the parameter names that the docstrings lead to. Is a module
of yours built in another way? Then add a function to this file that copies the named weights into your own parameters,
in place:

    def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
        if isinstance(module, CausalSelfAttention):
            qkv = [weights[f"{name}.weight"] for name in ("wq", "wk", "wv")]
            module.fused.weight.copy_(torch.cat(qkv))

It is called, without gradients, for every module whose class is an exercise of this file. `weights` has the names that
the class's docstring leads to, less those of every part that is an exercise itself and stands under the name given
there: such a part is filled on its own, so let it keep that name.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from exercises.model_args import ModelArgs
from exercises.layer_norm import LayerNorm


class CausalSelfAttention(nn.Module):
    """Multi-head attention of a sequence to itself, in which no position sees a later one.

    wq, wk, wv   nn.Linear, n_embd -> dim, with bias: the projections of query, key and value
    wo           nn.Linear, dim -> n_embd, with bias: applied to the heads' outputs joined in order

    Head h works on the features h * dim / H … (h + 1) * dim / H - 1 of the projections, and its scores are scaled by
    the root of that head width. Position t attends to the positions 0 … t.

    args.n_embd, args.dim, args.n_heads   the sizes
    args.max_seq_len                      the longest sequence: more tokens are refused with a ValueError (or
                                          AssertionError), T = max_seq_len is fine
    args.dropout                          dropout on the attention weights, and after wo, is welcome, not required

    You may use your own attention and causal_mask, or PyTorch's functions.

    Sources: Radford et al., Language Models are Unsupervised Multitask Learners (2019); Vaswani et al. (2017), sections
    3.2.2 and 3.2.3.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("CausalSelfAttention.__init__: write the body (stuck? run `grade hint gpt`)")

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) -> (B, T, C); x itself is not added here, and stays as it is."""
        raise NotImplementedError("CausalSelfAttention.forward: write the body (stuck? run `grade hint gpt`)")


class GPTMLP(nn.Module):
    """Two linear layers with GELU between them, four times as wide in the middle: fc2(gelu(fc1(x))).

    fc1   nn.Linear, n_embd -> 4 * n_embd, with bias
    fc2   nn.Linear, 4 * n_embd -> n_embd, with bias

    GELU is the tanh form that GPT-2 was trained with, 0.5 y (1 + tanh(sqrt(2 / pi) (y + 0.044715 y^3))): F.gelu has it
    too, under another value of `approximate`. Dropout after fc2 is welcome, not required.

    Source: Hendrycks and Gimpel, Gaussian Error Linear Units (2016), section 2.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("GPTMLP.__init__: write the body (stuck? run `grade hint gpt`)")

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) -> (B, T, C); x itself is not added here, and stays as it is."""
        raise NotImplementedError("GPTMLP.forward: write the body (stuck? run `grade hint gpt`)")


class DecoderBlock(nn.Module):
    """Causal self-attention, then the MLP, each added to the stream that it read.

    The block is pre-norm: a branch reads the *normalised* stream, and its answer is added to the stream *itself*. With
    the stream x, its value h after attention, and the output y:

        h = x + attention of norm_1(x)
        y = h + MLP of norm_2(h)

    Parts, all with parameters: norm_1 (LayerNorm with eps 1e-5, not the course's default), attention
    (CausalSelfAttention), norm_2 (LayerNorm with eps 1e-5), mlp (GPTMLP).

    Sources: Radford et al. (2019), section 2.3; the block has no attention to an encoder, since there is none.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("DecoderBlock.__init__: write the body (stuck? run `grade hint gpt`)")

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) -> (B, T, C); x itself stays as it is."""
        raise NotImplementedError("DecoderBlock.forward: write the body (stuck? run `grade hint gpt`)")


class GPT(nn.Module):
    """A language model: token and position embeddings, args.n_layer decoder blocks, a norm, and a score for every word.

    The stream begins as wte of each token plus wpe of its position, 0 for the first. Each block reads what the one
    before it gave; the last answer is normalised once, and lm_head turns it into logits. They are no probabilities.

    args.vocab_size   V
    args.block_size   the number of positions: more tokens are refused with a ValueError (or AssertionError), T =
                      block_size is fine. The blocks refuse more than args.max_seq_len
    args.n_layer      the number of blocks
    args.dropout      dropout on the sum of the embeddings is welcome, not required

    Parts, all with parameters: wte (nn.Embedding, V x C), wpe (nn.Embedding, block_size x C), blocks (args.n_layer
    DecoderBlocks with weights of their own), norm (LayerNorm with eps 1e-5), lm_head (nn.Linear, C -> V, without bias,
    with a weight of its own until tie_weights is called).

    Source: Radford et al., Language Models are Unsupervised Multitask Learners (2019), section 2.3.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("GPT.__init__: write the body (stuck? run `grade hint gpt`)")

    def forward(self, ids: Tensor) -> Tensor:
        """ids (B, T) int64 -> logits (B, T, V): those at position t score what token t + 1 may be."""
        raise NotImplementedError("GPT.forward: write the body (stuck? run `grade hint gpt`)")


def tie_weights(model: nn.Module) -> None:
    """Let the head score words with the embedding's own vectors: `wte` and `lm_head` share one parameter from now on.

    model   a GPT, with its parts `wte` and `lm_head`; changed in place

    The numbers of wte stay, those that lm_head had are dropped. It is one parameter, not two with equal numbers: it is
    counted once, both uses add to its gradient, and a step of an optimiser moves both. Called again, nothing changes.

    Source: Press and Wolf, Using the Output Embedding to Improve Language Models (2017).
    """
    raise NotImplementedError("tie_weights: write the body (stuck? run `grade hint gpt`)")
