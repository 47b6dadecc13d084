"""Filling a database from a backup, in one transaction."""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any

from django.contrib.sessions.models import Session
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction

from .file_format import FORMAT, NAME, OF_ACCOUNTS, BackupError, backed_up_models, build_row, excluded_models

AT_ONCE = 200
"""So many rows are stored by one statement."""
MAX_LINE_BYTES = 64_000_000
"""A document has 2 MB at most, a revision holds several; a longer line is none of ours."""


@dataclass(frozen=True)
class DatabaseContents:
    """Current contents of a database."""

    counts: Mapping[str, int]
    """Of each model how many rows."""

    @property
    def rows(self) -> int:
        """All of them."""
        return sum(self.counts.values())


def read_contents() -> DatabaseContents:
    """Return the contents of the database that a restore would have to delete."""
    return DatabaseContents({label: model._base_manager.count() for label, model in backed_up_models().items()})


def is_backup(path: Path) -> bool:
    """Return whether a file is one of the application's backups, by its first line."""
    try:
        with gzip.open(path) as file:
            return NAME in next(_read_lines(file), {})
    except (OSError, EOFError, zlib.error, BackupError):
        return False


def restore(source: IO[bytes]) -> dict[str, Any]:
    """Put what a backup holds in the place of everything; its manifest.

    Raises
    ------
    BackupError
        If the file is none, is cut off or does not fit; the database is as it was then.
    """
    try:
        with gzip.GzipFile(fileobj=source, mode="rb") as file:
            return _replace_contents(_read_lines(file))
    except (OSError, EOFError, zlib.error) as broken:
        raise BackupError(f"The file is no backup, or it is cut off ({broken}).") from None
    except RecursionError:
        raise BackupError("The file is no backup of Keywright: a row is nested too deeply.") from None
    except (DatabaseError, OverflowError) as refused:
        raise BackupError(f"The database refuses what is in the backup: {refused}") from None


def _read_lines(file: Any) -> Iterator[dict[str, Any]]:
    for number in count(1):
        # One byte more than allowed tells a line that is too long from one that just fits, without unpacking all of it.
        line = file.readline(MAX_LINE_BYTES + 1)
        if not line:
            return
        if len(line) > MAX_LINE_BYTES:
            raise BackupError(f"Line {number} is longer than {MAX_LINE_BYTES // 1_000_000} MB; nothing was changed.")
        try:
            content = json.loads(line)
        except RecursionError:
            raise BackupError(f"Line {number} is nested too deeply; nothing was changed.") from None
        except ValueError:
            raise BackupError(f"The file is no backup of Keywright: line {number} is no JSON.") from None
        if not isinstance(content, dict):
            raise BackupError(f"The file is no backup of Keywright: line {number} is no object.")
        yield content


def _replace_contents(lines: Iterator[dict[str, Any]]) -> dict[str, Any]:
    manifest = _read_manifest(next(lines, {}))
    classes, stored = backed_up_models(), Counter[str]()
    with transaction.atomic():
        for passing in excluded_models():  # they point at rows that go
            passing._base_manager.all().delete()
        for model in reversed(classes.values()):
            rows = model._base_manager.all()
            # Django's `delete()` would load every row to follow what refers to it. All tables are emptied here, and the
            # constraints are checked once, at the end.
            rows._raw_delete(rows.db)
        Session.objects.all().delete()  # they name people by numbers that may be others' now
        for label, rows_of_one in _read_rows(lines, classes, manifest):
            classes[label]._base_manager.bulk_create(rows_of_one)
            stored[label] += len(rows_of_one)
            # Checked while reading, so that a file with too many rows is refused before all of them are stored.
            if stored[label] > manifest["counts"].get(label, 0):
                raise BackupError(f"The file holds more rows of {label} than it says; nothing was changed.")
        if {label: stored[label] for label in manifest["counts"]} != manifest["counts"]:
            raise BackupError("The file does not hold as many rows as it says; nothing was changed.")
        # Checked before the commit, because SQLite's error at the commit names neither the table nor the row.
        connection.check_constraints()
        # Rows come with their own primary keys, which PostgreSQL's sequences know nothing of: without this the next
        # INSERT would reuse one.
        for statement in connection.ops.sequence_reset_sql(no_style(), list(classes.values())):
            with connection.cursor() as cursor:
                cursor.execute(statement)
    return manifest


def _read_manifest(first: dict[str, Any]) -> dict[str, Any]:
    number, counts = first.get(NAME), first.get("counts")
    if type(number) is not int or not isinstance(counts, dict) or any(type(n) is not int for n in counts.values()):
        raise BackupError("The file is no backup of Keywright: its first line is no manifest.")
    if number > FORMAT:
        version = first.get("version", "?")
        raise BackupError(f"The backup is of version {version}, which writes a newer format: restore it with that one.")
    for label in OF_ACCOUNTS - backed_up_models().keys():
        # The manifest of a team's backup counts second factors, whose table a site of one person does not have.
        counts.pop(label, None)
    if unknown := sorted(counts.keys() - backed_up_models().keys()):
        raise BackupError(f"The backup holds {unknown[0]}, which is not known here: it is of a newer version.")
    return first


def _read_rows(
    lines: Iterable[dict[str, Any]], known_models: dict[str, type[models.Model]], manifest: dict[str, Any]
) -> Iterator[tuple[str, list[models.Model]]]:
    """Rows of one model at a time, so many at once; the end must come."""
    label, rows, ended = "", list[models.Model](), False
    for line in lines:
        if ended:
            raise BackupError("The file goes on after its end; nothing was changed.")
        ended = "end" in line
        following = "" if ended else str(line.get("model"))
        # `bulk_create` takes rows of one model, so a change of the model ends the batch as well.
        if rows and (following != label or len(rows) == AT_ONCE):
            yield label, rows
            rows = []
        label = following
        if not ended and label not in OF_ACCOUNTS - known_models.keys():
            if label not in known_models or not isinstance(line.get("fields"), dict):
                raise BackupError(f"The file holds a row of {label}, which is not known here; nothing was changed.")
            rows.append(build_row(known_models[label], line["fields"]))
    if not ended:
        raise BackupError("The file is cut off: its end is missing; nothing was changed.")
