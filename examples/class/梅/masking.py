"""第一题：掩码。True 表示“可以看”。"""

import torch


def causal_mask(size):
    # 下三角（含对角线）为 True：每个位置能看到自己和前面的词
    return torch.tril(torch.ones((size, size), dtype=torch.bool))


def padding_mask(ids, pad_id):
    # (B, S) -> (B, 1, 1, S)，方便广播到 (B, H, T, S)
    return ids.ne(pad_id)[:, None, None, :]


def additive_mask(mask, dtype):
    # 可以看的位置加 0，不可以看的位置加负无穷
    result = torch.zeros(mask.size(), dtype=dtype, device=mask.device)
    return torch.masked_fill(result, mask == 0, float("-inf"))


def masked_softmax(scores, mask=None, dim=-1):
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    最大值 = scores.amax(dim=dim, keepdim=True)
    最大值 = torch.nan_to_num(最大值, neginf=0.0)  # 整行都被遮住时，避免 -inf - (-inf)
    分子 = torch.exp(scores - 最大值)
    分母 = 分子.sum(dim=dim, keepdim=True)
    return 分子 / (分母 + (分母 == 0))  # 整行都被遮住时返回 0，而不是 NaN
