"""Read the files of a submission as text. No code in them is parsed, imported or run here."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from grader.errors import UsageError
from grader.language import N_
from grader.submission.model import SourceFile, Submission
from grader.submission.notebook import extract, read
from grader.submission.notebook.extract import Tasks
from grader.submission.notebook.several import defines

LIMIT = 256 * 1024  # bytes; the longest reference has a tenth of it
MOST_OTHERS = 20  # notebooks named after no exercise that are looked into, a student
INNER = "exercises"
NOTEBOOK = ".ipynb"
IsStub = Callable[[str, str], bool]  # whether a text is the untouched stub of an exercise

# Opened without waiting: a FIFO that was swapped in after the look at it must not hold the grader.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # UTF-32 in little endian begins with the same two bytes


class Unreadable(Exception):
    """Completes "attention.py cannot be read: …"."""


def read_source(path: Path, name: str, tasks: Tasks | None = None) -> SourceFile:
    """The text of one regular file, with LF line ends; or none, and a `problem` for the code `unreadable_file`.

    Of a notebook the definitions in its cells. One that is not called NAME.ipynb may hold several exercises: of what
    belongs to others, by the `tasks` of each, it has imports.
    """
    return source_of(lambda limit: bytes_of(path, limit), name, path.name, tasks)


def source_of(read_bytes: Callable[[int], bytes], name: str, file: str, tasks: Tasks | None = None) -> SourceFile:
    """The same of a `file` of this name, wherever its bytes come from: `read_bytes` gets the limit, and raises
    Unreadable or OSError."""
    notebook = file.lower().endswith(NOTEBOOK)
    try:
        if notebook:
            return _of_notebook(read_bytes(read.LIMIT), name, file, tasks)
        return SourceFile(name, _text(read_bytes(LIMIT)), called="" if file == f"{name}.py" else file)
    except Unreadable as reason:
        return SourceFile(name, None, str(reason), notebook)
    except OSError as error:
        problem = N_(f"the system refuses it ({error.strerror or type(error).__name__})")
        return SourceFile(name, None, problem, notebook)


def _of_notebook(data: bytes, name: str, file: str, tasks: Tasks | None) -> SourceFile:
    if tasks is None or os.path.splitext(file)[0] == name:
        return extract.from_bytes(data, name)
    return extract.of_several(data, name, tasks, file)


def with_file(submission: Submission, file: SourceFile) -> Submission:
    """The submission with this file, and what is to be said about it."""
    files = {**submission.files, file.name: file}
    notes = tuple(f"{file.file}: {note}" for note in file.notes)
    return replace(submission, files=files, problems=(*submission.problems, *notes))


def exercises_in(path: Path, tasks: Tasks) -> list[str]:
    """The exercises of which a notebook defines a task; none if it cannot be read."""
    try:
        return defines(bytes_of(path, read.LIMIT), tasks)
    except (Unreadable, OSError, read.Broken):
        return []


def read_folder(
    folder: Path, names: Collection[str], student: str, is_stub: IsStub = lambda name, text: False,
    tasks: Tasks | None = None,
) -> Submission:  # fmt: skip
    """The files NAME.py or NAME.ipynb in `folder` or in exercises/ below it.

    A notebook is taken where there is no NAME.py, or only its stub. With the `tasks` of each exercise, a notebook of
    another name is taken, too, for the exercises that it defines. A folder that cannot be listed is a UsageError.
    """
    top = {entry.name: entry for entry in listing(folder)}
    inner, problems = _inner(top.get(INNER))
    submission = Submission(student)
    for name in sorted(names):
        written = _chosen(top, inner, f"{name}.py", problems)
        notebook = _chosen(top, inner, f"{name}{NOTEBOOK}", problems)
        file = read_source(Path(written.path), name) if written else None
        if notebook and (file is None or (file.text is not None and is_stub(name, file.text))):
            file = read_source(Path(notebook.path), name)
        elif notebook and file and not same_code(file, read_source(Path(notebook.path), name)):
            problems.append(both_there(name))
        if file is not None:
            submission = with_file(submission, file)
    submission = _with_others(submission, {**inner, **top}, is_stub, tasks or {})
    if not submission.files and not problems:
        problems.append(no_files(os.path.basename(os.path.abspath(folder)), names))
    return replace(submission, problems=(*problems, *submission.problems))


def _with_others(
    submission: Submission, entries: Mapping[str, os.DirEntry[str]], is_stub: IsStub, tasks: Tasks
) -> Submission:
    """With the exercises that no file of their own name answers, from notebooks called otherwise."""
    missing = {n for n in tasks if (own := submission.files.get(n)) is None or is_stub(n, own.text or "")}
    others = [name for name in sorted(entries) if name.lower().endswith(NOTEBOOK) and Path(name).stem not in tasks]
    for called in others[:MOST_OTHERS] if tasks else ():
        path = Path(entries[called].path)
        found = [name for name in exercises_in(path, tasks) if name in missing]
        for name in found:
            file = read_source(path, name, tasks)
            if name not in submission.files:  # a stub says the same by itself
                note = N_(f"{name} is graded as its cells define it; there is no other answer to it.")
                file = replace(file, notes=(note, *file.notes))
            submission = with_file(submission, file)
        missing -= set(found)
    return submission


def listing(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of a folder, sorted by name."""
    shown = repr(str(folder))
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        raise UsageError(f"There is no folder {shown}: check the path.") from None
    except NotADirectoryError:
        raise UsageError(f"{shown} is a file, not a folder: name the folder it is in.") from None
    except PermissionError:
        raise UsageError(f"The folder {shown} cannot be read: you have no rights to it; ask its owner.") from None
    except OSError as error:
        raise UsageError(f"The folder {shown} cannot be read ({error.strerror or error}): check the path.") from None


