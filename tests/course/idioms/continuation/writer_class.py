"""A class that holds model and tokenizer, a generator that yields texts, and a context manager for the mode."""

import contextlib
from dataclasses import replace

import numpy as np
import torch

from exercises.transformer import Transformer


def build_model(tokenizer, args):
    args = replace(args, vocab_size=tokenizer.__len__())
    return Transformer(args)


@contextlib.contextmanager
def quiet(model):
    training = model.training
    try:
        with torch.no_grad():
            yield model.eval()
    finally:
        model.train(training)


class Writer:
    def __init__(self, model, tokenizer):
        self.model, self.tokenizer = model, tokenizer

    def versions(self, text):
        while True:
            yield text
            ids = np.array(self.tokenizer.encode(text, add_special_tokens=False))[None, :]
            logits, _ = self.model(torch.from_numpy(ids))
            (new,) = np.argmax(logits[:, -1].cpu().numpy(), axis=-1)
            text = f"{text}{self.tokenizer.decode([int(new)])}"


def continue_text(model, tokenizer, text, steps):
    with quiet(model):
        versions = Writer(model, tokenizer).versions(text)
        for _ in range(steps):
            next(versions)
        return next(versions)
