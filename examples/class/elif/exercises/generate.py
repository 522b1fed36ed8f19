# Homework 7 - generation and loss
# Elif, group B

import torch
from torch import Tensor, nn
from torch.nn import functional


def keep_the_best(logits: Tensor, top_k: int) -> Tensor:
    vocabulary_size = logits.shape[-1]
    if top_k >= vocabulary_size:
        return logits
    best_values, _ = torch.topk(logits, top_k, dim=-1)
    smallest_allowed = best_values[:, -1].unsqueeze(-1)
    too_small = logits < smallest_allowed
    return logits.masked_fill(too_small, float("-inf"))


def generate(
    model: nn.Module,
    ids: Tensor,
    num_new_tokens: int,
    block_size: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    do_sample: bool = False,
    generator: torch.Generator | None = None,
) -> Tensor:
    model_was_training = model.training
    model.eval()

    result = ids.clone()
    with torch.no_grad():
        for step in range(num_new_tokens):
            # the model cannot read more than block_size tokens
            if result.shape[1] > block_size:
                context = result[:, -block_size:]
            else:
                context = result

            logits = model(context)
            logits_of_last_position = logits[:, -1, :]

            if do_sample:
                logits_of_last_position = logits_of_last_position / temperature
                if top_k is not None:
                    logits_of_last_position = keep_the_best(logits_of_last_position, top_k)
                probabilities = functional.softmax(logits_of_last_position, dim=-1)
                next_token = torch.multinomial(probabilities, num_samples=1, generator=generator)
            else:
                next_token = torch.argmax(logits_of_last_position, dim=-1).unsqueeze(-1)

            result = torch.cat((result, next_token), dim=1)

    if model_was_training:
        model.train()
    return result


def lm_loss(logits: Tensor, tokens: Tensor, ignore_index: int = -100) -> Tensor:
    vocabulary_size = logits.shape[-1]
    predictions = logits[:, :-1, :]  # the last position predicts nothing that we know
    targets = tokens[:, 1:]  # the first token is predicted by nobody
    return functional.cross_entropy(
        predictions.reshape(-1, vocabulary_size),
        targets.reshape(-1),
        ignore_index=ignore_index,
    )


def loss_on_batch(model: nn.Module, input_ids: Tensor) -> Tensor:
    logits = model(input_ids)
    loss = lm_loss(logits, input_ids)
    return loss
