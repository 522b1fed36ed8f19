"""Verdicts inside a notebook: `grader.check("attention")` and `%grade attention`."""
