import torch

# I come from C, so I write loops. It works :)


def causal_mask(size):
    mask = torch.zeros(size, size, dtype=torch.bool)
    for i in range(size):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


def padding_mask(ids, pad_id):
    B = ids.shape[0]
    S = ids.shape[1]
    mask = torch.zeros(B, 1, 1, S, dtype=torch.bool, device=ids.device)
    for b in range(B):
        for s in range(S):
            if ids[b, s] != pad_id:
                mask[b, 0, 0, s] = True
    return mask


def additive_mask(mask, dtype):
    result = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    result[mask.logical_not()] = float("-inf")
    return result


def masked_softmax(scores, mask=None, dim=-1):
    if mask is not None:
        hide = torch.broadcast_to(mask == 0, scores.shape)
        scores = scores.clone()
        scores[hide] = float("-inf")
    biggest = scores.max(dim, keepdim=True)[0].detach()
    biggest[biggest == float("-inf")] = 0
    e = torch.exp(scores - biggest)
    s = e.sum(dim, keepdim=True)
    s[s == 0] = 1
    return e / s
