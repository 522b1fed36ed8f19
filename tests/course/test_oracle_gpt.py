"""The references of gpt against GPT-2 of transformers, built offline from random weights, and the stand-ins."""

import pytest
import torch
from torch import nn

from exercises.model_args import ModelArgs
from solutions import gpt, standins

transformers = pytest.importorskip("transformers")
BOTH = pytest.mark.parametrize("course", [gpt, standins])
PARTS = ("wte", "wpe", "blocks", "norm", "lm_head")
HEADS = (1, 2, 3, 4, 6)


def sizes(number):
    """Twenty-four small models, no two alike."""
    heads = HEADS[number % 5]
    width = heads * (2 + number % 4)
    return ModelArgs(
        n_embd=width,
        dim=width,
        n_heads=heads,
        n_layer=1 + number % 3,
        vocab_size=11 + 3 * number,
        block_size=5 + number % 7,
        max_seq_len=5 + number % 7,
    )


def randomised(module, seed):
    """The module in float64 and eval mode, with weights that hide nothing, biases and norms among them."""
    generator = torch.Generator().manual_seed(seed)
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            scale = 1.0 if parameter.dim() == 1 else 0.5
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * scale)
    return module


def theirs(args, tie=False):
    config = transformers.GPT2Config(
        vocab_size=args.vocab_size,
        n_positions=args.block_size,
        n_embd=args.n_embd,
        n_layer=args.n_layer,
        n_head=args.n_heads,
        tie_word_embeddings=tie,
    )
    return transformers.GPT2LMHeadModel(config)


def copied(model, oracle):
    """The oracle's weights in a model of ours: its linear layers are transposed, and q, k and v are one of them."""
    old, new = oracle.state_dict(), {"lm_head.weight": oracle.lm_head.weight}
    for ours, name in (("wte", "wte"), ("wpe", "wpe"), ("norm", "ln_f")):
        new |= {
            f"{ours}.{k}": old[f"transformer.{name}.{k}"] for k in ("weight", "bias") if ours == "norm" or k != "bias"
        }
    for n in range(len(model.blocks)):
        fused = {k: old[f"transformer.h.{n}.attn.c_attn.{k}"].t().chunk(3) for k in ("weight", "bias")}
        for kind in ("weight", "bias"):
            new |= {f"blocks.{n}.attention.w{a}.{kind}": part for a, part in zip("qkv", fused[kind], strict=True)}
            for ours, name in (("attention.wo", "attn.c_proj"), ("mlp.fc1", "mlp.c_fc"), ("mlp.fc2", "mlp.c_proj")):
                new[f"blocks.{n}.{ours}.{kind}"] = old[f"transformer.h.{n}.{name}.{kind}"].t()
            for ours, name in (("norm_1", "ln_1"), ("norm_2", "ln_2")):
                new[f"blocks.{n}.{ours}.{kind}"] = old[f"transformer.h.{n}.{name}.{kind}"]
    model.load_state_dict(new)
    return model


def draw_ids(args, length, seed):
    return torch.randint(args.vocab_size, (3, length), generator=torch.Generator().manual_seed(seed))


@BOTH
@pytest.mark.parametrize("number", range(24))
def test_gpt_is_that_of_transformers(course, number):
    args = sizes(number)
    oracle = randomised(theirs(args), number)
    ours = copied(course.GPT(args).double().eval(), oracle)
    assert sum(p.numel() for p in ours.parameters()) == sum(p.numel() for p in oracle.parameters())
    for length in (1, 2, args.block_size):
        ids = draw_ids(args, length, number)
        torch.testing.assert_close(ours(ids), oracle(ids).logits)
    weight = torch.randn(3, args.block_size, args.vocab_size, dtype=torch.float64)
    got = torch.autograd.grad((ours(ids) * weight).sum(), [ours.wte.weight, ours.blocks[0].attention.wo.bias])
    want = torch.autograd.grad(
        (oracle(ids).logits * weight).sum(), [oracle.transformer.wte.weight, oracle.transformer.h[0].attn.c_proj.bias]
    )
    torch.testing.assert_close(got, want)


