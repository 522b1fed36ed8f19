import torch as t
import torch.nn.functional as F


@t.no_grad()
def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    mode = model.training
    model.eval()
    for _ in range(num_new_tokens):
        z = model(ids[:, -block_size:])[:, -1]
        if not do_sample:
            z, k = z, 1
        else:
            z, k = z / temperature, min(top_k or z.size(-1), z.size(-1))
        v, i = z.topk(k)  # greedy is top-1
        ids = t.cat([ids, i.gather(1, t.multinomial(v.softmax(-1), 1, generator=generator))], 1)
    model.train(mode)
    return ids


def lm_loss(logits, tokens, ignore_index=-100):
    return F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], ignore_index=ignore_index)


def loss_on_batch(model, input_ids):
    return lm_loss(model(input_ids), input_ids)
