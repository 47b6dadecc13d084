"""Files that a command is about: named ones, folders and patterns."""

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from designer.management.base import UNUSABLE, CommandError

SUFFIXES = (".keywright.json", ".keywright.yaml", ".keywright.yml")
"""How a design's file ends where nobody names it."""


def find_designs(names: Iterable[str]) -> list[str]:
    """Return the files in the order given, each once; those of a folder or pattern by name.

    A file in the current folder or below has one name however it was given, as CI and baselines know it.

    Raises
    ------
    CommandError
        If a folder or pattern has none.
    """
    return list(dict.fromkeys(_relative(file) for name in names for file in _files(name)))


def _relative(file: str) -> str:
    # abspath and not resolve(): a link keeps the name that git and the code host know.
    path = Path(os.path.abspath(file))
    here = Path.cwd()
    return str(path.relative_to(here)) if file != "-" and path.is_relative_to(here) else file


def _files(name: str) -> Iterator[str]:
    path = Path(name)
    if not name:  # as of a variable that is not set; a path without a name is this folder
        raise CommandError("an empty name is no file", returncode=UNUSABLE)
    if path.is_dir():
        files = sorted(
            str(file) for file in path.rglob("*.keywright.*") if file.name.endswith(SUFFIXES) and file.is_file()
        )
    elif name != "-" and glob.has_magic(name) and not path.exists():
        # A file can be called "design[1].json": an existing name is a name and no pattern.
        files = sorted(file for file in glob.glob(name, recursive=True) if Path(file).is_file())
    else:
        files = [name]
    if not files:
        what = f"has no file that ends in {' or '.join(SUFFIXES[:2])}" if path.is_dir() else "matches no file"
        raise CommandError(f"{name} {what}", returncode=UNUSABLE)
    yield from files
