import torch
import torch.nn.functional as F


@torch.no_grad()
def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    mode = model.training
    model.eval()
    for _ in range(num_new_tokens):
        logits = model(ids[:, -block_size:])
        logits = logits[:, -1, :]
        if not do_sample:
            next_token = torch.argmax(logits, dim=-1, keepdim=True)
        else:
            # sort, cut, draw a rank, and look up which token has that rank
            sorted_logits, sorted_ids = torch.sort(logits / temperature, dim=-1, descending=True)
            if top_k is not None:
                sorted_logits = sorted_logits[:, :top_k]
            rank = torch.multinomial(torch.softmax(sorted_logits, dim=-1), 1, generator=generator)
            next_token = torch.gather(sorted_ids, 1, rank)
        ids = torch.cat([ids, next_token], dim=-1)
    model.train(mode)
    return ids


def lm_loss(logits, tokens, ignore_index=-100):
    B, T, V = logits.shape
    logits = logits[:, : T - 1].reshape(B * (T - 1), V)
    targets = tokens[:, 1:].reshape(B * (T - 1))
    return F.cross_entropy(logits, targets, ignore_index=ignore_index)


def loss_on_batch(model, input_ids):
    # the logits of the last token are not needed, so the model does not get it
    inputs = input_ids[:, :-1]
    targets = input_ids[:, 1:]
    logits = model(inputs)
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
