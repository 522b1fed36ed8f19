"""Use a language model: write new tokens with it, and measure how well it predicts.

Letters: B batch, T tokens, V vocabulary. A `model` here is any nn.Module that turns token ids (B, T) into logits
(B, T, V): the logits at position t score what token t + 1 may be. Logits may be hundreds in size.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def generate(
    model: nn.Module,
    ids: Tensor,
    num_new_tokens: int,
    block_size: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    do_sample: bool = False,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Append `num_new_tokens` tokens to each row, one by one: the model reads all so far, and the row grows by one.

    model           ids (B, t) -> logits (B, t, V), for at most `block_size` ids a row
    ids             (B, T) int64, the prompts, T >= 1; unchanged by the call
    num_new_tokens  how many to append, at least 1
    block_size      the model reads at most the last `block_size` tokens of what is there, prompt and new tokens alike
    do_sample       False: take the token with the largest logit, whatever temperature and top_k say.
                    True: draw from softmax(logits / temperature), each row its own token
    temperature     above 0; small values sharpen the distribution, large ones flatten it
    top_k           draw among the k tokens with the largest logits of the row; None, or more than V, means all of them
    generator       all draws come from it if it is given, so that an equal seed gives an equal answer

    Returns (B, T + num_new_tokens) int64: prompts and new tokens. There is no end token, no row stops early.

    The model is called in eval mode, so that no dropout disturbs it, and is left in the mode it was found in. Nothing
    here needs a gradient, so none is recorded.

    Sources: Radford et al., Language Models are Unsupervised Multitask Learners (2019); Fan et al., Hierarchical
    Neural Story Generation (2018), section 5, for top-k sampling.
    """
    raise NotImplementedError("generate: write the body (stuck? run `grade hint generate`)")


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    """The language-modelling loss: the mean cross entropy of the next tokens, in nats.

    Position t predicts token t + 1. So the first token is nobody's target, the last position's logits have none, and T
    - 1 targets remain in a row of T tokens.

    logits        (B, T, V), float; not probabilities
    tokens        (B, T) int64, the ids that the model read; T >= 2
    ignore_index  a target with this value does not count: it adds nothing, and the mean is over the others of the
                  whole batch. It may be an id like any other (that of padding), or no id at all (-100)

    Returns a tensor of shape () in the dtype of `logits`; gradients flow to `logits`. At least one target counts.
    Logits of several hundred are no reason for inf or NaN.

    Source: Bengio et al., A Neural Probabilistic Language Model (2003), section 2.
    """
    raise NotImplementedError("lm_loss: write the body (stuck? run `grade hint generate`)")


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    """The loss of a training step: how well `model` predicts each token of the batch from those before it.

    model      ids (B, T) -> logits (B, T, V), a causal one: the logits at t depend on tokens up to t only
    input_ids  (B, T) int64, without padding, T >= 2 and not longer than the model accepts; unchanged by the call

    Returns a tensor of shape (): the mean cross entropy of all B * (T - 1) next tokens, as in `lm_loss`. The model
    runs in the mode it is in, train or eval, and gradients flow to its parameters: the caller calls `.backward()` on
    the answer.
    """
    raise NotImplementedError("loss_on_batch: write the body (stuck? run `grade hint generate`)")
