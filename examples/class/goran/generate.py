import torch
import torch.nn.functional as F


@torch.inference_mode()
def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    assert ids.dim() == 2 and temperature > 0
    B, T = ids.shape
    training = model.training
    model.eval()
    # room for everything at once, filled from the left
    out = torch.zeros(B, T + num_new_tokens, dtype=ids.dtype, device=ids.device)
    out[:, :T] = ids
    for t in range(T, T + num_new_tokens):
        start = max(0, t - block_size)
        logits = model(out[:, start:t])[:, -1]  # [B, V]
        if do_sample:
            probs = torch.softmax(logits / temperature, dim=-1)  # [B, V]
            if top_k is not None and top_k < probs.size(-1):
                best = torch.zeros_like(probs)
                index = probs.topk(top_k, dim=-1).indices  # [B, k]
                best.scatter_(1, index, 1.0)
                probs = probs * best
                probs = probs / probs.sum(dim=-1, keepdim=True)
            out[:, t] = torch.multinomial(probs, 1, generator=generator)[:, 0]
        else:
            out[:, t] = logits.argmax(dim=-1)
    model.train(training)
    return out


def lm_loss(logits, tokens, ignore_index=-100):
    B, T, V = logits.shape
    assert tokens.shape == (B, T) and T >= 2
    return F.cross_entropy(
        logits[:, : T - 1].transpose(1, 2),  # [B, V, T-1]
        tokens[:, 1:T],  # [B, T-1]
        ignore_index=ignore_index,
    )


def loss_on_batch(model, input_ids):
    logits = model(input_ids)  # [B, T, V]
    return lm_loss(logits, input_ids)
