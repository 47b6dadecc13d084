"""Files that commands write: what is there already stays as it is, unless `--overwrite` says otherwise."""

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
    """Before what takes long: whether it will be of the same content is known too late.

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
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=UNUSABLE) from error
