"""Text that steers a terminal, becomes a formula in a spreadsheet, or reads backwards."""

# ruff: noqa: T201
# expect: raised


def softmax(x):
    print("\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\PASSED\x9b31m\r10/10")
    print("<script>alert(1)</script><img src=x onerror=alert(1)>")
    raise ValueError('=HYPERLINK("file:///x","click")\t+1\n@SUM(1)\u202e\u2066\u200b\x00 \ud800 \U000e0041<b id=owned>')
