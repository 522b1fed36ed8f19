"""What the references of a course answered, kept as numbers, for where the references are not."""
