"""Which known bug a submission's answers agree with."""
