"""Files that only their owner may read: the database, with what SQLite writes beside it, and the secret key."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDER_MODE, FILE_MODE = 0o700, 0o600
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")
"""Endings of SQLite's files; it gives those beside the database the database's mode."""


def create_private_folder(folder: Path) -> None:
    """Create a folder and those above it, each for its owner alone."""
    for path in reversed([folder, *folder.parents]):
        if not path.exists():
            path.mkdir(FOLDER_MODE, exist_ok=True)


def is_private_folder(folder: Path) -> bool:
    """Return whether a folder is this user's own, and nobody else may write there: what is in it can be trusted."""
    try:
        # `lstat`: a link that somebody put in the folder's place is no folder of this user's, wherever it leads.
        status = folder.lstat()
    except OSError:
        return False
    is_own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return is_own and stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022


def make_private(folder: Path, database: dict[str, Any]) -> None:
    """Create the SQLite file for its owner alone; take from others what they may do with files that are there.

    What belongs to another user is left to them.
    """
    if folder.is_dir():
        _take_from_others(folder, FOLDER_MODE)
    _take_from_others(folder / "secret_key", FILE_MODE)
    name = str(database["NAME"])
    if not database["ENGINE"].endswith("sqlite3") or "memory" in name.rpartition("/")[2]:
        return
    with suppress(OSError):
        create_private_folder(Path(name).parent)
        # Made before SQLite makes it, which would follow the umask; SQLite gives its other files the mode of this one.
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT, FILE_MODE))
    for ending in BESIDE_DATABASE:
        _take_from_others(Path(f"{name}{ending}"), FILE_MODE)


def _take_from_others(path: Path, mode: int) -> None:
    with suppress(OSError):
        if path.stat().st_mode & 0o777 & ~mode:
            path.chmod(mode)
