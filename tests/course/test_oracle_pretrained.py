"""The reference of load_gpt2 against GPT2LMHeadModel of transformers: logits, and greedy texts."""

import importlib.util
from pathlib import Path

import pytest
import torch

from exercises.model_args import ModelArgs
from grader.run.suite.cases import make_case
from solutions import generate, gpt, pretrained, standins

transformers = pytest.importorskip("transformers")
SUITE = Path(__file__).parents[1] / "exercises"

# Width, heads, layers, vocabulary, positions.
SIZES = [
    (4, 1, 1, 7, 5), (4, 2, 1, 7, 5), (4, 4, 2, 9, 6), (6, 1, 2, 11, 5), (6, 2, 1, 6, 6), (6, 3, 2, 5, 8),
    (6, 6, 1, 13, 7), (8, 1, 1, 17, 4), (8, 2, 2, 8, 8), (8, 4, 3, 24, 9), (8, 8, 2, 32, 5), (10, 5, 1, 12, 10),
    (12, 2, 2, 19, 7), (12, 3, 4, 36, 6), (12, 4, 1, 48, 12), (12, 6, 3, 12, 12), (16, 2, 2, 64, 16), (16, 4, 5, 33, 8),
    (20, 5, 2, 21, 9), (24, 3, 1, 50, 11), (32, 4, 2, 101, 20), (4, 2, 12, 15, 6),
]  # fmt: skip
ALL_SIZES = pytest.mark.parametrize("sizes", SIZES, ids=lambda s: "-".join(map(str, s)))
GPTS = pytest.mark.parametrize("course", [gpt, standins], ids=["reference", "stand-in"])


def library_model(width, heads, layers, vocabulary, positions):
    """Every parameter random: a fresh model's biases are 0 and its norms plain, which hides mistakes."""
    config = transformers.GPT2Config(
        n_embd=width, n_head=heads, n_layer=layers, vocab_size=vocabulary, n_positions=positions,
        bos_token_id=None, eos_token_id=None, pad_token_id=None,
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config).eval()
    stream = torch.Generator().manual_seed(width * 1000 + layers)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            mean = 1.0 if ".ln_" in name and name.endswith("weight") else 0.0
            parameter.copy_(mean + 0.5 * torch.randn(parameter.shape, generator=stream))
    return model


def our_model(course, width, heads, layers, vocabulary, positions):
    args = ModelArgs(
        n_embd=width, dim=width, n_heads=heads, n_layer=layers, vocab_size=vocabulary, block_size=positions,
        max_seq_len=positions,
    )  # fmt: skip
    return course.GPT(args).eval()


@ALL_SIZES
@GPTS
def test_logits_and_greedy_texts_are_those_of_transformers(course, sizes):
    theirs, ours = library_model(*sizes).double(), our_model(course, *sizes).double()
    pretrained.load_gpt2(ours, theirs.state_dict())
    vocabulary, positions = sizes[3:]
    ids = torch.randint(vocabulary, (3, positions), generator=torch.Generator().manual_seed(positions))
    with torch.no_grad():
        torch.testing.assert_close(ours(ids), theirs(ids).logits)
    prompt, new = ids[:, :2], positions - 2
    everything = torch.ones_like(prompt)
    want = theirs.generate(prompt, attention_mask=everything, max_new_tokens=new, do_sample=False)
    assert torch.equal(generate.generate(ours, prompt, new, block_size=positions), want)


def test_the_state_dict_is_left_alone_and_not_shared():
    theirs, ours = library_model(*SIZES[9]), our_model(gpt, *SIZES[9])
    state = theirs.state_dict()
    before = {name: tensor.clone() for name, tensor in state.items()}
    pretrained.load_gpt2(ours, state)
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.zero_()
    assert list(state) == list(before)
    assert all(torch.equal(state[name], before[name]) for name in before)


def test_the_head_has_a_parameter_of_its_own():
    theirs, ours = library_model(*SIZES[9]), our_model(gpt, *SIZES[9])
    pretrained.load_gpt2(ours, theirs.state_dict())
    assert ours.lm_head.weight is not ours.wte.weight
    assert torch.equal(ours.lm_head.weight, ours.wte.weight)


@pytest.mark.parametrize("file", ["test_pretrained", "probes_pretrained"])
@pytest.mark.parametrize("sizes", [SIZES[5], SIZES[-1]])
def test_the_suite_hands_in_what_transformers_would(file, sizes):
    width, heads, layers, vocabulary, positions = sizes
    theirs = library_model(*sizes).state_dict()
    row = {"C": width, "H": heads, "layers": layers, "V": vocabulary, "block": positions}
    ours = suite(file)._state(make_case("oracle", 0, row))
    assert [(name, t.shape) for name, t in ours.items()] == [(name, t.shape) for name, t in theirs.items()]
    assert torch.equal(ours["lm_head.weight"], ours["transformer.wte.weight"])


def suite(name):
    spec = importlib.util.spec_from_file_location(name, SUITE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
