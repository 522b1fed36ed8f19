"""How much a submission may use. CPU time is what counts; wall clock is only a backstop, ten times as long."""

from __future__ import annotations

from dataclasses import dataclass

WALL_FACTOR = 10
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds are of CPU time."""

    call: float = 2.0  # one call; importing the file may take three times as long
    exercise: float = 40.0  # all checks of one exercise
    memory_mb: int = 1024
    output_mb: int = 16
    file_mb: int = 16

    def for_process(self) -> dict[str, int]:
        """What the kernel enforces on one process: never sooner than our own limits."""
        return {
            "memory": self.memory_mb * MEGABYTE,
            "cpu": int(self.exercise + 3 * self.call) + 2,
            "file": self.file_mb * MEGABYTE,
            "files": 64,
        }
