"""What a subject may read: the interpreter, its library, and the files of the allowed packages with all they need."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.subject.isolation.level import Refused

PACKAGES = ("torch", "numpy")
SYSTEM_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
NOT_OF_THE_LIBRARY = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Closure:
    python: Path  # the interpreter's own file
    library: tuple[Path, ...]  # folders of the standard library
    shared: tuple[Path, ...]  # shared libraries, and folders of them
    packages: dict[str, Path]  # name in site-packages -> where it lies

    def entries(self, folder: Path) -> Iterator[Path]:
        """What lies in a folder of the standard library, other people's packages left out."""
        return (path for path in sorted(folder.iterdir()) if path.name not in NOT_OF_THE_LIBRARY)


@functools.cache
def closure() -> Closure:
    paths = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
    # In a virtual environment "platstdlib" names a folder of the environment that need not be there.
    library = tuple(dict.fromkeys(Path(p) for p in paths if os.path.isfile(os.path.join(p, "os.py"))))
    base = Path(sys.base_prefix)
    beside = () if base == Path("/usr") else sorted(base.joinpath("lib").glob("*.so*"))
    shared = (*(Path(p) for p in SYSTEM_LIBRARIES if os.path.exists(p)), *beside)
    python = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    return Closure(python, library, shared, dict(_entries(_distributions(PACKAGES))))


def keep_apart(readable: Iterable[Path], hidden: Iterable[Path]) -> None:
    """Whoever keeps the course among the packages would show it to every submission."""
    secrets = [Path(os.path.realpath(h)) for h in hidden]
    for path in readable:
        real = Path(os.path.realpath(path))
        for secret in secrets:
            if real == secret or real in secret.parents:
                raise Refused(f"{path} must stay readable, and {secret} lies in it; keep the course elsewhere")


def _distributions(names: Iterable[str]) -> dict[str, importlib.metadata.Distribution | None]:
    """The named ones and all they require, extras left out. None: importable, but without metadata."""
    found: dict[str, importlib.metadata.Distribution | None] = {}
    waiting = list(names)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
            continue
        found[name] = distribution
        for line in distribution.requires or []:
            required = re.match(r"[A-Za-z0-9._-]+", line)
            if required and not re.search(r"\bextra\s*==", line):
                waiting.append(required[0])
    return found


def _entries(found: dict[str, importlib.metadata.Distribution | None]) -> Iterator[tuple[str, Path]]:
    for name, distribution in found.items():
        record = distribution.read_text("RECORD") if distribution else None
        if distribution and record:
            places = {line.split(",", 1)[0].split("/", 1)[0].strip('"') for line in record.splitlines()}
            for place in sorted(places - {"..", "__pycache__", ""}):
                path = Path(str(distribution.locate_file(place)))
                if not place.endswith(".pth") and path.exists():
                    yield place, path
        else:
            yield from _importable(name.replace("-", "_"))


def _importable(name: str) -> Iterator[tuple[str, Path]]:
    """A package of the system's own, or one that is not there at all."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return
    for place in (spec.submodule_search_locations or []) if spec else []:
        yield os.path.basename(place), Path(place)
