"""Files that only their owner may read: the database, with what SQLite writes beside it, and the secret key."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from designer.management.private_folders import FOLDER_MODE, create_private_folder

FILE_MODE = 0o600
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")
"""Endings of SQLite's files; it gives those beside the database the database's mode."""


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
