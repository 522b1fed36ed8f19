"""The last failing case again, in the student's own process: what was asked is recorded, never suite or reference."""
