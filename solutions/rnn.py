"""A recurrent language model: one step, the loss of a sequence, and the clipping that keeps its gradients in bounds.

Letters: T tokens, d width of an embedding, n width of the hidden state, V vocabulary. There is no batch: a vector has
one axis. Parameters of the model, the same in `rnn_step` and `rnn_lm_loss`:

  W_h  (n, n)  from the hidden state      b1  (n,)
  W_e  (n, d)  from the embedding         b2  (V,)
  U    (V, n)  from hidden state to scores

Both follow the dtype and device of their inputs and leave them as they are, and gradients flow to all of them.
"""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


def rnn_step(
    e: Tensor, h: Tensor, W_h: Tensor, W_e: Tensor, b1: Tensor, U: Tensor, b2: Tensor
) -> tuple[Tensor, Tensor]:
    """Read one token: h' = sigmoid(W_h h + W_e e + b1), and softmax(U h' + b2) is what may come next.

    e        (d,), the embedding of the token
    h        (n,), the hidden state before it
    returns  (h', probabilities): (n,) and (V,); the probabilities sum to 1

    Scores of several hundred, of either sign, must not overflow: exp(100) is infinite in float32. PyTorch's softmax and
    sigmoid are fine here.

    Source: Stanford CS224N, lecture notes on language models and RNNs, section on recurrent neural networks.
    """
    # BEGIN SOLUTION
    hidden = torch.sigmoid(W_h @ h + W_e @ e + b1)  # (n,)
    scores = U @ hidden + b2  # (V,): from the new state, which has seen the token
    return hidden, scores.softmax(-1)
    # END SOLUTION


def rnn_lm_loss(
    ids: Tensor, E: Tensor, h0: Tensor, W_h: Tensor, W_e: Tensor, b1: Tensor, U: Tensor, b2: Tensor
) -> Tensor:
    """How well the model predicts each token of a text from those before it: the mean cross entropy, in nats.

    After the token at t the model gives probabilities for the token at t + 1; the loss of that place is minus the
    logarithm of the probability of the token that stands there. So T tokens have T - 1 predictions.

    ids      (T,) int64, T >= 2
    E        (V, d): row i is the embedding of token i
    h0       (n,), the hidden state before the first token
    returns  shape (): the mean over the T - 1 predictions

    The state goes on from token to token, and so do gradients, through all steps back to h0. Scores of several hundred
    do not overflow; a token of probability 1e-8 costs 18.4, not less, so nothing is added to probabilities.

    Source: Mikolov et al., "Recurrent neural network based language model" (2010).
    """
    # BEGIN SOLUTION
    hidden, losses = h0, []
    for t in range(len(ids) - 1):  # the last token is a target only
        hidden = torch.sigmoid(W_h @ hidden + W_e @ E[ids[t]] + b1)  # (n,)
        scores = U @ hidden + b2  # (V,)
        losses.append(scores.logsumexp(-1) - scores[ids[t + 1]])  # minus log softmax, without a logarithm of 0
    return torch.stack(losses).mean()
    # END SOLUTION


def clip_grad_norm(parameters: Iterable[nn.Parameter], max_norm: float) -> Tensor | float:
    """Scale all gradients down together if they are too long as one vector: its norm becomes `max_norm`.

    parameters  any iterable of parameters, such as model.parameters(): a generator can be gone through only once.
                Those whose .grad is None are skipped, and keep None
    max_norm    above 0
    returns     the norm before the clipping, of the gradients of all parameters as one long vector: the root of the sum
                of all squares. A tensor of one number, or a float; 0 if there is no gradient at all

    Every parameter's .grad is multiplied by the same number, max_norm / norm. A norm up to max_norm changes nothing.
    The parameters themselves stay as they are. A tiny number in the denominator, as in PyTorch's, does no harm.

    Write it out: torch.nn.utils is not your own work.

    Source: Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks" (2013), section 3.2.
    """
    # BEGIN SOLUTION
    grads = [p.grad for p in parameters if p.grad is not None]  # a list: it is needed twice
    squares = [grad.square().sum() for grad in grads]
    norm = torch.sqrt(torch.as_tensor(sum(squares)))  # ()
    if norm > max_norm:
        for grad in grads:
            grad *= max_norm / norm
    return norm
    # END SOLUTION
