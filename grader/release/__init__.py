"""A course as its students get it: made from the whole one, and searched for what must not be in it."""
