import torch
import torch.nn.functional as F

from exercises.sampling import sample_top_k


@torch.no_grad()
def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    training = model.training
    model.eval()
    for _ in range(num_new_tokens):
        logits = model(ids[:, -block_size:])[:, -1, :]
        if do_sample:
            next_id = sample_top_k(logits / temperature, top_k, generator)
        else:
            next_id = torch.argmax(logits, dim=-1, keepdim=True)
        ids = torch.cat([ids, next_id], dim=1)
    model.train(training)
    return ids


def lm_loss(logits, tokens, ignore_index=-100):
    logits = logits[:, :-1]
    targets = tokens[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignore_index)


def loss_on_batch(model, input_ids):
    return lm_loss(model(input_ids), input_ids)
