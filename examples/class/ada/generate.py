from contextlib import contextmanager

import torch
import torch.nn.functional as F


@contextmanager
def evaluating(model):
    """Eval mode and no graph inside, the old mode afterwards."""
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(mode)


def draw(logits, temperature, top_k, generator):
    logits = logits / temperature
    if top_k is not None:
        values, places = logits.topk(min(top_k, logits.shape[-1]))
        logits = torch.full_like(logits, -torch.inf).scatter(-1, places, values)
    p = F.softmax(logits, dim=-1)
    # the first of V exponential clocks with rates p rings at token i with probability p_i
    clocks = torch.empty_like(p).exponential_(generator=generator)
    return (p / clocks).argmax(-1, keepdim=True)


def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    with evaluating(model):
        for _ in range(num_new_tokens):
            logits = model(ids[:, -block_size:])[:, -1, :]
            new = draw(logits, temperature, top_k, generator) if do_sample else logits.argmax(-1, keepdim=True)
            ids = torch.hstack([ids, new])
    return ids


def lm_loss(logits, tokens, ignore_index=-100):
    logits, target = logits[:, :-1], tokens[:, 1:]
    counts = target != ignore_index
    return F.cross_entropy(logits[counts], target[counts])


def loss_on_batch(model, input_ids):
    return lm_loss(model(input_ids), input_ids)