def _inner(entry: os.DirEntry[str] | None) -> tuple[Mapping[str, os.DirEntry[str]], list[str]]:
    """What is in exercises/, and what is wrong with it."""
    if entry is not None and entry.is_symlink():
        return {}, [N_(f"{INNER} is a symbolic link, and links are not followed: hand in the folder itself.")]
    if entry is None or not entry.is_dir():
        return {}, []
    try:
        return {below.name: below for below in listing(Path(entry.path))}, []
    except UsageError:
        return {}, [N_(f"The folder {INNER} cannot be read: give the grader rights to it, or hand it in again.")]


def _chosen(
    top: Mapping[str, os.DirEntry[str]], inner: Mapping[str, os.DirEntry[str]], file: str, problems: list[str]
) -> os.DirEntry[str] | None:
    if file in top and file in inner:
        problems.append(twice_there(file))
    return top.get(file) or inner.get(file)


def same_code(file: SourceFile, notebook: SourceFile) -> bool:
    """Whichever of them is graded, the verdict is the same: as `grade notebook` leaves them."""
    return file.text is not None and notebook.text is not None and file.text.strip() == notebook.text.strip()


def both_there(name: str) -> str:
    """The sentence on a file and a notebook of one exercise that differ."""
    return N_(
        f"{name}.py and {name}{NOTEBOOK} are both there and differ: {name}.py is graded, the notebook is not. "
        f"To have the notebook graded, put the stub back into {name}.py (`grade reset {name}`), or delete it."
    )


def twice_there(file: str) -> str:
    """The sentence on a file at the top and one of its name in exercises/."""
    return N_(f"{file} is there twice: the one at the top is graded, {INNER}/{file} is not.")


def no_files(shown: str, names: Collection[str]) -> str:
    """The sentence on a folder without any exercise. `names`: what counts comes first."""
    first = next(iter(names), "NAME")
    return N_(f"There is no exercise file in {shown!r}: put files like {first}.py there, or into {INNER}/ below it.")


def bytes_of(path: Path, limit: int) -> bytes:
    """A regular file, never through a link. Unreadable or OSError."""
    _only_regular(os.lstat(path).st_mode)  # before opening: the mere opening of a device can do something
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _FLAGS)) as file:
        _only_regular(os.fstat(file.fileno()).st_mode)
        data = file.read(limit + 1)  # whatever size the file system claims
    if len(data) > limit:
        raise too_large(limit)
    return data


def too_large(limit: int) -> Unreadable:
    """`limit` in bytes."""
    size = f"{limit >> 10} KiB" if limit == LIMIT else f"{limit >> 20} MiB"
    return Unreadable(
        f"it is larger than {size}; hand in the code without {N_('data') if limit == LIMIT else N_('outputs')}"
    )


def _only_regular(mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise Unreadable("it is a symbolic link, and links are not followed; hand in the file itself")
    if not stat.S_ISREG(mode):
        kind = (
            N_("a folder")
            if stat.S_ISDIR(mode)
            else N_("a named pipe")
            if stat.S_ISFIFO(mode)
            else N_("a device or a socket")
        )
        raise Unreadable(f"it is {kind}, not a file; hand in a text file")


def _text(data: bytes) -> str:
    if data.startswith(_UTF16):
        raise Unreadable("it is written in UTF-16; save it as UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if (at := data.find(b"\0")) >= 0:
        raise Unreadable(f"line {_line(data, at)} holds a NUL byte, so it is not text; save it as UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte, line = data[error.start], _line(data, error.start)
        raise Unreadable(f"line {line} holds the byte 0x{byte:02X}, which is not UTF-8; save it as UTF-8") from None


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
