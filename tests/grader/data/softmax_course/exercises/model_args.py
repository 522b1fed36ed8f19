"""The sizes of a model. Given: there is nothing to write here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelArgs:
    """Sizes shared by all parts of a model; the defaults make a tiny one.

    n_embd       width of the residual stream, C
    n_heads      attention heads, H
    dim          width of all heads together; each head has dim // n_heads
    dropout      probability of dropping a value, in train mode
    max_seq_len  longest sequence that causal attention accepts
    vocab_size   number of tokens, V
    block_size   number of positions that have an encoding
    n_layer      layers of the encoder, and of the decoder

    Raises ValueError if dim is not a multiple of n_heads, or if n_embd and dim differ.
    """

    n_embd: int = 16
    n_heads: int = 4
    dim: int = 16
    dropout: float = 0.0
    max_seq_len: int = 32
    vocab_size: int = 50
    block_size: int = 32
    n_layer: int = 2

    def __post_init__(self) -> None:
        if self.dim % self.n_heads != 0:
            raise ValueError(f"dim must be a multiple of n_heads, got dim={self.dim} and n_heads={self.n_heads}")
        if self.n_embd != self.dim:
            raise ValueError(f"n_embd and dim must be equal, got n_embd={self.n_embd} and dim={self.dim}")
