"""What submissions have in common: a list of pairs for a person to read. No code of theirs is run."""
