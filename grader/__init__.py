"""Grading harness of the course "write a Transformer from scratch in PyTorch"."""

__version__ = "0.1.0"
