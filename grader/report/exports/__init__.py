"""Exports: results in the formats of other systems, one small file a format; formats.py lists them."""
