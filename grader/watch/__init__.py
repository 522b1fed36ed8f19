"""`grade watch`: a verdict whenever a file of an exercise is saved."""
