"""The secret key of embedded mode: made once, kept in the data folder, readable by its owner alone."""

import os
import secrets
from pathlib import Path

from designer.management.private_folders import create_private_folder


def read_or_create(path: Path) -> str:
    """Return the key in the file, and create the file if it is absent.

    If the file cannot be written, return a key for this process only.
    """
    fresh = secrets.token_urlsafe(50)
    try:
        create_private_folder(path.parent)
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(fresh)
        return path.read_text().strip() or fresh
    except OSError:
        return fresh
