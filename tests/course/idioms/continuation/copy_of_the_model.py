"""Writes with a deep copy in eval mode, so that nothing has to be restored, and calls itself for each step."""

import copy

import torch

from exercises.transformer import Transformer


class Continuation(Transformer):
    """The model under another name."""


def build_model(tokenizer, args):
    return Continuation(args.__class__(**{**vars(args), "vocab_size": len(tokenizer)}))


def continue_text(model, tokenizer, text, steps):
    return written(copy.deepcopy(model).eval(), tokenizer, text, steps)


def written(model, tokenizer, text, steps):
    if steps == 0:
        return text
    with torch.no_grad():
        ids = torch.LongTensor(tokenizer(text, add_special_tokens=False, return_attention_mask=False)["input_ids"])
        probabilities = torch.softmax(model.forward(ids.view(1, -1))[0], dim=-1)
    return written(model, tokenizer, text + tokenizer.decode(probabilities.squeeze().argmax()), steps - 1)
