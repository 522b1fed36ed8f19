"""Continue a text: a tokenizer turns it into ids, the Transformer says which token comes next, the token becomes text.

A `tokenizer` here is a BertTokenizer of the transformers library, or something that is called in the same way:

    tokenizer(text, add_special_tokens=False)["input_ids"]   the ids of a text, a list of int; [CLS] and [SEP] are put
                                                             around it unless they are switched off
    tokenizer.decode(id)                                     the text of one id
    len(tokenizer)                                           the number of different ids, added tokens included

To try your functions, make one from the vocabulary beside this file: BertTokenizer("exercises/vocabulary.txt"). The
model is not trained, so what it writes makes no sense.
"""

from dataclasses import replace
from typing import Any

import torch
from torch import nn

from exercises.model_args import ModelArgs
from exercises.transformer import Transformer


def build_model(tokenizer: Any, args: ModelArgs) -> Transformer:
    """A new Transformer with the sizes of `args`, but with as many tokens as the tokenizer has.

    tokenizer  len(tokenizer) is the vocabulary size of the model, whatever args.vocab_size says. (Its attribute
               vocab_size leaves out the tokens that were added to it.)
    args       all other settings are the model's; being frozen, it stays as it is

    Embedding and head get their sizes when the model is built, so the number must be known by then: a model that is
    built with a smaller one has no vector for the last ids. What comes back is as Transformer(...) makes it, untrained.

    Source: the main() of Happy-LLM, chapter 2, sets the size when it is too late.
    """
    raise NotImplementedError("build_model: write the body (stuck? run `grade hint continuation`)")


def continue_text(model: nn.Module, tokenizer: Any, text: str, steps: int) -> str:
    """Write on: append `steps` tokens to the text, each time the most likely one.

    model      called with ids (1, T) int64 alone, a Transformer gives the pair (logits, None), where logits (1, 1, V)
               score what follows the last of these ids
    tokenizer  see the top of this file
    text       at least one token long; with the additions it is never longer than the model accepts
    steps      how many tokens to append; 0 gives the text as it is

    Each step starts from the text so far, additions included: it is turned into ids again, all of it and nothing else,
    no special tokens, no padding. That matters: "a" and "b" may have become the one word "ab". The id with the largest
    logit goes through tokenizer.decode, and what that gives is appended as it is, without a space, be it a piece such
    as "##s" or a special token such as "[SEP]". No token ends the text early.

    Returns the prompt, letter by letter as it was, and behind it the additions.

    The model runs in eval mode, so that no dropout disturbs it, and is left in the mode it was found in. Nothing here
    needs a gradient, so none is recorded.

    Source: Happy-LLM, chapter 2, whose main() pads the text and reads what follows the padding.
    """
    raise NotImplementedError("continue_text: write the body (stuck? run `grade hint continuation`)")
