"""Two processes that talk: the student's code in one, suite, references and verdicts in the other."""
