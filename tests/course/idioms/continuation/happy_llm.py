"""The notes' loop with its faults repaired: encode, return_tensors, a while loop, the mode in a finally."""

import torch

from exercises.model_args import ModelArgs
from exercises.transformer import Transformer


def build_model(tokenizer, args: ModelArgs) -> Transformer:
    vocab_size = len(tokenizer.get_vocab())
    new_args = ModelArgs(
        n_embd=args.n_embd,
        n_heads=args.n_heads,
        dim=args.dim,
        dropout=args.dropout,
        max_seq_len=args.max_seq_len,
        vocab_size=vocab_size,
        block_size=args.block_size,
        n_layer=args.n_layer,
    )
    transformer = Transformer(new_args)
    return transformer


def continue_text(model, tokenizer, text: str, steps: int) -> str:
    is_training = model.training
    model.eval()
    count = 0
    try:
        while count < steps:
            input_ids = tokenizer.encode(text, add_special_tokens=False, return_tensors="pt")
            with torch.no_grad():
                logits, loss = model(input_ids)
            assert loss is None
            predicted_ids = torch.argmax(logits, dim=-1).item()
            text += tokenizer.decode(predicted_ids)
            count += 1
    finally:
        if is_training:
            model.train()
    return text