@BOTH
@pytest.mark.parametrize("number", [0, 7])
def test_tied_weights_are_those_of_transformers(course, number):
    args = sizes(number)
    oracle = randomised(theirs(args, tie=True), number)
    ours, ids = copied(course.GPT(args).double().eval(), oracle), draw_ids(args, 4, number)
    with torch.no_grad():
        ours.lm_head.weight.zero_()
    course.tie_weights(ours)
    course.tie_weights(ours)
    torch.testing.assert_close(ours(ids), oracle(ids).logits)
    assert ours.lm_head.weight is ours.wte.weight
    for model, logits in ((ours, ours(ids)), (oracle, oracle(ids).logits)):
        logits.square().sum().backward()
        torch.optim.SGD(model.parameters(), 1e-4).step()
    torch.testing.assert_close(ours(ids), oracle(ids).logits)
    assert len(list(ours.parameters())) == len(list(oracle.parameters())) + 4 * args.n_layer  # q, k, v: three for one


@BOTH
def test_the_parts_are_those_of_transformers(course):
    args = sizes(8)
    oracle = randomised(theirs(args), 8)
    block, their_block = copied(course.GPT(args).double().eval(), oracle).blocks[1], oracle.transformer.h[1]
    x = torch.randn(2, 5, args.n_embd, generator=torch.Generator().manual_seed(1), dtype=torch.float64) * 3
    torch.testing.assert_close(block.mlp(x), their_block.mlp(x))
    answer = their_block(x)
    torch.testing.assert_close(block(x), answer[0] if isinstance(answer, tuple) else answer)
    with torch.no_grad():
        their_block.mlp.c_proj.weight.zero_()
        their_block.mlp.c_proj.bias.zero_()
    answer = their_block(x)
    torch.testing.assert_close(x + block.attention(block.norm_1(x)), answer[0] if isinstance(answer, tuple) else answer)


@BOTH
def test_a_norm_by_hand(course):
    """eps decides: (0.001, -0.001) has variance 1e-6, a tenth of eps."""
    block = course.DecoderBlock(ModelArgs(n_embd=2, dim=2, n_heads=1)).double()
    x = torch.tensor([[[0.001, -0.001]]], dtype=torch.float64)
    want = x / torch.tensor(1.1e-5, dtype=torch.float64).sqrt()
    for norm in (block.norm_1, block.norm_2, course.GPT(ModelArgs(n_embd=2, dim=2, n_heads=1)).double().norm):
        torch.testing.assert_close(norm(x), want)


@BOTH
def test_too_many_tokens_are_refused(course):
    args = ModelArgs(n_embd=4, dim=4, n_heads=2, max_seq_len=6, block_size=8)
    assert course.GPT(args)(torch.zeros(2, 6, dtype=torch.int64)).shape == (2, 6, 50)
    for limits in ({"max_seq_len": 6, "block_size": 8}, {"max_seq_len": 8, "block_size": 6}):
        model = course.GPT(ModelArgs(n_embd=4, dim=4, n_heads=2, **limits))
        with pytest.raises(ValueError, match="got 7 positions"):
            model(torch.zeros(2, 7, dtype=torch.int64))


@pytest.mark.parametrize("task", ["CausalSelfAttention", "GPTMLP", "DecoderBlock"])
def test_dropout_acts_in_train_mode_only(task):
    module = getattr(gpt, task)(ModelArgs(dropout=0.5))
    x = torch.randn(2, 5, 16)
    assert not torch.equal(module(x), module(x))
    assert torch.equal(module.eval()(x), module(x))


def test_gelu_by_hand():
    """gelu(1) = 0.8412 in the tanh form (0.8413 exactly: the two differ in the fourth digit), gelu(-1) = -0.1588."""
    mlp = gpt.GPTMLP(ModelArgs(n_embd=1, dim=1, n_heads=1)).double()
    with torch.no_grad():
        for parameter in mlp.parameters():
            parameter.zero_()
        mlp.fc1.weight[0] = mlp.fc2.weight[0, 0] = 1.0
    found = mlp(torch.tensor([[[1.0], [-1.0]]], dtype=torch.float64)).flatten()
    torch.testing.assert_close(found, torch.tensor([0.841192, -0.158808], dtype=torch.float64), atol=1e-6, rtol=0)
    assert not torch.allclose(found, nn.GELU()(torch.tensor([1.0, -1.0], dtype=torch.float64)), atol=1e-4)
