"""Weights go in by name, by the notes' names, or through the file's own load_weights; all or none."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn

from grader.run.suite.agree import Twins, twins
from grader.run.suite.cases import make_case
from grader.subject.failure import CheckFailed
from grader.subject.local import Local
from grader.subject.proxy import Proxy
from grader.subject.worker.scan import unregistered
from grader.subject.worker.weights import StructureError, load, task_tree

TASKS = frozenset({"Inner", "Outer"})


class Inner(nn.Module):
    """a (3, 3), then b (3, 3)."""

    def __init__(self) -> None:
        super().__init__()
        self.wq = nn.Linear(3, 3, bias=False)
        self.wk = nn.Linear(3, 3, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.wq(x) * 2 + torch.tanh(self.wk(x))


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ffn_norm = nn.LayerNorm(3)
        self.attention = Inner()

    def forward(self, x: Tensor) -> Tensor:
        return x + self.attention(self.ffn_norm(x))


FUSED = """
import torch
from torch import nn

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.both = nn.Parameter(torch.empty(3, 6))   # transposed, fused
    def forward(self, x):
        q, k = (x @ self.both).chunk(2, -1)
        return q * 2 + torch.tanh(k)

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fnn_norm_layer = nn.LayerNorm(3)
        self.attention = Inner()
    def forward(self, x):
        return x + self.attention(self.fnn_norm_layer(x))

def load_weights(module, weights):
    if isinstance(module, Inner):
        module.both.copy_(torch.cat([weights["wq.weight"], weights["wk.weight"]]).T)
    else:
        module.fnn_norm_layer.weight.copy_(weights["ffn_norm.weight"])
        module.fnn_norm_layer.bias.copy_(weights["ffn_norm.bias"])
"""


@pytest.fixture
def student() -> Iterator[Callable[[str], Proxy]]:
    made: list[str] = []

    def build(text: str) -> Proxy:
        module = types.ModuleType(f"exercises.student{len(made)}")
        sys.modules[module.__name__] = module
        made.append(module.__name__)
        exec(text, module.__dict__)
        return Proxy(Local(module, TASKS))

    yield build
    for name in made:
        del sys.modules[name]


@pytest.fixture
def reference() -> Proxy:
    return Proxy(Local(sys.modules[__name__], TASKS))


def weights_of(module: nn.Module) -> dict[str, Tensor]:
    return {name: torch.randn(p.shape) for name, p in module.named_parameters()}


def pair(subject: Proxy, reference: Proxy, task: str) -> Twins:
    return twins(subject, reference, make_case("weights", 0, {}), task)


def test_weights_go_in_by_name() -> None:
    weights = weights_of(Outer())
    module = Outer()
    load(module, "Outer", weights, task_tree(Outer(), TASKS), TASKS)
    assert all(torch.equal(p, weights[name]) for name, p in module.named_parameters())


def test_the_notes_names_mean_the_same() -> None:
    class Renamed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight_matrix_of_query = nn.Linear(3, 3, bias=False)
            self.weight_matrix_of_key = nn.Linear(3, 3, bias=False)

    weights = weights_of(Inner())
    module = Renamed()
    load(module, "Inner", weights, {}, TASKS)
    assert torch.equal(module.weight_matrix_of_query.weight, weights["wq.weight"])


def test_missing_and_unexpected_names_are_listed_and_nothing_is_written() -> None:
    class Other(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wq = nn.Linear(3, 3, bias=True)

    module = Other()
    before = module.wq.weight.detach().clone()
    with pytest.raises(StructureError) as caught:
        load(module, "Inner", weights_of(Inner()), {}, TASKS)
    assert caught.value.code == "wrong_structure"
    assert (caught.value.values["missing"], caught.value.values["unexpected"]) == ("wk.weight", "wq.bias")
    assert torch.equal(module.wq.weight, before)


def test_a_plain_tensor_under_the_right_name_is_no_parameter() -> None:
    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wq = nn.Linear(3, 3, bias=False)
            self.wk = nn.Module()
            self.wk.weight = torch.zeros(3, 3)

    with pytest.raises(StructureError) as caught:
        load(Plain(), "Inner", weights_of(Inner()), {}, TASKS)
    assert (caught.value.code, caught.value.values["path"]) == ("unregistered", "wk.weight")


def test_a_wrong_shape_is_named() -> None:
    class Wide(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wq = nn.Linear(3, 3, bias=False)
            self.wk = nn.Linear(3, 4, bias=False)

    with pytest.raises(StructureError) as caught:
        load(Wide(), "Inner", weights_of(Inner()), {}, TASKS)
    assert caught.value.values == {"task": "Inner", "name": "wk.weight", "got": [4, 3], "want": [3, 3]}


def test_one_module_used_twice_lacks_the_second_name() -> None:
    class Shared(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wq = self.wk = nn.Linear(3, 3, bias=False)

    with pytest.raises(StructureError, match="wrong_structure"):
        load(Shared(), "Inner", weights_of(Inner()), {}, TASKS)


@pytest.mark.parametrize("task", ["Inner", "Outer"])
def test_an_adapter_gives_the_same_outputs_and_gradients(
    student: Callable[[str], Proxy], reference: Proxy, task: str
) -> None:
    both = pair(student(FUSED), reference, task)
    assert both.student.adapted
    x = torch.randn(2, 3)
    both.agree(x)
    both.agree_gradients(x, inputs=("x",))
    both.same_parameters()


def test_an_adapter_for_another_class_leaves_a_module_with_the_right_names_alone(
    student: Callable[[str], Proxy], reference: Proxy
) -> None:
    text = FUSED.replace("if isinstance(module, Inner):", "if type(module).__name__ == 'Nobody':").replace(
        "    else:", "    elif isinstance(module, Outer):"
    )
    plain = """
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.wq, self.wk = nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False)
    def forward(self, x):
        return self.wq(x) * 2 + torch.tanh(self.wk(x))
