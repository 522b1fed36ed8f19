"""word2vec: words as vectors that predict the words around them, and the counts that do it without training.

Letters: V vocabulary, d width, K negative samples, n distinct words, k kept columns.

All float tensors of a call have one dtype and one device, and answers made from them have these too; what is passed in
stays as it is. Scores of several hundred are no reason for inf or NaN. Gradients are worked out and returned; how is up
to you.
"""

import torch
import torch.nn.functional as F
from torch import Tensor


def context_pairs(tokens: list[str], window: int) -> list[tuple[str, str]]:
    """Every word with every word near to it: (the word in the centre, a word outside).

    tokens   the words of a text in their order, maybe none
    window   how many positions to the left, and how many to the right, count as near; at least 1

    The pair (tokens[t], tokens[s]) is there for all positions t and s that differ by at least 1 and at most `window`.
    A position makes no pair with itself; a word that stands twice near by makes a pair with its other place. Where the
    text begins or ends there are fewer. Equal pairs of different positions all count, so a pair may be there several
    times. The order of the pairs is left open.

    Source: Mikolov et al., "Efficient Estimation of Word Representations in Vector Space" (2013), section 3.2.
    """
    # BEGIN SOLUTION
    pairs = []
    for t, centre in enumerate(tokens):
        first, last = max(0, t - window), min(len(tokens), t + window + 1)  # a negative start would count from the end
        for s in range(first, last):
            if s != t:  # the position, not the word: its neighbour may be the same word again
                pairs.append((centre, tokens[s]))
    return pairs
    # END SOLUTION


def naive_softmax_loss_and_gradient(center: Tensor, outside_idx: int, U: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """How surprised the centre word is of one word outside, and in which direction to change the vectors.

    The probability of the outside word is a softmax over the whole vocabulary, of the dot products u_w . center; the
    loss is minus its logarithm.

    center       (d,), the vector of the centre word
    outside_idx  the row of the outside word in U, an int of 0 … V - 1
    U            (V, d), the outside vectors of all words, one row each

    Returns (loss, gradient of center, gradient of U): shapes (), (d,) and (V, d).

    Source: Mikolov et al., "Distributed Representations of Words and Phrases and their Compositionality" (2013),
    section 2.
    """
    # BEGIN SOLUTION
    scores = U @ center  # (V,)
    log_probabilities = scores - scores.logsumexp(0)  # (V,), never the log of a 0
    delta = log_probabilities.exp()  # (V,)
    delta[outside_idx] -= 1  # dloss / dscores: probabilities minus the truth
    return -log_probabilities[outside_idx], U.T @ delta, torch.outer(delta, center)
    # END SOLUTION


def neg_sampling_loss_and_gradient(
    center: Tensor, outside_idx: int, neg_idx: Tensor, U: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The same question asked more cheaply: tell the outside word from K words of noise.

    loss = -log sigmoid(u_o . center) - sum over the K samples of log sigmoid(-u_k . center)

    center       (d,), the vector of the centre word
    outside_idx  the row of the outside word in U, an int of 0 … V - 1
    neg_idx      (K,) int64, K >= 1, the rows of the samples. None of them is outside_idx; one that was drawn several
                 times counts each time, in the loss and in the gradients
    U            (V, d), the outside vectors of all words, one row each

    Returns (loss, gradient of center, gradient of U): shapes (), (d,) and (V, d). Rows of words that do not take part
    have gradient 0.

    Source: Mikolov et al., "Distributed Representations of Words and Phrases and their Compositionality" (2013),
    section 2.2.
    """
    # BEGIN SOLUTION
    true_score, noise_scores = U[outside_idx] @ center, U[neg_idx] @ center  # (), (K,)
    loss = -F.logsigmoid(true_score) - F.logsigmoid(-noise_scores).sum()
    true_delta, noise_delta = torch.sigmoid(true_score) - 1, torch.sigmoid(noise_scores)  # (), (K,): dloss / dscores
    grad_center = true_delta * U[outside_idx] + noise_delta @ U[neg_idx]  # (d,)
    grad_U = torch.zeros_like(U)
    grad_U[outside_idx] = true_delta * center
    grad_U.index_add_(0, neg_idx, torch.outer(noise_delta, center))  # adds; grad_U[neg_idx] += would count repeats once
    return loss, grad_center, grad_U
    # END SOLUTION


def cooccurrence(tokens: list[str], window: int) -> tuple[list[str], Tensor]:
    """How often each word stands near each other word.

    tokens   the words of a text in their order, at least one
    window   as in `context_pairs`

    Returns (words, X): the n distinct words as a list, sorted as Python sorts strings, and a float tensor (n, n). X[i,
    j] is how many of the `context_pairs` of the text are (words[i], words[j]). So X is symmetric, and a word beside
    itself counts twice: once for each of the two positions in the centre.
    """
    # BEGIN SOLUTION
    words = sorted(set(tokens))
    row = {word: i for i, word in enumerate(words)}
    X = torch.zeros(len(words), len(words))
    for centre, outside in context_pairs(tokens, window):
        X[row[centre], row[outside]] += 1
    return words, X
    # END SOLUTION


def svd_embedding(X: Tensor, k: int) -> Tensor:
    """Short vectors for the rows of X: the first k columns of U S, of the singular value decomposition X = U S V^T.

    X        (n, m), float; rows and columns may differ in number and in meaning. Its singular values are far apart
    k        how many columns to keep, at least 1 and at most the rank of X

    Returns (n, k): column j is the j-th column of U times the j-th singular value, the largest first. The sign of each
    column is left open, since U and V may change it together. Gradients are not asked for.

    Source: Deerwester et al., "Indexing by Latent Semantic Analysis" (1990).
    """
    # BEGIN SOLUTION
    U, S, _ = torch.linalg.svd(X, full_matrices=False)  # (n, r), (r,), r = min(n, m)
    return U[:, :k] * S[:k]  # (n, k): each column times its own value
    # END SOLUTION


def sgd_step(params: list[Tensor], grads: list[Tensor], lr: float) -> list[Tensor]:
    """One step of stochastic gradient descent: each parameter moves against its gradient, by lr times its size.

    params   float tensors of any shapes; unchanged by the call
    grads    as many tensors, each of the shape of its parameter; unchanged by the call
    lr       the learning rate, above 0

    Returns a list of new tensors, in the order of params, with their shapes and dtypes.
    """
    # BEGIN SOLUTION
    return [param - lr * grad for param, grad in zip(params, grads, strict=True)]
    # END SOLUTION
