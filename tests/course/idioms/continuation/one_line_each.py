"""Short forms: asdict, an attribute of the encoding, and reduce over the steps."""

from dataclasses import asdict
from functools import reduce

import torch

from exercises.model_args import ModelArgs
from exercises.transformer import Transformer


def build_model(tokenizer, args):
    return Transformer(ModelArgs(**{**asdict(args), "vocab_size": len(tokenizer)}))


def continue_text(model, tokenizer, text, steps):
    def step(so_far, _):
        encoded = tokenizer(so_far, add_special_tokens=False, return_tensors="pt")
        return so_far + tokenizer.decode(model(encoded.input_ids)[0].argmax(-1).item())

    training = model.training
    model = model.eval()
    with torch.inference_mode():
        answer = reduce(step, range(steps), text)
    model.train(training)
    return answer
