"""A whole Transformer: token ids go in, one score for every word of the vocabulary comes out.

Letters: B batch, S source tokens, T target tokens (any number, also other than S), C width of the stream (`n_embd`,
which equals `dim`), V vocabulary size.

The grader fills your model with weights of its own, by the parameter names that the docstring leads to. Is yours built
in another way? Then add a function to this file that copies the named weights into your own parameters, in place:

    def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
        if isinstance(module, Transformer):
            module.table.copy_(weights["embedding.weight"])

It is called, without gradients, for every module whose class is an exercise of this file. `weights` has the names that
the class's docstring leads to, less those of every part that is an exercise itself and stands under the name given
there: such a part is filled on its own, so let it keep that name.
"""

import torch.nn.functional as F
from torch import Tensor, nn

from exercises.model_args import ModelArgs
from exercises.decoder import Decoder
from exercises.encoder import Encoder
from exercises.positional_encoding import PositionalEncoding


class Transformer(nn.Module):
    """The parts put together: embedding, positional encoding, encoder, decoder, and a linear layer that scores words.

    1. Both sequences go through the same embedding, one vector of width C a token, and through the positional encoding,
       which starts at position 0 for each of them. The vectors are not scaled. Dropout after the sum is welcome, not
       required.
    2. The encoder reads the source, under `src_mask`.
    3. The decoder reads the target and the encoder's output, under the same `src_mask`: what is padding to the encoder
       is padding to the cross-attention too.
    4. lm_head turns each vector of the decoder into V scores, the logits. They are no probabilities.

    args.vocab_size   V, the tokens of source and target alike
    args.block_size   the positional encoding has so many positions: more tokens are refused, in the source and in the
                      target, with a ValueError (or AssertionError). The decoder refuses a target over args.max_seq_len
    the others        are read by the parts

    A new model's linear layers and embedding hold normal numbers with mean 0 and standard deviation 0.02, those inside
    the parts too. Norms start as they always do, with scale 1 and shift 0. Initialise behind the last part: what does
    not exist yet cannot be reached.

    Parts, all with parameters but the second: embedding (nn.Embedding, V x C), positional_encoding
    (PositionalEncoding), encoder (Encoder), decoder (Decoder), lm_head (nn.Linear, C -> V, without bias, with a weight
    of its own).

    Sources: Vaswani et al., Attention Is All You Need (2017), section 3.1, figure 1; Radford et al., Improving Language
    Understanding by Generative Pre-Training (2018), section 4.1, for the 0.02.
    """

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        raise NotImplementedError("Transformer.__init__: write the body (stuck? run `grade hint transformer`)")

    def forward(
        self, src: Tensor, tgt: Tensor | None = None, targets: Tensor | None = None, src_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Score the token that follows each target position.

        src       (B, S) int64, the source's ids
        tgt       (B, T) int64, the target's ids. None: the source is decoded itself, T = S. That continues a text, but
                  trains nothing: the encoder has shown every position the tokens that it should predict
        targets   (B, T) int64, what should follow each position of the target: shifted already, by the caller. A
                  target of -1 does not count
        src_mask  None, or True (or 1) where a source token may be attended to, (B, 1, 1, S) as padding_mask makes it

        Returns a pair (logits, loss), in the dtype of the weights:

        without targets   the logits of the last position alone, (B, 1, V), and None
        with targets      all logits, (B, T, V), and their mean cross entropy over the targets that count, of shape ()

        src, tgt and targets are unchanged by the call.
        """
        raise NotImplementedError("Transformer.forward: write the body (stuck? run `grade hint transformer`)")
