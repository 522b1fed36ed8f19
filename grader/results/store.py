"""Results as files: strict JSON out, checked JSON in, and files that are whole or not there."""

from __future__ import annotations

import errno
import math
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import EngineError, ResultsError, UsageError
from grader.language import N_
from grader.results.schema import SCHEMA, Results

# From a schema to the next one: MIGRATIONS[1] takes the JSON of schema 1 and returns that of schema 2.
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}

TEMPORARY = ".grader-*.tmp"  # what a killed run may leave behind


def dump(results: Results) -> bytes:
    """The file's bytes: the same for equal results, loaded or not, and always readable by `load`."""
    try:
        tree = _strict(msgspec.to_builtins(results, str_keys=True))
        # A struct does not check its fields when it is made; and 2 points are 2.0, as they are once they were loaded.
        checked = msgspec.convert(tree, Results)
        return msgspec.json.format(msgspec.json.encode(checked, order="sorted"), indent=2) + b"\n"
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise EngineError(f"The results of {results.student!r} are no valid results ({error}): report this.") from error


def load(path: Path) -> Results:
    """The results in a file, of this schema or of an older one that can be migrated."""
    shown = repr(str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{shown} cannot be read ({error.strerror or error}): check the path.") from error
    return parsed(data, shown)


def parsed(data: bytes, shown: str) -> Results:
    """The results in the bytes of a file, which errors call `shown`."""
    try:
        raw = msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{shown} is not JSON ({error}): grade again to make it new.") from error
    if not isinstance(raw, dict) or type(raw.get("schema")) is not int:
        raise ResultsError(f"{shown} is JSON, but no results file of this grader: name a results.json.")
    try:
        return msgspec.convert(_migrated(raw, shown), Results)
    except (msgspec.ValidationError, LookupError, TypeError) as error:  # the last two: a migration met another shape
        raise ResultsError(f"{shown} does not follow its schema ({error}): grade again to make it new.") from error


def write_atomic(path: Path, data: bytes) -> None:
    """Write a whole file, or leave what was there."""
    with staged(path, data) as temporary, refused(path):
        os.replace(temporary, path)


def write_with_folder(path: Path, data: bytes) -> None:
    """As `write_atomic`, in a folder that is made if it is not there."""
    with refused(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, data)


def encoded(text: str) -> bytes:
    """UTF-8, with lone surrogates spelt out, which it has no bytes for."""
    return text.encode("utf-8", "backslashreplace")


@contextmanager
def staged(path: Path, data: bytes) -> Iterator[Path]:
    """The data on the disk, in a temporary file beside `path` that is removed at the end unless it got a name."""
    temporary = path.with_name(TEMPORARY.replace("*", secrets.token_hex(8)))
    try:
        with refused(path), open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def refused(path: Path) -> Iterator[None]:
    """Say in one sentence why the system does not let us write `path`."""
    shown = repr(str(path))
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
            sentence = N_(f"There is no space left to write {shown}: free some and run the same command again.")
        elif isinstance(error, PermissionError) or error.errno == errno.EROFS:
            sentence = N_(f"You have no rights to write {shown}: change them, or choose another folder.")
        else:
            sentence = N_(f"{shown} cannot be written ({error.strerror or error}): choose another place.")
        raise UsageError(sentence) from error


def _migrated(raw: dict[str, Any], shown: str) -> dict[str, Any]:
    schema: int = raw["schema"]
    if schema > SCHEMA:
        raise ResultsError(f"{shown} has schema {schema}, newer than this grader's {SCHEMA}: update the grader.")
    while schema < SCHEMA:
        if schema not in MIGRATIONS:
            raise ResultsError(f"{shown} has schema {schema}, which this grader no longer reads: grade again.")
        raw = MIGRATIONS[schema](raw)
        schema += 1
    return {**raw, "schema": SCHEMA}


def _strict(value: Any) -> Any:
    """Spell out what strict JSON has no letters for: nan, the infinities, and lone surrogates."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, str):
        return encoded(value).decode()
    if isinstance(value, dict):
        return {_strict(key): _strict(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(item) for item in value]
    return value
