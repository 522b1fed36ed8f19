"""What a task forbids is noticed however it is spelt, and what it allows is not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.catalogue.load import OWN_WORK_FAMILIES
from grader.subject.worker.watch import FAMILIES

ROOT = Path(__file__).parents[3]
# One interpreter imports torch; every case is a fork of it, since a watch lasts as long as its process.
RUN = """
import json, os, sys
import torch, torch.nn.functional as F
from torch import nn
from grader.subject.worker import watch
torch.set_num_threads(1)
x, r = torch.randn(2, 3), torch.randn(2, 3, requires_grad=True)
q = torch.randn(1, 2, 3, 4)
for family, *texts in json.load(sys.stdin):
    sys.stdout.flush()
    if os.fork() == 0:
        names = {"torch": torch, "F": F, "nn": nn, "x": x, "r": r, "q": q, "__name__": "mine"}
        watch.prepare([family])
        try:
            for imported in texts[:-1]:
                exec(compile(imported, "exercises/mine.py", "exec"), names)
            watch.watch([family])
            exec(compile(texts[-1], "exercises/mine.py", "exec"), names)
        except BaseException as error:  # TorchScript turns a refusal into an error of its own
            if not (isinstance(error, watch.ForbiddenCall) or watch.notes()):
                print(json.dumps([{"name": repr(error), "file": "broken", "line": 0}]), flush=True)
                os._exit(1)
        print(json.dumps(watch.notes()), flush=True)
        os._exit(0)
    os.wait()
"""

FORBIDDEN = [
    ("softmax", "F.softmax(x, -1)"),
    ("softmax", "torch.softmax(r, -1)"),
    ("softmax", "getattr(x, 'soft' + 'max')(-1)"),
    ("softmax", "torch.special.softmax(x, -1)"),
    ("softmax", "nn.Softmax(-1)(x)"),
    ("softmax", "F.log_softmax(x, -1).exp()"),
    ("softmax", "F.softmin(-x, -1)"),
    ("softmax", "torch.distributions.Categorical(logits=x).probs"),
    ("softmax", "torch.ops.aten._softmax(x, -1, False)"),
    ("softmax", "torch.func.vmap(lambda row: row.softmax(-1))(x)"),
    ("softmax", "import threading; t = threading.Thread(target=lambda: x.softmax(-1)); t.start(); t.join()"),
    ("softmax", "from torch.utils._python_dispatch import _disable_current_modes as d\nwith d():\n    x.softmax(-1)"),
    ("attention", "F.scaled_dot_product_attention(q, q, q)"),
    ("attention", "torch._C._nn.scaled_dot_product_attention(q, q, q)"),
    ("attention", "nn.MultiheadAttention(4, 2)"),
    ("attention", "class Mine(nn.MultiheadAttention): pass\nMine(4, 2)"),
    ("attention", "from torch.nn.functional import multi_head_attention_forward as f; f()"),
    ("transformer", "nn.TransformerEncoderLayer(4, 2)"),
    ("layer_norm", "F.layer_norm(x, (3,))"),
    ("layer_norm", "nn.LayerNorm(3)(r)"),
    ("layer_norm", "F.group_norm(x, 1)"),
    ("layer_norm", "torch.native_layer_norm(x, (3,), None, None, 1e-5)"),
    ("embedding", "nn.Embedding(3, 2)(torch.tensor([1]))"),
    ("gelu", "F.gelu(x, approximate='tanh')"),
    ("clipping", "nn.utils.clip_grad_norm_([r], 1.0)"),
    ("clipping", "from torch.nn.utils.clip_grad import clip_grad_norm_; clip_grad_norm_([r], 1.0)"),
]
ALLOWED = [
    ("softmax", "e = (x - x.amax(-1, keepdim=True)).exp(); e / e.sum(-1, keepdim=True)"),
    ("softmax", "(x - x.logsumexp(-1, keepdim=True)).exp()"),
    ("attention", "torch.softmax(q @ q.transpose(-2, -1), -1) @ q"),
    ("layer_norm", "(x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()"),
    ("transformer", "nn.ModuleList([nn.Linear(2, 2)])"),
    ("gelu", "x * 0.5 * (1 + torch.erf(x / 2**0.5))"),
    ("embedding", "x[torch.tensor([1])]"),
    ("clipping", "torch.stack([p.norm() for p in [r]]).norm()"),
]
# What runs while a file is imported, such as a test of its own against PyTorch, and then what is asked of it.
IMPORTED = [
    ("softmax", "assert F.softmax(x, -1).shape == x.shape", "x.exp() / x.exp().sum(-1, keepdim=True)"),
    ("layer_norm", "nn.LayerNorm(3)(x)", "x - x.mean(-1, keepdim=True)"),
    ("attention", "assert nn.MultiheadAttention(4, 2)(q[0], q[0], q[0])[0].shape == q[0].shape", "q @ q.mT"),
    ("transformer", "nn.TransformerEncoderLayer(4, 2)(q[0])", "q @ q.mT"),
    ("clipping", "r.grad = r.detach(); torch.nn.utils.clip_grad_norm_([r], 1.0)", "r.grad.norm()"),
]
IMPORTED_AND_CALLED = [
    ("softmax", "F.softmax(x, -1)\nsoft = F.softmax", "soft(x, -1)"),
    ("softmax", "def soft(y): return y.softmax(-1)\nsoft = torch.jit.trace(soft, x)", "soft(x)"),
    ("layer_norm", "norm = nn.LayerNorm(3)\nnorm(x)", "norm(x)"),
    ("attention", "heads = nn.MultiheadAttention(4, 2)", "heads(q[0], q[0], q[0])"),
    ("transformer", "layer = nn.TransformerEncoderLayer(4, 2)", "layer(q[0])"),
    ("transformer", "layer = nn.TransformerDecoderLayer(4, 2)", "type(layer).forward(layer, q[0], q[0])"),
    ("clipping", "from torch.nn.utils import clip_grad_norm_ as clip", "clip([r], 1.0)"),
]


@pytest.fixture(scope="module")
def seen() -> dict[tuple[str, ...], list[dict[str, object]]]:
    """The notes of every case."""
    cases = [*FORBIDDEN, *ALLOWED, *IMPORTED, *IMPORTED_AND_CALLED]
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, cwd=ROOT, check=False)
    lines = done.stdout.splitlines()
    assert len(lines) == len(cases), done.stderr
    return dict(zip(cases, map(json.loads, lines), strict=True))


Seen = dict[tuple[str, ...], list[dict[str, object]]]


@pytest.mark.parametrize("case", FORBIDDEN)
def test_a_forbidden_call_is_noted_with_the_students_line(seen: Seen, case: tuple[str, str]) -> None:
    notes = seen[case]
    assert notes
    assert "Thread" in case[1] or (notes[0]["file"] == "mine.py" and notes[0]["line"])


@pytest.mark.parametrize("case", ALLOWED)
def test_the_same_written_out_is_not(seen: Seen, case: tuple[str, str]) -> None:
    assert seen[case] == []


@pytest.mark.parametrize("case", IMPORTED)
def test_what_a_file_tries_while_it_is_imported_is_no_answer(seen: Seen, case: tuple[str, ...]) -> None:
    assert seen[case] == []


@pytest.mark.parametrize("case", IMPORTED_AND_CALLED)
def test_nothing_made_then_can_be_called_later(seen: Seen, case: tuple[str, ...]) -> None:
    assert [note["file"] for note in seen[case]] == ["mine.py"]


def test_the_catalogue_knows_the_same_families() -> None:
    assert set(OWN_WORK_FAMILIES) == FAMILIES
