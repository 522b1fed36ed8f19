"""How a subject is locked in: levels 4, 2, 1 and 0 behind one interface (level.py), and which of them a run takes."""
