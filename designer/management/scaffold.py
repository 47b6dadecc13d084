"""New source files from a template: written all or none, and never over a file that exists."""

import re
from collections.abc import Container, Mapping
from keyword import iskeyword
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

MODULE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def check_module_name(name: str, used_names: Container[str]) -> None:
    """Raise CommandError if a new module cannot have this name."""
    if not MODULE.fullmatch(name) or iskeyword(name):
        raise CommandError(f"{name!r} is no name of a module: use lower-case words joined by underscores.")
    if name in used_names:
        raise CommandError(f"There is a module {name} already.")


def write_new_files(texts: Mapping[str, str], *, changes: Mapping[str, str] | None = None) -> None:
    """Write new files, and the new text of files that exist; the paths are those below the project's folder.

    Raises
    ------
    CommandError
        If one of the new files exists already; nothing is written then.
    """
    root = Path(settings.BASE_DIR)
    # Checked for all before the first is written.
    existing = next((path for path in texts if (root / path).exists()), None)
    if existing:
        raise CommandError(f"{Path(existing).name} exists; nothing was written.")
    for path, text in (*texts.items(), *(changes or {}).items()):
        (root / path).write_text(text, encoding="utf-8")
