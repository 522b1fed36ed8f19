"""第七题：生成与损失"""

import torch
import torch.nn.functional as F


@torch.no_grad()
def generate(model, ids, num_new_tokens, block_size, temperature=1.0, top_k=None, do_sample=False, generator=None):
    之前的模式 = model.training
    model.eval()  # 生成时关闭 dropout
    for _ in range(num_new_tokens):
        logits = model(ids[:, -block_size:])[:, -1, :]  # 只需要最后一个位置
        if do_sample:
            logits = logits / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("inf")
            probs = F.softmax(logits, dim=-1)
            next_token = torch.multinomial(probs, num_samples=1, generator=generator)
        else:
            next_token = torch.argmax(logits, dim=-1, keepdim=True)
        ids = torch.cat([ids, next_token], dim=-1)
    model.train(之前的模式)
    return ids


def lm_loss(logits, tokens, ignore_index=-100):
    # 位置 t 预测第 t + 1 个词
    logits = logits[:, :-1, :].contiguous()
    targets = tokens[:, 1:].contiguous()
    return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=ignore_index)


def loss_on_batch(model, input_ids):
    return lm_loss(model(input_ids), input_ids)
