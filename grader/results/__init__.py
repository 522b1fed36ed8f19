"""The results of a grading run: schema, sentences, files. Knows nothing of torch, pytest or a terminal."""
