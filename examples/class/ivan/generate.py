import torch
import torch.nn.functional as F


def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        for n in range(num_new_tokens):
            logits = model(ids[:, max(0, ids.shape[1] - block_size) :])
            new_tokens = []
            for b in range(ids.shape[0]):  # one sequence after the other
                row = logits[b, -1]
                if do_sample:
                    row = row / temperature
                    if top_k is not None and top_k < row.shape[0]:
                        limit = torch.sort(row, descending=True)[0][top_k - 1]
                        row = torch.where(row < limit, torch.tensor(float("-inf")), row)
                    p = F.softmax(row, dim=0)
                    new_tokens.append(torch.multinomial(p, 1, generator=generator))
                else:
                    new_tokens.append(row.argmax().reshape(1))
            ids = torch.cat([ids, torch.stack(new_tokens)], dim=1)
    if was_training:
        model.train()
    else:
        model.eval()
    return ids


def lm_loss(logits, tokens, ignore_index=-100):
    V = logits.shape[2]
    return F.cross_entropy(logits.reshape(-1, V), tokens.reshape(-1), ignore_index=ignore_index)


def loss_on_batch(model, input_ids):
    logits = model(input_ids)
    return lm_loss(logits, input_ids)
