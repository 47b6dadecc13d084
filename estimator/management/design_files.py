"""Files that a command is about: named ones, folders and patterns; and the canonical text of one."""

import glob
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from designer.document import InvalidDocumentError, Spec, dump, load
from designer.document.load import is_compact
from designer.management.base import CommandError
from estimator.management.commandline import FAILED, UNUSABLE

SUFFIXES = (".keywright.json", ".keywright.yaml", ".keywright.yml")
"""How a design's file ends where nobody names it."""
SCHEMA = "$schema"


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


def canonical_text(text: str, spec: Spec, form: str, file: str) -> str:
    """Return the design's canonical text, which is read back before it replaces anything.

    Raises
    ------
    CommandError
        If it is not read back as this design.
    """
    is_yaml = is_compact(text, file)
    if form == "json":
        # A schema named in YAML is a comment for the editor's language server; JSON has it as a field.
        new_text = _with_schema(dump(spec), text) if not is_yaml else dump(spec)
    else:
        from designer.document.compact import dump_compact, format_compact

        new_text = format_compact(spec, text) if is_yaml else dump_compact(spec)
    try:
        # A defect of the writer must not replace the only copy of a design by another design.
        again = load(new_text, name=f"design.{form}")
    except InvalidDocumentError:
        again = None
    if again != spec:
        reason = f"{file} is left as it is: its canonical form would not be read as the same design. "
        raise CommandError(f"{reason}This is an error in Keywright, not in the design.", returncode=FAILED)
    return new_text


def _with_schema(canonical: str, text: str) -> str:
    """Keep the name of the schema that an editor reads, at the beginning."""
    # Windows editors begin a file with a byte order mark, which `json.loads` refuses in a text.
    schema = json.loads(text.removeprefix("\ufeff")).get(SCHEMA)
    if schema is None:
        return canonical
    # The first brace is that of the whole document.
    return canonical.replace("{", f"{{\n  {json.dumps(SCHEMA)}: {json.dumps(schema, ensure_ascii=False)},", 1)
