"""Answers of commands on files, kept on disk: asked again about the same content, nothing is computed again.

An answer is found by all that it depends on: what was asked and about which content, the day, the price books, the
files of the program, and the versions of Python and of the libraries. It needs none of the libraries to be loaded.
"""

import datetime
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import designer
import estimator
from designer.management.private_folders import create_private_folder, is_private_folder
from estimator.price_books.folders import book_folders

MOST_BYTES = 16 << 20
"""So much is kept; what was not used for longest goes first."""
MOST_FILE_BYTES = 4 << 20
"""Twice the largest design: answers about larger files are not kept."""
DIGEST_BYTES = 32

_FOLDERS: list[Path] = []


def set_answer_folder(folder: Path) -> None:
    """Set where answers are kept from now on."""
    _FOLDERS[:] = [folder]


class AnswerCache:
    """The answers of one day; without a folder that is this user's own, nothing is kept and nothing is found."""

    def __init__(self, today: datetime.date, *, is_used: bool = True) -> None:
        self._folder = self._circumstances = None
        # A cache saves time and is never needed: whatever is wrong with it, the command goes on without it.
        with suppress(OSError):
            if is_used and _FOLDERS and not _is_home_of_other(_FOLDERS[0]):
                create_private_folder(_FOLDERS[0])
                # Answers hold Python's objects, which whoever writes them could make run anything.
                self._folder = _FOLDERS[0] if is_private_folder(_FOLDERS[0]) else None
                self._circumstances = (str(today), *_price_books(), *_program())

    def get(self, *question: Any) -> bytes | None:
        """Return what was answered to a question, which `repr` tells from every other; None if that is not there."""
        path = self._path(question)
        with suppress(OSError):
            if path is not None:
                content = path.read_bytes()
                answer = content[DIGEST_BYTES:]
                if hashlib.sha256(answer).digest() == content[:DIGEST_BYTES]:
                    os.utime(path)
                    return answer
        return None

    def put(self, answer: bytes, *question: Any) -> None:
        """Keep an answer."""
        path = self._path(question)
        if path is None:
            return
        # Written beside and moved: who reads at the same time sees the whole answer or none.
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        with suppress(OSError):
            try:
                beside.write_bytes(hashlib.sha256(answer).digest() + answer)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)
            _drop_oldest(path.parent)

    def _path(self, question: tuple[Any, ...]) -> Path | None:
        if self._folder is None or self._circumstances is None:
            return None
        return self._folder / hashlib.sha256(repr((self._circumstances, question)).encode()).hexdigest()


def file_digests(names: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    """Return each file's name and the SHA-256 of its content; None if one is no file that can be read twice.

    `-` is the standard input.
    """
    try:
        files = [(name, Path(name)) for name in names]
        if "-" in names or not all(path.is_file() and path.stat().st_size <= MOST_FILE_BYTES for _, path in files):
            return None
        return tuple((name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in files)
    except (OSError, ValueError):  # ValueError: of a name with a null character
        return None


def _is_home_of_other(folder: Path) -> bool:
    """Return whether `sudo` left the home of a person to root, whose folders that person could not use."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    return hasattr(os, "getuid") and os.getuid() == 0 and nearest.stat().st_uid != 0


def _price_books() -> Iterator[tuple[str, str]]:
    """Yield the imported price books; those of the program are among its files."""
    for folder in filter(os.path.isdir, book_folders()):
        yield from (
            (str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in sorted(folder.glob("*.json"))
        )


def _program() -> Iterator[Any]:
    """Yield what tells this program from every other: its files as Python itself tells them, and the libraries."""
    yield sys.version, sys.flags.optimize
    for package in (designer, estimator):
        yield sorted(_file_states(package.__path__[0]))
    for folder in filter(os.path.isdir, sys.path):
        yield folder, sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))


def _file_states(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the path, the time and the size of every file below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                state = entry.stat()
                yield entry.path, state.st_mtime_ns, state.st_size
            elif entry.name != "__pycache__":
                yield from _file_states(entry.path)


def _drop_oldest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        files = sorted(((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries), reverse=True)
    total_bytes = 0
    for _, size_bytes, path in files:
        total_bytes += size_bytes
        if total_bytes > MOST_BYTES:
            Path(path).unlink(missing_ok=True)
