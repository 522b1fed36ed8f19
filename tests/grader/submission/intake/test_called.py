"""Names that mean an exercise, and names that do not."""

from __future__ import annotations

import pytest

from grader.submission.intake.called import meant

NAMES = ["attention", "encoding", "layer_norm", "positional_encoding", "word2vec", "encoder"]


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Attention", "attention"), ("attention (1)", "attention"), ("attention-2", "attention"),
        ("hw3_attention", "attention"), ("attention_final", "attention"), ("attention_final_v2 (3)", "attention"),
        ("attention - Copy", "attention"), ("attention 副本", "attention"), ("ＡＴＴＥＮＴＩＯＮ", "attention"),
        ("attention-checkpoint", "attention"), ("LayerNorm", "layer_norm"), ("layer-norm", "layer_norm"),
        ("layernorm2", "layer_norm"), ("HW2 Positional Encoding", "positional_encoding"), ("word2vec_1", "word2vec"),
        ("positional_encoding", "positional_encoding"), ("final_encoding", "encoding"),
    ],
)  # fmt: skip
def test_it_is_meant(stem: str, name: str) -> None:
    assert meant(stem, NAMES) == name


@pytest.mark.parametrize(
    "stem",
    ["", "1", "final", "attention_old", "test_attention", "attention_helpers", "atention", "my_encoders", "a"],
)  # fmt: skip
def test_it_is_not(stem: str) -> None:
    assert meant(stem, NAMES) == ""
