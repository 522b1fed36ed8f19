"""Grading on a CI platform: what it tells us, and what it reads."""
