"""Which files a command is about: named ones, folders and patterns."""

import glob
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.core.management.base import CommandError

from estimator.management.commandline import UNUSABLE

SUFFIXES = (".keywright.json", ".keywright.yaml", ".keywright.yml")
"""How a design's file ends where nobody names it."""


def find_designs(given: Iterable[str]) -> list[str]:
    """Return the files in the order given, each once; those of a folder or pattern by name.

    Raises
    ------
    CommandError
        If a folder or pattern has none.
    """
    return list(dict.fromkeys(file for name in given for file in _files(name)))


def _files(name: str) -> Iterator[str]:
    path = Path(name)
    if path.is_dir():
        found = sorted(
            str(each) for each in path.rglob("*.keywright.*") if each.name.endswith(SUFFIXES) and each.is_file()
        )
    elif name != "-" and glob.has_magic(name) and not path.exists():
        found = sorted(each for each in glob.glob(name, recursive=True) if Path(each).is_file())
    else:
        found = [name]
    if not found:
        what = f"has no file that ends in {' or '.join(SUFFIXES[:2])}" if path.is_dir() else "matches no file"
        raise CommandError(f"{name} {what}", returncode=UNUSABLE)
    yield from found
