"""Notebooks as submissions: read with care, reduced to their definitions, and written from a file."""
