"""A text that a tiny model learns in half a minute, letter by letter."""

TEXT = """\
one small word looked back at all the words before,
and asked of each: what do you know, and is there more?
the word said: here is my key, and here is my value too,
you bring the query, we shall see how well I fit to you.

two heads looked back, and each of them saw something of its own,
for one head asked who did the thing, and one head where it was shown.
they laid their findings side by side, and then they made them one,
and added that to what they had, and so the work was done.

three layers stood above the words, a tower made of thought,
the first one learned what letters do, the next what words are taught,
the third one looked at everything, and what it saw was clear:
the next word is the one that fits the words that stand so near.

a mask was drawn across the rows so nobody could cheat,
the future stays a secret till the past has been complete.
the softmax turned the scores to weights, and every row made one,
and not a single weight was lost, and not a weight was none.

the norm came in and took the mean, and took the spread away,
so numbers that had grown too large came back to us to stay.
the loss went down, the loss went down, and with it went the night,
and what had been a noise at first began to sound all right.

four steps we take to learn a thing, and four to learn it well:
we guess, we look, we see how far the guess and answer fell,
we follow every slope downhill, we take a little stride,
and then we guess the next again, with nothing left to hide.
"""
