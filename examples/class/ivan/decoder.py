import torch.nn as nn

from attention import MultiHeadAttention
from encoder import MLP
from layer_norm import LayerNorm


class DecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.attention_norm_1 = LayerNorm(args.n_embd)
        self.attention_norm_2 = LayerNorm(args.n_embd)
        self.ffn_norm = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, True)
        self.attention = MultiHeadAttention(args, False)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, enc_out, src_mask=None):
        n = self.attention_norm_1(x)
        x = x + self.mask_attention(n, n, n)
        n = self.attention_norm_2(x)
        x = x + self.attention(n, enc_out, enc_out, src_mask)
        n = self.ffn_norm(x)
        x = x + self.feed_forward(n)
        return x


class Decoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        layers = []
        for i in range(args.n_layer):
            layers.append(DecoderLayer(args))
        self.layers = nn.ModuleList(layers)
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, enc_out, src_mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, enc_out, src_mask)
        return self.norm(x)
