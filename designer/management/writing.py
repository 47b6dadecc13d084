"""Files that commands write: what is there already stays as it is, unless `--overwrite` says otherwise."""

import os
import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path

from designer.document import Spec, dump
from designer.document.compact import dump_compact
from designer.document.load import COMPACT_SUFFIXES
from designer.management.base import UNUSABLE, CommandError


def add_overwrite(parser: ArgumentParser) -> None:
    """`--overwrite`."""
    parser.add_argument("--overwrite", action="store_true", help="replace files that are there with other content")


def refuse_existing_file(path: Path, *, overwrite: bool) -> None:
    """Refuse an existing file before what takes long: whether its content will be the same is known too late.

    Raises
    ------
    CommandError
        If a file is there already.
    """
    if path.is_file() and not overwrite:
        raise CommandError(f"{path} exists: --overwrite replaces it", returncode=UNUSABLE)


def design_bytes(spec: Spec, path: Path) -> bytes:
    """Return a design as a file of this name holds it: YAML in one that ends so, else JSON."""
    return (dump_compact(spec) if path.suffix in COMPACT_SUFFIXES else dump(spec)).encode()


def write_all(files: Mapping[Path, bytes], *, overwrite: bool) -> None:
    """Write all of the files, or none where one would replace another content.

    Raises
    ------
    CommandError
        If something is in the way, or cannot be written.
    """
    path = Path()
    try:
        # All are checked before any is written, so that a refusal leaves the folder as it was.
        for path, data in files.items():
            if not overwrite and path.is_file() and path.read_bytes() != data:
                raise CommandError(f"{path} is there with other content: --overwrite replaces it", returncode=UNUSABLE)
        for path, data in files.items():
            write_atomically(path, data)
    except OSError as error:
        raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=UNUSABLE) from error


def write_atomically(path: Path, data: bytes) -> None:
    """Write all of a file or nothing: a full disk or a kill leaves what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # A link stays a link: the file that it leads to is replaced.
    path = path.resolve()
    if path.exists() and not path.is_file():  # a device or a pipe has no content that could be lost
        path.write_bytes(data)
        return
    # mkstemp makes a file for its owner alone; the server may run as another user and must read it.
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    # In the same folder: a rename is atomic only within one file system.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        # Ctrl+C included: nothing half-written is left beside the file.
        Path(name).unlink(missing_ok=True)
        raise
