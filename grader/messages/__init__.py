"""For those who change sentences: find them all, and keep the catalogues of grader/locale in step. Needs Babel."""
