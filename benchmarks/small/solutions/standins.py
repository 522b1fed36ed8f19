"""No exercise of this course needs another one."""
