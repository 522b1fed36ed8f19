"""The student's side: everything that runs in the process of the submission. Imports torch and nothing else of ours."""
