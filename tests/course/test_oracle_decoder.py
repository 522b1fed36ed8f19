"""The references of the decoder against nn.TransformerDecoder, and the stand-in."""

import pytest
import torch
from torch import nn

from exercises.model_args import ModelArgs
from solutions import decoder, standins

ARGS = ModelArgs(n_embd=12, dim=12, n_heads=3, n_layer=3, max_seq_len=8)
BOTH = pytest.mark.parametrize("course", [decoder, standins])
HIDES = ["nothing", "padding", "pattern"]
B, T, S = 2, 5, 7


def draw(*shape, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def randomised(module, seed=2):
    """The module in float64 and eval mode, with weights that hide nothing."""
    generator = torch.Generator().manual_seed(seed)
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.6)
    return module


def oracle_layer(layer):
    """PyTorch's own pre-norm layer with the same weights; biases of linear layers are zero."""
    width = ARGS.n_embd
    theirs = nn.TransformerDecoderLayer(
        width, ARGS.n_heads, width, 0.0, layer_norm_eps=1e-6, batch_first=True, norm_first=True, dtype=torch.float64
    )
    w = layer.state_dict()
    state = {name: torch.zeros_like(value) for name, value in theirs.state_dict().items()}
    for part, ours in (("self_attn", "mask_attention"), ("multihead_attn", "attention")):
        state[f"{part}.in_proj_weight"] = torch.cat([w[f"{ours}.w{letter}.weight"] for letter in "qkv"])
        state[f"{part}.out_proj.weight"] = w[f"{ours}.wo.weight"]
    state["linear1.weight"], state["linear2.weight"] = w["feed_forward.w1.weight"], w["feed_forward.w2.weight"]
    for number, norm in enumerate(("attention_norm_1", "attention_norm_2", "ffn_norm"), 1):
        state[f"norm{number}.weight"], state[f"norm{number}.bias"] = w[f"{norm}.weight"], w[f"{norm}.bias"]
    theirs.load_state_dict(state)
    return theirs.eval()


def hidden(hides):
    """Our mask of the source, True = may attend, and all masks in the oracle's words, True = hidden."""
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    if hides == "padding":
        real = torch.arange(S) < torch.tensor([[3], [6]])  # (B, S)
        return real[:, None, None, :], {"tgt_mask": future, "memory_key_padding_mask": ~real}
    if hides == "pattern":
        mask = draw(T, S, seed=7) > 0
        mask[:, 2] = True
        return mask, {"tgt_mask": future, "memory_mask": ~mask}
    return None, {"tgt_mask": future}


@BOTH
@pytest.mark.parametrize("hides", HIDES)
def test_decoder_layer_is_pytorchs(course, hides):
    layer, (mask, theirs) = randomised(course.DecoderLayer(ARGS)), hidden(hides)
    x, source = draw(B, T, 12) * 3 + 1, draw(B, S, 12, seed=3)
    torch.testing.assert_close(layer(x, source, mask), oracle_layer(layer)(x, source, **theirs))


@pytest.mark.parametrize("hides", HIDES)
def test_decoder_is_pytorchs(hides):
    stack, (mask, theirs) = randomised(decoder.Decoder(ARGS)), hidden(hides)
    x, source = draw(B, T, 12) * 3 + 1, draw(B, S, 12, seed=3)
    oracle = nn.TransformerDecoder(oracle_layer(stack.layers[0]), 3, stack.norm)
    oracle.layers = nn.ModuleList(oracle_layer(layer) for layer in stack.layers)
    torch.testing.assert_close(stack(x, source, mask), oracle.eval()(x, source, **theirs))


@BOTH
def test_a_layer_without_weights_returns_its_input(course):
    layer, x = course.DecoderLayer(ARGS).double(), draw(B, T, 12)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
    assert torch.equal(layer(x, draw(B, S, 12)), x)


@BOTH
def test_a_target_over_max_seq_len_is_refused_a_source_is_not(course):
    layer = course.DecoderLayer(ARGS).double()
    assert layer(draw(B, 8, 12), draw(B, 9, 12)).shape == (B, 8, 12)
    with pytest.raises(ValueError, match="9"):
        layer(draw(B, 9, 12), draw(B, S, 12))


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_the_stand_in_equals_the_reference(dropout):
    args = ModelArgs(n_embd=12, dim=12, n_heads=3, dropout=dropout)
    ours, theirs = randomised(decoder.DecoderLayer(args)), standins.DecoderLayer(args).double().eval()
    theirs.load_state_dict(ours.state_dict())
    x, source, (mask, _) = draw(B, T, 12), draw(B, S, 12, seed=3), hidden("pattern")
    torch.testing.assert_close(theirs(x, source, mask.long()), ours(x, source, mask))
    for module in (ours.train(), theirs.train()):
        assert torch.equal(module(x, source, mask), module(x, source, mask)) == (dropout == 0.0)
