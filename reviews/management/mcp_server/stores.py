"""Designs of one folder: read, and written where that is allowed; nothing outside of the folder is ever touched."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from designer.document import Spec
from designer.document.load import MAX_BYTES, is_compact
from estimator.management.design_files import canonical_text
from estimator.management.file_search import SUFFIXES

MOST_LISTED = 500
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
NO_WAITING = getattr(os, "O_NONBLOCK", 0)
"""Where a pipe has the name of a design, nobody may ever write into it."""


class StoreError(Exception):
    """Error in reading or writing a design: a sentence that says what to do."""


@dataclass(frozen=True)
class StoredDesign:
    """The text of a design where it is kept."""

    name: str
    """As tools name it: a path below the folder, or the key of a design on a site."""
    text: str
    version: str
    """Changes with the text; who writes names the version that is to be replaced."""


@dataclass(frozen=True)
class ListedDesign:
    """A design in a list."""

    name: str
    title: str
    """What people call it; empty where that needs the file to be read."""


class DesignStore(Protocol):
    """Store of designs."""

    place: str
    """What it is, for people."""

    def list_designs(self) -> tuple[list[ListedDesign], int]:
        """Return the first designs and the number of all."""

    def read(self, name: str) -> StoredDesign:
        """Return a design.

        Raises
        ------
        StoreError
            If there is none with this name.
        """

    def replace(self, stored: StoredDesign, spec: Spec, text: str | None = None) -> StoredDesign:
        """Write a design in the place of the version that was read; `text` is what it was read from, if anything.

        Raises
        ------
        StoreError
            If it is no longer that version.
        """

    def create(self, name: str, spec: Spec, text: str) -> StoredDesign:
        """Write a design that is not there yet."""


def _text_of_file(name: str, spec: Spec, text: str) -> str:
    """Return the canonical text in the form that the file's name says; comments stay where `text` has that form."""
    form = "json" if name.endswith(".json") else "yaml"
    # Comments are found in the old text; JSON has none, so a change of the form begins from an empty one.
    is_same_form = is_compact(text) == (form == "yaml")
    return canonical_text(text if is_same_form else "{}" if form == "json" else "", spec, form, name)


class FolderStore:
    """Files of designs below a folder, which no name and no symbolic link leads out of."""

    def __init__(self, root: Path) -> None:
        try:
            self._root = root.resolve(strict=True)
        except OSError as error:
            raise StoreError(f"{root}: {error.strerror or error}") from error
        if not self._root.is_dir():
            raise StoreError(f"{root} is no folder")
        self.place = f"the folder {root}"

    def list_designs(self) -> tuple[list[ListedDesign], int]:
        """Return the first files by name, hidden folders and symbolic links left out, and the number of all."""
        names = sorted(self._names())
        return [ListedDesign(name, "") for name in names[:MOST_LISTED]], len(names)

    def _names(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self._root, followlinks=False):
            # Assigned in place: `os.walk` then does not enter `.git` and the like.
            folders[:] = [name for name in folders if not name.startswith(".")]
            for file in files:
                path = Path(folder, file)
                if file.endswith(SUFFIXES) and not path.is_symlink() and path.is_file():
                    yield path.relative_to(self._root).as_posix()

    def read(self, name: str) -> StoredDesign:
        """Return a file's text, up to the size limit of a design."""
        path = self._path(name)
        try:
            # Checked on the open file and not by the path, which somebody could replace with a link or a pipe in
            # between.
            with open(os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAITING), "rb") as file:
                is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
                raw = file.read(MAX_BYTES + 1) if is_file else b""
        except FileNotFoundError:
            raise StoreError(f"There is no design {name}; list_designs names them.") from None
        except OSError as error:
            raise StoreError(f"{name}: {error.strerror or error}") from error
        if not is_file:
            raise StoreError(f"{name} is no file.")
        if len(raw) > MAX_BYTES:
            raise StoreError(f"{name} is longer than a design may be.")
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            # Not with signs in the place of what cannot be read: a change would write them over the file's own bytes.
            raise StoreError(f"{name} is not UTF-8 text: byte {error.start} is 0x{raw[error.start]:02x}.") from None
        return StoredDesign(name, text, hashlib.sha256(raw).hexdigest())

    def replace(self, stored: StoredDesign, spec: Spec, text: str | None = None) -> StoredDesign:
        """Write the design in the form that the file has; comments of YAML stay."""
        content = _text_of_file(stored.name, spec, stored.text if text is None else text)
        # An editor may have saved the file since the model read it.
        if self.read(stored.name).version != stored.version:
            raise StoreError(f"{stored.name} has changed since it was read. Read it again, then change it.")
        path = self._path(stored.name)
        self._write_atomically(path, content)
        return self.read(stored.name)

    def create(self, name: str, spec: Spec, text: str) -> StoredDesign:
        """Write a file that is not there yet, in the form that its name says."""
        path = self._path(name)
        content = _text_of_file(name, spec, text)
        try:
            # O_EXCL: whether the file is there is decided by the system in the same step that creates it.
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW, 0o644), "wb") as file:
                file.write(content.encode())
        except FileExistsError:
            raise StoreError(f"{name} exists: replace_design changes it.") from None
        except OSError as error:
            raise StoreError(f"{name}: {error.strerror or error}") from error
        return self.read(name)

    def _path(self, name: str) -> Path:
        """Return where a name is, if that is below the folder and no link is on the way."""
        parts = PurePosixPath(name).parts
        # Backslash and colon are refused on every system: on Windows they lead to other folders, drives and streams.
        if not name or PurePosixPath(name).is_absolute() or ".." in parts or set(name) & set("\\\0:"):
            raise StoreError("Name a design by its path below the folder, such as schemas/orders.keywright.yaml.")
        if not name.endswith(SUFFIXES):
            raise StoreError(f"The name of a design ends in {', '.join(SUFFIXES)}.")
        path = self._root
        # Each folder on the way is looked at, since `resolve` alone would accept a link that stays below the root.
        try:
            for part in parts:
                path = path / part
                if path.is_symlink():
                    raise StoreError(f"{name} leads over a symbolic link, which is not followed.")
            if not path.resolve().is_relative_to(self._root):
                raise StoreError(f"{name} is outside of the folder.")
        except OSError as error:  # a name that is too long, or a folder that may not be looked into
            raise StoreError(f"{name[:100]}: {error.strerror or error}") from error
        return path

    @staticmethod
    def _write_atomically(path: Path, text: str) -> None:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "wb") as file:
                file.write(text.encode())
            # `mkstemp` makes files that only their owner reads; colleagues could read the design before.
            os.chmod(beside, path.stat().st_mode & 0o777)
            os.replace(beside, path)
        except OSError as error:
            with suppress(OSError):
                os.unlink(beside)
            raise StoreError(f"{path.name}: {error.strerror or error}") from error
