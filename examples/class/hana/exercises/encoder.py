import torch.nn.functional as F
from torch import Tensor, nn

from .attention import MultiHeadAttention
from .layer_norm import LayerNorm
from .model_args import ModelArgs


class MLP(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, dropout: float):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.p = dropout

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.w1(x))
        x = F.dropout(x, self.p, training=self.training)
        return self.w2(x)


class EncoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.attention_norm(x)
        h = x + self.attention(x, x, x, mask)
        return h + self.feed_forward(self.ffn_norm(h))


class Encoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(args) for _ in range(args.n_layer))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
