"""The references of the encoder against nn.TransformerEncoder, numbers worked out by hand, and the stand-ins."""

import pytest
import torch
from torch import nn

from exercises.model_args import ModelArgs
from solutions import encoder, standins

ARGS = ModelArgs(n_embd=12, dim=12, n_heads=3, n_layer=3, max_seq_len=11)
BOTH = pytest.mark.parametrize("course", [encoder, standins])
HIDES = ["nothing", "padding", "pattern"]


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
    theirs = nn.TransformerEncoderLayer(
        width, ARGS.n_heads, width, 0.0, layer_norm_eps=1e-6, batch_first=True, norm_first=True, dtype=torch.float64
    )
    w = layer.state_dict()
    state = {name: torch.zeros_like(value) for name, value in theirs.state_dict().items()}
    state["self_attn.in_proj_weight"] = torch.cat([w[f"attention.w{part}.weight"] for part in "qkv"])
    state["self_attn.out_proj.weight"] = w["attention.wo.weight"]
    state["linear1.weight"], state["linear2.weight"] = w["feed_forward.w1.weight"], w["feed_forward.w2.weight"]
    for number, norm in enumerate(("attention_norm", "fnn_norm"), 1):
        state[f"norm{number}.weight"], state[f"norm{number}.bias"] = w[f"{norm}.weight"], w[f"{norm}.bias"]
    theirs.load_state_dict(state)
    return theirs.eval()


def hidden(hides):
    """Our mask, True = may attend, and the same in the oracle's words, True = hidden."""
    if hides == "padding":
        real = torch.arange(5) < torch.tensor([[3], [5]])  # (B, T)
        return real[:, None, None, :], {"src_key_padding_mask": ~real}
    if hides == "pattern":
        mask = (draw(5, 5, seed=7) > 0) | torch.eye(5, dtype=torch.bool)
        return mask, {"mask": ~mask}
    return None, {}


@BOTH
def test_mlp_of_worked_numbers(course):
    mlp = course.MLP(2, 3, 0.0).double()
    with torch.no_grad():
        mlp.w1.weight.copy_(torch.tensor([[1.0, 2.0], [-1.0, 0.0], [3.0, -4.0]]))
        mlp.w2.weight.copy_(torch.tensor([[1.0, 10.0, 100.0], [2.0, 0.0, -1.0]]))
    # w1 x is (3, -1, -1) and (-1, -1, 7): only what is positive goes on
    x = torch.tensor([[[1.0, 1.0], [1.0, -1.0]]], dtype=torch.float64)
    torch.testing.assert_close(mlp(x), torch.tensor([[[3.0, 6.0], [700.0, -7.0]]], dtype=torch.float64))


@BOTH
def test_mlp_is_a_sequence_of_linear_relu_linear(course):
    mlp = randomised(course.MLP(5, 7, 0.3))
    theirs = nn.Sequential(nn.Linear(5, 7, False), nn.ReLU(), nn.Linear(7, 5, False)).double()
    theirs.load_state_dict({"0.weight": mlp.w1.weight, "2.weight": mlp.w2.weight})
    x = draw(2, 3, 5)
    torch.testing.assert_close(mlp(x), theirs(x))


@BOTH
@pytest.mark.parametrize("hides", HIDES)
def test_encoder_layer_is_pytorchs(course, hides):
    layer, x, (mask, theirs) = randomised(course.EncoderLayer(ARGS)), draw(2, 5, 12) * 3 + 1, hidden(hides)
    names = {"src_mask" if name == "mask" else name: value for name, value in theirs.items()}
    torch.testing.assert_close(layer(x, mask), oracle_layer(layer)(x, **names))


@pytest.mark.parametrize("hides", HIDES)
def test_encoder_is_pytorchs(hides):
    stack, x, (mask, theirs) = randomised(encoder.Encoder(ARGS)), draw(2, 5, 12) * 3 + 1, hidden(hides)
    oracle = nn.TransformerEncoder(oracle_layer(stack.layers[0]), 3, stack.norm, enable_nested_tensor=False)
    oracle.layers = nn.ModuleList(oracle_layer(layer) for layer in stack.layers)
    torch.testing.assert_close(stack(x, mask), oracle.eval()(x, **theirs))


def test_a_layer_without_weights_returns_its_input():
    layer, x = encoder.EncoderLayer(ARGS).double(), draw(2, 5, 12)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
    assert torch.equal(layer(x), x)


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_the_stand_in_equals_the_reference(dropout):
    args = ModelArgs(n_embd=12, dim=12, n_heads=3, dropout=dropout)
    ours, theirs = randomised(encoder.EncoderLayer(args)), standins.EncoderLayer(args).double().eval()
    theirs.load_state_dict(ours.state_dict())
    x, (mask, _) = draw(2, 5, 12), hidden("pattern")
    torch.testing.assert_close(theirs(x, mask.long()), ours(x, mask))
    for module in (ours.train(), theirs.train()):
        assert torch.equal(module(x, mask), module(x, mask)) == (dropout == 0.0)
