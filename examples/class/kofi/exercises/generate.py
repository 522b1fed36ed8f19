import torch
import torch.nn.functional as F


@torch.no_grad()
def generate(model, x, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    training = model.training
    model.eval()
    for _ in range(num_new_tokens):
        logits = model(x[:, -block_size:])
        logits = logits[:, -1, :]
        if do_sample:
            logits = logits / temperature
            if top_k is not None:
                k = min(top_k, logits.size(-1))
                kth = logits.kthvalue(logits.size(-1) - k + 1, dim=-1, keepdim=True).values
                logits = logits.masked_fill(logits < kth, float("-inf"))
            next_token = torch.multinomial(F.softmax(logits, dim=-1), 1, generator=generator)
        else:
            next_token = torch.argmax(logits, dim=-1, keepdim=True)
        x = torch.cat([x, next_token], dim=-1)
    model.train(training)
    return x


def lm_loss(logits, tokens, ignore_index=-100):
    B, T, V = logits.shape
    logits = logits[:, :-1].reshape(-1, V)
    target = tokens[:, 1:].reshape(-1)
    return F.cross_entropy(logits, target, ignore_index=ignore_index)


def loss_on_batch(model, input_ids):
    B, T = input_ids.shape
    logits = model(input_ids[:, :-1])
    target = input_ids[:, 1:]
    logits = logits.reshape(B * (T - 1), -1)
    return F.cross_entropy(logits, target.reshape(-1))
