"""Folders of price books besides those that come with the application: told once, when the application starts."""

from pathlib import Path

_FOLDERS: list[Path] = []


def set_folders(*folders: Path) -> None:
    """Set the folders in which price books are found, too, in place of those that were set before."""
    _FOLDERS[:] = folders


def book_folders() -> tuple[Path, ...]:
    """Return the folders of imported price books; new ones are put in the first."""
    return tuple(_FOLDERS)
