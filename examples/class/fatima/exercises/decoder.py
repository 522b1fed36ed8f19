import torch.nn as nn

from exercises.attention import MultiHeadAttention
from exercises.encoder import MLP
from exercises.layer_norm import LayerNorm
from exercises.model_args import ModelArgs


class DecoderLayer(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.attention_norm_layer_1 = LayerNorm(args.n_embd)
        self.mask_attention = MultiHeadAttention(args, is_causal=True)
        self.attention_norm_layer_2 = LayerNorm(args.n_embd)
        self.attention = MultiHeadAttention(args, is_causal=False)
        self.fnn_norm_layer = LayerNorm(args.n_embd)
        self.feed_forward = MLP(args.dim, args.dim, args.dropout)

    def forward(self, x, encoder_output, src_mask=None):
        norm_x_1 = self.attention_norm_layer_1(x)
        x_2 = x + self.mask_attention(norm_x_1, norm_x_1, norm_x_1)
        norm_x_2 = self.attention_norm_layer_2(x_2)
        h = x_2 + self.attention(norm_x_2, encoder_output, encoder_output, src_mask)
        norm_h = self.fnn_norm_layer(h)
        return h + self.feed_forward(norm_h)


class Decoder(nn.Module):
    def __init__(self, args: ModelArgs):
        super(Decoder, self).__init__()
        self.layers = nn.ModuleList([DecoderLayer(args) for _ in range(args.n_layer)])
        self.norm = LayerNorm(args.n_embd)

    def forward(self, x, encoder_output, src_mask=None):
        for layer in self.layers:
            x = layer(x, encoder_output, src_mask)
        return self.norm(x)
