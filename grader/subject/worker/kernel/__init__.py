"""What a process asks of the Linux kernel to lock itself in, through ctypes: each call raises OSError when refused."""
