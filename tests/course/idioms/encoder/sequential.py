"""The network is an nn.Sequential, the norms have other names; load_weights finds the places."""

from torch import nn

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim, dropout):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim, hidden_dim, bias=False),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden_dim, dim, bias=False),
        )

    def forward(self, x):
        return self.net(x)


class EncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.norm = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)
        self.think = nn.Sequential(LayerNorm(args.n_embd), self.feed_forward)

    def forward(self, x, mask=None):
        y = self.norm(x)
        x = self.attention(y, y, y, mask=mask) + x
        return self.think(x) + x


class Encoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(args.n_layer):
            self.layers.append(EncoderLayer(args))
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, mask)
        return self.norm(x)


def load_weights(module, weights):
    if isinstance(module, MLP):
        module.net[0].weight.copy_(weights["w1.weight"])
        module.net[3].weight.copy_(weights["w2.weight"])
    if isinstance(module, EncoderLayer):
        for norm, name in ((module.norm, "attention_norm"), (module.think[0], "fnn_norm")):
            norm.weight.copy_(weights[f"{name}.weight"])
            norm.bias.copy_(weights[f"{name}.bias"])
