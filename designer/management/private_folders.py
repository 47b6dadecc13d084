"""Folders that only their owner may read and write."""

import os
import stat
from pathlib import Path

FOLDER_MODE = 0o700


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
