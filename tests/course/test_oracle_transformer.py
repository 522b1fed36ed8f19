"""The reference of transformer against PyTorch's own layers, and the stand-in."""

import math

import pytest
import torch
from torch import nn

from exercises.model_args import ModelArgs
from solutions import standins, transformer

BOTH = pytest.mark.parametrize("course", [transformer, standins])
ARGS = ModelArgs(n_embd=12, dim=12, n_heads=3, n_layer=2, vocab_size=17, max_seq_len=8, block_size=9)
B, T, S = 2, 5, 7


def ids(length, seed=1):
    return torch.randint(ARGS.vocab_size, (B, length), generator=torch.Generator().manual_seed(seed))


def randomised(module, seed=2):
    """The module in float64 and eval mode, with weights that hide nothing."""
    generator = torch.Generator().manual_seed(seed)
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.6)
    return module


def pytorchs(layer, kind, **parts):
    """PyTorch's own pre-norm layer with the weights of ours; biases of linear layers are zero."""
    width = ARGS.n_embd
    theirs = kind(width, ARGS.n_heads, width, 0.0, layer_norm_eps=1e-6, batch_first=True, norm_first=True)
    w = layer.state_dict()
    state = {name: torch.zeros_like(value) for name, value in theirs.double().state_dict().items()}
    for part, ours in parts.items():
        if part.endswith("attn"):
            state[f"{part}.in_proj_weight"] = torch.cat([w[f"{ours}.w{letter}.weight"] for letter in "qkv"])
            state[f"{part}.out_proj.weight"] = w[f"{ours}.wo.weight"]
        else:
            state |= {f"{part}.{name}": w[f"{ours}.{name}"] for name in ("weight", "bias")}
    state["linear1.weight"], state["linear2.weight"] = w["feed_forward.w1.weight"], w["feed_forward.w2.weight"]
    theirs.load_state_dict(state)
    return theirs.eval()


def oracle(model, src, tgt, src_mask):
    """All logits, by PyTorch's layers and a positional table written out."""
    hidden = None if src_mask is None else ~src_mask[:, 0, 0]
    source, target = (model.embedding.weight[tokens] + table(tokens.size(1)) for tokens in (src, tgt))
    for layer in model.encoder.layers:
        names = {"self_attn": "attention", "norm1": "attention_norm", "norm2": "fnn_norm"}
        source = pytorchs(layer, nn.TransformerEncoderLayer, **names)(source, src_key_padding_mask=hidden)
    source = normalised(source, model.encoder.norm)
    future = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool).triu(1)
    for layer in model.decoder.layers:
        names = {"self_attn": "mask_attention", "multihead_attn": "attention"}
        norms = {"norm1": "attention_norm_1", "norm2": "attention_norm_2", "norm3": "ffn_norm"}
        theirs = pytorchs(layer, nn.TransformerDecoderLayer, **names, **norms)
        target = theirs(target, source, tgt_mask=future, memory_key_padding_mask=hidden)
    return normalised(target, model.decoder.norm) @ model.lm_head.weight.T


def table(length, width=ARGS.n_embd):
    def angle(position, column):
        return position / 10000 ** ((column - column % 2) / width) + (column % 2) * math.pi / 2

    return torch.tensor([[math.sin(angle(p, c)) for c in range(width)] for p in range(length)], dtype=torch.float64)


def normalised(x, norm):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + 1e-6).sqrt() * norm.weight + norm.bias


PADDING = (torch.arange(S) < torch.tensor([[3], [6]]))[:, None, None, :]


@BOTH
@pytest.mark.parametrize("mask", [None, PADDING])
def test_transformer_is_pytorchs(course, mask):
    model = randomised(course.Transformer(ARGS))
    src, tgt, targets = ids(S), ids(T, seed=5), ids(T, seed=6)
    want = oracle(model, src, tgt, mask)
    close = {"atol": 1e-6, "rtol": 1e-6}  # the table is kept in float32
    logits, nothing = model(src, tgt, src_mask=mask)
    assert nothing is None
    torch.testing.assert_close(logits, want[:, -1:], **close)
    targets[0, 1] = targets[1, 3] = -1
    logits, loss = model(src, tgt, targets, src_mask=mask)
    torch.testing.assert_close(logits, want, **close)
    chances = want.softmax(-1)
    counted = [(b, t) for b in range(B) for t in range(T) if targets[b, t] != -1]
    by_hand = -sum(math.log(chances[b, t, targets[b, t]].item()) for b, t in counted) / len(counted)
    assert loss.item() == pytest.approx(by_hand, rel=1e-6)
    assert (loss.dtype, loss.shape) == (torch.float64, ())


@BOTH
def test_without_a_target_the_source_is_decoded(course):
    model = randomised(course.Transformer(ARGS))
    src = ids(S)
    torch.testing.assert_close(model(src)[0], model(src, src)[0])
    torch.testing.assert_close(model(src, targets=src)[1], model(src, src, src)[1])
    # The first position has seen the last token, through the encoder: the docstring warns of it.
    other = src.clone()
    other[:, -1] = (other[:, -1] + 1) % ARGS.vocab_size
    assert (model(src, targets=src)[0] - model(other, targets=src)[0])[:, 0].abs().max() > 1e-3


@BOTH
def test_too_many_tokens_are_refused(course):
    model = course.Transformer(ARGS)
    assert model(ids(9), ids(8))[0].shape == (B, 1, 17)
    for src, tgt in ((ids(10), ids(3)), (ids(3), ids(9)), (ids(3), ids(10)), (ids(9), None)):
        with pytest.raises(ValueError, match="positions"):
            model(src, tgt)


@BOTH
def test_new_weights_have_a_deviation_of_two_hundredths(course):
    model = course.Transformer(ModelArgs(n_embd=64, dim=64, vocab_size=400))
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2:
            assert parameter.std().item() == pytest.approx(0.02, rel=0.1), name
            assert abs(parameter.mean()) < 0.003, name
        else:
            assert torch.equal(parameter, torch.full((64,), 1.0 if name.endswith("weight") else 0.0)), name


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_the_stand_in_equals_the_reference(dropout):
    args = ModelArgs(n_embd=12, dim=12, n_heads=3, dropout=dropout)
    ours, theirs = randomised(transformer.Transformer(args)), standins.Transformer(args).double().eval()
    theirs.load_state_dict(ours.state_dict())
    call = (ids(S), ids(T, seed=5), ids(T, seed=6), PADDING.long())
    torch.testing.assert_close(theirs(*call), ours(*call))
    for module in (ours.train(), theirs.train()):
        assert torch.equal(module(*call)[0], module(*call)[0]) == (dropout == 0.0)
