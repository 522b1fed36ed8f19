"""The tasks that other tasks build on, once more, with PyTorch's own operators.

While a task is graded, its needs are replaced by these in the student's process. Each behaves as its reference does,
and is no line of it.
"""

import math
from collections import Counter

import torch
import torch.nn.functional as F
from torch import nn

from exercises.model_args import ModelArgs


def allowed(mask):
    """Any mask as bool, True = may attend. A float mask is 0/1 if it holds a 1, else additive (0 / -inf or -1e9)."""
    if mask.is_floating_point() and not (mask == 1).any():
        return mask == 0
    return mask != 0


def causal_mask(size, device=None):
    steps = torch.arange(size, device=device)
    return steps[:, None] >= steps


def padding_mask(ids, pad_id):
    return ids.ne(pad_id).unflatten(1, (1, 1, -1))


def additive_mask(mask, dtype):
    return allowed(mask).to(dtype).log()


def softmax(x, dim=-1):
    return F.softmax(x, dim)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        return F.softmax(scores, dim)
    hidden = ~allowed(mask)
    return F.softmax(scores.masked_fill(hidden, -math.inf), dim).masked_fill(hidden, 0.0)


def attention(query, key, value, mask=None, dropout=None):
    one_hot = torch.eye(key.size(-2), dtype=key.dtype, device=key.device).expand(*key.shape[:-1], -1)
    weights = F.scaled_dot_product_attention(query, key, one_hot, None if mask is None else allowed(mask))
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal=False):
        super().__init__()
        self.n_heads, self.max_seq_len, self.is_causal = args.n_heads, args.max_seq_len, is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        if key.size(1) != value.size(1):  # the operator would read past the end
            raise RuntimeError(f"got {key.size(1)} keys and {value.size(1)} values: there must be one value a key")
        if self.is_causal and query.size(1) > self.max_seq_len:
            raise ValueError(f"got {query.size(1)} positions, but max_seq_len is {self.max_seq_len}")
        mask = None if mask is None else allowed(mask)
        if self.is_causal:
            causal = causal_mask(query.size(1), query.device)
            mask = causal if mask is None else mask & causal
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).movedim(1, 2)
            for layer, x in ((self.wq, query), (self.wk, key), (self.wv, value))
        )
        rate = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(q, k, v, mask, dropout_p=rate)
        return self.wo(heads.movedim(2, 1).flatten(2))


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        # A copy: the stream may be added to in place afterwards, which a norm written by hand allows.
        return F.layer_norm(x.clone(), x.shape[-1:], self.weight, self.bias, self.eps)