"""
    both = pair(student(text.replace("def load_weights", plain + "\ndef load_weights")), reference, "Inner")
    x = torch.randn(2, 3)
    both.agree(x)
    both.agree_gradients(x)


def test_a_gradient_that_is_cut_is_seen_through_an_adapter(student: Callable[[str], Proxy], reference: Proxy) -> None:
    text = FUSED.replace("torch.tanh(k)", "torch.tanh(k.detach())")
    both = pair(student(text), reference, "Inner")
    both.agree(torch.randn(2, 3))
    with pytest.raises(CheckFailed) as caught:
        both.agree_gradients(torch.randn(2, 3))
    assert "wk.weight" in str(caught.value) or "input 1" in str(caught.value)


def test_a_wrong_adapter_is_a_wrong_value(student: Callable[[str], Proxy], reference: Proxy) -> None:
    text = FUSED.replace('[weights["wq.weight"], weights["wk.weight"]]', '[weights["wk.weight"], weights["wq.weight"]]')
    with pytest.raises(CheckFailed, match="should be"):
        pair(student(text), reference, "Inner").agree(torch.randn(2, 3))


def test_trainable_things_in_plain_containers_are_found() -> None:
    class Hidden(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.registered = nn.Linear(2, 2)
            self.heads = [nn.Linear(2, 2), self.registered]
            self.table = {"a": nn.Parameter(torch.ones(2))}
            self.constant = torch.ones(2)
            self.alias = self.registered

        gain = 3

    assert {path for path, _ in unregistered(Hidden())} == {"heads[0]", "table['a']"}


def test_nothing_is_found_in_an_ordinary_module() -> None:
    assert unregistered(Outer()) == []


def test_a_class_of_pytorch_is_no_task_though_its_name_is_one() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(3, 2)
            self.inner = Inner()

    assert task_tree(Model(), frozenset({"Embedding", "Inner"})) == {"inner": "Inner"}
