import torch.nn as nn
import torch.nn.functional as F

from exercises.attention import MultiHeadAttention
from exercises.layer_norm import LayerNorm

class MLP(nn.Module):
	def __init__(self, dim, hidden_dim, dropout):
		super().__init__()
		self.w1 = nn.Linear(dim, hidden_dim, bias=False)
		self.w2 = nn.Linear(hidden_dim, dim, bias=False)
		self.dropout = nn.Dropout(dropout)

	def forward(self, x)
		x = self.w1(x)
		x = F.relu(x)
		x = self.w2(x)
		return self.dropout(x)

class EncoderLayer(nn.Module):
	def __init__(self, args):
		super().__init__()
		self.attention_norm = LayerNorm(args.n_embd)
		self.attention = MultiHeadAttention(args)
		self.fnn_norm = LayerNorm(args.n_embd)
		self.feed_forward = MLP(args.dim, args.dim, args.dropout)

	def forward(self, x, mask=None):
		y = self.attention_norm(x)
		x = x + self.attention(y, y, y, mask)
		x = x + self.feed_forward(self.fnn_norm(x))
		return x

class Encoder(nn.Module):
	def __init__(self, args):
		super().__init__()
		self.layers = nn.ModuleList([EncoderLayer(args) for _ in range(args.n_layer)])
		self.norm = LayerNorm(args.n_embd)

	def forward(self, x, mask=None):
		for block in self.layers:
			x = block(x, mask)
		return self.norm(x)