def sinusoidal_table(length, width):
    pair = torch.arange((width + 1) // 2, dtype=torch.float64)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), torch.pow(10000.0, -2 * pair / width))
    turns = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))  # (length, pairs, 2): cosine, sine
    return turns.flip(-1).flatten(1)[:, :width].float()


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd), persistent=False)

    def forward(self, x):
        if x.size(1) > self.table.size(0):
            raise ValueError(f"got {x.size(1)} positions, but block_size is {self.table.size(0)}")
        return x + self.table[: x.size(1)]


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.rate = dropout
        self.w1, self.w2 = nn.Linear(dim, hidden_dim, bias=False), nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        y = F.linear(F.linear(x, self.w1.weight).clamp(min=0.0), self.w2.weight)
        return F.dropout(y, self.rate, training=self.training)


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm, self.fnn_norm = LayerNorm(args.n_embd), LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, False)
        self.feed_forward = MLP(args.n_embd, args.dim, args.dropout)

    def forward(self, x, mask=None):
        y = self.attention_norm(x)
        y = torch.add(x, self.attention(y, y, y, mask=mask))
        return torch.add(y, self.feed_forward(self.fnn_norm(y)))


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask=mask)
        return self.norm(x)


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm_1, self.attention_norm_2 = LayerNorm(args.n_embd), LayerNorm(args.n_embd)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.mask_attention, self.attention = MultiHeadAttention(args, True), MultiHeadAttention(args, False)
        self.feed_forward = MLP(args.n_embd, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        y = self.attention_norm_1(x)
        y = torch.add(x, self.mask_attention(y, y, y))
        y = torch.add(y, self.attention(self.attention_norm_2(y), enc_out, enc_out, mask=src_mask))
        return torch.add(y, self.feed_forward(self.ffn_norm(y)))


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.layers = nn.ModuleList([DecoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for layer in self.layers:
            x = layer(x, enc_out, src_mask=src_mask)
        return self.norm(x)


def lm_loss(logits, tokens, ignore_index=-100):
    scores = F.log_softmax(logits.narrow(1, 0, logits.shape[1] - 1), dim=-1).transpose(1, 2)
    return F.nll_loss(scores, tokens.narrow(1, 1, tokens.shape[1] - 1), ignore_index=ignore_index)


def one_hot(ids, num):
    return F.one_hot(ids, num).float()


def context_pairs(tokens, window):
    places, steps = range(len(tokens)), [step for step in range(-window, window + 1) if step]
    return [(tokens[t], tokens[t + step]) for t in places for step in steps if t + step in places]


def jacobian_linear(W, x):
    return torch.clone(W)


def jacobian_elementwise(f_prime, z):
    return torch.diag_embed(f_prime(z))


def gradient_dot(u, h):
    return torch.clone(h)


def rnn_step(e, h, W_h, W_e, b1, U, b2):
    state = torch.addmv(torch.addmv(b1, W_e, e), W_h, h).sigmoid()
    return state, F.softmax(torch.addmv(b2, U, state), dim=-1)


def split_words(text):
    return "".join(c if c.isalnum() or c == "_" else f" {c} " for c in text).split()


def build_vocabulary(words):
    entries = [*sorted(set(words)), "<unk>", "<eos>"]
    return dict(zip(entries, range(len(entries)), strict=True))


def train_bpe(text, num_merges):
    tokens, merges = [(byte, bytes([byte])) for byte in text.encode()], []
    while len(merges) < num_merges and len(tokens) > 1:
        pairs = [(tokens[i], tokens[i + 1]) for i in range(len(tokens) - 1)]
        left, right = max(pairs, key=lambda pair: (pairs.count(pair), pair[0][1], pair[1][1]))
        whole, rest, tokens = (256 + len(merges), left[1] + right[1]), tokens, []
        for token in rest:
            if tokens and tokens[-1] == left and token == right:
                tokens[-1] = whole
            else:
                tokens.append(token)
        merges.append((left[0], right[0]))
    return merges


def ngram_counts(tokens, n):
    counts = Counter()
    for end in range(n, len(tokens) + 1):
        counts[tuple(tokens[end - n : end])] += 1
    return counts


class Transformer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.embedding = nn.Embedding(args.vocab_size, args.n_embd)
        self.positional_encoding = PositionalEncoding(args)
        self.encoder, self.decoder = Encoder(args), Decoder(args)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, src, tgt=None, targets=None, src_mask=None):
        source = self.positional_encoding(self.embedding(src))
        target = source if tgt is None else self.positional_encoding(self.embedding(tgt))
        y = self.decoder(target, self.encoder(source, src_mask), src_mask)
        if targets is None:
            return self.lm_head(y.narrow(1, y.size(1) - 1, 1)), None
        logits = self.lm_head(y)
        return logits, F.nll_loss(F.log_softmax(logits, dim=-1).mT, targets, ignore_index=-1)


class CausalSelfAttention(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads, self.max_seq_len, self.rate = args.n_heads, args.max_seq_len, args.dropout
        self.wq, self.wk, self.wv = (nn.Linear(args.n_embd, args.dim) for _ in range(3))
        self.wo = nn.Linear(args.dim, args.n_embd)

    def forward(self, x):
        if x.size(1) > self.max_seq_len:
            raise ValueError(f"got {x.size(1)} positions, but max_seq_len is {self.max_seq_len}")
        q, k, v = (layer(x).unflatten(-1, (self.n_heads, -1)).movedim(1, 2) for layer in (self.wq, self.wk, self.wv))
        rate = self.rate if self.training else 0.0
        heads = F.scaled_dot_product_attention(q, k, v, dropout_p=rate, is_causal=True)
        return self.wo(heads.movedim(2, 1).flatten(2))


class GPTMLP(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(args.n_embd, 4 * args.n_embd), nn.Linear(4 * args.n_embd, args.n_embd)
        self.rate = args.dropout

    def forward(self, x):
        return F.dropout(self.fc2(F.gelu(self.fc1(x), approximate="tanh")), self.rate, training=self.training)


class DecoderBlock(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.norm_1, self.norm_2 = LayerNorm(args.n_embd, 1e-5), LayerNorm(args.n_embd, 1e-5)
        self.attention, self.mlp = CausalSelfAttention(args), GPTMLP(args)

    def forward(self, x):
        y = torch.add(x, self.attention(self.norm_1(x)))
        return torch.add(y, self.mlp(self.norm_2(y)))


class GPT(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(args.vocab_size, args.n_embd), nn.Embedding(args.block_size, args.n_embd)
        self.blocks = nn.ModuleList([DecoderBlock(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd, 1e-5)
        self.lm_head = nn.Linear(args.n_embd, args.vocab_size, bias=False)

    def forward(self, ids):
        if ids.size(1) > self.wpe.num_embeddings:
            raise ValueError(f"got {ids.size(1)} positions, but block_size is {self.wpe.num_embeddings}")
        y = self.wte(ids) + self.wpe.weight[: ids.size(1)]
        for block in self.blocks:
            y = block(y)
        return self.lm_head(self.norm(y))


def tie_weights(model):
    model.lm_head.register_parameter("weight", model.wte.weight)
