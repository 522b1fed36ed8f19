"""Illustrations: the student's own files at work. Nothing here is a verdict, and no suite or reference is loaded."""
