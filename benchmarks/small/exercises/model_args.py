"""No exercise of this course has sizes to agree on."""
